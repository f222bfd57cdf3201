// Prints what a page reads first: the report, names, and where all numbers are.

#include "analysis/time/states.h"
#include "report/form/json.h"
#include "trace/schema.h"
#include "view/index.h"
#include "view/page.h"

static json_t *names(const char *const *texts, unsigned n)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < n; i++) {
        json_array_append_new(array, otter_json_text(texts[i]));
    }
    return array;
}

// ---- names

static void set_names(json_t *root)
{
    static const char *const reasons[] = {"executed", "mpi",     "latency",
                                          "dispatch", "outside", "several"};
    static const char *const flags[] = {"never ran", "cancelled", "unfinished",
                                        "implied",   "detached",  "undeferred"};
    const char *states[OTTER_N_STATES + 1] = {[OTTER_N_STATES] = "aggregate"};
    const char *kinds[OTTER_N_EDGE_KINDS], *tasks[OTTER_N_TASK_KINDS];
    for (unsigned i = 0; i < OTTER_N_STATES; i++) {
        states[i] = otter_state_name((enum otter_state)i);
    }
    for (unsigned i = 0; i < OTTER_N_EDGE_KINDS; i++) {
        kinds[i] = otter_edge_kind_name((enum otter_edge_kind)i);
    }
    for (unsigned i = 0; i < OTTER_N_TASK_KINDS; i++) {
        tasks[i] = otter_task_kind_name((enum otter_task_kind)i);
    }
    otter_json_set(root, "states", names(states, sizeof states / sizeof *states));
    otter_json_set(root, "reasons", names(reasons, sizeof reasons / sizeof *reasons));
    otter_json_set(root, "edge_kinds", names(kinds, OTTER_N_EDGE_KINDS));
    otter_json_set(root, "task_kinds", names(tasks, OTTER_N_TASK_KINDS));
    otter_json_set(root, "task_flags", names(flags, sizeof flags / sizeof *flags));
}

static const char *kind_of_label(enum otter_construct construct)
{
    if (otter_construct_waits(construct)) {
        return "wait";
    }
    if (otter_construct_locks(construct)) {
        return "lock";
    }
    switch (construct) {
    case OTTER_CONSTRUCT_TASK: return "task";
    case OTTER_CONSTRUCT_PARALLEL:
    case OTTER_CONSTRUCT_TEAMS: return "parallel";
    case OTTER_CONSTRUCT_KOKKOS_COPY: return "copy";
    case OTTER_CONSTRUCT_KOKKOS_REGION:
    case OTTER_CONSTRUCT_KOKKOS_SECTION:
    case OTTER_CONSTRUCT_PHASE: return "region";
    case OTTER_CONSTRUCT_DEVICE_KERNEL: return "kernel";
    default: break;
    }
    if (otter_construct_is_kernel(construct)) {
        return "kernel";
    }
    if (construct >= OTTER_CONSTRUCT_LOOP && construct <= OTTER_CONSTRUCT_WORK_UNKNOWN) {
        return "work";
    }
    return construct >= OTTER_CONSTRUCT_TARGET && construct < OTTER_CONSTRUCT_DEVICE_KERNEL
               ? "device"
               : "other";
}

static json_t *labels(const struct otter_view *view)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < otter_view_n_labels(view); i++) {
        const struct otter_label *label = otter_label_of(&view->labels, i);
        enum otter_construct construct = otter_definitions_construct(view->definitions, i);
        char text[OTTER_LABEL_SIZE];
        json_t *object = json_object();
        otter_json_set_text(object, "text", otter_label_text(label, text, sizeof text));
        otter_json_set_text(object, "what", label->what);
        otter_json_set_text(object, "where", otter_label_place(label));
        otter_json_set_text(object, "function", otter_label_function(label));
        otter_json_set_text(object, "file", label->file);
        otter_json_set_number(object, "line", label->line);
        otter_json_set_text(object, "construct", otter_construct_name(construct));
        otter_json_set_text(object, "kind", kind_of_label(construct));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *lanes(const struct otter_page *page)
{
    static const char *const kinds[] = {"thread", "device", "sections"};
    const struct otter_view *view = page->view;
    json_t *array = json_array();
    for (uint32_t i = 0; i < view->lanes.n; i++) {
        const struct otter_lane *lane = &view->lanes.items[i];
        json_t *object = json_object();
        otter_json_set_text(object, "name", otter_lane_name(view, i));
        otter_json_set_text(object, "kind", kinds[lane->kind]);
        otter_json_set_number(object, "rows", lane->n_rows);
        otter_json_set(
            object, "totals",
            otter_json_numbers(page->pyramid.totals + (size_t)i * OTTER_N_STATES, OTTER_N_STATES));
        json_array_append_new(array, object);
    }
    return array;
}

// ---- chunks

static json_t *columns(const struct otter_chunk_table *table)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < table->n_columns; i++) {
        json_t *column = json_array();
        json_array_append_new(column, json_string(table->columns[i].name));
        json_array_append_new(column, json_string(table->columns[i].is_delta ? "delta" : "plain"));
        json_array_append_new(array, column);
    }
    return array;
}

