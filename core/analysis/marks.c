// Gathers the events of locks and worksharing loops.
#include "analysis/marks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/path/costs.h"
#include "base/free.h"
#include "graph/numbers.h"
#include "trace/schema.h"

static bool add(struct otter_marks *marks, const struct otter_event *event,
                enum otter_mark_kind kind, uint32_t region, uint32_t value)
{
    struct otter_location_marks *list = &marks->locations[event->location];
    return OTTER_VECTOR_ADD(
        list, (struct otter_mark){
                  .time = event->time, .value = value, .region = region, .kind = (uint8_t)kind});
}

static enum otter_construct construct_of(const struct otter_marks *marks, uint32_t region)
{
    return otter_definitions_construct(marks->definitions, region);
}

// Returns the innermost open region that locks (`is_lock`), or the innermost open loop.
static uint32_t innermost(const struct otter_marks *marks, bool is_lock)
{
    for (uint32_t i = marks->open.n; i-- > 0;) {
        enum otter_construct construct = construct_of(marks, marks->open.items[i]);
        if (is_lock ? otter_construct_locks(construct) : construct == OTTER_CONSTRUCT_LOOP) {
            return marks->open.items[i];
        }
    }
    return OTTER_REGION_NONE;
}

static bool add_lock(struct otter_marks *marks, const struct otter_event *event)
{
    uint32_t region = innermost(marks, true);
    bool is_acquire = event->kind == OTTER_RECORD_ACQUIRE_LOCK;
    enum otter_mark_kind kind = is_acquire ? OTTER_MARK_ACQUIRE : OTTER_MARK_RELEASE;
    marks->failed = is_acquire ? OTTER_REGION_NONE : marks->failed;
    marks->has_lock |= is_acquire;
    if (construct_of(marks, region) == OTTER_CONSTRUCT_ORDERED) {
        kind = is_acquire ? OTTER_MARK_ORDER_BEGIN : OTTER_MARK_ORDER_END;
    }
    return add(marks, event, kind, region, event->lock.id);
}

static bool is_static(const struct otter_marks *marks, uint32_t region)
{
    const char *schedule = marks->definitions->regions[region].description;
    return !strstr(schedule, "dynamic") && !strstr(schedule, "guided");
}

// The number of iterations follows the start of the loop or chunk, at the same time.
static bool add_iterations(struct otter_marks *marks, const struct otter_event *event,
                           uint32_t region)
{
    struct otter_location_marks *list = &marks->locations[event->location];
    uint64_t most = UINT32_MAX, n = event->parameter.value < most ? event->parameter.value : most;
    if (marks->is_in_chunk) {
        marks->is_in_chunk = false;
        return !is_static(marks, region) ||
               add(marks, event, OTTER_MARK_BLOCK, region, (uint32_t)n);
    }
    struct otter_mark *last = list->n > 0 ? &list->items[list->n - 1] : NULL;
    if (last && last->kind == OTTER_MARK_LOOP_BEGIN && last->time == event->time) {
        last->value = (uint32_t)n;
    }
    return true;
}

// Ignores times above the highest cost of a task: other programs cause them.
static void add_ticks(const struct otter_marks *marks, uint32_t region, uint64_t ticks)
{
    struct otter_loop_chunks *chunks = &marks->chunks[region];
    if (ticks <= marks->definitions->clock.resolution / OTTER_MAX_COST) {
        chunks->n_timed++;
        chunks->ticks += ticks;
    }
}

// The runtime reports only the first chunk of a static loop.
static bool add_parameter(struct otter_marks *marks, const struct otter_event *event)
{
    uint32_t definition = event->parameter.definition, region = innermost(marks, false);
    if (definition >= marks->definitions->n_parameters || region == OTTER_REGION_NONE) {
        return true;
    }
    switch (marks->definitions->parameters[definition].kind) {
    case OTTER_PARAMETER_CHUNK_LOOP:
        marks->is_in_chunk = true;
        marks->chunks[region].n++;
        return is_static(marks, region) || add(marks, event, OTTER_MARK_CHUNK, region, 0);
    case OTTER_PARAMETER_ITERATIONS: return add_iterations(marks, event, region);
    case OTTER_PARAMETER_CHUNK_TICKS: add_ticks(marks, region, event->parameter.value); return true;
    default: return true;
    }
}

static bool enter(struct otter_marks *marks, const struct otter_event *event)
{
    enum otter_construct construct = construct_of(marks, event->region);
    bool is_loop = construct == OTTER_CONSTRUCT_LOOP, is_again = marks->failed == event->region;
    struct otter_between_tests between = {marks->failed_time, event->time};
    if (!is_loop && !otter_construct_locks(construct)) {
        return true;
    }
    if (!OTTER_VECTOR_ADD(&marks->open, event->region) ||
        (is_again && !OTTER_VECTOR_ADD(&marks->locations[event->location].tests, between))) {
        return false;
    }
    marks->has_lock = false;
    return !is_loop || add(marks, event, OTTER_MARK_LOOP_BEGIN, event->region, 0);
}

