// Finds explicit tasks by the location that created them and their number.
#include <string.h>

#include "graph/build/number.h"

#include "graph/build/build.h"

struct otter_number_pages { // numbers of tasks created on one location
    OTTER_VECTOR(uint32_t *);
};

bool otter_graph_may_be_task(const struct otter_definitions *definitions, uint32_t location,
                             uint32_t number)
{
    enum { MAX_LOST = 1 << 20, MAX_LOST_OF_ALL = 1 << 23, ALWAYS_LOST = 1 << 8 };
    static const uint64_t max_unrecorded = UINT64_C(1) << 32; // tasks created during pauses
    if (location >= definitions->n_locations || number == 0) {
        return false;
    }
    uint64_t most = MAX_LOST_OF_ALL / definitions->n_locations;
    most = most > MAX_LOST ? MAX_LOST : most < ALWAYS_LOST ? ALWAYS_LOST : most;
    uint64_t unrecorded = max_unrecorded / definitions->n_locations;
    unrecorded = definitions->n_unrecorded < unrecorded ? definitions->n_unrecorded : unrecorded;
    return number <= definitions->locations[location].n_held + unrecorded + most;
}

enum { PAGE_SIZE = 512 };

// Numbers are stored in pages, because most numbers of tasks created during pauses never occur in
// records. *Returns* NULL if out of memory.
static uint32_t *find_page(struct otter_numbers *numbers, uint32_t location, uint32_t page)
{
    struct otter_number_pages *tasks = &numbers->locations[location];
    while (tasks->n <= page) {
        if (!OTTER_VECTOR_ADD(tasks, NULL)) {
            return NULL;
        }
    }
    if (!tasks->items[page]) {
        tasks->items[page] =
            otter_arena_get(&numbers->pages, PAGE_SIZE * sizeof *tasks->items[page]);
        if (tasks->items[page]) {
            memset(tasks->items[page], 0xff, PAGE_SIZE * sizeof *tasks->items[page]);
        }
    }
    return tasks->items[page];
}

uint32_t otter_numbers_find(struct otter_numbers *numbers, struct otter_store *store,
                            uint32_t location, uint32_t number)
{
    if (!otter_graph_may_be_task(store->definitions, location, number)) {
        return OTTER_NONE;
    }
    uint32_t *page = find_page(numbers, location, number / PAGE_SIZE);
    if (!page) {
        store->has_failed = true;
        return OTTER_NONE;
    }
    uint32_t *task = &page[number % PAGE_SIZE];
    if (*task == OTTER_NONE) {
        *task = otter_store_task(store, OTTER_TASK_KIND_UNKNOWN, location, number);
    }
    return *task;
}

bool otter_numbers_init(struct otter_numbers *numbers, size_t n_locations)
{
    numbers->n_locations = n_locations;
    numbers->locations = calloc(n_locations + 1, sizeof *numbers->locations);
    return numbers->locations != NULL;
}

void otter_numbers_finish(struct otter_numbers *numbers)
{
    for (size_t i = 0; numbers->locations && i < numbers->n_locations; i++) {
        free(numbers->locations[i].items);
    }
    free(numbers->locations);
    otter_arena_finish(&numbers->pages);
    numbers->locations = NULL;
}
