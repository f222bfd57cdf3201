// Prints a report as JSON.
#include "report/table/analysis_tables.h"
#include "report/form/parts.h"
#include "source/lines.h"
#include "report/screen/finding_text.h"
#include "report/screen/recording_text.h"
#include "report/screen/samples_text.h"

static json_t *seconds(const struct otter_report *report, uint64_t ticks)
{
    return json_real(otter_report_seconds(report, ticks));
}

static json_t *account_json(const struct otter_report *report)
{
    const struct otter_account *account = &report->analysis->account;
    json_t *object = json_object(), *waits = json_object();
    otter_json_set(object, "total_s", seconds(report, account->total));
    for (enum otter_time_part i = 0; i < OTTER_N_TIME_PARTS; i++) {
        otter_json_set(object, otter_time_parts[i].name,
                       seconds(report, otter_time_part(account, i)));
    }
    otter_json_set(object, "blocked_s", seconds(report, account->blocked));
    otter_json_set(object, "running_s",
                   account->has_switches ? seconds(report, account->executing - account->blocked)
                                         : json_null());
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        if (account->waits[i].ticks > 0) {
            otter_json_set(waits, otter_report_wait_name((enum otter_construct)i),
                           seconds(report, account->waits[i].ticks));
        }
    }
    otter_json_set(object, "waits_s", waits);
    return object;
}

// Returns the lost time by cause, including small causes.
static json_t *lost_json(const struct otter_report *report)
{
    const struct otter_findings *findings = report->findings;
    json_t *object = json_object(), *causes = json_object();
    otter_json_set(object, "total_s", seconds(report, findings->lost));
    otter_json_set(object, "unexplained_s", seconds(report, findings->unexplained));
    for (unsigned i = 0; i < OTTER_FINDING_UNEXPLAINED; i++) {
        enum otter_finding_kind kind = (enum otter_finding_kind)i;
        double ticks = otter_losses_of(&findings->losses, kind);
        if (ticks > 0) {
            otter_json_set(causes, otter_finding_name(kind),
                           json_real(ticks * report->analysis->tick));
        }
    }
    otter_json_set(object, "causes_s", causes);
    return object;
}

static json_t *place_json(const struct otter_report *report,
                          const struct otter_finding_place *place)
{
    json_t *object = json_object();
    otter_json_set(object, "cost_s", seconds(report, place->cost));
    if (place->region != OTTER_NONE) {
        const struct otter_label *label = otter_label_of(report->labels, place->region);
        otter_json_set(object, "what", otter_json_text(label->what));
        otter_json_set(object, "where", otter_json_text(otter_label_place(label)));
    }
    return object;
}

static json_t *places_json(const struct otter_report *report, const struct otter_finding *finding)
{
    json_t *places = json_array();
    for (uint32_t i = 0; i < finding->n_places && i < OTTER_FINDING_PLACES; i++) {
        json_array_append_new(places, place_json(report, &finding->places[i]));
    }
    return places;
}

static json_t *findings_json(const struct otter_report *report)
{
    char text[OTTER_FINDING_TEXT];
    json_t *findings = json_array();
    for (uint32_t i = 0; i < report->findings->n; i++) {
        const struct otter_finding *finding = &report->findings->items[i];
        json_t *object = json_object();
        otter_json_set(object, "kind", otter_json_text(otter_finding_name(finding->kind)));
        otter_json_set(object, "cost_s", seconds(report, finding->cost));
        otter_json_set(
            object, "cost_percent",
            json_real(100.0 * (double)finding->cost / (double)report->analysis->account.total));
        if (finding->has_gain) {
            otter_json_set(object, "gain_s", seconds(report, finding->gain));
        }
        if (finding->region != OTTER_NONE) {
            const struct otter_label *label = otter_label_of(report->labels, finding->region);
            otter_json_set(object, "what", otter_json_text(label->what));
            otter_json_set(object, "where", otter_json_text(otter_label_place(label)));
        }
        otter_json_set(object, "places", places_json(report, finding));
        json_t *hottest = otter_hottest_json(report, finding);
        if (hottest) {
            otter_json_set(object, "hottest", hottest);
        }
        otter_json_set(object, "text", otter_json_text(otter_finding_text(report, finding, text)));
        json_array_append_new(findings, object);
    }
    return findings;
}

// Returns the resident memory; null if the archive does not have it.
static json_t *resident_json(const struct otter_definitions *definitions)
{
    uint64_t bytes = otter_definitions_number(definitions, "OTTER::RESIDENT_HIGH_WATER");
    return bytes > 0 ? otter_json_number(bytes) : json_null();
}

