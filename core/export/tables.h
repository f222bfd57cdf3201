// Tables of tasks, kernels and waits. core/cli/man/otter-export.1.scd defines their columns.
#pragma once

#include "export/parts.h"

enum { OTTER_MOST_FIELDS = 13 };

struct otter_field {
    bool is_there;
    const char *text; // NULL: the number; valid for the call
    uint64_t number;
};

// Gets each row, with a field for each column.
struct otter_field_sink {
    void (*put)(void *user, const struct otter_field *fields);
    void *user;
};

struct otter_conversion_table {
    const char *name; // "tasks"
    const char *columns[OTTER_MOST_FIELDS];
    size_t n_columns;
    // Returns OTTER_NO_MEMORY or OTTER_OK.
    enum otter_status (*each)(const struct otter_conversion *conversion,
                              const struct otter_field_sink *sink);
};

// Returns all tables. The first is the default.
const struct otter_conversion_table *otter_conversion_tables(size_t *n);
