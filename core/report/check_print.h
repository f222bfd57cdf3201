// What `otter check` shows: for a person, and as JSON.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "check/check.h"

// Errors of all checks together.
uint64_t otter_check_print_errors(const struct otter_check_report *report);

void otter_check_print(FILE *out, const struct otter_definitions *definitions,
                       const struct otter_check_report *report);

// OTTER_NO_MEMORY.
enum otter_status otter_check_print_json(FILE *out, const struct otter_definitions *definitions,
                                         const struct otter_check_report *report);

// Nanoseconds between the begin of the archive's clock and `time`; ticks where a tick has no length.
uint64_t otter_check_ns(const struct otter_definitions *definitions, uint64_t time);
