// Prints the report of `otter check`, as text and as JSON.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "check/check.h"

// Returns the number of errors of all checks.
uint64_t otter_check_print_errors(const struct otter_check_report *report);

void otter_check_print(FILE *out, const struct otter_definitions *definitions,
                       const struct otter_check_report *report);

// *Errors*: OTTER_IO if not everything was printed, or if memory has run out.
enum otter_status otter_check_print_json(FILE *out, const struct otter_definitions *definitions,
                                         const struct otter_check_report *report);

// Returns the nanoseconds from the start of the archive's clock to `time`, which is in ticks. If
// the clock has no resolution, returns ticks.
uint64_t otter_check_ns(const struct otter_definitions *definitions, uint64_t time);
