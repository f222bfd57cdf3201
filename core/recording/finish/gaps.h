// Numbers that no readable line of a damaged journal defines.
//
// Definitions have dense numbers. A gap is accepted only if unread lines can have defined the
// numbers in between. So the length of a journal, and not a number in it, limits the memory for its
// definitions.
#pragma once

#include "recording/finish/definitions.h"

// Returns whether a line may define the number `id` when `n` numbers are known.
bool otter_gap_is_possible(const struct otter_journal_definitions *definitions, uint64_t id,
                           size_t n);
// Attributes the skipped numbers to unread lines. `id` must be possible.
void otter_gap_use(struct otter_journal_definitions *definitions, uint64_t id, size_t n);

// Adds the thread `id`, which must be possible, and all missing ones before it, as threads about
// which nothing is known. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_gap_add_threads(struct otter_journal_definitions *definitions, size_t id);
