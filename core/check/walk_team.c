// Checks teams: each fork has its join, and each start of a member its end, on the same thread.
#include <inttypes.h>

#include "check/walk.h"

void otter_walk_begin_team(struct otter_event_checker *checker, enum otter_walk_team kind)
{
    OTTER_VECTOR_APPEND(&checker->teams, (unsigned char)kind);
    checker->options.report->results[OTTER_CHECK_TEAMS].n_tested++;
}

void otter_walk_end_team(struct otter_event_checker *checker, const struct otter_event *event,
                         enum otter_walk_team kind)
{
    if (checker->teams.n == 0 || checker->teams.items[checker->teams.n - 1] != kind) {
        otter_walk_defer(checker, OTTER_CHECK_TEAMS, otter_walk_here(checker, event->time),
                         kind == OTTER_WALK_FORK ? "joins a team other than the last one forked"
                                                 : "ends a team other than the last one begun");
        return;
    }
    checker->teams.n--;
}

static bool is_member(const struct otter_event_checker *checker, uint32_t comm)
{
    const struct otter_comm *team = &checker->options.definitions->comms[comm];
    for (size_t i = 0; i < team->n_members; i++) {
        if (team->members[i] == checker->location) {
            return true;
        }
    }
    return false;
}

void otter_walk_team_begin(struct otter_event_checker *checker, const struct otter_event *event)
{
    otter_walk_begin_team(checker, OTTER_WALK_MEMBER);
    otter_walk_stop_segment(checker, event->time);
    otter_walk_push_frame(checker, event->comm);
    if (event->comm < checker->options.definitions->n_comms && !is_member(checker, event->comm)) {
        otter_walk_error(checker, OTTER_CHECK_TEAMS, event->time,
                         "is not a member of team %" PRIu32 ", which it begins", event->comm);
    }
}

void otter_walk_team_end(struct otter_event_checker *checker, const struct otter_event *event)
{
    otter_walk_end_team(checker, event, OTTER_WALK_MEMBER);
    if (checker->frames.n == 1) {
        return; // otter_walk_end_team() has reported it
    }
    otter_walk_stop_segment(checker, event->time);
    if (otter_walk_frame(checker)->comm != event->comm) {
        otter_walk_error(checker, OTTER_CHECK_TEAMS, event->time,
                         "ends team %" PRIu32 ", began team %" PRIu32, event->comm,
                         otter_walk_frame(checker)->comm);
    }
    checker->frames.n--;
    checker->segment_begin = event->time;
}
