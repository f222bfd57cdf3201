// Reads the numbers of one archive that `otter diff` compares.
#include "report/diff/diff_run.h"

#include <math.h>
#include <string.h>

#include "base/free.h"
#include "base/path.h"
#include "report/form/parts.h"
#include "report/table/analysis_tables.h"
#include "report/table/table_fill.h"
#include "report/diff/diff_path.h"
#include "report/diff/diff_structure.h"
#include "source/labels.h"
#include "analysis/time/between.h"
#include "analysis/findings/read.h"

static const struct otter_column numbers_of_summary[OTTER_N_DIFF_NUMBERS] = {
    [OTTER_DIFF_WALL] = {"wall_s", "wall time", OTTER_COLUMN_SECONDS},
    [OTTER_DIFF_THREADS] = {"threads", "threads", OTTER_COLUMN_COUNT},
    [OTTER_DIFF_WORK] = {"work_s", "work T1", OTTER_COLUMN_SECONDS},
    [OTTER_DIFF_SPAN] = {"span_s", "span", OTTER_COLUMN_SECONDS},
    [OTTER_DIFF_BURDENED] = {"burdened_s", "burdened span", OTTER_COLUMN_SECONDS},
    [OTTER_DIFF_PARALLELISM] = {"parallelism", "parallelism", OTTER_COLUMN_RATIO},
    [OTTER_DIFF_EFFICIENCY] = {"efficiency_percent", "efficiency", OTTER_COLUMN_PERCENT},
    [OTTER_DIFF_MPI_FACTOR] = {"mpi_percent", "MPI", OTTER_COLUMN_PERCENT},
    [OTTER_DIFF_SERIAL] = {"serial_percent", "serial", OTTER_COLUMN_PERCENT},
    [OTTER_DIFF_LOAD_BALANCE] = {"load_balance_percent", "load balance", OTTER_COLUMN_PERCENT},
    [OTTER_DIFF_SCHEDULING] = {"scheduling_percent", "scheduling", OTTER_COLUMN_PERCENT},
    [OTTER_DIFF_TOTAL] = {"thread_time_s", "thread time", OTTER_COLUMN_SECONDS},
    [OTTER_DIFF_RECORDING] = {"recording_s", "recording, in these", OTTER_COLUMN_SECONDS},
};

static bool is_part(unsigned number)
{
    return number >= OTTER_DIFF_PARTS && number < OTTER_DIFF_PARTS + OTTER_N_TIME_PARTS;
}

const struct otter_column *otter_diff_column(unsigned number)
{
    return is_part(number) ? &otter_time_parts[number - OTTER_DIFF_PARTS]
                           : &numbers_of_summary[number];
}

int otter_diff_indent(unsigned number)
{
    bool is_factor = number > OTTER_DIFF_EFFICIENCY && number < OTTER_DIFF_TOTAL;
    return is_factor || is_part(number) ? 2 : 0;
}

// ---- numbers

static void set_parts(double *numbers, const struct otter_account *account, double tick)
{
    for (unsigned part = 0; part < OTTER_N_TIME_PARTS; part++) {
        numbers[OTTER_DIFF_PARTS + part] = (double)otter_time_part(account, part) * tick;
    }
}

static void set_numbers(double *numbers, const struct otter_analysis *analysis)
{
    const struct otter_span *span = &analysis->span;
    const struct otter_efficiency *efficiency = &analysis->efficiency;
    set_parts(numbers, &analysis->account, analysis->tick);
    numbers[OTTER_DIFF_WALL] = (double)analysis->account.wall * analysis->tick;
    numbers[OTTER_DIFF_TOTAL] = (double)analysis->account.total * analysis->tick;
    numbers[OTTER_DIFF_RECORDING] = (double)analysis->recording.total * analysis->tick;
    numbers[OTTER_DIFF_THREADS] = analysis->account.n_threads;
    numbers[OTTER_DIFF_WORK] = (double)span->work * analysis->tick;
    numbers[OTTER_DIFF_SPAN] = (double)span->span * analysis->tick;
    numbers[OTTER_DIFF_BURDENED] = (double)span->burdened * analysis->tick;
    numbers[OTTER_DIFF_PARALLELISM] = span->span ? (double)span->work / (double)span->span : 0;
    numbers[OTTER_DIFF_EFFICIENCY] = 100 * efficiency->total;
    numbers[OTTER_DIFF_MPI_FACTOR] = 100 * efficiency->mpi;
    numbers[OTTER_DIFF_SERIAL] = 100 * efficiency->serial;
    numbers[OTTER_DIFF_LOAD_BALANCE] = 100 * efficiency->load_balance;
    numbers[OTTER_DIFF_SCHEDULING] = 100 * efficiency->scheduling;
}

// ---- tables

// For each row of a tree, finds the row above it; OTTER_NONE: none.
static void find_rows_above(const struct otter_row *rows, uint32_t n, uint32_t *above)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t row = i > 0 ? i - 1 : OTTER_NONE;
        while (row != OTTER_NONE && rows[row].depth >= rows[i].depth) {
            row = above[row];
        }
        above[i] = row;
    }
}

