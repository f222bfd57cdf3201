// Counts tasks that were created during pauses, from the events of a recording.
//
// A killed program's journal does not have this count. Task numbers continue during pauses, so a
// number without a creation belongs to such a task. Tasks that no event names remain unknown.
// *Thread*: one at a time.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct otter_task_numbers;

// *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_task_numbers_create(size_t n_threads, struct otter_task_numbers **numbers);
void otter_task_numbers_destroy(struct otter_task_numbers *numbers);

// Notes a record of an event file. The bytes may be invalid.
void otter_task_numbers_note(struct otter_task_numbers *numbers, const uint8_t *record,
                             size_t size);

// *Returns* the number of creations noted for all threads.
uint64_t otter_task_numbers_created(const struct otter_task_numbers *numbers);

// *Returns* how many tasks of all threads have a number but no creation; 0 if there was no pause.
uint64_t otter_task_numbers_unrecorded(const struct otter_task_numbers *numbers);
