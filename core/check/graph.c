// Checks a task graph: no cycles, edges forward in time, a path from each node to its scope's end.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/text/print.h"
#include "check/deviation.h"
#include "check/events.h"
#include "check/graph.h"
#include "graph/graph.h"
#include "graph/node.h"

// The largest number of records that one call of the recorder writes, each one tick after the
// previous.
enum { MAX_RECORDS = 8 };

static const char *name_of(const struct otter_graph *graph, uint32_t node)
{
    uint32_t region = graph->nodes[node].region;
    return region < graph->definitions->n_regions ? graph->definitions->regions[region].name
                                                  : "unknown";
}

static struct otter_deviation at_node(const struct otter_graph *graph, uint32_t index)
{
    const struct otter_node *node = &graph->nodes[index];
    struct otter_deviation where = {.location = node->location, .time = node->start};
    if (node->task < graph->n_tasks && graph->tasks[node->task].number > 0) {
        where.creator = graph->tasks[node->task].location;
        where.number = graph->tasks[node->task].number;
    }
    return where;
}

static const char *view_name(const struct otter_graph *graph)
{
    return graph->view == OTTER_VIEW_STRUCTURE ? "structure" : "fragments";
}

static void check_cycles(const struct otter_graph_checker *checker, const struct otter_graph *graph)
{
    uint32_t n = 0;
    uint32_t *order = otter_graph_sort(graph, &n);
    checker->report->results[OTTER_CHECK_ACYCLIC].n_tested += graph->n_nodes;
    if (n < graph->n_nodes) {
        otter_deviate(checker->report, OTTER_CHECK_ACYCLIC, OTTER_QUIRK_NONE, OTTER_NOWHERE,
                      "%s view: %" PRIu32 " node%s in or after a cycle", view_name(graph),
                      graph->n_nodes - n, otter_plural(graph->n_nodes - n));
    }
    free(order);
}

// The runtime reports the end of a worker's part when it uses the worker again. The recorder then
// writes the time of the region's end, one tick later for each additional record (quirk 'late
// end').
static bool is_late_end(const struct otter_graph *graph, uint32_t from, uint32_t to)
{
    const struct otter_node *member = &graph->nodes[from], *end = &graph->nodes[to];
    return end->kind == OTTER_NODE_END && member->task < graph->n_tasks &&
           graph->tasks[member->task].kind == OTTER_TASK_KIND_IMPLICIT &&
           member->location != end->location && member->end - end->end <= MAX_RECORDS;
}

static bool is_untied(const struct otter_graph *graph, uint32_t node)
{
    uint32_t task = graph->nodes[node].task;
    uint32_t region = task < graph->n_tasks && graph->tasks[task].first_node != OTTER_NONE
                          ? graph->nodes[graph->tasks[task].first_node].region
                          : OTTER_NONE;
    return region != OTTER_NONE &&
           graph->definitions->regions[region].construct == OTTER_CONSTRUCT_TASK &&
           strstr(graph->definitions->regions[region].description, "untied");
}

// An untied task may be cancelled while it waits for a thread. Its open constructs ended when the
// task left its last thread, and its children ended later.
static bool was_discarded(const struct otter_graph *graph, uint32_t node)
{
    uint32_t task = graph->nodes[node].task;
    return task < graph->n_tasks && (graph->tasks[task].flags & OTTER_NODE_CANCELLED) &&
           is_untied(graph, node);
}

// LLVM's runtime (19) stores no dependences of an undeferred task. So siblings that depend on an
// undeferred detached task begin before its event is fulfilled (quirk 'unawaited event').
static bool is_unawaited_event(const struct otter_graph *graph, uint32_t from,
                               enum otter_edge_kind kind)
{
    uint32_t task = graph->nodes[from].task;
    return kind == OTTER_EDGE_DEPENDENCE && graph->nodes[from].kind == OTTER_NODE_FULFIL &&
           task < graph->n_tasks && (graph->tasks[task].flags & OTTER_NODE_UNDEFERRED);
}

