// Finds explicit tasks by the location that created them and their number.
#include <string.h>

#include "graph/build/internal.h"

bool otter_graph_may_be_task(const struct otter_definitions *definitions, uint32_t location,
                             uint32_t number)
{
    enum { MAX_LOST = 1 << 20, MAX_LOST_OF_ALL = 1 << 23, ALWAYS_LOST = 1 << 8 };
    static const uint64_t max_unrecorded = UINT64_C(1) << 32; // tasks that were created in pauses
    if (location >= definitions->n_locations || number == 0) {
        return false;
    }
    uint64_t most = MAX_LOST_OF_ALL / definitions->n_locations;
    most = most > MAX_LOST ? MAX_LOST : most < ALWAYS_LOST ? ALWAYS_LOST : most;
    uint64_t unrecorded = max_unrecorded / definitions->n_locations;
    unrecorded = definitions->n_unrecorded < unrecorded ? definitions->n_unrecorded : unrecorded;
    return number <= definitions->locations[location].n_held + unrecorded + most;
}

// Tasks of a pause are numbered, but few occur in records: hence pages. *Returns* NULL when memory
// is short.
static uint32_t *find_page(struct otter_builder *builder, uint32_t location, uint32_t page)
{
    struct otter_location_tasks *tasks = &builder->location_tasks[location];
    while (tasks->n <= page) {
        if (!OTTER_VECTOR_RESERVE(tasks)) {
            return NULL;
        }
        tasks->items[tasks->n++] = NULL;
    }
    if (!tasks->items[page]) {
        tasks->items[page] = malloc(OTTER_TASK_PAGE * sizeof *tasks->items[page]);
        if (tasks->items[page]) {
            memset(tasks->items[page], 0xff, OTTER_TASK_PAGE * sizeof *tasks->items[page]);
        }
    }
    return tasks->items[page];
}

uint32_t otter_build_find_task(struct otter_builder *builder, uint32_t location, uint32_t number)
{
    if (!otter_graph_may_be_task(builder->definitions, location, number)) {
        return OTTER_NONE;
    }
    uint32_t *page = find_page(builder, location, number / OTTER_TASK_PAGE);
    if (!page) {
        builder->has_failed = true;
        return OTTER_NONE;
    }
    uint32_t *task = &page[number % OTTER_TASK_PAGE];
    if (*task == OTTER_NONE) {
        *task = otter_build_task(builder, OTTER_TASK_KIND_UNKNOWN, location, number);
    }
    return *task;
}

void otter_build_forget_numbers(struct otter_builder *builder)
{
    for (size_t i = 0; builder->location_tasks && i < builder->definitions->n_locations; i++) {
        for (uint32_t page = 0; page < builder->location_tasks[i].n; page++) {
            free(builder->location_tasks[i].items[page]);
        }
        free(builder->location_tasks[i].items);
    }
    free(builder->location_tasks);
    builder->location_tasks = NULL;
}
