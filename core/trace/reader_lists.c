#include <stdlib.h>
#include <string.h>

#include "trace/reader_internal.h"

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

bool otter_ids_add(struct otter_ids *ids, uint64_t id)
{
    struct otter_list list = {.items = ids->sorted, .n = ids->n, .room = ids->room};
    struct otter_id *item = otter_list_add(&list, sizeof *item);
    if (!item) {
        return false;
    }
    *item = (struct otter_id){.id = id, .index = (uint32_t)ids->n};
    ids->is_dense = (ids->n == 0 || ids->is_dense) && id == ids->n;
    ids->is_sorted = ids->n == 0 || (ids->is_sorted && item[-1].id < id);
    ids->sorted = list.items;
    ids->n = list.n;
    ids->room = list.room;
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    const struct otter_id *left = a, *right = b;
    return left->id < right->id ? -1 : left->id > right->id;
}

void otter_ids_sort(struct otter_ids *ids)
{
    if (!ids->is_sorted && ids->n > 0) {
        qsort(ids->sorted, ids->n, sizeof *ids->sorted, compare_ids);
        ids->is_sorted = true;
    }
}

uint32_t otter_ids_find_slowly(const struct otter_ids *ids, uint64_t id)
{
    struct otter_id key = {.id = id};
    if (ids->is_sorted) {
        struct otter_id *found =
            ids->n ? bsearch(&key, ids->sorted, ids->n, sizeof key, compare_ids) : NULL;
        return found ? found->index : OTTER_NONE;
    }
    for (size_t i = 0; i < ids->n; i++) { // while definitions that are out of order are being read
        if (ids->sorted[i].id == id) {
            return ids->sorted[i].index;
        }
    }
    return OTTER_NONE;
}
