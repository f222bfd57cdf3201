// Finds properties of an archive.
#include "trace/read/reader.h"

#include <stdlib.h>
#include <string.h>

#include "trace/read/state.h"

const char *otter_definitions_property(const struct otter_definitions *definitions,
                                       const char *name)
{
    for (size_t i = 0; i < definitions->n_properties; i++) {
        if (strcmp(definitions->properties[i].name, name) == 0) {
            return definitions->properties[i].value;
        }
    }
    return NULL;
}

const char *otter_archive_property(const struct otter_archive *archive, const char *name)
{
    return otter_definitions_property(&archive->definitions, name);
}

uint64_t otter_definitions_number(const struct otter_definitions *definitions, const char *name)
{
    const char *value = otter_definitions_property(definitions, name);
    return value ? strtoull(value, NULL, 10) : 0;
}

uint64_t otter_archive_number(const struct otter_archive *archive, const char *name)
{
    return otter_definitions_number(&archive->definitions, name);
}
