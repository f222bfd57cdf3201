// Lists that grow, and the map from an archive's numbers to their indexes.
#include "trace/lists.h"

#include <stdlib.h>
#include <string.h>

void *otter_list_add(struct otter_list *list, size_t size)
{
    if (list->n == list->room) {
        size_t room = list->room ? 2 * list->room : 16;
        void *items = realloc(list->items, room * size);
        if (!items) {
            return NULL;
        }
        list->items = items;
        list->room = room;
    }
    void *item = (char *)list->items + list->n++ * size;
    memset(item, 0, size);
    return item;
}

// Returns the place of `id` in the table, or a free place. The hash includes an address, so that
// nobody can construct an archive whose numbers all collide.
static struct otter_id *place_of(const struct otter_ids *ids, uint64_t id)
{
    uint64_t hash = id ^ (uint64_t)(uintptr_t)ids;
    hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    size_t at = (size_t)(hash ^ hash >> 33) & (ids->room - 1);
    while (ids->table[at].index != OTTER_NONE && ids->table[at].id != id) {
        at = (at + 1) & (ids->room - 1);
    }
    return &ids->table[at];
}

// At most half of the table is occupied.
static bool make_table(struct otter_ids *ids)
{
    size_t room = ids->room ? 2 * ids->room : 64;
    while (room < 4 * ids->n) {
        room *= 2;
    }
    struct otter_id *table = malloc(room * sizeof *table);
    if (!table) {
        return false;
    }
    memset(table, 0xff, room * sizeof *table);
    struct otter_id *before = ids->table;
    size_t n = before ? ids->room : ids->n;
    ids->table = table;
    ids->room = room;
    for (size_t i = 0; i < n; i++) {
        struct otter_id item = before ? before[i] : (struct otter_id){i, (uint32_t)i};
        if (item.index != OTTER_NONE) {
            *place_of(ids, item.id) = item;
        }
    }
    free(before);
    return true;
}

bool otter_ids_add(struct otter_ids *ids, uint64_t id)
{
    if (!ids->table && id == ids->n) {
        ids->n++;
        return true;
    }
    if (2 * (ids->n + 1) > ids->room && !make_table(ids)) {
        return false;
    }
    struct otter_id *place = place_of(ids, id);
    if (place->index != OTTER_NONE) {
        ids->has_twice = true;
    } else {
        *place = (struct otter_id){id, (uint32_t)ids->n};
    }
    ids->n++;
    return true;
}

uint32_t otter_ids_look_up(const struct otter_ids *ids, uint64_t id)
{
    return place_of(ids, id)->index;
}