static bool leave(struct otter_marks *marks, const struct otter_event *event)
{
    if (marks->open.n == 0 || marks->open.items[marks->open.n - 1] != event->region) {
        return true;
    }
    marks->open.n--;
    enum otter_construct construct = construct_of(marks, event->region);
    const struct otter_location_marks *list = &marks->locations[event->location];
    const struct otter_mark *last = list->n > 0 ? &list->items[list->n - 1] : NULL;
    if (construct == OTTER_CONSTRUCT_TEST_LOCK || construct == OTTER_CONSTRUCT_TEST_NEST_LOCK) {
        marks->failed = marks->has_lock ? OTTER_REGION_NONE : event->region;
        marks->failed_time = event->time;
    }
    if (construct == OTTER_CONSTRUCT_ORDERED && last) {
        uint32_t loop = innermost(marks, false);
        loop = loop == OTTER_REGION_NONE ? OTTER_NONE : loop;
        marks->ordered[event->region] = loop;
        bool has_lock = last->kind == OTTER_MARK_ORDER_END;
        marks->sinks[event->region] = has_lock ? marks->sinks[event->region] : loop;
    }
    return construct != OTTER_CONSTRUCT_LOOP ||
           add(marks, event, OTTER_MARK_LOOP_END, event->region, 0);
}

enum otter_status otter_marks_begin(struct otter_marks *marks,
                                    const struct otter_definitions *definitions)
{
    *marks = (struct otter_marks){.definitions = definitions, .location = OTTER_NONE};
    marks->locations = calloc(definitions->n_locations + 1, sizeof *marks->locations);
    marks->sinks = otter_numbers_create(definitions->n_regions);
    marks->ordered = otter_numbers_create(definitions->n_regions);
    marks->chunks = calloc(definitions->n_regions + 1, sizeof *marks->chunks);
    bool is_good = marks->locations && marks->sinks && marks->ordered && marks->chunks;
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

bool otter_marks_add(void *user, const struct otter_event *event)
{
    struct otter_marks *marks = user;
    if (event->location != marks->location) {
        marks->location = event->location;
        marks->open.n = 0;
        marks->failed = OTTER_REGION_NONE;
    }
    switch (event->kind) {
    case OTTER_RECORD_ENTER: return enter(marks, event);
    case OTTER_RECORD_LEAVE: return leave(marks, event);
    case OTTER_RECORD_ACQUIRE_LOCK:
    case OTTER_RECORD_RELEASE_LOCK: return add_lock(marks, event);
    case OTTER_RECORD_PARAMETER: return add_parameter(marks, event);
    default: return true;
    }
}

// Counts marks of a kind in a loop. Returns the sum of their values.
static double sum_of(const struct otter_marks *marks, uint32_t loop, enum otter_mark_kind kind,
                     uint64_t *n)
{
    double sum = 0;
    *n = 0;
    for (size_t i = 0; i < marks->definitions->n_locations; i++) {
        for (uint32_t k = 0; k < marks->locations[i].n; k++) {
            const struct otter_mark *mark = &marks->locations[i].items[k];
            if (mark->region == loop && mark->kind == kind) {
                sum += mark->value;
                (*n)++;
            }
        }
    }
    return sum;
}

double otter_marks_iterations(const struct otter_marks *marks, uint32_t loop)
{
    uint64_t n;
    double sum = sum_of(marks, loop, OTTER_MARK_LOOP_BEGIN, &n);
    return n ? sum / (double)n : 0;
}

// A loop begins once per member in each execution.
uint64_t otter_marks_parts(const struct otter_marks *marks, uint32_t loop)
{
    uint64_t n;
    sum_of(marks, loop, OTTER_MARK_LOOP_BEGIN, &n);
    return n;
}

double otter_marks_chunk(const struct otter_marks *marks, uint32_t loop, double n_members)
{
    uint64_t n_chunks, n_begins;
    double iterations = sum_of(marks, loop, OTTER_MARK_LOOP_BEGIN, &n_begins);
    sum_of(marks, loop, OTTER_MARK_CHUNK, &n_chunks);
    return n_chunks ? iterations / n_members / (double)n_chunks : 0;
}

double otter_marks_taking(const struct otter_marks *marks, uint32_t loop)
{
    const struct otter_loop_chunks *chunks = &marks->chunks[loop];
    double n = (double)chunks->n;
    return chunks->n_timed ? (double)chunks->ticks / (double)chunks->n_timed * n : 0;
}

double otter_marks_block(const struct otter_marks *marks, uint32_t loop)
{
    uint64_t n;
    double sum = sum_of(marks, loop, OTTER_MARK_BLOCK, &n);
    return n ? sum / (double)n : 0;
}

void otter_marks_finish(struct otter_marks *marks)
{
    for (size_t i = 0; marks->locations && i < marks->definitions->n_locations; i++) {
        OTTER_FREE(marks->locations[i].items, marks->locations[i].tests.items);
    }
    OTTER_FREE(marks->locations, marks->sinks, marks->ordered, marks->chunks, marks->open.items);
    *marks = (struct otter_marks){0};
}
