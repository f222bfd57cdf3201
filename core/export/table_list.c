// Lists the tables; computes the rows of tasks, kernels, waits and remarks.
#include "export/tables.h"

#include "export/remarks.h"
#include "trace/schema.h"
#include "view/lane/tasks.h"

struct rows {
    const struct otter_conversion *conversion;
    const struct otter_field_sink *sink;
};

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
        otter_field_number(index),
        otter_field_text(id),
        otter_field_text(otter_task_kind_name((enum otter_task_kind)task->kind)),
        otter_field_text(otter_report_label(&rows->conversion->report, first->region, text)),
        otter_field_text(label->file),
        {.is_there = label->line > 0, .number = label->line},
        otter_field_index(task->creator),
        otter_field_text(view->definitions->locations[first->location].name),
        otter_field_moment(view, tasks->created[index]),
        otter_field_moment(view, ready),
        otter_field_moment(view, first->start),
        otter_field_moment(view, graph->nodes[task->last_node].end),
        otter_field_time(view, tasks->work[index]),
    };
    rows->sink->put(rows->sink->user, fields);
}

static void each_task(const struct otter_conversion *conversion,
                      const struct otter_field_sink *sink)
{
    const struct otter_view *view = conversion->view;
    struct rows rows = {conversion, sink};
    struct otter_view_tasks tasks;
    otter_view_tasks_init(&tasks, view);
    for (uint32_t i = 0; i < view->analysis.graph->n_tasks; i++) {
        if (otter_view_has_task(view, i)) {
            put_task(&rows, &tasks, i);
        }
    }
    otter_view_tasks_finish(&tasks);
}

// ---- kernels and waits

static void put_slice(const struct rows *rows, const struct otter_slice *slice, uint32_t label,
                      struct otter_field task)
{
    const struct otter_view *view = rows->conversion->view;
    char text[OTTER_LABEL_SIZE];
    struct otter_field fields[] = {
        otter_field_text(otter_report_label(&rows->conversion->report, label, text)),
        otter_field_text(
            otter_construct_name(otter_definitions_construct(view->definitions, label))),
        otter_field_text(otter_lane_name(view, slice->lane)),
        otter_field_time(view, slice->begin),
        otter_field_time(view, slice->end),
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

static void each_kernel(const struct otter_conversion *conversion,
                        const struct otter_field_sink *sink)
{
    otter_slices_each(conversion->view, add_kernel, &(struct rows){conversion, sink});
}

static void add_wait(void *user, const struct otter_slice *slice)
{
    const struct rows *rows = user;
    if (slice->row == 0 && (slice->state == OTTER_STATE_WAITING ||
                            slice->state == OTTER_STATE_LOCK || slice->state == OTTER_STATE_MPI)) {
        put_slice(rows, slice, slice->construct, otter_field_index(slice->task));
    }
}

static void each_wait(const struct otter_conversion *conversion,
                      const struct otter_field_sink *sink)
{
    otter_slices_each(conversion->view, add_wait, &(struct rows){conversion, sink});
}

// ---- remarks

static void add_remark(void *user, const struct otter_remark *remark)
{
    const struct rows *rows = user;
    struct otter_field fields[] = {
        otter_field_text(otter_remark_kind_name(remark->kind)),
        otter_field_text(remark->text),
        otter_field_text(remark->severity),
        otter_field_text(remark->lane == OTTER_NONE
                             ? NULL
                             : otter_lane_name(rows->conversion->view, remark->lane)),
        otter_field_number(remark->begin),
        otter_field_number(remark->end),
    };
    rows->sink->put(rows->sink->user, fields);
}

static void each_remark(const struct otter_conversion *conversion,
                        const struct otter_field_sink *sink)
{
    otter_remarks_each(conversion, add_remark, &(struct rows){conversion, sink});
}

// ---- all tables

#define TEXT(name) {name, OTTER_FIELD_TEXT}
#define NUMBER(name) {name, OTTER_FIELD_NUMBER}
#define MAYBE(name) {name, OTTER_FIELD_MAYBE_NUMBER}

static const struct otter_conversion_table tables[] = {
    {"tasks",
     {NUMBER("index"), TEXT("task"), TEXT("kind"), TEXT("label"), TEXT("file"), MAYBE("line"),
      MAYBE("creator"), TEXT("thread"), NUMBER("created_ns"), NUMBER("ready_ns"),
      NUMBER("begin_ns"), NUMBER("end_ns"), NUMBER("work_ns")},
     13,
     each_task},
    {"fragments",
     {NUMBER("index"), TEXT("kind"), MAYBE("task_index"), TEXT("label"), TEXT("lane"),
      NUMBER("ready_ns"), NUMBER("begin_ns"), NUMBER("end_ns"), NUMBER("work_ns"),
      NUMBER("span_ns")},
     10,
     otter_table_fragments},
    {"waits",
     {TEXT("label"), TEXT("kind"), TEXT("lane"), NUMBER("begin_ns"), NUMBER("end_ns"),
      MAYBE("task_index")},
     6,
     each_wait},
    {"kernels",
     {TEXT("label"), TEXT("kind"), TEXT("lane"), NUMBER("begin_ns"), NUMBER("end_ns")},
     5,
     each_kernel},
    {"edges",
     {NUMBER("from_index"), NUMBER("to_index"), TEXT("kind"), TEXT("from_label"), TEXT("to_label"),
      NUMBER("leaves_ns"), NUMBER("arrives_ns")},
     7,
     otter_table_edges},
    {"labels",
     {TEXT("label"), TEXT("kind"), TEXT("function"), TEXT("file"), MAYBE("line"),
      NUMBER("executed_ns"), NUMBER("blame_ns"), NUMBER("realised_path_ns"), NUMBER("span_ns"),
      NUMBER("creating_ns")},
     10,
     otter_table_labels},
    {"ranks",
     {TEXT("host"), TEXT("process"), TEXT("program"), NUMBER("threads"), NUMBER("tasks"),
      NUMBER("begin_ns"), NUMBER("wall_ns"), NUMBER("work_ns"), NUMBER("span_ns"),
      NUMBER("executing_ns"), NUMBER("waiting_ns"), NUMBER("lost_events"), NUMBER("is_complete"),
      MAYBE("clock_uncertainty_ns")},
     14,
     otter_table_ranks},
    {"samples",
     {NUMBER("time_ns"), TEXT("thread"), TEXT("state"), TEXT("label"), MAYBE("task_index"),
      TEXT("function"), TEXT("file"), MAYBE("line"), TEXT("stack")},
     9,
     otter_table_samples},
    {"remarks",
     {TEXT("kind"), TEXT("text"), TEXT("severity"), TEXT("lane"), NUMBER("begin_ns"),
      NUMBER("end_ns")},
     6,
     each_remark},
};

const struct otter_conversion_table *otter_conversion_tables(size_t *n)
{
    *n = sizeof tables / sizeof *tables;
    return tables;
}