// Returns the quirk that explains an edge against time. At the end of the program, each thread's
// open constructs end when that thread stops, so a barrier may end before the ends that it joins.
static enum otter_quirk excuse_edge(const struct otter_graph_checker *checker,
                                    const struct otter_graph *graph, uint32_t from, uint32_t to,
                                    enum otter_edge_kind kind)
{
    if (kind == OTTER_EDGE_DOACROSS) {
        // The runtime releases the next iteration, then calls the tool (quirk 'late source').
        return OTTER_QUIRK_DOACROSS;
    }
    if (graph->nodes[from].kind == OTTER_NODE_DEVICE ||
        graph->nodes[to].kind == OTTER_NODE_DEVICE) {
        return OTTER_QUIRK_DEVICE_TIME;
    }
    if (is_unawaited_event(graph, from, kind)) {
        return OTTER_QUIRK_EVENT;
    }
    if (kind == OTTER_EDGE_JOIN && was_discarded(graph, to)) {
        return OTTER_QUIRK_DISCARDED;
    }
    if (checker->has_repairs && is_untied(graph, from)) {
        // LLVM's runtime does not always report the end of an untied task's last part. The recorder
        // ends the part at the next event of its thread (quirk 'late untied end').
        return OTTER_QUIRK_UNTIED;
    }
    if (checker->has_repairs && kind == OTTER_EDGE_ORDER && otter_node_is_barrier(graph, to)) {
        return OTTER_QUIRK_REPAIRED; // the runtime did not report when the member left the barrier
    }
    bool is_late = kind == OTTER_EDGE_JOIN && is_late_end(graph, from, to);
    return is_late ? OTTER_QUIRK_LATE_END : checker->excuse;
}

// Returns the last pause of `location` that began before `time`, or NULL.
static const struct otter_pause_span *find_pause(const struct otter_graph_checker *checker,
                                                 uint32_t location, uint64_t time)
{
    size_t low = 0, high = checker->n_pauses;
    OTTER_SEARCH(
        low, high, middle,
        checker->pauses[middle].location < location ||
            (checker->pauses[middle].location == location && checker->pauses[middle].off < time))
    return low > 0 && checker->pauses[low - 1].location == location ? &checker->pauses[low - 1]
                                                                    : NULL;
}

// The records after a pause are one tick apart, and a worker's late end has several records.
static bool ends_with(const struct otter_pause_span *span, uint64_t time)
{
    return time >= span->on && time - span->on <= MAX_RECORDS;
}

// A barrier belongs to all members, and any of them may have left it last.
static bool node_is_shared(const struct otter_graph *graph, uint32_t node)
{
    return graph->nodes[node].kind == OTTER_NODE_SYNC;
}

static bool was_in_any_pause(const struct otter_graph_checker *checker, uint64_t leaves,
                             uint64_t arrives)
{
    for (size_t i = 0; i < checker->n_pauses; i++) {
        if (ends_with(&checker->pauses[i], leaves) && checker->pauses[i].off <= arrives) {
            return true;
        }
    }
    return false;
}

// Changes within a pause are recorded at its end, but may have happened since its start. So an edge
// against time is explained if it reaches back into the pause.
static bool was_paused(const struct otter_graph_checker *checker, const struct otter_graph *graph,
                       uint32_t from, uint32_t to, uint64_t leaves, uint64_t arrives)
{
    const struct otter_node *node = &graph->nodes[to];
    if (checker->n_pauses > 0 &&
        ((node->flags & OTTER_NODE_UNFINISHED) || is_untied(graph, from) || is_untied(graph, to))) {
        return true; // time and thread are unknown
    }
    if (node_is_shared(graph, from)) {
        return was_in_any_pause(checker, leaves, arrives);
    }
    const struct otter_pause_span *span = find_pause(checker, graph->nodes[from].location, leaves);
    return span && ends_with(span, leaves) && span->off <= arrives;
}

