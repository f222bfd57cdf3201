// Matches the names of properties with a prefix.
#pragma once

#include <string.h>

#include "trace/read/reader.h"

// Returns the name of a property after `prefix`, or NULL if the property has another prefix.
static inline const char *otter_property_after(const struct otter_property *property,
                                               const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(property->name, prefix, length) == 0 ? property->name + length : NULL;
}
