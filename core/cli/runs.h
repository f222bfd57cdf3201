// otter report with several archives: the recordings of one program.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Prints the ranges of `n` archives, 2 or more, as text or JSON. Prints an error for archives that
// cannot be combined. Returns an exit status.
int otter_report_runs(char *const *paths, uint32_t n, bool is_json);