static void set_numbers(json_t *root, const struct otter_report *report)
{
    const struct otter_analysis *analysis = report->analysis;
    const struct otter_efficiency *efficiency = &analysis->efficiency;
    otter_json_set(root, "archive", otter_json_text(analysis->definitions->folder));
    otter_json_set(root, "threads", otter_json_number(analysis->account.n_threads));
    if (analysis->timeline.n_helpers > 0) {
        otter_json_set(root, "runtime_threads", otter_json_number(analysis->timeline.n_helpers));
    }
    otter_json_set(root, "processors", otter_json_number(analysis->account.n_processors));
    otter_json_set(root, "wall_s", seconds(report, analysis->account.wall));
    otter_json_set(root, "waited_for_processor_s", json_real(otter_recording_waited(report)));
    otter_json_set(root, "switches_lost", otter_json_number(analysis->switches.n_lost));
    otter_json_set(root, "switches_unknown_s",
                   seconds(report, otter_timeline_unknown(&analysis->timeline)));
    otter_json_set(root, "before_recording_s", json_real(otter_recording_before(report)));
    otter_json_set(root, "work_s", seconds(report, analysis->span.work));
    otter_json_set(root, "span_s", seconds(report, analysis->span.span));
    otter_json_set(root, "speed_up",
                   json_real(otter_speed_up(&analysis->account, analysis->span.work)));
    otter_json_set(root, "parallelism",
                   json_real(analysis->span.span > 0
                                 ? (double)analysis->span.work / (double)analysis->span.span
                                 : 0));
    otter_json_set(root, "burdened_span_s", seconds(report, analysis->span.burdened));
    otter_json_set(root, "most_running", otter_json_number(analysis->account.most_running));
    otter_json_set(root, "resident_high_bytes", resident_json(analysis->definitions));
    otter_json_set(root, "creation_cost_s", seconds(report, analysis->costs.creation));
    otter_json_set(root, "scheduling_cost_s", seconds(report, analysis->costs.scheduling));
    otter_json_set(root, "join_cost_s", seconds(report, analysis->costs.join));
    json_t *tree = json_object(), *losses = json_object();
    for (enum otter_factor i = 0; i < OTTER_N_FACTORS; i++) {
        otter_json_set(tree, otter_factors[i].name, json_real(otter_factor(efficiency, i)));
    }
    for (unsigned i = 0; i < OTTER_N_LOSSES; i++) {
        otter_json_set(losses, otter_loss_name((enum otter_loss)i),
                       json_real(efficiency->losses[i]));
    }
    otter_json_set(tree, "losses", losses);
    otter_json_set(root, "efficiency", tree);
    otter_json_set(root, "complete", json_boolean(otter_analysis_is_complete(analysis)));
}

// Returns the cost of recording; null if the archive does not have the cost of an event.
static json_t *recording_json(const struct otter_report *report)
{
    const struct otter_recording_cost *cost = &report->analysis->recording;
    if (cost->event <= 0) {
        return json_null();
    }
    json_t *object = json_object();
    otter_json_set(object, "event_s", json_real(cost->event * report->analysis->tick));
    otter_json_set(object, "thread_time_s", seconds(report, cost->total));
    otter_json_set(object, "work_without_s", seconds(report, cost->work));
    otter_json_set(object, "is_grain_fine", json_boolean(cost->is_grain_fine));
    return object;
}

static json_t *kernels_json(const struct otter_report *report)
{
    const struct otter_analysis *analysis = report->analysis;
    json_t *object = json_object();
    otter_json_set(object, "launching_threads", otter_json_number(analysis->kokkos.n_launching));
    otter_json_set(object, "inside_s", seconds(report, analysis->kernels.inside));
    otter_json_set(object, "outside_s", seconds(report, analysis->kernels.outside));
    return object;
}

// Returns the heads of columns on a terminal, by their names in JSON.
static json_t *heads_json(const struct otter_column *columns, unsigned n)
{
    json_t *heads = json_object();
    for (unsigned i = 0; i < n; i++) {
        otter_json_set_text(heads, columns[i].name, columns[i].head);
    }
    return heads;
}

static void set_hint(json_t *root, const struct otter_report *report)
{
    const char *hint = otter_lines_hint(report->analysis->definitions, report->labels);
    if (hint) {
        otter_json_set_text(root, "hint", hint);
    }
}

// Sets the tables, the heads of their columns, and the numbers of steps that they lack.
static void set_tables(json_t *root, const struct otter_report *report)
{
    json_t *tables = json_object(), *heads = json_object(), *left_out = json_object();
    for (unsigned i = 0; i < otter_n_report_tables; i++) {
        struct otter_sheet table;
        bool is_of_samples = otter_report_table_is_of_samples(&otter_report_tables[i]);
        if (!otter_report_tables[i].fill ||
            (is_of_samples && report->analysis->definitions->n_contexts == 0)) {
            continue;
        }
        otter_report_fill(report, &otter_report_tables[i], &table);
        otter_json_set(tables, table.name, otter_sheet_json(&table));
        otter_json_set(heads, table.name, heads_json(table.columns, table.n_columns));
        if (table.n_left_out > 0) {
            otter_json_set_number(left_out, table.name, table.n_left_out);
        }
        otter_sheet_finish(&table);
    }
    otter_json_set(heads, "thread_time", heads_json(otter_time_parts, OTTER_N_TIME_PARTS));
    otter_json_set(heads, "efficiency", heads_json(otter_factors, OTTER_N_FACTORS));
    otter_json_set(root, "tables", tables);
    otter_json_set(root, "heads", heads);
    if (json_object_size(left_out) > 0) {
        otter_json_set(root, "left_out_steps", json_incref(left_out));
    }
    json_decref(left_out);
}

static json_t *report_json(const struct otter_report *report)
{
    json_t *root = json_object();
    set_numbers(root, report);
    set_hint(root, report);
    otter_json_set(root, "thread_time", account_json(report));
    otter_json_set(root, "recording", recording_json(report));
    otter_json_set(root, "lost", lost_json(report));
    otter_json_set(root, "findings", findings_json(report));
    otter_json_set(root, "kernels", kernels_json(report));
    if (report->functions) {
        otter_json_set(root, "samples", otter_samples_json(report));
        otter_json_set(root, "path_functions", otter_path_functions_json(report));
    }
    set_tables(root, report);
    return root;
}

json_t *otter_report_json(const struct otter_report *report)
{
    struct otter_functions own;
    struct otter_report sampled = *report;
    sampled.functions = otter_report_functions(report, &own);
    json_t *root = report_json(&sampled);
    otter_functions_finish(&own);
    return root;
}

enum otter_status otter_report_print_json(FILE *out, const struct otter_report *report)
{
    return otter_json_print(out, otter_report_json(report));
}
