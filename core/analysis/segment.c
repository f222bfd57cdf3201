// Divides an interval into segments of one presence.
#include "analysis/sweep.h"

static void end_at(struct cursor *cursor, uint64_t time)
{
    if (time > cursor->begin && time < cursor->end) {
        cursor->end = time;
    }
}

// A thread outside waits for its next region from the fork on, and is late when others have begun.
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

static void find_executing(struct cursor *cursor, const struct otter_thread_line *line)
{
    if (cursor->off == line->off.n) {
        return;
    }
    const struct otter_off *off = &line->off.items[cursor->off];
    if (off->begin > cursor->begin) {
        end_at(cursor, off->begin);
        return;
    }
    end_at(cursor, off->end);
    cursor->presence = !off->is_preempted ? BLOCKED : off->by_own ? PREEMPTED_BY_OWN : PREEMPTED;
}

void otter_segment_find(const struct sweep *sweep, uint32_t thread, uint64_t begin)
{
    const struct otter_thread_line *line = &sweep->timeline->lines[thread];
    struct cursor *cursor = &sweep->cursors[thread];
    cursor->begin = begin;
    cursor->end = otter_interval_end(sweep->timeline, line, cursor->interval);
    cursor->presence = PRESENT;
    while (cursor->off < line->off.n && line->off.items[cursor->off].end <= begin) {
        cursor->off++;
    }
    enum otter_state state = (enum otter_state)otter_sweep_interval(sweep, thread)->state;
    if (state == OTTER_STATE_OUTSIDE) {
        find_outside(cursor, line);
    } else if (state == OTTER_STATE_EXECUTING) {
        find_executing(cursor, line);
    }
}
