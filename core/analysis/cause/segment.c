// Divides an interval into segments in which the thread's presence does not change.
#include "analysis/cause/sweep.h"

#include "analysis/time/states.h"

static void end_at(struct cursor *cursor, uint64_t time)
{
    if (time > cursor->begin && time < cursor->end) {
        cursor->end = time;
    }
}

// A thread outside waits for its next region from the fork of that region on. The thread is late as
// soon as another member has begun.
static void find_outside(struct cursor *cursor, const struct otter_thread_line *line)
{
    if (cursor->next_part >= line->memberships.n) {
        return;
    }
    const struct otter_membership *part = &line->memberships.items[cursor->next_part];
    if (part->begin != cursor->end || part->n_members == 0) {
        return;
    }
    cursor->presence = cursor->begin >= part->first    ? LATE
                       : cursor->begin >= part->forked ? FORKED
                                                       : PRESENT;
    end_at(cursor, part->first);
    end_at(cursor, part->forked);
}

static void find_piece(const struct sweep *sweep, uint32_t thread)
{
    struct cursor *cursor = &sweep->cursors[thread];
    const struct otter_thread_pieces *pieces = &sweep->input->pieces->lines[thread];
    while (cursor->piece < pieces->n &&
           sweep->graph->nodes[pieces->nodes[cursor->piece]].end <= cursor->begin) {
        cursor->piece++;
        cursor->lag = (struct lag){.before = sweep->lost_processors};
    }
}

uint32_t otter_sweep_piece(const struct sweep *sweep, uint32_t thread)
{
    const struct cursor *cursor = &sweep->cursors[thread];
    const struct otter_thread_pieces *pieces = &sweep->input->pieces->lines[thread];
    uint32_t node = cursor->piece < pieces->n ? pieces->nodes[cursor->piece] : OTTER_NONE;
    bool is_in = node != OTTER_NONE && sweep->graph->nodes[node].start < cursor->end;
    return is_in ? node : OTTER_NONE;
}

static void find_creating(const struct sweep *sweep, uint32_t thread)
{
    struct cursor *cursor = &sweep->cursors[thread];
    uint32_t node = otter_sweep_piece(sweep, thread);
    const struct otter_task_creator *creator =
        node != OTTER_NONE ? otter_task_creator_of(&sweep->facts, sweep->graph->nodes[node].task)
                           : NULL;
    if (!creator) {
        return;
    }
    bool is_between = cursor->begin >= creator->first && cursor->begin < creator->last;
    cursor->presence = is_between ? CREATING : PRESENT;
    cursor->creator = creator;
    end_at(cursor, creator->first);
    end_at(cursor, creator->last);
}

// Returns whether the thread executes a deferred task, and is neither preempted nor the only
// creator.
static bool is_task(const struct sweep *sweep, uint32_t thread)
{
    enum presence presence = sweep->cursors[thread].presence;
    uint32_t node = otter_sweep_piece(sweep, thread);
    if (node == OTTER_NONE || (presence != PRESENT && presence != BLOCKED)) {
        return false;
    }
    uint32_t task = sweep->graph->nodes[node].task;
    return sweep->graph->tasks[task].kind == OTTER_TASK_KIND_EXPLICIT &&
           !sweep->input->grains->is_lone[task];
}

static enum presence presence_off(const struct sweep *sweep, const struct otter_off *off)
{
    bool by_own = off->by_own && sweep->account->is_crowded;
    return !off->is_preempted ? BLOCKED : by_own ? PREEMPTED_BY_OWN : PREEMPTED;
}

// Returns PRESENT if the thread has a processor at this time. Sets *until to the time at which it
// next gets or loses a processor.
static enum presence presence_at(const struct sweep *sweep, struct cursor *cursor,
                                 const struct otter_thread_line *line, uint64_t time,
                                 uint64_t *until)
{
    while (cursor->off < line->off.n && line->off.items[cursor->off].end <= time) {
        cursor->off++;
    }
    const struct otter_off *off = cursor->off < line->off.n ? &line->off.items[cursor->off] : NULL;
    bool is_present = !off || off->begin > time;
    *until = !off ? UINT64_MAX : is_present ? off->begin : off->end;
    return is_present ? PRESENT : presence_off(sweep, off);
}

