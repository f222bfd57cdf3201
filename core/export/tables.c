// Computes the rows of tables of tasks, kernels and waits.
#include "export/tables.h"

#include "trace/schema.h"
#include "view/tasks.h"

struct rows {
    const struct otter_conversion *conversion;
    const struct otter_field_sink *sink;
};

static struct otter_field text_of(const char *text)
{
    return (struct otter_field){.is_there = text && *text, .text = text ? text : ""};
}

static struct otter_field number_of(uint64_t number)
{
    return (struct otter_field){.is_there = true, .number = number};
}

static struct otter_field index_of(uint32_t index)
{
    return (struct otter_field){.is_there = index != OTTER_NONE, .number = index};
}

static struct otter_field time_of(const struct otter_view *view, uint64_t ticks)
{
    return number_of(otter_view_ns(view, ticks));
}

// ---- tasks

static void put_task(const struct rows *rows, const struct otter_view_tasks *tasks, uint32_t index)
{
    const struct otter_view *view = tasks->view;
    const struct otter_graph *graph = view->analysis.graph;
    const struct otter_graph_task *task = &graph->tasks[index];
    const struct otter_node *first = &graph->nodes[task->first_node];
    const struct otter_label *label = otter_label_of(&view->labels, first->region);
    uint64_t ready = view->analysis.ready.times[task->first_node];
    char id[OTTER_TASK_ID_SIZE] = "", text[OTTER_LABEL_SIZE];
    otter_conversion_task(rows->conversion, index, id);
    struct otter_field fields[] = {
        number_of(index),
        text_of(id),
        text_of(otter_task_kind_name((enum otter_task_kind)task->kind)),
        text_of(otter_report_label(&rows->conversion->report, first->region, text)),
        text_of(label->file),
        {.is_there = label->line > 0, .number = label->line},
        index_of(task->creator),
        text_of(view->definitions->locations[first->location].name),
        time_of(view, otter_view_ticks(view, tasks->created[index])),
        time_of(view, otter_view_ticks(view, ready)),
        time_of(view, otter_view_ticks(view, first->start)),
        time_of(view, otter_view_ticks(view, graph->nodes[task->last_node].end)),
        time_of(view, tasks->work[index]),
    };
    rows->sink->put(rows->sink->user, fields);
}

static enum otter_status each_task(const struct otter_conversion *conversion,
                                   const struct otter_field_sink *sink)
{
    const struct otter_view *view = conversion->view;
    struct rows rows = {conversion, sink};
    struct otter_view_tasks tasks;
    enum otter_status status = otter_view_tasks_init(&tasks, view);
    for (uint32_t i = 0; !status && i < view->analysis.graph->n_tasks; i++) {
        if (otter_view_has_task(view, i)) {
            put_task(&rows, &tasks, i);
        }
    }
    if (!status) {
        otter_view_tasks_finish(&tasks);
    }
    return status;
}

// ---- kernels and waits

static void put_slice(const struct rows *rows, const struct otter_slice *slice, uint32_t label,
                      struct otter_field task)
{
    const struct otter_view *view = rows->conversion->view;
    char text[OTTER_LABEL_SIZE];
    struct otter_field fields[] = {
        text_of(otter_report_label(&rows->conversion->report, label, text)),
        text_of(otter_construct_name(otter_definitions_construct(view->definitions, label))),
        text_of(otter_lane_name(view, slice->lane)),
        time_of(view, slice->begin),
        time_of(view, slice->end),
        task,
    };
    rows->sink->put(rows->sink->user, fields);
}

static void add_kernel(void *user, const struct otter_slice *slice)
{
    const struct rows *rows = user;
    const struct otter_view *view = rows->conversion->view;
    bool is_device = view->lanes.items[slice->lane].kind == OTTER_LANE_DEVICE;
    bool is_kernel =
        slice->row > 0 &&
        otter_construct_is_kernel(otter_definitions_construct(view->definitions, slice->label));
    if (is_device || is_kernel) {
        put_slice(rows, slice, slice->label, (struct otter_field){0});
    }
}

static enum otter_status each_kernel(const struct otter_conversion *conversion,
                                     const struct otter_field_sink *sink)
{
    otter_slices_each(conversion->view, add_kernel, &(struct rows){conversion, sink});
    return OTTER_OK;
}

static void add_wait(void *user, const struct otter_slice *slice)
{
    const struct rows *rows = user;
    if (slice->row == 0 &&
        (slice->state == OTTER_STATE_WAITING || slice->state == OTTER_STATE_LOCK)) {
        put_slice(rows, slice, slice->construct, index_of(slice->task));
    }
}

static enum otter_status each_wait(const struct otter_conversion *conversion,
                                   const struct otter_field_sink *sink)
{
    otter_slices_each(conversion->view, add_wait, &(struct rows){conversion, sink});
    return OTTER_OK;
}

const struct otter_conversion_table *otter_conversion_tables(size_t *n)
{
    static const struct otter_conversion_table tables[] = {
        {"tasks",
         {"index", "task", "kind", "label", "file", "line", "creator", "thread", "created_ns",
          "ready_ns", "begin_ns", "end_ns", "work_ns"},
         13,
         each_task},
        {"kernels", {"label", "kind", "lane", "begin_ns", "end_ns"}, 5, each_kernel},
        {"waits", {"label", "kind", "lane", "begin_ns", "end_ns", "task_index"}, 6, each_wait},
    };
    *n = sizeof tables / sizeof *tables;
    return tables;
}
