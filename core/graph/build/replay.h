// The steps of untied tasks, which may continue on another location.
#pragma once

#include "graph/build/step.h"

struct otter_log {
    OTTER_VECTOR(struct otter_step);
};

void otter_log_add(struct otter_log *log, struct otter_parts *parts, const struct otter_step *step);
// Executes all steps, after the last location, and frees the log.
void otter_log_replay(struct otter_log *log, struct otter_parts *parts);
