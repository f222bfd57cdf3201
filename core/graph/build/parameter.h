// Reads the parameter records.
#pragma once

#include "graph/build/reading.h"

void otter_read_parameter(struct otter_reading *reading, uint32_t definition, uint64_t value);
// Begins a list of parameters of the last record. The list becomes a step of `kind`.
void otter_read_begin_list(struct otter_reading *reading, enum otter_step_kind kind);
// Ends all lists. `event` is the next record, or NULL.
void otter_read_flush(struct otter_reading *reading, const struct otter_event *event);
