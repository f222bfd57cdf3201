// Tables of an archive, in CSV, JSON and Parquet. core/cli/man/otter-export.1.scd defines their
// columns.
#pragma once

#include "export/parts.h"

enum { OTTER_MAX_TABLE_FIELDS = 16 };

enum otter_field_kind {
    OTTER_FIELD_TEXT = 0,     // may be missing
    OTTER_FIELD_NUMBER,       // is never missing
    OTTER_FIELD_MAYBE_NUMBER, // may be missing
};

struct otter_field_column {
    const char *name;
    enum otter_field_kind kind;
};

struct otter_field {
    bool is_there;
    const char *text; // NULL: the number; valid for the call
    uint64_t number;  // at most INT64_MAX
};

// Gets each row, with a field for each column.
struct otter_field_sink {
    void (*put)(void *user, const struct otter_field *fields);
    void *user;
};

typedef void otter_table_function(const struct otter_conversion *conversion,
                                  const struct otter_field_sink *sink);

struct otter_conversion_table {
    const char *name; // "tasks"
    struct otter_field_column columns[OTTER_MAX_TABLE_FIELDS];
    size_t n_columns;
    otter_table_function *each;
};

// Returns all tables. The first is the default.
const struct otter_conversion_table *otter_conversion_tables(size_t *n);

// ---- rows, each table in its own file

otter_table_function otter_table_fragments, otter_table_edges, otter_table_labels,
    otter_table_ranks, otter_table_samples;

static inline struct otter_field otter_field_text(const char *text)
{
    return (struct otter_field){.is_there = text && *text, .text = text ? text : ""};
}

static inline struct otter_field otter_field_number(uint64_t number)
{
    return (struct otter_field){.is_there = true,
                                .number = number < INT64_MAX ? number : INT64_MAX};
}

static inline struct otter_field otter_field_index(uint32_t index)
{
    return (struct otter_field){.is_there = index != OTTER_NONE, .number = index};
}

// Returns a duration, or a time in ticks since the view's start.
static inline struct otter_field otter_field_time(const struct otter_view *view, uint64_t ticks)
{
    return otter_field_number(otter_view_ns(view, ticks));
}

// Returns a time in ticks of the archive's clock.
static inline struct otter_field otter_field_moment(const struct otter_view *view, uint64_t ticks)
{
    return otter_field_time(view, otter_view_ticks(view, ticks));
}
