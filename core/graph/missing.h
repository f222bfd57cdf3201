// What an archive leaves out, although the program may have it: neither lost nor damaged.
#pragma once

#include "trace/read/reader.h"

enum otter_missing {
    OTTER_MISSING_NOTHING = 0,
    OTTER_MISSING_UNTOLD,   // the runtime does not tell it
    OTTER_MISSING_UNWANTED, // a setting left it out
    OTTER_MISSING_UNSAFE,   // Otter left it out for the program's sake
    OTTER_MISSING_KINDS,    // the runtime reported entries of depend clauses without a known kind
};

// Whether the program's depend clauses are missing.
enum otter_missing otter_missing_dependences(const struct otter_archive *archive);

// Why they are, and what to do: half a sentence that fits a deviation of check.h, "" for nothing.
const char *otter_missing_reason(enum otter_missing missing);
