// Converts properties of an archive that are ticks of its clock: points in time and durations.
#include "merge/ticks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"

static const char totals[] = "OTTER::TOTALS::";

static uint64_t stretch(uint64_t ticks, const struct otter_clock_map *map)
{
    double slope = (double)(map->end_offset - map->begin_offset) / (double)(map->end - map->begin);
    double longer = (double)ticks * (1 + slope);
    return slope == 0 || !(longer >= 0 && longer < 9e18) ? ticks : (uint64_t)llrint(longer);
}

static char *map_totals(const char *value, const struct otter_clock_map *map)
{
    uint64_t n_visits, inclusive, exclusive;
    if (sscanf(value, "%" SCNu64 " %" SCNu64 " %" SCNu64, &n_visits, &inclusive, &exclusive) != 3) {
        return strdup(value);
    }
    return otter_path("%" PRIu64 " %" PRIu64 " %" PRIu64, n_visits, stretch(inclusive, map),
                      stretch(exclusive, map));
}

static bool is_time(const char *name)
{
    return strcmp(name, "OTTER::LOSING") == 0 || strcmp(name, "OTTER::STOPPED_AT") == 0;
}

void otter_merge_ticks(struct otter_merge_source *source, const struct otter_clock_map *map)
{
    for (size_t i = 0; i < source->n_properties; i++) {
        struct otter_property *property = &source->properties[i];
        bool is_total = strncmp(property->name, totals, strlen(totals)) == 0;
        if (!is_total && !is_time(property->name)) {
            continue;
        }
        uint64_t time = strtoull(property->value, NULL, 10);
        char *value = is_total ? map_totals(property->value, map)
                               : otter_path("%" PRIu64, otter_clock_map_apply(map, time));
        free((void *)(uintptr_t)property->value);
        property->value = value;
    }
}
