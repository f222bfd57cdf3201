// Finds the locations with missing events from the definitions.
#include "analysis/time/lost.h"

#include <stdlib.h>
#include <string.h>

static bool has_removed_files(const struct otter_property *property, uint64_t id)
{
    static const char prefix[] = "OTTER::MISSING::";
    char *end;
    if (strncmp(property->name, prefix, sizeof prefix - 1) != 0) {
        return false;
    }
    const char *number = property->name + sizeof prefix - 1;
    return strtoull(number, &end, 10) == id && end > number && !*end;
}

static bool ends_all(const struct otter_property *property)
{
    return strcmp(property->name, "OTTER::STOPPED") == 0 ||
           (strcmp(property->name, "OTTER::CUT_OFF") == 0 && strcmp(property->value, "true") == 0);
}

bool otter_ends_early(const struct otter_definitions *definitions, uint32_t location)
{
    const struct otter_location *definition = &definitions->locations[location];
    bool is_early = definition->damage != NULL;
    for (size_t i = 0; i < definitions->n_properties && !is_early; i++) {
        const struct otter_property *property = &definitions->properties[i];
        is_early = ends_all(property) || has_removed_files(property, definition->id);
    }
    return is_early;
}
