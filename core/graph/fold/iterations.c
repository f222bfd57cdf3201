// Reads from an archive when iterations begin.
#include "graph/fold/iterations.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

// A worksharing construct that is open on a thread.
struct construct {
    uint32_t region;
    uint32_t iteration;
    bool has_chunks; // the runtime reports each chunk
    bool has_total;
};

struct reading {
    struct otter_iterations *iterations;
    const struct otter_definitions *definitions;
    struct otter_iteration_starts *starts; // starts on the location being read
    struct {
        OTTER_VECTOR(struct construct);
    } open;
    uint32_t number; // task number of the last creation
    uint32_t n;      // iterations read so far
    bool is_chunk;   // the next number of iterations belongs to a chunk
    bool has_failed;
};

static bool is_worksharing(enum otter_construct construct)
{
    return construct == OTTER_CONSTRUCT_LOOP || construct == OTTER_CONSTRUCT_SECTIONS;
}

static const struct otter_region *region_of(const struct reading *reading, uint32_t region)
{
    return region < reading->definitions->n_regions ? &reading->definitions->regions[region] : NULL;
}

static void start(struct reading *reading, uint64_t time, uint32_t iteration)
{
    reading->has_failed |= !OTTER_VECTOR_ADD(
        reading->starts, (struct otter_iteration_start){time, reading->number, iteration});
}

static void enter(struct reading *reading, const struct otter_event *event)
{
    const struct otter_region *region = region_of(reading, event->region);
    if (!region || !is_worksharing(region->construct)) {
        return;
    }
    if (!OTTER_VECTOR_ADD(&reading->open,
                          (struct construct){
                              .region = event->region,
                              .iteration = OTTER_NONE,
                              .has_chunks = strstr(region->description, "dynamic") ||
                                            strstr(region->description, "guided"),
                          })) {
        reading->has_failed = true;
        return;
    }
    start(reading, event->time, OTTER_NONE);
}

static void leave(struct reading *reading, const struct otter_event *event)
{
    uint32_t n = reading->open.n;
    if (n > 0 && reading->open.items[n - 1].region == event->region) {
        reading->open.n = --n;
        start(reading, event->time, n > 0 ? reading->open.items[n - 1].iteration : OTTER_NONE);
    }
}

static void read_count(struct reading *reading, uint64_t time, uint64_t count)
{
    struct construct *construct =
        reading->open.n > 0 ? &reading->open.items[reading->open.n - 1] : NULL;
    bool is_known =
        construct && (reading->is_chunk ? construct->has_chunks : !construct->has_total);
    if (is_known) {
        construct->has_total = true;
        construct->iteration = count == 1 ? reading->n++ : OTTER_NONE;
        start(reading, time, construct->iteration);
    }
    reading->is_chunk = false;
}

static void read_parameter(struct reading *reading, const struct otter_event *event)
{
    uint32_t definition = event->parameter.definition;
    if (definition >= reading->definitions->n_parameters) {
        return;
    }
    switch (reading->definitions->parameters[definition].kind) {
    case OTTER_PARAMETER_CHUNK_LOOP:
    case OTTER_PARAMETER_CHUNK_TASKLOOP:
    case OTTER_PARAMETER_CHUNK_DISTRIBUTE: reading->is_chunk = true; break;
    case OTTER_PARAMETER_ITERATIONS:
        read_count(reading, event->time, event->parameter.value);
        break;
    default: break;
    }
}

static bool read_event(void *user, const struct otter_event *event)
{
    struct reading *reading = user;
    switch (event->kind) {
    case OTTER_RECORD_ENTER: enter(reading, event); break;
    case OTTER_RECORD_LEAVE: leave(reading, event); break;
    case OTTER_RECORD_TASK_CREATE: reading->number = event->task.number; break;
    case OTTER_RECORD_PARAMETER: read_parameter(reading, event); break;
    default: break;
    }
    return !reading->has_failed;
}

enum otter_status otter_iterations_read(struct otter_iterations *iterations,
                                        struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    size_t n = definitions->n_locations;
    *iterations = (struct otter_iterations){
        .locations = calloc(n + 1, sizeof *iterations->locations), .n_locations = n};
    struct reading reading = {
        .iterations = iterations, .definitions = definitions, .has_failed = !iterations->locations};
    for (size_t i = 0; i < n && !reading.has_failed; i++) {
        struct otter_complaint damage;
        reading.starts = &iterations->locations[i];
        reading.open.n = 0;
        reading.number = 0;
        reading.is_chunk = false;
        if (definitions->locations[i].kind == OTTER_LOCATION_CPU_THREAD) {
            otter_archive_read(archive, i, read_event, &reading, NULL, &damage);
        }
    }
    free(reading.open.items);
    if (reading.has_failed) {
        otter_iterations_finish(iterations);
    }
    return reading.has_failed ? OTTER_NO_MEMORY : OTTER_OK;
}

void otter_iterations_finish(struct otter_iterations *iterations)
{
    for (size_t i = 0; iterations->locations && i < iterations->n_locations; i++) {
        free(iterations->locations[i].items);
    }
    free(iterations->locations);
    *iterations = (struct otter_iterations){0};
}

static const struct otter_iteration_starts *starts_of(const struct otter_iterations *iterations,
                                                      uint32_t location)
{
    return iterations && location < iterations->n_locations ? &iterations->locations[location]
                                                            : NULL;
}

uint32_t otter_iteration_at(const struct otter_iterations *iterations, uint32_t location,
                            uint64_t time)
{
    const struct otter_iteration_starts *starts = starts_of(iterations, location);
    uint32_t low = 0, high = starts ? starts->n : 0;
    // Finds the first start after `time`.
    OTTER_SEARCH(low, high, middle, starts->items[middle].time <= time)
    return low > 0 ? starts->items[low - 1].iteration : OTTER_NONE;
}

uint32_t otter_iteration_of_task(const struct otter_iterations *iterations, uint32_t location,
                                 uint32_t number)
{
    const struct otter_iteration_starts *starts = starts_of(iterations, location);
    uint32_t low = 0, high = starts ? starts->n : 0;
    // Finds the first start that is not before the creation.
    OTTER_SEARCH(low, high, middle, starts->items[middle].number < number)
    return low > 0 ? starts->items[low - 1].iteration : OTTER_NONE;
}
