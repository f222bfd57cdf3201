// Sums up time and memory by Kokkos label from the events of an archive.
#include "analysis/kokkos/kokkos.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/kokkos/kokkos_frames.h"
#include "base/free.h"
#include "trace/schema.h"

bool otter_kokkos_is_in(const struct otter_definitions *definitions)
{
    static const char prefix[] = "OTTER::KOKKOS";
    for (size_t i = 0; i < definitions->n_properties; i++) {
        if (strncmp(definitions->properties[i].name, prefix, sizeof prefix - 1) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < definitions->n_regions; i++) {
        if (otter_construct_is_kokkos(definitions->regions[i].construct)) {
            return true;
        }
    }
    return false;
}

enum otter_status otter_kokkos_init(struct otter_kokkos *kokkos,
                                    const struct otter_definitions *definitions)
{
    *kokkos = (struct otter_kokkos){.definitions = definitions,
                                    .entered = OTTER_NONE,
                                    .last_event = UINT64_MAX,
                                    .freed = OTTER_NONE};
    kokkos->costs = calloc(definitions->n_regions + 1, sizeof *kokkos->costs);
    kokkos->n_open = calloc(definitions->n_regions + 1, sizeof *kokkos->n_open);
    kokkos->levels = calloc(definitions->n_metrics + 1, sizeof *kokkos->levels);
    kokkos->has_samples = calloc(definitions->n_locations + 1, sizeof *kokkos->has_samples);
    kokkos->last_samples = calloc(definitions->n_metrics + 1, sizeof *kokkos->last_samples);
    if (!kokkos->costs || !kokkos->n_open || !kokkos->levels || !kokkos->has_samples ||
        !kokkos->last_samples) {
        otter_kokkos_finish(kokkos);
        return OTTER_NO_MEMORY;
    }
    return OTTER_OK;
}

void otter_kokkos_finish(struct otter_kokkos *kokkos)
{
    for (size_t i = 0; kokkos->costs && i < kokkos->definitions->n_regions; i++) {
        otter_quantiles_finish(&kokkos->costs[i].durations);
        otter_quantiles_finish(&kokkos->costs[i].launches);
        otter_quantiles_finish(&kokkos->costs[i].gaps);
    }
    otter_kokkos_paths_finish(&kokkos->paths);
    OTTER_FREE(kokkos->costs, kokkos->n_open, kokkos->levels, kokkos->has_samples,
               kokkos->last_samples, kokkos->open.items);
    *kokkos = (struct otter_kokkos){0};
}

static bool is_kokkos(const struct otter_kokkos *kokkos, uint32_t region)
{
    return region < kokkos->definitions->n_regions &&
           otter_construct_is_kokkos(kokkos->definitions->regions[region].construct);
}

// The duration of a pause belongs to no region.
static void change_pause(struct otter_kokkos *kokkos, const struct otter_event *event)
{
    if (event->is_on && kokkos->is_paused && event->time > kokkos->paused_since) {
        kokkos->paused += event->time - kokkos->paused_since;
    }
    kokkos->is_paused = !event->is_on;
    kokkos->paused_since = event->time;
}

static void add_bytes(struct otter_kokkos *kokkos, uint64_t bytes, uint64_t time)
{
    if (kokkos->entered != OTTER_NONE) {
        struct otter_kokkos_cost *cost = &kokkos->costs[kokkos->entered];
        kokkos->entered_bytes = bytes;
        cost->bytes += bytes;
        cost->byte_ticks +=
            (double)bytes * ((double)time - (double)kokkos->definitions->clock.offset);
    }
}

static void add_parameter(struct otter_kokkos *kokkos, const struct otter_event *event)
{
    const struct otter_definitions *definitions = kokkos->definitions;
    uint32_t parameter = event->parameter.definition;
    if (parameter < definitions->n_parameters &&
        definitions->parameters[parameter].kind == OTTER_PARAMETER_BYTES) {
        add_bytes(kokkos, event->parameter.value, event->time);
    }
}

bool otter_kokkos_is_unknown_block(struct otter_kokkos_sample *last,
                                   const struct otter_event *event)
{
    uint64_t in_use = event->metric.values[0], high_water = event->metric.values[1];
    bool is_unknown = last->is_there ? in_use == last->in_use : high_water == 0;
    *last = (struct otter_kokkos_sample){true, in_use};
    return is_unknown;
}

// The deallocation of an unknown block is not attributed to a known block with the same label.
static void note_unknown_block(struct otter_kokkos *kokkos, const struct otter_event *event)
{
    bool is_unknown =
        otter_kokkos_is_unknown_block(&kokkos->last_samples[event->metric.definition], event);
    if (!is_unknown || kokkos->entered == OTTER_NONE ||
        kokkos->definitions->regions[kokkos->entered].construct !=
            OTTER_CONSTRUCT_KOKKOS_DEALLOCATE) {
        return;
    }
    struct otter_kokkos_cost *cost = &kokkos->costs[kokkos->entered];
    cost->n_unknown++;
    cost->bytes_unknown += kokkos->entered_bytes;
    cost->byte_ticks -= (double)kokkos->entered_bytes *
                        ((double)event->time - (double)kokkos->definitions->clock.offset);
}

static void add_metric(struct otter_kokkos *kokkos, const struct otter_event *event)
{
    const struct otter_definitions *definitions = kokkos->definitions;
    uint32_t metric = event->metric.definition;
    if (metric >= definitions->n_metrics || *definitions->metrics[metric].space == '\0' ||
        event->metric.n_values != 2) {
        return;
    }
    note_unknown_block(kokkos, event);
    struct otter_kokkos_level *level = &kokkos->levels[metric];
    uint64_t in_use = event->metric.values[0], high_water = event->metric.values[1];
    bool is_same_time = level->n > 0 && event->time == level->last_time;
    if (level->n == 0 || event->time > level->last_time ||
        (is_same_time && in_use > level->in_use)) {
        level->last_time = event->time;
        level->in_use = in_use;
    }
    if (level->n == 0 || in_use > level->most ||
        (in_use == level->most && event->time < level->most_time)) {
        level->most = in_use;
        level->most_time = event->time;
    }
    if (event->location < definitions->n_locations) {
        kokkos->has_samples[event->location] = true;
    }
    level->high_water = high_water > level->high_water ? high_water : level->high_water;
    level->n++;
}

// Detects that an untied task resumes: a switch, then its open regions, all with the same
// timestamp. The end of a pause looks the same and is excluded. All other calls of the recorder
// have a timestamp of their own.
static void note_resumption(struct otter_kokkos *kokkos, const struct otter_event *event)
{
    const struct otter_definitions *definitions = kokkos->definitions;
    bool is_enter = event->kind == OTTER_RECORD_ENTER && event->region < definitions->n_regions;
    if (event->kind == OTTER_RECORD_TASK_SWITCH) {
        kokkos->resumption = event->time == kokkos->paused_since ? OTTER_KOKKOS_NO_RESUMPTION
                                                                 : OTTER_KOKKOS_SWITCHED;
        kokkos->resumption_time = event->time;
    } else if (!is_enter || event->time != kokkos->resumption_time) {
        kokkos->resumption = OTTER_KOKKOS_NO_RESUMPTION;
    } else if (kokkos->resumption == OTTER_KOKKOS_SWITCHED) {
        const struct otter_region *region = &definitions->regions[event->region];
        kokkos->resumption =
            region->construct == OTTER_CONSTRUCT_TASK && strstr(region->description, "untied")
                ? OTTER_KOKKOS_RESUMED
                : OTTER_KOKKOS_NO_RESUMPTION;
    }
}

// Kokkos reports an allocation after the call, and a deallocation before the call. So the call
// takes at most the time since the previous event, or until the next one.
static void note_gap(struct otter_kokkos *kokkos, const struct otter_event *event)
{
    bool is_good = true;
    if (kokkos->last_event == UINT64_MAX || event->time <= kokkos->last_event) {
        kokkos->last_event = event->time;
        return;
    }
    uint64_t gap = event->time - kokkos->last_event;
    if (kokkos->freed != OTTER_NONE) {
        is_good = otter_quantiles_add(&kokkos->costs[kokkos->freed].gaps, gap);
    } else if (event->kind == OTTER_RECORD_ENTER && is_kokkos(kokkos, event->region) &&
               kokkos->definitions->regions[event->region].construct ==
                   OTTER_CONSTRUCT_KOKKOS_ALLOCATE) {
        is_good = otter_quantiles_add(&kokkos->costs[event->region].gaps, gap);
    }
    kokkos->is_short_of_memory |= !is_good;
    kokkos->freed = OTTER_NONE;
    kokkos->last_event = event->time;
}

static void note_block(struct otter_kokkos *kokkos, uint32_t region)
{
    enum otter_construct construct = kokkos->definitions->regions[region].construct;
    kokkos->freed = construct == OTTER_CONSTRUCT_KOKKOS_DEALLOCATE ? region : kokkos->freed;
    kokkos->costs[region].n_outside += kokkos->n_teams == 0;
}

static void add_record(struct otter_kokkos *kokkos, const struct otter_event *event)
{
    kokkos->entered = OTTER_NONE;
    switch (event->kind) {
    case OTTER_RECORD_ENTER:
        if (is_kokkos(kokkos, event->region)) {
            otter_kokkos_begin(kokkos, event->region, event->time);
            note_block(kokkos, event->region);
        } else {
            otter_kokkos_enter_other(kokkos, event->region);
        }
        break;
    case OTTER_RECORD_LEAVE:
        if (is_kokkos(kokkos, event->region)) {
            otter_kokkos_end(kokkos, event->region, event->time);
        }
        break;
    case OTTER_RECORD_TEAM_BEGIN: otter_kokkos_begin_team(kokkos, event->time); break;
    case OTTER_RECORD_TEAM_END: otter_kokkos_end_team(kokkos, event->time); break;
    default: break;
    }
}

void otter_kokkos_add(struct otter_kokkos *kokkos, const struct otter_event *event)
{
    if (!kokkos->has_events || event->time < kokkos->first_time) {
        kokkos->first_time = event->time;
    }
    kokkos->has_events = true;
    kokkos->last_time = event->time > kokkos->last_time ? event->time : kokkos->last_time;
    if (event->location != kokkos->location) {
        otter_kokkos_end_location(kokkos);
        kokkos->location = event->location;
    }
    note_resumption(kokkos, event);
    note_gap(kokkos, event);
    switch (event->kind) {
    case OTTER_RECORD_PARAMETER: add_parameter(kokkos, event); return;
    case OTTER_RECORD_METRIC: add_metric(kokkos, event); return;
    case OTTER_RECORD_MEASUREMENT: change_pause(kokkos, event); return;
    default: add_record(kokkos, event);
    }
}

void otter_kokkos_end_location(struct otter_kokkos *kokkos)
{
    for (uint32_t i = 0; i < kokkos->open.n; i++) {
        kokkos->n_open[kokkos->open.items[i].region] = 0;
    }
    kokkos->open.n = 0;
    kokkos->entered = OTTER_NONE;
    kokkos->paused = 0;
    kokkos->paused_since = 0;
    kokkos->is_paused = false;
    kokkos->resumption = OTTER_KOKKOS_NO_RESUMPTION;
    kokkos->n_launching += kokkos->has_launched;
    kokkos->has_launched = false;
    kokkos->n_open_kernels = 0;
    kokkos->n_teams = 0;
    kokkos->last_event = UINT64_MAX;
    kokkos->freed = OTTER_NONE;
    memset(kokkos->last_samples, 0, kokkos->definitions->n_metrics * sizeof *kokkos->last_samples);
}

void otter_kokkos_conclude(struct otter_kokkos *kokkos)
{
    otter_kokkos_end_location(kokkos);
    for (size_t i = 0; i < kokkos->definitions->n_regions; i++) {
        struct otter_kokkos_cost *cost = &kokkos->costs[i];
        cost->n_ended -= cost->n_continued < cost->n_ended ? cost->n_continued : cost->n_ended;
    }
}

uint64_t otter_kokkos_duration(const struct otter_kokkos_cost *cost, unsigned percent)
{
    uint64_t duration = otter_quantiles_at(&cost->durations, percent);
    duration = duration < cost->min ? cost->min : duration;
    return duration > cost->max ? cost->max : duration;
}

const char *otter_kokkos_where(const struct otter_region *region)
{
    const char *comma = strstr(region->description, ", ");
    return comma ? comma + 2 : "";
}
