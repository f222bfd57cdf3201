// Numbers, sizes and durations as readable text.
#pragma once

#include <stdint.h>

#include "base/text/print.h"

enum { OTTER_MAX_NUMBER = 32 };

// 1234567 as "1,234,567". Returns `text`.
const char *otter_number_text(uint64_t number, char text[OTTER_MAX_NUMBER]);

// "12.3 MiB", "1.50 ms". Returns `text`.
const char *otter_size_text(double bytes, char text[OTTER_MAX_NUMBER]);
const char *otter_duration_text(double seconds, char text[OTTER_MAX_NUMBER]);