static json_t *chunk_entry(const struct otter_chunk *chunk)
{
    json_t *object = json_object();
    otter_json_set_text(object, "table", chunk->table->name);
    otter_json_set_number(object, "rows", chunk->n_rows);
    if (chunk->table->n_segment_numbers > 0) {
        json_t *segments = json_array();
        for (uint32_t i = 0; i < chunk->n_segments; i++) {
            json_array_append_new(segments, otter_json_numbers(chunk->segments[i].numbers,
                                                               chunk->table->n_segment_numbers));
        }
        otter_json_set(object, "segments", segments);
    }
    return object;
}

static void set_chunks(json_t *root, const struct otter_chunks *chunks)
{
    json_t *tables = json_object(), *array = json_array();
    for (uint32_t i = 0; i < chunks->n; i++) {
        const struct otter_chunk *chunk = &chunks->items[i];
        if (!json_object_get(tables, chunk->table->name)) {
            otter_json_set(tables, chunk->table->name, columns(chunk->table));
        }
        json_array_append_new(array, chunk_entry(chunk));
    }
    otter_json_set(root, "tables", tables);
    otter_json_set(root, "chunks", array);
}

// ---- all

const char *otter_page_title(const struct otter_page *page)
{
    const char *command = otter_archive_property(page->view->archive, "OTTER::COMMAND_LINE");
    return command && *command ? command : page->view->definitions->folder;
}

static void set_numbers(json_t *root, const struct otter_page *page)
{
    const struct otter_view *view = page->view;
    const struct otter_analysis *analysis = &view->analysis;
    json_t *clock = json_object(), *costs = json_object();
    uint64_t resolution = view->definitions->clock.resolution;
    otter_json_set_number(clock, "resolution", resolution ? resolution : 1000000000);
    otter_json_set_number(clock, "begin", view->begin);
    otter_json_set_number(clock, "end", view->end - view->begin);
    otter_json_set_number(clock, "first", otter_view_ticks(view, view->first));
    otter_json_set_number(clock, "last", otter_view_ticks(view, view->last));
    otter_json_set_number(clock, "realtime_ns", view->definitions->clock.realtime);
    otter_json_set(root, "clock", clock);
    uint64_t window[] = {page->window_begin, page->window_end};
    otter_json_set(root, "window", page->has_window ? otter_json_numbers(window, 2) : NULL);
    otter_json_set_number(root, "wall", analysis->account.wall);
    otter_json_set_number(root, "work", analysis->span.work);
    otter_json_set_number(root, "span", analysis->span.span);
    otter_json_set_number(costs, "creation", analysis->costs.creation);
    otter_json_set_number(costs, "scheduling", analysis->costs.scheduling);
    otter_json_set_number(costs, "join", analysis->costs.join);
    otter_json_set_number(
        costs, "knee", OTTER_EVEN_COST * (analysis->costs.creation + analysis->costs.scheduling));
    otter_json_set(root, "costs", costs);
    otter_json_set_number(root, "tasks", analysis->graph->n_tasks);
    json_t *pyramid = json_object(), *profile = json_object();
    otter_json_set_number(pyramid, "coarsest", page->pyramid.coarsest);
    otter_json_set_number(pyramid, "finest", page->pyramid.finest);
    otter_json_set_number(profile, "step", page->profile_step);
    otter_json_set(root, "pyramid", pyramid);
    otter_json_set(root, "profile", profile);
}

enum otter_status otter_index_print(FILE *out, const struct otter_page *page)
{
    json_t *root = json_object();
    otter_json_set_number(root, "version", 1);
    otter_json_set_text(root, "otter", OTTER_VERSION);
    otter_json_set_text(root, "title", otter_page_title(page));
    otter_json_set(root, "report", json_incref(page->report_json));
    if (page->report_text) {
        otter_json_set_text(root, "report_text", page->report_text);
    }
    set_numbers(root, page);
    set_names(root);
    otter_json_set(root, "labels", labels(page->view));
    otter_json_set(root, "lanes", lanes(page));
    otter_index_set_remarks(root, page);
    otter_index_set_graph(root, &page->drawn);
    set_chunks(root, &page->chunks);
    return otter_json_print_script(out, root);
}