// Ends the segment where the thread gets or loses a processor. Returns PRESENT if the thread has a
// processor until then.
static enum presence find_presence(const struct sweep *sweep, struct cursor *cursor,
                                   const struct otter_thread_line *line)
{
    uint64_t until;
    enum presence presence = presence_at(sweep, cursor, line, cursor->begin, &until);
    end_at(cursor, until);
    return presence;
}

static void find_executing(const struct sweep *sweep, struct cursor *cursor,
                           const struct otter_thread_line *line)
{
    enum presence presence = find_presence(sweep, cursor, line);
    if (presence == PRESENT) {
        return; // it may be CREATING
    }
    cursor->is_blocked = presence == BLOCKED;
    bool is_creator =
        cursor->is_blocked && cursor->presence == CREATING; // the other threads wait as before
    cursor->presence = is_creator ? CREATING : presence;
}

bool otter_sweep_is_crowded(const struct sweep *sweep, const struct otter_membership *part)
{
    const struct otter_account *account = sweep->account;
    return account->has_switches && account->is_crowded && part->n_members > account->n_processors;
}

// If a thread forks or begins late because it has no processor, the lack of a processor is the
// cause. A member that sleeps until others wake it up gets a processor only after them.
static void find_lack(const struct sweep *sweep, struct cursor *cursor,
                      const struct otter_thread_line *line)
{
    enum presence presence = find_presence(sweep, cursor, line);
    bool is_crowded = cursor->presence == LATE &&
                      otter_sweep_is_crowded(sweep, &line->memberships.items[cursor->next_part]);
    cursor->lack = presence == BLOCKED ? PRESENT : presence;
    if (cursor->lack == PRESENT && is_crowded) {
        cursor->lack = PREEMPTED_BY_OWN;
    }
}

void otter_segment_find_lack(const struct sweep *sweep, uint32_t thread, uint64_t time)
{
    struct cursor *cursor = &sweep->cursors[thread];
    uint64_t until;
    enum presence presence =
        presence_at(sweep, cursor, &sweep->timeline->lines[thread], time, &until);
    cursor->lack = presence == BLOCKED ? PRESENT : presence;
    cursor->is_asleep = presence == BLOCKED;
    cursor->change = until < cursor->end ? until : cursor->end;
}

void otter_segment_find(const struct sweep *sweep, uint32_t thread, uint64_t begin)
{
    const struct otter_thread_line *line = &sweep->timeline->lines[thread];
    struct cursor *cursor = &sweep->cursors[thread];
    cursor->begin = begin;
    cursor->end = otter_interval_end(sweep->timeline, line, cursor->interval);
    cursor->presence = PRESENT;
    cursor->lack = PRESENT;
    cursor->is_task = cursor->is_blocked = cursor->is_asleep = false;
    find_piece(sweep, thread);
    enum otter_state state = (enum otter_state)otter_sweep_interval(sweep, thread)->state;
    if (state == OTTER_STATE_OUTSIDE) {
        find_outside(cursor, line);
        if (cursor->presence != PRESENT) {
            find_lack(sweep, cursor, line);
        }
    } else if (state == OTTER_STATE_FORKING) {
        find_lack(sweep, cursor, line);
    } else if (state == OTTER_STATE_EXECUTING) {
        find_creating(sweep, thread);
        find_executing(sweep, cursor, line);
        cursor->is_task = is_task(sweep, thread);
    }
    cursor->change = cursor->end;
    if (state == OTTER_STATE_WAITING) {
        otter_segment_find_lack(sweep, thread, begin);
    }
}
