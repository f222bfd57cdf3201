// The rows of the tables, each computed in its own file, and their fields.
#pragma once

#include "export/tables.h"

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
