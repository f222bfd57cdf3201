// Stores numbered entries in segments of doubling size, with a stack of the released ones.
#include "table.h"

#include <stdbool.h>
#include <stdlib.h>

static uint32_t segment_of(uint32_t index)
{
    return 31 - (uint32_t)__builtin_clz(index / TABLE_FIRST + 1);
}

static uint32_t first_of(uint32_t segment)
{
    return TABLE_FIRST * ((UINT32_C(1) << segment) - 1);
}

void *table_at(struct table *table, uint32_t number)
{
    if (number == 0 || number > atomic_load_explicit(&table->n_made, memory_order_acquire)) {
        return NULL;
    }
    uint32_t index = number - 1, segment = segment_of(index);
    char *entries = atomic_load_explicit(&table->segments[segment], memory_order_acquire);
    return entries + (index - first_of(segment)) * table->entry_size;
}

static struct table_entry *entry_at(struct table *table, uint32_t number)
{
    return table_at(table, number);
}

// Returns a new top of the stack with an increased count. The count distinguishes a number from the
// same number after it was acquired and released again.
static uint64_t changed(uint64_t before, uint32_t number)
{
    return ((before >> 32) + 1) << 32 | number;
}

static uint32_t acquire_released(struct table *table)
{
    uint64_t top = atomic_load(&table->released);
    while ((uint32_t)top != 0) {
        uint32_t next = atomic_load(&entry_at(table, (uint32_t)top)->next_released);
        if (atomic_compare_exchange_weak(&table->released, &top, changed(top, next))) {
            return (uint32_t)top;
        }
    }
    return 0;
}

static bool make_segment(struct table *table, uint32_t segment)
{
    void *none = NULL;
    if (segment >= TABLE_SEGMENTS) {
        return false;
    }
    if (atomic_load(&table->segments[segment])) {
        return true;
    }
    void *entries = calloc((size_t)TABLE_FIRST << segment, table->entry_size);
    if (entries && !atomic_compare_exchange_strong(&table->segments[segment], &none, entries)) {
        free(entries); // another thread has made the segment first
        return true;
    }
    return entries != NULL;
}

uint32_t table_acquire(struct table *table)
{
    uint32_t number = acquire_released(table);
    uint32_t n = atomic_load(&table->n_made);
    while (number == 0) {
        if (!make_segment(table, segment_of(n))) {
            return 0;
        }
        number = atomic_compare_exchange_strong(&table->n_made, &n, n + 1) ? n + 1 : 0;
    }
    return number;
}

void table_release(struct table *table, uint32_t number)
{
    struct table_entry *entry = entry_at(table, number);
    uint64_t top = atomic_load(&table->released);
    do {
        atomic_store(&entry->next_released, (uint32_t)top);
    } while (!atomic_compare_exchange_weak(&table->released, &top, changed(top, number)));
}
