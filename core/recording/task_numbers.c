// Counts tasks that were created during pauses, from the events of a recording.
#include "recording/task_numbers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "trace/event_layout.h"

struct thread {
    uint64_t n_created;
    uint32_t largest; // largest task number in an event
};

struct otter_task_numbers {
    bool has_pause;
    size_t n_threads;
    struct thread threads[];
};

enum otter_status otter_task_numbers_create(size_t n_threads, struct otter_task_numbers **created)
{
    struct otter_task_numbers *numbers =
        calloc(1, sizeof(*numbers) + n_threads * sizeof(*numbers->threads));
    if (!numbers) {
        return OTTER_NO_MEMORY;
    }
    numbers->n_threads = n_threads;
    *created = numbers;
    return OTTER_OK;
}

void otter_task_numbers_destroy(struct otter_task_numbers *numbers)
{
    free(numbers);
}

// Reads a field: a count of bytes, then as many bytes. For the numbers 0 and UINT32_MAX, the count
// is the whole field. Returns the end of the field; NULL: the record ends before it.
static const uint8_t *read_field(const uint8_t *field, const uint8_t *end, uint32_t *value)
{
    *value = 0;
    if (!field || field == end) {
        return NULL;
    }
    size_t size = *field == UINT8_MAX ? 0 : *field;
    if (size > sizeof(*value) || size > (size_t)(end - field) - 1) {
        return NULL;
    }
    memcpy(value, field + 1, size); // little-endian
    *value = *field == UINT8_MAX ? UINT32_MAX : *value;
    return field + 1 + size;
}

static void note_task(struct otter_task_numbers *numbers, const uint8_t *record, size_t size)
{
    uint32_t comm, creator, number;
    const uint8_t *end = record + size;
    const uint8_t *at = read_field(record + RECORD_HEAD_SIZE, end, &comm);
    at = read_field(at, end, &creator);
    at = read_field(at, end, &number);
    if (!at || creator >= numbers->n_threads) {
        return;
    }
    struct thread *thread = &numbers->threads[creator];
    thread->n_created += *record == RECORD_TASK_CREATE;
    thread->largest = number > thread->largest ? number : thread->largest;
}

void otter_task_numbers_note(struct otter_task_numbers *numbers, const uint8_t *record, size_t size)
{
    switch (*record) {
    case RECORD_MEASUREMENT: numbers->has_pause = true; return;
    case RECORD_TASK_CREATE:
    case RECORD_TASK_SWITCH:
    case RECORD_TASK_COMPLETE: note_task(numbers, record, size); return;
    default: return;
    }
}

uint64_t otter_task_numbers_created(const struct otter_task_numbers *numbers)
{
    uint64_t n = 0;
    for (size_t i = 0; i < numbers->n_threads; i++) {
        n += numbers->threads[i].n_created;
    }
    return n;
}

uint64_t otter_task_numbers_unrecorded(const struct otter_task_numbers *numbers)
{
    uint64_t n = 0;
    for (size_t i = 0; numbers->has_pause && i < numbers->n_threads; i++) {
        const struct thread *thread = &numbers->threads[i];
        n += thread->largest > thread->n_created ? thread->largest - thread->n_created : 0;
    }
    return n;
}