static void check_edge(const struct otter_graph_checker *checker, const struct otter_graph *graph,
                       uint32_t from, uint32_t edge)
{
    uint32_t to = graph->edge_to[edge];
    enum otter_edge_kind kind = graph->edge_kind[edge];
    uint64_t leaves = otter_edge_leaves(&graph->nodes[from], kind);
    uint64_t arrives = otter_edge_arrives(&graph->nodes[to]);
    if (leaves <= arrives) {
        return;
    }
    enum otter_quirk quirk = excuse_edge(checker, graph, from, to, kind);
    if (!quirk && was_paused(checker, graph, from, to, leaves, arrives)) {
        quirk = OTTER_QUIRK_PAUSED;
    }
    otter_deviate(checker->report, OTTER_CHECK_ORDER, quirk, at_node(graph, from),
                  "%s view: %s %.36s leads to %s %.36s by %s, %" PRIu64 " tick%s earlier",
                  view_name(graph), otter_node_kind_name(graph->nodes[from].kind),
                  name_of(graph, from), otter_node_kind_name(graph->nodes[to].kind),
                  name_of(graph, to), otter_edge_kind_name(kind), leaves - arrives,
                  otter_plural(leaves - arrives));
}

// ---- scopes

// Returns the innermost scope around a node; for an END node, the scope around its BEGIN.
static uint32_t scope_around(const struct otter_graph *graph, uint32_t node)
{
    const struct otter_node *it = &graph->nodes[node];
    if (it->kind == OTTER_NODE_END && it->scope != OTTER_NONE) {
        return graph->nodes[it->scope].scope;
    }
    return it->scope;
}

static bool lies_in(const struct otter_graph *graph, uint32_t node, uint32_t scope)
{
    uint32_t around = scope_around(graph, node);
    for (uint32_t n = 0; around != OTTER_NONE && n < graph->n_nodes; n++) {
        if (around == scope) {
            return true;
        }
        around = graph->nodes[around].scope;
    }
    return false;
}

// Returns whether an edge leads from the node to another node of the scope, or to the scope's end.
// The edge must leave the node at its end, unless the scope has no end node.
static bool leads_on_inside(const struct otter_graph *graph, uint32_t node, uint32_t scope,
                            bool has_end)
{
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        const struct otter_node *to = &graph->nodes[graph->edge_to[e]];
        bool is_inside = (to->kind == OTTER_NODE_END && to->scope == scope) ||
                         lies_in(graph, graph->edge_to[e], scope);
        if (is_inside &&
            (!has_end || otter_edge_leaves_at_end(&graph->nodes[node], graph->edge_kind[e]))) {
            return true;
        }
    }
    return false;
}

// ends[i] is the END node of the scope that node i begins.
static void check_scope(const struct otter_graph_checker *checker, const struct otter_graph *graph,
                        const uint32_t *ends, uint32_t node)
{
    uint32_t scope = scope_around(graph, node);
    if (scope == OTTER_NONE) {
        return;
    }
    checker->report->results[OTTER_CHECK_SCOPES].n_tested++;
    if (leads_on_inside(graph, node, scope, ends[scope] != OTTER_NONE)) {
        return;
    }
    bool is_task = graph->nodes[node].kind == OTTER_NODE_TASK;
    otter_deviate(checker->report, OTTER_CHECK_SCOPES, checker->excuse, at_node(graph, node),
                  "%s view: %s %.40s is in %.40s, and %s to nothing inside of it", view_name(graph),
                  otter_node_kind_name(graph->nodes[node].kind), name_of(graph, node),
                  name_of(graph, scope), is_task ? "its end leads" : "leads");
}

