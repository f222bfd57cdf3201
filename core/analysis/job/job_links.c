// Makes the edges between the ranks of a job from its messages and collective operations.
#include "analysis/job/job_links.h"

#include "analysis/job/job_flow.h"

static const struct otter_joint_node nowhere = {OTTER_NONE, OTTER_NONE};

struct linking {
    const struct otter_job *job;
    struct otter_joint *joint;
    uint64_t n_lacking;
    bool is_lacking; // a call of the current operation has no node in the graph
    bool is_short_of_memory;
};

static struct otter_joint_node node_at(struct linking *linking, uint32_t rank, uint32_t call)
{
    uint32_t node = call != OTTER_NONE ? otter_job_calls(linking->job, rank)->calls.items[call].node
                                       : OTTER_NONE;
    linking->is_lacking |= node == OTTER_NONE;
    return node != OTTER_NONE ? (struct otter_joint_node){rank, node} : nowhere;
}

// Adds an edge if both nodes are known. A call that receives its own message needs no edge.
static void add_link(struct linking *linking, struct otter_joint_node from,
                     struct otter_joint_node to, enum otter_edge_kind kind)
{
    bool is_itself = from.part == to.part && from.node == to.node;
    if (from.node == OTTER_NONE || to.node == OTTER_NONE || is_itself) {
        return;
    }
    if (!OTTER_VECTOR_ADD(&linking->joint->links, (struct otter_joint_link){from, to, kind})) {
        linking->is_short_of_memory = true;
        return;
    }
    if (from.part != OTTER_NONE) {
        linking->joint->parts.items[from.part].is_split[from.node] = true;
    }
}

static void end_operation(struct linking *linking)
{
    linking->n_lacking += linking->is_lacking;
    linking->is_lacking = false;
}

// ---- messages

static void link_messages(struct linking *linking, uint32_t rank)
{
    const struct otter_mpi_messages *receives = &otter_job_calls(linking->job, rank)->receives;
    for (uint32_t i = 0; i < receives->n; i++) {
        const struct otter_mpi_message *receive = &receives->items[i];
        if (receive->match != OTTER_NONE) {
            const struct otter_mpi_message *send =
                &otter_job_calls(linking->job, receive->peer)->sends.items[receive->match];
            add_link(linking, node_at(linking, receive->peer, send->begin),
                     node_at(linking, rank, receive->end), OTTER_EDGE_MESSAGE);
            end_operation(linking);
        }
    }
}

// ---- collective operations

static uint32_t rank_of(const struct linking *linking,
                        const struct otter_job_collective *collective, uint32_t i)
{
    return linking->job->members.items[collective->first + i].rank;
}

static struct otter_joint_node begin_of(struct linking *linking,
                                        const struct otter_job_collective *collective, uint32_t i)
{
    return node_at(linking, rank_of(linking, collective, i),
                   otter_job_item(linking->job, collective, i)->begin);
}

static struct otter_joint_node end_of(struct linking *linking,
                                      const struct otter_job_collective *collective, uint32_t i)
{
    return node_at(linking, rank_of(linking, collective, i),
                   otter_job_item(linking->job, collective, i)->end);
}

static void link_members(struct linking *linking, struct otter_joint_node from,
                         struct otter_joint_node to)
{
    add_link(linking, from, to, OTTER_EDGE_COLLECTIVE);
}

// Adds a meeting of all members up to `last`, at the start of `last`, but not before the meeting
// `before`.
static struct otter_joint_node add_meeting(struct linking *linking,
                                           const struct otter_job_collective *collective,
                                           uint32_t last, struct otter_joint_node before)
{
    struct otter_joint *joint = linking->joint;
    struct otter_joint_node begin = begin_of(linking, collective, last);
    if (begin.node == OTTER_NONE) {
        return before;
    }
    if (!OTTER_VECTOR_RESERVE(&joint->meetings)) {
        linking->is_short_of_memory = true;
        return nowhere;
    }
    const struct otter_joint_part *part = &joint->parts.items[begin.part];
    const struct otter_node *node = &part->graph->nodes[begin.node];
    struct otter_joint_meeting meeting = {
        node->start, node->region < part->n_regions ? part->regions[node->region] : OTTER_NONE};
    if (before.node != OTTER_NONE && joint->meetings.items[before.node].time > meeting.time) {
        meeting.time = joint->meetings.items[before.node].time;
    }
    joint->meetings.items[joint->meetings.n] = meeting;
    return (struct otter_joint_node){OTTER_NONE, joint->meetings.n++};
}

// A member of a scan ends after all members before it have begun.
static void link_upwards(struct linking *linking, const struct otter_job_collective *collective)
{
    struct otter_joint_node before = nowhere;
    for (uint32_t i = 0; i < collective->n; i++) {
        link_members(linking, before, end_of(linking, collective, i));
        if (i + 1 < collective->n) {
            struct otter_joint_node meeting = add_meeting(linking, collective, i, before);
            link_members(linking, before, meeting);
            link_members(linking, begin_of(linking, collective, i), meeting);
            before = meeting;
        }
    }
}

static void link_all(struct linking *linking, const struct otter_job_collective *collective)
{
    struct otter_joint *joint = linking->joint;
    struct otter_joint_node meeting = add_meeting(linking, collective, 0, nowhere);
    for (uint32_t i = 0; i < collective->n && meeting.node != OTTER_NONE; i++) {
        struct otter_joint_node begin = begin_of(linking, collective, i);
        if (begin.node != OTTER_NONE) {
            uint64_t *time = &joint->meetings.items[meeting.node].time;
            uint64_t own = joint->parts.items[begin.part].graph->nodes[begin.node].start;
            *time = own > *time ? own : *time;
        }
        link_members(linking, begin, meeting);
        link_members(linking, meeting, end_of(linking, collective, i));
    }
}

static void link_collective(struct linking *linking, const struct otter_job_collective *collective)
{
    uint32_t root;
    enum otter_flow_direction flow = otter_job_flow(linking->job, collective, &root);
    if (collective->n < 2) {
        return;
    }
    if (flow == OTTER_FLOW_ALL) {
        link_all(linking, collective);
    } else if (flow == OTTER_FLOW_UPWARDS) {
        link_upwards(linking, collective);
    }
    for (uint32_t i = 0; i < collective->n && root != OTTER_NONE; i++) {
        bool is_down = flow == OTTER_FLOW_FROM_ROOT;
        if (i != root) {
            link_members(linking, begin_of(linking, collective, is_down ? root : i),
                         end_of(linking, collective, is_down ? i : root));
        }
    }
    end_operation(linking);
}

enum otter_status otter_job_link(const struct otter_job *job, struct otter_joint *joint,
                                 uint64_t *n_lacking)
{
    struct linking linking = {.job = job, .joint = joint};
    for (uint32_t i = 0; i < job->ranks.n && !linking.is_short_of_memory; i++) {
        link_messages(&linking, i);
    }
    for (uint32_t i = 0; i < job->collectives.n && !linking.is_short_of_memory; i++) {
        link_collective(&linking, &job->collectives.items[i]);
    }
    *n_lacking = linking.n_lacking;
    return linking.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}
