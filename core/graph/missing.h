// Depend clauses that the program may have but the archive lacks, although nothing was lost or
// damaged.
#pragma once

#include "trace/read/reader.h"

enum otter_missing {
    OTTER_MISSING_NOTHING = 0,
    OTTER_MISSING_UNREPORTED, // the runtime does not report depend clauses
    OTTER_MISSING_UNWANTED,   // a setting excluded depend clauses
    OTTER_MISSING_UNSAFE,     // recording them could have damaged the program
    OTTER_MISSING_KINDS,      // the runtime reported entries of unknown kind
};

// Returns which depend clauses of the program are missing.
enum otter_missing otter_missing_dependences(const struct otter_archive *archive);

// Returns the reason and the remedy, as half a sentence that fits a deviation of check/check.h.
// "" for OTTER_MISSING_NOTHING.
const char *otter_missing_reason(enum otter_missing missing);
