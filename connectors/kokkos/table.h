// A growing table of numbered entries.
// *Thread*: any, even in a forked child, since no function waits.
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLE_FIRST = 64, TABLE_SEGMENTS = 26 };

// Entries never move. Their memory is reused but never freed, so that a late reader still reads
// memory of the table.
struct table {
    size_t entry_size;         // size of a struct that begins with a struct table_entry
    _Atomic uint32_t n_made;   // entries that exist: numbers 1 to n_made
    _Atomic uint64_t released; // bits 0-31: the number released last; above: a count of changes
    // the first segment has TABLE_FIRST entries, each later one twice as many as the one before
    _Atomic(void *) segments[TABLE_SEGMENTS];
};

struct table_entry {
    _Atomic uint32_t next_released;
};

// Acquires an entry until table_release(). A new entry is zeroed; a reused one still has its old
// content. Allocates only when the table grows. *Returns* its number, from 1 to UINT32_MAX - 1, or
// 0 if out of memory.
uint32_t table_acquire(struct table *table);

// Releases an acquired number. Called once for each acquisition.
void table_release(struct table *table, uint32_t number);

// *Returns* the entry, acquired or released; NULL for a number that no entry ever had.
void *table_at(struct table *table, uint32_t number);
