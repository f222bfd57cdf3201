// A growing table of entries that are known by numbers. Any thread may call these, a forked child
// too: nothing here waits.
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLE_FIRST = 64, TABLE_SEGMENTS = 26 };

// Entries never move, and their memory is reused but never freed: a late reader reads memory of the
// table.
struct table {
    size_t entry_size;         // of a struct that begins with a struct table_entry
    _Atomic uint32_t n_made;   // entries that exist: numbers 1 to n_made
    _Atomic uint64_t released; // the number that was released last; above bit 32 a count of changes
    _Atomic(void *) segments[TABLE_SEGMENTS]; // TABLE_FIRST entries, then twice as many each
};

struct table_entry {
    _Atomic uint32_t next_released;
};

// Returns the number of an entry that nobody else has until table_release, from 1 on, below
// UINT32_MAX. A new entry is zeroed, a reused one is as it was released. Returns 0 when memory is
// short. Allocates only when the table grows.
uint32_t table_acquire(struct table *table);

// The caller has acquired `number`, and releases it once.
void table_release(struct table *table, uint32_t number);

// Returns the entry, acquired or released; NULL for a number that no entry ever had.
void *table_at(struct table *table, uint32_t number);
