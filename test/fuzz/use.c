// Uses graphs and archives in all ways, for the fuzz targets.
#include "use.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/replay/replay.h"
#include "analysis/sample/functions.h"
#include "fuzz.h"
#include "graph/build/build.h"
#include "check/check.h"
#include "graph/export/export.h"
#include "graph/fold/fold.h"
#include "graph/hash/hash.h"
#include "graph/select.h"
#include "report/form/analysis.h"
#include "report/check/check_account.h"
#include "report/check/check_print.h"
#include "report/info/info.h"
#include "source/labels.h"
#include "source/lines.h"

enum { MAX_NODES = 150 }; // in an archive's graph; the target `builder` writes many small graphs

static ssize_t take(void *user, const char *text, size_t size)
{
    return (ssize_t)size;
}

FILE *fuzz_nowhere(void)
{
    static FILE *nowhere;
    if (!nowhere) {
        nowhere = fopencookie(NULL, "w", (cookie_io_functions_t){.write = take});
        fuzz_expect(nowhere != NULL, "a stream can be opened");
    }
    return nowhere;
}

// Checks that edges and scopes are as graph.h says.
static void look_at(const struct otter_graph *graph)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        fuzz_expect(node->task < graph->n_tasks, "a node has a task");
        fuzz_expect(node->scope == OTTER_NONE || node->scope < graph->n_nodes, "scopes are nodes");
        fuzz_expect(node->start <= node->end, "a node does not end before it begins");
        fuzz_expect(graph->first_edge[i] <= graph->first_edge[i + 1], "edges are in order");
    }
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        fuzz_expect(graph->edge_to[i] < graph->n_nodes, "edges lead to nodes");
    }
}

static void export(const struct otter_graph *graph, const struct otter_labels *labels,
                   const struct otter_groups *groups, unsigned format)
{
    size_t n;
    const struct otter_exporter *exporters = otter_exporters_table(&n);
    const struct otter_exporter *exporter =
        format < n ? &exporters[format] : otter_exporter_find("nodeattr");
    struct otter_export what = {graph, labels, groups, "a title", false};
    exporter->write(fuzz_nowhere(), &what);
    for (size_t i = 0; i < exporter->n_companions; i++) {
        exporter->companions[i].write(fuzz_nowhere(), &what);
    }
}

// Uses a graph; accepts NULL, when memory ran out.
static void use(const struct otter_graph *graph, const struct otter_labels *labels, bool is_grouped,
                unsigned format)
{
    struct otter_hash hash;
    if (!graph) {
        return;
    }
    look_at(graph);
    struct otter_groups *groups = is_grouped ? otter_groups_create(graph, labels) : NULL;
    export(graph, labels, groups, format);
    otter_groups_destroy(groups);
    otter_graph_hash(graph, labels, &hash);
}

static void use_graph(const struct otter_graph *graph, const struct otter_labels *labels,
                      uint8_t how)
{
    unsigned format = how & 7;
    bool is_grouped = how & 8;
    struct otter_graph *made = NULL;
    if (how & 16) {
        made = otter_graph_select(graph, graph->n_tasks > 1, how & 32 ? 1 : UINT32_MAX);
    } else if (how & 32 && graph->view == OTTER_VIEW_STRUCTURE) {
        made = otter_graph_fold(graph, labels, NULL, NULL);
    }
    use(made ? made : graph, labels, is_grouped, format);
    otter_graph_destroy(made);
}

// Passes the events location by location, as a reader does.
static bool feed(struct otter_builder *builder, const struct otter_definitions *definitions,
                 const struct otter_event *events, size_t n)
{
    for (size_t location = 0; location < definitions->n_locations; location++) {
        for (size_t i = 0; i < n; i++) {
            if (events[i].location == location && !otter_builder_add(builder, &events[i])) {
                return false;
            }
        }
    }
    return true;
}

static void run_replays(struct otter_replay *replay, struct otter_replay *changed)
{
    for (uint32_t n = 1; n < 6; n += 2) {
        struct otter_replay_times times, again;
        fuzz_expect(!otter_replay_run(replay, n, &times), "any events can be replayed");
        fuzz_expect(times.least <= times.most, "a replay has an interval");
        fuzz_expect(!otter_replay_run(changed, n, &again), "any changed replay can be executed");
        fuzz_expect(memcmp(&times, &again, sizeof times) == 0, "a changed replay is as a new one");
    }
}

// The second replay drops each barrier, taskwait and lock, the third halves all times, and the
// fourth repeats the run.
static void replay(const struct otter_analysis *analysis)
{
    uint32_t n = analysis->account.n_labels;
    unsigned char *drops = malloc(n);
    double *halves = malloc(n * sizeof *halves);
    struct otter_replay *changed = otter_replay_create(analysis, NULL);
    for (uint32_t i = 0; i < n && drops && halves; i++) {
        drops[i] = OTTER_REPLAY_DROP;
        halves[i] = 0.5;
    }
    const struct otter_replay_changes all[] = {{0}, {.changes = drops}, {.factors = halves}, {0}};
    for (unsigned i = 0; i < sizeof all / sizeof *all && drops && halves && changed; i++) {
        struct otter_replay *fresh = otter_replay_create(analysis, &all[i]);
        fuzz_expect(!otter_replay_change(changed, &all[i]), "any replay can be changed");
        if (fresh) {
            run_replays(fresh, changed);
        }
        otter_replay_destroy(fresh);
    }
    otter_replay_destroy(changed);
    free(drops);
    free(halves);
}

