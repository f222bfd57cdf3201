// Adds deviations to the report of a check.
#pragma once

#include "check/check.h"

// A deviation without a location.
#define OTTER_NOWHERE ((struct otter_deviation){.location = OTTER_NONE})

// Adds a deviation at `where`; its text is formatted from `format`.
void otter_deviate(struct otter_check_report *report, enum otter_check check,
                   enum otter_quirk quirk, struct otter_deviation where, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Adds `n` deviations without a location. The text is the number, then `one` or `many`.
void otter_deviate_often(struct otter_check_report *report, enum otter_check check,
                         enum otter_quirk quirk, uint64_t n, const char *one, const char *many);
