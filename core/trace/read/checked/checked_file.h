// Checks files again while OTF2 reads them, since a file can change after it was checked.
//
// OTF2 mistakes a short read for a whole chunk, then reads an earlier chunk again and again. So
// each chunk is read into memory and checked there before OTF2 gets it. If the chunk has been
// damaged in the meantime, the read fails, and OTF2's reader returns an error.
//
// The linker replaces OTF2's calls of fopen(). If OTF2 is a shared library, its calls are not
// replaced; then only the number of events is bounded.
#pragma once

#include "trace/read/checked/check.h"

// `chunks` describes the files that OTF2 opens in this thread until the next call with NULL.
// `n_records`: how many records OTF2 will read; UINT64_MAX: all.
void otter_checked_begin(const struct otter_chunks *chunks, uint64_t n_records);
void otter_checked_begin_anchor(void);
void otter_checked_end(void);
