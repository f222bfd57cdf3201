// The sentence that says why an archive cannot be read.
#pragma once

#include "base/status.h"

// A sentence for the user: which file is damaged, and how.
struct otter_complaint {
    char text[1024];
};

// Formats the sentence. *Returns* `status`.
enum otter_status otter_complain(struct otter_complaint *complaint, enum otter_status status,
                                 const char *format, ...) __attribute__((format(printf, 3, 4)));