static void analyse_events(const struct otter_definitions *definitions,
                           const struct otter_event *events, size_t n)
{
    struct otter_analysis analysis;
    struct otter_findings findings;
    fuzz_expect(!otter_analysis_begin(&analysis, definitions), "an analysis begins");
    for (size_t location = 0; location < definitions->n_locations; location++) {
        for (size_t i = 0; i < n; i++) {
            fuzz_expect(events[i].location != location || otter_analysis_add(&analysis, &events[i]),
                        "few events need little memory");
        }
    }
    fuzz_expect(!otter_analysis_end(&analysis) && !otter_findings_init(&findings, &analysis),
                "any events can be analysed");
    fuzz_expect(!otter_analysis_flaw(&analysis), "thread time adds up");
    replay(&analysis);
    otter_findings_finish(&findings);
    otter_analysis_finish(&analysis);
}

void fuzz_use_events(const struct otter_definitions *definitions, const struct otter_event *events,
                     size_t n, uint8_t how)
{
    enum otter_graph_view view = how & 0x80 ? OTTER_VIEW_FRAGMENTS : OTTER_VIEW_STRUCTURE;
    struct otter_builder *builder = otter_builder_create(definitions, view);
    struct otter_graph *graph;
    struct otter_labels labels;
    fuzz_expect(builder && feed(builder, definitions, events, n), "few events need little memory");
    fuzz_expect(!otter_builder_finish(builder, &graph, NULL), "a graph can be built of any events");
    fuzz_expect(!otter_labels_init(&labels, definitions), "labels can be made");
    use_graph(graph, &labels, how);
    otter_labels_finish(&labels);
    otter_graph_destroy(graph);
    if (view == OTTER_VIEW_FRAGMENTS) {
        analyse_events(definitions, events, n);
    }
}

static void report_archive(struct otter_archive *archive, bool as_json)
{
    struct otter_complaint complaint;
    struct otter_analysis analysis;
    struct otter_findings findings = {0};
    struct otter_functions functions;
    struct otter_labels labels;
    if (otter_analysis_init(&analysis, archive, NULL, &complaint)) {
        return;
    }
    fuzz_expect(!otter_analysis_flaw(&analysis), "thread time adds up");
    replay(&analysis);
    if (!otter_labels_init(&labels, analysis.definitions)) {
        enum otter_status status = otter_functions_read(&functions, &analysis, &labels);
        if (!status && !otter_findings_init(&findings, &analysis)) {
            struct otter_report report = {.archive = archive,
                                          .analysis = &analysis,
                                          .findings = &findings,
                                          .functions = &functions,
                                          .counts = &findings.counts,
                                          .labels = &labels,
                                          .is_full = !as_json};
            if (as_json) {
                otter_report_print_json(fuzz_nowhere(), &report);
            } else {
                otter_report_print_summary(fuzz_nowhere(), &report,
                                           (struct otter_screen){80, false, NULL});
            }
        }
        otter_functions_finish(&functions);
        otter_labels_finish(&labels);
    }
    otter_findings_finish(&findings);
    otter_analysis_finish(&analysis);
}

static void make_graph(struct otter_archive *archive, enum otter_graph_view view, uint8_t how)
{
    struct otter_complaint complaint;
    struct otter_build_findings findings;
    struct otter_labels labels;
    struct otter_graph *graph;
    if (otter_labels_init(&labels, otter_archive_definitions(archive))) {
        return;
    }
    otter_lines_resolve(archive, &labels);
    if (!otter_graph_build(archive, view, &graph, &findings, &complaint)) {
        if (graph->n_nodes <= MAX_NODES) {
            use_graph(graph, &labels, how);
        }
        otter_graph_destroy(graph);
    }
    otter_labels_finish(&labels);
}

static void show_info(struct otter_archive *archive, bool all, bool as_json)
{
    struct otter_summary summary;
    struct otter_labels labels;
    if (otter_labels_read(&labels, archive)) {
        return;
    }
    otter_summary_init(&summary, archive);
    if (as_json) {
        otter_info_print_json(fuzz_nowhere(), archive, &summary, &labels);
    } else {
        otter_info_print(fuzz_nowhere(), archive, &summary, all ? &labels : NULL, all ? 20 : 80);
    }
    otter_summary_finish(&summary);
    otter_labels_finish(&labels);
}

static void check(struct otter_archive *archive, bool as_json)
{
    struct otter_complaint complaint;
    struct otter_graph *fragments = NULL;
    struct otter_check_report *report = malloc(sizeof(*report));
    if (report && otter_check_archive(archive, report, &fragments, &complaint)) {
        otter_graph_destroy(fragments);
    } else if (report && !otter_check_account(archive, report, fragments, &complaint)) {
        if (as_json) {
            otter_check_print_json(fuzz_nowhere(), otter_archive_definitions(archive), report);
        } else {
            otter_check_print(fuzz_nowhere(), otter_archive_definitions(archive), report);
        }
    }
    free(report);
}

void fuzz_use_archive(struct otter_archive *archive, uint8_t how)
{
    switch (how >> 6) {
    case 0: show_info(archive, how & 1, how & 2); break;
    case 1: (how & 4 ? report_archive : check)(archive, how & 2); break;
    case 2: make_graph(archive, OTTER_VIEW_STRUCTURE, how); break;
    default: make_graph(archive, OTTER_VIEW_FRAGMENTS, how); break;
    }
}
