// Checks of forks, joins and the members of teams.
#pragma once

#include "check/walk.h"

void otter_walk_begin_team(struct otter_event_checker *checker, enum otter_walk_team kind);
// Ends the innermost fork or member, which must be of this kind.
void otter_walk_end_team(struct otter_event_checker *checker, const struct otter_event *event,
                         enum otter_walk_team kind);
void otter_walk_team_begin(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_team_end(struct otter_event_checker *checker, const struct otter_event *event);
