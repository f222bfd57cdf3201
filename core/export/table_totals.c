// Computes the rows of the tables of labels and ranks.
#include <stdlib.h>

#include "export/tables.h"
#include "trace/schema.h"
#include "view/lane/tasks.h"

// ---- labels

static void put_label(const struct otter_conversion *conversion,
                      const struct otter_field_sink *sink, uint32_t region, uint64_t realised,
                      uint64_t span)
{
    const struct otter_view *view = conversion->view;
    const struct otter_account *account = &view->analysis.account;
    const struct otter_label *label = otter_label_of(&view->labels, region);
    bool has_label = region < view->definitions->n_regions;
    char text[OTTER_LABEL_SIZE];
    struct otter_field fields[] = {
        otter_field_text(otter_report_label(&conversion->report, region, text)),
        otter_field_text(
            has_label ? otter_construct_name(otter_definitions_construct(view->definitions, region))
                      : NULL),
        otter_field_text(has_label ? label->function : NULL),
        otter_field_text(has_label ? label->file : NULL),
        {.is_there = has_label && label->line > 0, .number = label->line},
        otter_field_time(view, account->executed[region]),
        otter_field_time(view, (uint64_t)account->blame[region]),
        otter_field_time(view, realised),
        otter_field_time(view, span),
        otter_field_time(view, account->created[region]),
    };
    sink->put(sink->user, fields);
}

// The last label stands for execution without a label.
void otter_table_labels(const struct otter_conversion *conversion,
                        const struct otter_field_sink *sink)
{
    const struct otter_analysis *analysis = &conversion->view->analysis;
    uint32_t n = analysis->account.n_labels;
    struct otter_path_labels paths;
    otter_path_labels_init(&paths, analysis);
    for (uint32_t i = 0; i < n; i++) {
        bool is_executed = analysis->account.executed[i] > 0 || analysis->account.created[i] > 0 ||
                           paths.realised[i] > 0 || paths.span[i] > 0;
        // Otter's placeholder regions have no construct.
        if (is_executed || otter_definitions_construct(analysis->definitions, i)) {
            put_label(conversion, sink, i, paths.realised[i], paths.span[i]);
        }
    }
    otter_path_labels_finish(&paths);
}

// ---- ranks

static uint64_t count_explicit_tasks(const struct otter_view *view)
{
    const struct otter_graph *graph = view->analysis.graph;
    uint64_t n = 0;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        n += graph->tasks[i].kind == OTTER_TASK_KIND_EXPLICIT && otter_view_has_task(view, i);
    }
    return n;
}

static const char *process_name(const struct otter_definitions *definitions)
{
    return definitions->n_locations > 0 ? definitions->locations[0].group : NULL;
}

// Returns a missing value for an archive of one process.
static struct otter_field clock_deviation(const struct otter_definitions *definitions)
{
    bool is_rank = definitions->rank < definitions->n_ranks;
    return is_rank ? otter_field_number(definitions->ranks[definitions->rank].clock_deviation_ns)
                   : (struct otter_field){.is_there = false};
}

void otter_table_ranks(const struct otter_conversion *conversion,
                       const struct otter_field_sink *sink)
{
    const struct otter_view *view = conversion->view;
    const struct otter_analysis *analysis = &view->analysis;
    const struct otter_account *account = &analysis->account;
    uint64_t offset = conversion->file->clock_begin;
    struct otter_field fields[] = {
        otter_field_text(view->definitions->host),
        otter_field_text(process_name(view->definitions)),
        otter_field_text(otter_archive_property(view->archive, "OTTER::PROGRAM")),
        otter_field_number(account->n_threads),
        otter_field_number(count_explicit_tasks(view)),
        otter_field_time(view, view->begin > offset ? view->begin - offset : 0),
        otter_field_time(view, account->wall),
        otter_field_time(view, analysis->span.work),
        otter_field_time(view, analysis->span.span),
        otter_field_time(view, account->executing),
        otter_field_time(view, account->waiting),
        otter_field_number(analysis->n_lost),
        otter_field_number(otter_analysis_is_complete(analysis)),
        clock_deviation(view->definitions),
    };
    sink->put(sink->user, fields);
}
