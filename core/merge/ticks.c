// Converts properties of an archive that are times in ticks of its clock.
#include "merge/ticks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"

static bool is_time(const char *name)
{
    return strcmp(name, "OTTER::LOSING") == 0 || strcmp(name, "OTTER::STOPPED_AT") == 0;
}

enum otter_status otter_merge_ticks(struct otter_merge_source *source,
                                    const struct otter_clock_map *map)
{
    for (size_t i = 0; i < source->n_properties; i++) {
        struct otter_property *property = &source->properties[i];
        if (!is_time(property->name)) {
            continue;
        }
        uint64_t time = strtoull(property->value, NULL, 10);
        char *value = otter_path("%" PRIu64, otter_clock_map_apply(map, time));
        if (!value) {
            return OTTER_NO_MEMORY;
        }
        free((void *)(uintptr_t)property->value);
        property->value = value;
    }
    return OTTER_OK;
}