// Returns "solve > step > move": the names of the rows above in a tree, and of the row itself.
static char *path_of(const struct otter_row *rows, uint32_t above, const char *name)
{
    return above != OTTER_NONE ? otter_path("%s > %s", rows[above].text, name) : strdup(name);
}

// Returns the name for a label with a note: "single b.c:14, other" for "single b.c:12, other".
static char *name_of(const struct otter_diff_labels *labels, const char *text)
{
    char base[OTTER_LABEL_SIZE];
    const char *name = otter_diff_labels_name(labels, text);
    snprintf(base, sizeof base, "%s", text);
    for (char *comma; name == text && (comma = strrchr(base, ',')) != NULL;) {
        *comma = '\0';
        const char *found = otter_diff_labels_name(labels, base);
        if (found != base) {
            return otter_path("%s%s", found, text + (comma - base));
        }
    }
    return strdup(name);
}

// Gives rows the names that the reference uses, and rows of a tree their paths.
static void rename_rows(struct otter_sheet *sheet, const struct otter_diff_labels *labels)
{
    struct otter_row *rows = sheet->rows.items;
    uint32_t *above = malloc((sheet->rows.n + (size_t)1) * sizeof *above);
    find_rows_above(rows, sheet->rows.n, above);
    for (uint32_t i = 0; i < sheet->rows.n; i++) {
        char *name = name_of(labels, rows[i].text), *path = path_of(rows, above[i], name);
        free(rows[i].text);
        rows[i].text = path;
        free(name);
    }
    free(above);
}

// "imbalance: for a.c:7", or "serial code" without a place.
static void add_cause(const struct otter_diff_run *run, const struct otter_report *report,
                      struct otter_sheet *sheet, enum otter_finding_kind kind, uint32_t region,
                      double ticks)
{
    char label[OTTER_LABEL_SIZE] = "";
    double cost = ticks * report->analysis->tick;
    if (region < report->analysis->account.n_labels - 1) {
        otter_report_label(report, region, label);
    }
    char *name = name_of(&run->labels, label);
    char *text = otter_path("%s%s%s", otter_finding_name(kind), *name ? ": " : "", name);
    otter_sheet_add(sheet, text, &cost);
    free(name);
    free(text);
}

static const struct otter_column cost_columns[] = {{"cost_s", "cost", OTTER_COLUMN_SECONDS}};

static void fill_findings(const struct otter_diff_run *run, const struct otter_report *report,
                          struct otter_sheet *sheet)
{
    *sheet = (struct otter_sheet){
        .name = "findings", .text_head = "finding", .columns = cost_columns, .n_columns = 1};
    for (uint32_t i = 0; i < report->findings->n; i++) {
        const struct otter_finding *finding = &report->findings->items[i];
        add_cause(run, report, sheet, finding->kind, finding->region, (double)finding->cost);
    }
}

// Fills the table of all lost time by cause and place, including small causes.
static void fill_causes(const struct otter_diff_run *run, const struct otter_report *report,
                        struct otter_sheet *sheet)
{
    const struct otter_losses *losses = &report->findings->losses;
    *sheet = (struct otter_sheet){
        .name = "causes", .text_head = "cause", .columns = cost_columns, .n_columns = 1};
    for (unsigned kind = 0; kind < OTTER_FINDING_UNEXPLAINED; kind++) {
        for (uint32_t i = 0; i < losses->n_labels; i++) {
            double ticks = otter_losses_at(losses, (enum otter_finding_kind)kind, i);
            if (ticks > 0) {
                add_cause(run, report, sheet, (enum otter_finding_kind)kind, i, ticks);
            }
        }
    }
}

bool otter_diff_is_compared(const struct otter_report_table *table, bool is_of_job)
{
    bool is_of_ranks = strcmp(table->option, "critical-path=ranks") == 0;
    bool has_unique_names =
        strcmp(table->option, "lines") != 0 && !strstr(table->option, "critical-path="); // steps
    return is_of_ranks ? is_of_job : has_unique_names;
}

static void fill_sheet(const struct otter_report *report, const struct otter_job *job,
                       const struct otter_report_table *table, struct otter_sheet *sheet)
{
    *sheet = (struct otter_sheet){.name = table->name};
    if (strcmp(table->option, "functions") == 0) { // one row for each function, not for each label
        otter_fill_function_sums(report, sheet);
    } else if (job && strncmp(table->option, "critical-path", strlen("critical-path")) == 0) {
        otter_diff_path_fill(report, job, table->option, sheet);
    } else {
        otter_report_fill(report, table, sheet);
    }
}

