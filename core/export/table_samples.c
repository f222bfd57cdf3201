// Computes the rows of the table of samples.
#include <stdlib.h>
#include <string.h>

#include "analysis/time/states.h"
#include "export/encode/bytes.h"
#include "export/tables.h"
#include "view/table/calls.h"

struct rows {
    const struct otter_conversion *conversion;
    const struct otter_field_sink *sink;
    struct otter_view_samples samples;
    struct otter_calls calls;
    struct otter_bytes stack;
};

static const char *state_name(uint32_t state)
{
    return state < OTTER_N_STATES ? otter_state_name((enum otter_state)state) : "unrecorded";
}

// Returns "outer;inner" for a node of the calls; valid until the next call.
static const char *stack_of(struct rows *rows, uint32_t node)
{
    const struct otter_calls *calls = &rows->calls;
    const uint32_t *path = otter_calls_path(calls, node);
    otter_bytes_clear(&rows->stack);
    for (uint32_t i = 0; i < calls->items[node].depth; i++) {
        const char *name = otter_calls_name(&rows->samples, calls->items[path[i]].function);
        otter_bytes_add(&rows->stack, ";", i > 0);
        otter_bytes_add(&rows->stack, name, strlen(name));
    }
    otter_bytes_add(&rows->stack, "", 1);
    return (const char *)rows->stack.items;
}

static const struct otter_label *code_of(const struct rows *rows, const struct otter_sample *sample)
{
    const struct otter_view *view = rows->conversion->view;
    bool is_known = sample->context < view->definitions->n_contexts;
    return otter_label_of(
        &view->labels, is_known ? view->definitions->contexts[sample->context].region : OTTER_NONE);
}

static void put_row(void *user, uint32_t index, const struct otter_slice *slice)
{
    struct rows *rows = user;
    const struct otter_view *view = rows->conversion->view;
    const struct otter_sample *sample = &rows->samples.all.items[index];
    const struct otter_label *code = code_of(rows, sample);
    uint32_t lane = otter_sample_lane(view, sample), node = otter_calls_node(&rows->calls, sample);
    uint32_t function = rows->calls.items[node].function,
             recording = rows->samples.frames.recording;
    bool has_line = code->line > 0 && (recording == 0 || function != recording);
    bool is_executing = sample->state == OTTER_STATE_EXECUTING;
    char text[OTTER_LABEL_SIZE];
    struct otter_field fields[] = {
        otter_field_moment(view, sample->time),
        otter_field_text(lane == OTTER_NONE ? NULL : otter_lane_name(view, lane)),
        otter_field_text(state_name(sample->state)),
        otter_field_text(is_executing
                             ? otter_report_label(&rows->conversion->report,
                                                  otter_view_label(view, sample->label), text)
                             : NULL),
        otter_field_index(is_executing && slice ? slice->task : OTTER_NONE),
        otter_field_text(otter_calls_name(&rows->samples, function)),
        otter_field_text(has_line ? code->file : NULL),
        {.is_there = has_line, .number = code->line},
        otter_field_text(stack_of(rows, node)),
    };
    rows->sink->put(rows->sink->user, fields);
}

void otter_table_samples(const struct otter_conversion *conversion,
                         const struct otter_field_sink *sink)
{
    struct rows rows = {.conversion = conversion, .sink = sink};
    otter_view_samples_init(&rows.samples, conversion->view);
    otter_calls_init(&rows.calls, &rows.samples, false, UINT32_MAX);
    otter_samples_each(conversion->view, &rows.samples.all, put_row, &rows);
    otter_bytes_finish(&rows.stack);
    otter_calls_finish(&rows.calls);
    otter_view_samples_finish(&rows.samples);
}
