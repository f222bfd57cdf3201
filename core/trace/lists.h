// Lists that grow, and the map from an archive's numbers to their indexes.
//
// *Thread*: one at a time for each list and map.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The index that means "undefined".
#define OTTER_NONE UINT32_MAX

// The numbers of one kind of definition. In most archives each number equals its index, and no
// table is needed.
struct otter_ids {
    struct otter_id {
        uint64_t id;
        uint32_t index; // OTTER_NONE: the place is free
    } *table;           // hash table; NULL while all numbers equal their indexes
    size_t n, room;     // number of ids; size of the table, a power of two
    bool has_twice;     // a number was defined twice; the first definition counts
};

struct otter_list {
    void *items;
    size_t n, room;
};

// Appends an item of `size` zero bytes. *Returns* NULL if out of memory.
void *otter_list_add(struct otter_list *list, size_t size);

// Assigns the next index to `id`. *Returns* false if out of memory.
bool otter_ids_add(struct otter_ids *ids, uint64_t id);

uint32_t otter_ids_look_up(const struct otter_ids *ids, uint64_t id);

// *Returns* the index of `id`, or OTTER_NONE.
static inline uint32_t otter_ids_find(const struct otter_ids *ids, uint64_t id)
{
    if (!ids->table) {
        return id < ids->n ? (uint32_t)id : OTTER_NONE;
    }
    return otter_ids_look_up(ids, id);
}
