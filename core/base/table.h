// A hash table from 64-bit keys to pointers. Several values may have one key.
//
// *Thread*: one writer at a time, under the caller's lock. Readers need no lock, unless values are
// removed. Therefore, when a table grows, its old slots are not freed.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct otter_table_slot {
    _Atomic uint64_t key;
    _Atomic(void *) value; // NULL: a free slot
};

struct otter_table_slots {
    size_t room;                              // a power of two, at least twice the number of values
    const struct otter_table_slots *outgrown; // the previous slots; NULL: none
    struct otter_table_slot slots[];
};

// If all bytes are zero, the table is empty.
struct otter_table {
    _Atomic(struct otter_table_slots *) slots;
    size_t n;
};

static inline size_t otter_table_home(const struct otter_table_slots *slots, uint64_t key)
{
    return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (slots->room - 1);
}

// *Returns* the first value of `key`, or the value that follows `after` if that is not NULL. NULL
// if there is none.
static inline void *otter_table_next(const struct otter_table *table, uint64_t key,
                                     const void *after)
{
    struct otter_table_slots *slots = atomic_load_explicit(&table->slots, memory_order_acquire);
    if (!slots) {
        return NULL;
    }
    for (size_t i = otter_table_home(slots, key);; i = (i + 1) & (slots->room - 1)) {
        void *value = atomic_load_explicit(&slots->slots[i].value, memory_order_acquire);
        bool is_ours =
            atomic_load_explicit(&slots->slots[i].key, memory_order_relaxed) == key && !after;
        if (!value || is_ours) {
            return value;
        }
        after = value == after ? NULL : after;
    }
}

// *Returns* the value of `key`, or NULL.
static inline void *otter_table_find(const struct otter_table *table, uint64_t key)
{
    return otter_table_next(table, key, NULL);
}

// Adds a value, which is not NULL. *Errors*: false if out of memory.
bool otter_table_add(struct otter_table *table, uint64_t key, void *value);

// Removes the value of `key`, which has at most one. *Returns* the value, or NULL.
void *otter_table_remove(struct otter_table *table, uint64_t key);