static void fill_sheets(struct otter_diff_run *run, const struct otter_report *report,
                        const struct otter_job *job)
{
    run->sheets = calloc(otter_n_report_tables + (size_t)2, sizeof *run->sheets);
    for (unsigned i = 0; i < otter_n_report_tables; i++) {
        if (otter_diff_is_compared(&otter_report_tables[i], job)) {
            struct otter_sheet *sheet = &run->sheets[run->n_sheets++];
            fill_sheet(report, job, &otter_report_tables[i], sheet);
            rename_rows(sheet, &run->labels);
        }
    }
    fill_findings(run, report, &run->sheets[run->n_sheets++]);
    fill_causes(run, report, &run->sheets[run->n_sheets++]);
}

// ---- an archive

// Gives the labels their names, which come from the reference if there is one.
static void match_labels(struct otter_diff_run *run, const struct otter_labels *labels,
                         const struct otter_graph *graph, struct otter_diff_run *reference)
{
    otter_diff_labels_init(&run->labels, labels, graph->definitions);
    otter_diff_labels_place(&run->labels, labels, graph);
    if (reference) {
        otter_diff_labels_match(&run->labels, &reference->labels);
    }
}

// Predicts the change of the wall time as 'otter report --what-if' does. A replay also counts the
// helper threads of the runtime.
static enum otter_status predict(struct otter_diff_run *run, const struct otter_report *report,
                                 const struct otter_diff_wish *wish,
                                 struct otter_complaint *complaint)
{
    struct otter_predictions predictions;
    uint32_t n = wish->n_threads + report->analysis->timeline.n_helpers;
    enum otter_status status = otter_predict(report, wish->changes, wish->n, n, n, &predictions);
    if (status) {
        snprintf(complaint->text, sizeof complaint->text, "cannot predict from '%s': %s", run->path,
                 otter_status_text(status));
        return status;
    }
    otter_prediction_changes(&predictions, &predictions.items.items[0], &run->predicted_least,
                             &run->predicted_most);
    run->replay_error = otter_prediction_error(report, &predictions);
    if (!otter_replay_is_in_bounds(&predictions.items.items[0].times)) {
        run->predicted_least = run->predicted_most = NAN;
    }
    otter_predictions_finish(&predictions);
    return OTTER_OK;
}

static enum otter_status analyse(struct otter_diff_run *run, struct otter_archive *archive,
                                 const struct otter_job *job, struct otter_labels *labels,
                                 struct otter_diff_run *reference,
                                 const struct otter_diff_wish *wish,
                                 struct otter_complaint *complaint)
{
    struct otter_analysis analysis;
    struct otter_findings findings;
    struct otter_reading reading = {.analysis = &analysis, .findings = &findings};
    enum otter_status status = otter_reading_analyse(&reading, archive, complaint);
    if (!status) {
        otter_betweens_name(&analysis.timeline, labels);
        match_labels(run, labels, analysis.graph, reference);
        struct otter_report report = {.archive = archive,
                                      .analysis = &analysis,
                                      .findings = &findings,
                                      .labels = labels,
                                      .counts = &findings.counts};
        set_numbers(run->numbers, &analysis);
        run->is_complete = otter_analysis_is_complete(&analysis);
        fill_sheets(run, &report, job);
        status = wish ? predict(run, &report, wish, complaint) : OTTER_OK;
    }
    otter_reading_finish(&reading);
    return status;
}

static enum otter_status read_archive(struct otter_diff_run *run, struct otter_archive *archive,
                                      const struct otter_job *job, struct otter_diff_run *reference,
                                      const struct otter_diff_wish *wish,
                                      struct otter_complaint *complaint)
{
    struct otter_labels labels;
    otter_labels_read(&labels, archive);
    enum otter_status status = analyse(run, archive, job, &labels, reference, wish, complaint);
    otter_archive_merge_regions(archive, NULL); // the same hash as in 'otter graph'
    OTTER_THEN(status, otter_diff_structure_read(archive, &labels, &run->labels,
                                                 reference ? &reference->structure : NULL,
                                                 &run->structure, complaint));
    otter_labels_finish(&labels);
    return status;
}

enum otter_status otter_diff_run_init(struct otter_diff_run *run, const char *path,
                                      const struct otter_job *job, struct otter_diff_run *reference,
                                      const struct otter_diff_wish *wish,
                                      struct otter_complaint *complaint)
{
    *run = (struct otter_diff_run){.path = strdup(path)};
    struct otter_archive *archive;
    enum otter_status status = otter_archive_open(path, &archive, complaint);
    if (status) {
        return status;
    }
    const char *program = otter_archive_property(archive, "OTTER::COMMAND_LINE");
    run->program = strdup(program ? program : "");
    status = read_archive(run, archive, job, reference, wish, complaint);
    otter_archive_close(archive);
    return status;
}

void otter_diff_run_finish(struct otter_diff_run *run)
{
    for (unsigned i = 0; i < run->n_sheets; i++) {
        otter_sheet_finish(&run->sheets[i]);
    }
    OTTER_FREE(run->sheets, run->path, run->program);
    otter_diff_labels_finish(&run->labels);
    *run = (struct otter_diff_run){0};
}
