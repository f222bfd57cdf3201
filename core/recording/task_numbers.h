// The tasks of which the events of a recording speak, for one whose journal does not tell how many were created in pauses: its program was
// killed. Tasks have running numbers at their creating thread, in pauses too, so that numbers without a creation are of those. Tasks created in
// a pause that no event speaks of remain unknown.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct otter_task_numbers;

enum otter_status otter_task_numbers_create(size_t n_threads, struct otter_task_numbers **numbers);
void otter_task_numbers_destroy(struct otter_task_numbers *numbers);

// Notes an event of an event file (core/recording/event_file.h). A record may say anything.
void otter_task_numbers_note(struct otter_task_numbers *numbers, const uint8_t *record,
                             size_t size);

// How many creations were noted, of all threads.
uint64_t otter_task_numbers_created(const struct otter_task_numbers *numbers);

// How many tasks have numbers and no creation, of all threads; 0 where there was no pause.
uint64_t otter_task_numbers_unrecorded(const struct otter_task_numbers *numbers);