// An operation is a node in both views. Its time is added up only in the fragments view.
static bool is_executed(const struct otter_graph *graph, const struct otter_node *node)
{
    return node->kind == OTTER_NODE_FRAGMENT ||
           (node->kind == OTTER_NODE_OPERATION && graph->view == OTTER_VIEW_FRAGMENTS);
}

// The node of an operation spans the pauses in it, which are subtracted.
static uint64_t executed_time(const struct otter_graph_checker *checker,
                              const struct otter_node *node)
{
    uint64_t time = node->end - node->start;
    const struct otter_pause_span *last = find_pause(checker, node->location, node->end);
    if (!last || node->kind != OTTER_NODE_OPERATION) {
        return time;
    }
    for (size_t i = (size_t)(last - checker->pauses) + 1; i-- > 0;) {
        const struct otter_pause_span *span = &checker->pauses[i];
        if (span->location != node->location || span->off < node->start) {
            break;
        }
        time -= (span->on < node->end ? span->on : node->end) - span->off;
    }
    return time;
}

void otter_check_graph(struct otter_graph_checker *checker, const struct otter_graph *graph)
{
    uint32_t *ends = otter_graph_scope_ends(graph);
    checker->report->n_nodes += graph->n_nodes;
    checker->report->n_edges += graph->n_edges;
    checker->report->results[OTTER_CHECK_ORDER].n_tested += graph->n_edges;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            check_edge(checker, graph, i, e);
        }
        check_scope(checker, graph, ends, i);
        if (is_executed(graph, node)) {
            checker->fragment_time[node->location] += executed_time(checker, node);
        }
    }
    free(ends);
    check_cycles(checker, graph);
}

static uint64_t without(uint64_t n, uint64_t n_reported)
{
    return n > n_reported ? n - n_reported : 0;
}

// The members of a cancelled region may leave it by different barriers (quirk 'uneven barriers').
void otter_check_findings(struct otter_graph_checker *checker,
                          const struct otter_build_findings *findings)
{
    enum otter_quirk paused = checker->n_pauses > 0 ? OTTER_QUIRK_PAUSED : OTTER_QUIRK_NONE;
    enum otter_quirk excuse = checker->excuse ? checker->excuse : paused;
    enum otter_quirk barriers = checker->was_cancelled ? OTTER_QUIRK_CANCELLED_BARRIER : excuse;
    const struct {
        uint64_t n;
        enum otter_quirk quirk;
        const char *one, *many;
    } rows[] = {
        {without(findings->n_unfinished_tasks, checker->n_endless), excuse, "task without an end",
         "tasks without an end"},
        {without(findings->n_unknown_tasks, checker->n_uncreated), excuse, "task without a creator",
         "tasks without a creator"},
        {findings->n_orphans, excuse, "task was created while recording was paused",
         "tasks were created while recording was paused"},
        {findings->n_unknown_forks, excuse, "member of a team whose fork was not found",
         "members of a team whose fork was not found"},
        {findings->n_unknown_fulfillers, OTTER_QUIRK_FULFILLER,
         "event fulfilled by a thread that executed no task",
         "events fulfilled by a thread that executed no task"},
        {findings->n_unknown_operations, OTTER_QUIRK_DEVICE_ALONE,
         "operation that only a device reported", "operations that only devices reported"},
        {findings->n_late_operations, OTTER_QUIRK_DEVICE_TIME,
         "operation that ended on its device after the wait for it",
         "operations that ended on their devices after the waits for them"},
        {findings->n_unmatched_leaves, checker->excuse,
         "leave of a region other than the last one entered",
         "leaves of regions other than the last one entered"},
        {findings->n_uneven_barriers, barriers, "barrier without some members of its team",
         "barriers without some members of their team"},
        {findings->n_damaged_locations, OTTER_QUIRK_NONE, "location that cannot be read",
         "locations that cannot be read"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        otter_deviate_often(checker->report, OTTER_CHECK_GRAPH, rows[i].quirk, rows[i].n,
                            rows[i].one, rows[i].many);
    }
}
