// Sums up the time and the memory of Kokkos' labels from the events of an archive.
#include "report/kokkos.h"

#include <stdlib.h>
#include <string.h>

#include "report/property.h"
#include "trace/schema.h"

enum { MAX_DEPTH = 1 << 16 };

bool otter_kokkos_is_in(const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    for (size_t i = 0; i < definitions->n_properties; i++) {
        if (otter_property_behind(&definitions->properties[i], "OTTER::KOKKOS")) {
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
    *kokkos = (struct otter_kokkos){.definitions = definitions, .entered = OTTER_NONE};
    kokkos->costs = calloc(definitions->n_regions + 1, sizeof *kokkos->costs);
    kokkos->n_open = calloc(definitions->n_regions + 1, sizeof *kokkos->n_open);
    kokkos->levels = calloc(definitions->n_metrics + 1, sizeof *kokkos->levels);
    if (!kokkos->costs || !kokkos->n_open || !kokkos->levels) {
        otter_kokkos_finish(kokkos);
        return OTTER_NO_MEMORY;
    }
    return OTTER_OK;
}

void otter_kokkos_finish(struct otter_kokkos *kokkos)
{
    free(kokkos->costs);
    free(kokkos->n_open);
    free(kokkos->levels);
    free(kokkos->open.items);
    *kokkos = (struct otter_kokkos){0};
}

static bool is_kokkos(const struct otter_kokkos *kokkos, uint32_t region)
{
    return region < kokkos->definitions->n_regions &&
           otter_construct_is_kokkos(kokkos->definitions->regions[region].construct);
}

static void begin(struct otter_kokkos *kokkos, uint32_t region, uint64_t time)
{
    struct otter_kokkos_cost *cost = &kokkos->costs[region];
    if (kokkos->resumption == OTTER_KOKKOS_RESUMED) {
        cost->n_continued++;
    } else if (cost->n++ == 0 || time < cost->first) {
        cost->first = time;
    }
    if (kokkos->open.n == MAX_DEPTH) {
        kokkos->n_too_deep++;
        return;
    }
    if (!OTTER_VECTOR_RESERVE(&kokkos->open)) {
        kokkos->is_short_of_memory = true;
        return;
    }
    kokkos->open.items[kokkos->open.n++] =
        (struct otter_kokkos_frame){time - kokkos->paused, region};
    kokkos->n_open[region]++;
    kokkos->entered = region;
}

static void end(struct otter_kokkos *kokkos, uint32_t region, uint64_t time)
{
    if (kokkos->n_open[region] == 0) {
        return; // the begin is missing
    }
    struct otter_kokkos_frame frame;
    do { // regions inside that are still open never ended
        frame = kokkos->open.items[--kokkos->open.n];
        kokkos->n_open[frame.region]--;
    } while (frame.region != region);
    struct otter_kokkos_cost *cost = &kokkos->costs[region];
    uint64_t recorded = time - kokkos->paused;
    uint64_t duration = recorded > frame.begin ? recorded - frame.begin : 0;
    cost->min = cost->n_ended == 0 || duration < cost->min ? duration : cost->min;
    cost->max = duration > cost->max ? duration : cost->max;
    cost->sum += duration;
    cost->total += kokkos->n_open[region] == 0 ? duration : 0;
    cost->n_ended++;
}

// The time of a pause belongs to no region.
static void change_pause(struct otter_kokkos *kokkos, const struct otter_event *event)
{
    if (event->is_on && kokkos->is_paused && event->time > kokkos->paused_since) {
        kokkos->paused += event->time - kokkos->paused_since;
    }
    kokkos->is_paused = !event->is_on;
    kokkos->paused_since = event->time;
}

// A section may stop on another thread, whose events are read earlier or later. The sum of all
// stops minus the sum of all starts is the time between them, in any order.
static void change_section(struct otter_kokkos *kokkos, uint64_t region, uint64_t time,
                           bool is_start)
{
    if (region >= kokkos->definitions->n_regions ||
        kokkos->definitions->regions[region].construct != OTTER_CONSTRUCT_KOKKOS_SECTION) {
        return;
    }
    struct otter_kokkos_cost *cost = &kokkos->costs[region];
    if (is_start && (cost->n == 0 || time < cost->first)) {
        cost->first = time;
    }
    cost->n += is_start;
    cost->n_ended += !is_start;
    cost->total += is_start ? -time : time;
}

static void add_parameter(struct otter_kokkos *kokkos, const struct otter_event *event)
{
    const struct otter_definitions *definitions = kokkos->definitions;
    if (event->parameter.definition >= definitions->n_parameters) {
        return;
    }
    switch (definitions->parameters[event->parameter.definition].kind) {
    case OTTER_PARAMETER_BYTES:
        if (kokkos->entered != OTTER_NONE) {
            kokkos->costs[kokkos->entered].bytes += event->parameter.value;
        }
        break;
    case OTTER_PARAMETER_SECTION_START:
    case OTTER_PARAMETER_SECTION_STOP:
        change_section(kokkos, event->parameter.value, event->time,
                       definitions->parameters[event->parameter.definition].kind ==
                           OTTER_PARAMETER_SECTION_START);
        break;
    default: break;
    }
}

static void add_metric(struct otter_kokkos *kokkos, const struct otter_event *event)
{
    const struct otter_definitions *definitions = kokkos->definitions;
    uint32_t metric = event->metric.definition;
    if (metric >= definitions->n_metrics || *definitions->metrics[metric].space == '\0' ||
        event->metric.n_values != 2) {
        return;
    }
    struct otter_kokkos_level *level = &kokkos->levels[metric];
    uint64_t in_use = event->metric.values[0], high_water = event->metric.values[1];
    bool is_same_time = level->n > 0 && event->time == level->last_time;
    if (level->n == 0 || event->time > level->last_time ||
        (is_same_time && in_use > level->in_use)) {
        level->last_time = event->time;
        level->in_use = in_use;
    }
    level->high_water = high_water > level->high_water ? high_water : level->high_water;
    level->n++;
}

// Detects that an untied task resumes: a switch, then its open regions, all at one time. The end of
// a pause is recorded in the same form and is excluded. Each other call of the recorder has its own
// timestamp.
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

void otter_kokkos_add(struct otter_kokkos *kokkos, const struct otter_event *event)
{
    if (!kokkos->has_events || event->time < kokkos->first_time) {
        kokkos->first_time = event->time;
    }
    kokkos->has_events = true;
    kokkos->last_time = event->time > kokkos->last_time ? event->time : kokkos->last_time;
    note_resumption(kokkos, event);
    switch (event->kind) {
    case OTTER_RECORD_PARAMETER: add_parameter(kokkos, event); return;
    case OTTER_RECORD_METRIC: add_metric(kokkos, event); return;
    case OTTER_RECORD_MEASUREMENT: change_pause(kokkos, event); return;
    default: break;
    }
    kokkos->entered = OTTER_NONE;
    if (event->kind == OTTER_RECORD_ENTER && is_kokkos(kokkos, event->region)) {
        begin(kokkos, event->region, event->time);
    } else if (event->kind == OTTER_RECORD_LEAVE && is_kokkos(kokkos, event->region)) {
        end(kokkos, event->region, event->time);
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
}

void otter_kokkos_conclude(struct otter_kokkos *kokkos)
{
    for (size_t i = 0; i < kokkos->definitions->n_regions; i++) {
        struct otter_kokkos_cost *cost = &kokkos->costs[i];
        cost->n_ended -= cost->n_continued < cost->n_ended ? cost->n_continued : cost->n_ended;
        if (kokkos->definitions->regions[i].construct != OTTER_CONSTRUCT_KOKKOS_SECTION ||
            cost->n == 0) {
            continue;
        }
        uint64_t n_running = cost->n > cost->n_ended ? cost->n - cost->n_ended : 0;
        uint64_t longest = kokkos->last_time > cost->first ? kokkos->last_time - cost->first : 0;
        cost->total += n_running * kokkos->last_time;
        if (cost->n_ended > cost->n || cost->total / cost->n > longest) {
            cost->total = UINT64_MAX;
        }
    }
}

const char *otter_kokkos_where(const struct otter_region *region)
{
    const char *comma = strstr(region->description, ", ");
    return comma ? comma + 2 : "";
}
