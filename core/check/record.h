// Checks of a single record.
#pragma once

#include "check/walk.h"

// Checks the references of an event. Returns false if an undefined one makes other checks
// impossible.
bool otter_check_references(struct otter_event_checker *checker, const struct otter_event *event);
// Compares the time with the previous event and the archive's clock.
void otter_check_time(struct otter_event_checker *checker, const struct otter_event *event);
