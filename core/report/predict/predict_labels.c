// Finds the regions that a change names.
#include "report/predict/predict_labels.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/sample/function_factors.h"
#include "analysis/sample/functions.h"
#include "base/free.h"
#include "base/log.h"
#include "graph/numbers.h"

static const struct {
    const char *prefix; // text before the label of a change, "" for LABEL=0.5x
    const char *name;
    unsigned char uses; // enum otter_region_use_bit
} kinds[] = {
    [OTTER_WHAT_IF_FACTOR] = {"", "label", OTTER_USED_EXECUTED | OTTER_USED_LOCK | OTTER_USED_MPI},
    [OTTER_WHAT_IF_BARRIER] = {"drop barrier ", "barrier", OTTER_USED_BARRIER},
    [OTTER_WHAT_IF_TASKWAIT] = {"drop taskwait ", "taskwait", OTTER_USED_TASKWAIT},
    [OTTER_WHAT_IF_LOCK] = {"drop lock ", "lock", OTTER_USED_LOCK},
    [OTTER_WHAT_IF_BALANCE] = {"balance ", "loop", OTTER_USED_LOOP},
    [OTTER_WHAT_IF_CUT_OFF] = {"cut-off ", "task", OTTER_USED_TASK},
    [OTTER_WHAT_IF_FUNCTION] = {"function:", "function", 0},
};

static bool read_factor(char *text, struct otter_what_if *change)
{
    static const char digits[] = "0123456789.";
    char *equals = strrchr(text, '='), *end = equals;
    double factor = equals ? strtod(equals + 1, &end) : 0;
    bool is_good = equals > text && strspn(equals + 1, digits) > 0 &&
                   end == equals + 1 + strspn(equals + 1, digits) &&
                   (!*end || strcmp(end, "x") == 0) && factor <= 1e6;
    if (is_good) {
        *equals = '\0';
        *change =
            (struct otter_what_if){.kind = OTTER_WHAT_IF_FACTOR, .label = text, .value = factor};
    }
    return is_good;
}

// Reads "LABEL at 5".
static bool read_cut_off(char *text, struct otter_what_if *change)
{
    static const char digits[] = "0123456789", word[] = " at ";
    char *at = NULL;
    for (char *next = strstr(text, word); next; next = strstr(next + 1, word)) {
        at = next;
    }
    const char *depth = at ? at + strlen(word) : "";
    size_t n = strspn(depth, digits);
    if (at == text || n == 0 || n > 9 || depth[n]) {
        return false;
    }
    *at = '\0';
    *change = (struct otter_what_if){
        .kind = OTTER_WHAT_IF_CUT_OFF, .label = text, .value = strtod(depth, NULL)};
    return true;
}

static bool read_change(char *text, struct otter_what_if *change)
{
    const char *cut_off = kinds[OTTER_WHAT_IF_CUT_OFF].prefix;
    const char *function = kinds[OTTER_WHAT_IF_FUNCTION].prefix;
    if (strncmp(text, cut_off, strlen(cut_off)) == 0) {
        return read_cut_off(text + strlen(cut_off), change);
    }
    if (strncmp(text, function, strlen(function)) == 0) {
        bool is_good = read_factor(text + strlen(function), change);
        change->kind = OTTER_WHAT_IF_FUNCTION;
        return is_good;
    }
    for (unsigned i = OTTER_WHAT_IF_BARRIER; i < OTTER_WHAT_IF_CUT_OFF; i++) {
        size_t length = strlen(kinds[i].prefix);
        if (strncmp(text, kinds[i].prefix, length) == 0 && text[length]) {
            *change = (struct otter_what_if){
                .kind = (enum otter_what_if_kind)i, .label = text + length, .value = 1};
            return true;
        }
    }
    return read_factor(text, change);
}

// *Returns* the text after "rank 2: ", or NULL.
static char *after_rank(char *text, uint32_t *rank)
{
    static const char word[] = "rank ";
    char *end = strncmp(text, word, strlen(word)) == 0 ? strstr(text, ": ") : NULL;
    if (!end) {
        return NULL;
    }
    *end = '\0';
    bool is_rank = otter_rank_from_text(text + strlen(word), rank);
    *end = ':';
    return is_rank ? end + 2 : NULL;
}

bool otter_what_if_read(char *text, struct otter_what_if *change)
{
    uint32_t rank;
    char *rest = after_rank(text, &rank);
    bool is_good = read_change(rest ? rest : text, change);
    if (is_good && rest) {
        change->has_rank = true;
        change->rank = rank;
    }
    return is_good;
}

// ---- uses

static unsigned char use_of_node(const struct otter_report *report, uint32_t node)
{
    const struct otter_graph *graph = report->analysis->graph;
    enum otter_construct construct =
        otter_definitions_construct(graph->definitions, graph->nodes[node].region);
    if (graph->nodes[node].kind != OTTER_NODE_SYNC) {
        return otter_replay_is_on_device(report->analysis, node) ? OTTER_USED_DEVICE : 0;
    }
    return otter_construct_is_barrier(construct)   ? OTTER_USED_BARRIER
           : construct == OTTER_CONSTRUCT_TASKWAIT ? OTTER_USED_TASKWAIT
                                                   : 0;
}

unsigned char *otter_region_uses_of(const struct otter_report *report)
{
    const struct otter_analysis *analysis = report->analysis;
    uint32_t n = analysis->account.n_labels;
    unsigned char *uses = calloc(n, 1);
    for (uint32_t i = 0; i < n; i++) { // the last entry is execution without a label
        bool is_kernel =
            otter_construct_is_kernel(otter_definitions_construct(analysis->definitions, i));
        uses[i] = analysis->account.executed[i] == 0 ? 0
                  : is_kernel                        ? OTTER_USED_EXECUTED | OTTER_USED_LOOP
                                                     : OTTER_USED_EXECUTED;
        bool is_call = analysis->mpi.uses && i + 1 < n && analysis->mpi.uses[i].ticks > 0;
        uses[i] |= is_call ? OTTER_USED_MPI : 0;
    }
    for (uint32_t i = 0; i < analysis->graph->n_nodes; i++) {
        uint32_t region = analysis->graph->nodes[i].region;
        if (region < n) {
            uses[region] |= use_of_node(report, i);
        }
    }
    for (uint32_t i = 0; i < n && i < analysis->definitions->n_regions; i++) {
        uses[i] |= analysis->marks.sinks[i] != OTTER_NONE ? OTTER_USED_LOCK : 0;
    }
    for (uint32_t i = 0; i < analysis->tasks.n; i++) {
        uses[analysis->tasks.items[i].region] |= OTTER_USED_TASK;
    }
    for (size_t i = 0; i < analysis->definitions->n_locations; i++) {
        const struct otter_location_marks *marks = &analysis->marks.locations[i];
        for (uint32_t k = 0; k < marks->n; k++) {
            enum otter_mark_kind kind = marks->items[k].kind;
            if (kind == OTTER_MARK_ACQUIRE || kind == OTTER_MARK_ORDER_BEGIN) {
                uses[marks->items[k].region] |= OTTER_USED_LOCK;
            } else if (kind == OTTER_MARK_LOOP_BEGIN) {
                uses[marks->items[k].region] |= OTTER_USED_LOOP;
            }
        }
    }
    return uses;
}

// ---- changes

void otter_change_arrays_init(struct otter_change_arrays *arrays, const struct otter_report *report)
{
    uint32_t n = report->analysis->account.n_labels;
    *arrays = (struct otter_change_arrays){0};
    arrays->factors = malloc(n * sizeof *arrays->factors);
    arrays->changes = calloc(n, 1);
    arrays->cut_offs = otter_numbers_create(n);
    for (uint32_t i = 0; i < n; i++) {
        arrays->factors[i] = 1;
    }
}

void otter_change_arrays_finish(struct otter_change_arrays *arrays)
{
    OTTER_FREE(arrays->factors, arrays->at_least, arrays->at_most, arrays->changes,
               arrays->cut_offs);
    otter_interval_ratios_finish(&arrays->ratios);
    *arrays = (struct otter_change_arrays){0};
}

void otter_change_region(struct otter_change_arrays *arrays, uint32_t region,
                         enum otter_what_if_kind kind, double value)
{
    if (kind == OTTER_WHAT_IF_FACTOR) {
        arrays->factors[region] *= value;
    } else if (kind == OTTER_WHAT_IF_CUT_OFF) {
        arrays->cut_offs[region] = (uint32_t)value;
    } else {
        arrays->changes[region] |=
            (unsigned char)(kind == OTTER_WHAT_IF_BALANCE ? OTTER_REPLAY_BALANCE
                                                          : OTTER_REPLAY_DROP);
    }
}

// ---- known labels

// Lists the functions that a change has an effect on.
static void list_functions(struct otter_known_labels *known, const struct otter_report *report)
{
    struct otter_functions functions;
    otter_functions_read(&functions, report->analysis, report->labels);
    for (uint32_t i = 0; i < functions.uses.n; i++) {
        const struct otter_function_use *use = &functions.uses.items[i];
        if (use->state == OTTER_STATE_EXECUTING && *use->function) {
            otter_known_labels_add(known, use->function);
        }
    }
    otter_functions_finish(&functions);
}

void otter_change_list_labels(struct otter_known_labels *known, const struct otter_report *report,
                              const unsigned char *uses, const struct otter_what_if *change)
{
    char text[OTTER_LABEL_SIZE];
    if (change->kind == OTTER_WHAT_IF_FUNCTION) {
        list_functions(known, report);
    }
    for (uint32_t i = 0; i < report->analysis->account.n_labels; i++) {
        if (uses[i] & kinds[change->kind].uses) {
            otter_known_labels_add(known, otter_report_label(report, i, text));
        }
    }
}

// Returns the number of functions that `name` may mean. If there are several, drops all others.
static uint32_t keep_candidates(struct otter_known_labels *known, const char *name)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < known->n; i++) {
        if (otter_function_has_name(known->items[i], name)) {
            char *other = known->items[n];
            known->items[n++] = known->items[i];
            known->items[i] = other;
        }
    }
    for (; n > 1 && known->n > n; known->n--) {
        free(known->items[known->n - 1]);
    }
    return n;
}

void otter_change_complain(struct otter_known_labels *known, const struct otter_what_if *change)
{
    char where[40] = "this run";
    if (change->has_rank) {
        snprintf(where, sizeof where, "rank %u of this run", change->rank);
    }
    bool is_function = change->kind == OTTER_WHAT_IF_FUNCTION;
    if (is_function && keep_candidates(known, change->label) > 1) {
        otter_error("several functions in %s are called '%s': give the whole name", where,
                    change->label);
        for (uint32_t i = 0; i < known->n; i++) {
            otter_error("  function: '%s'", known->items[i]);
        }
        return;
    }
    otter_known_labels_complain(known, kinds[change->kind].name, change->label, where,
                                is_function ? "'otter report --functions' lists them"
                                            : "'otter report --labels' and '--waits' list them");
    if (is_function && known->n == 0) {
        otter_error("  it has no samples: otter record --sample takes them");
    }
}

// ---- all regions of a label

bool otter_change_labels(struct otter_change_arrays *arrays, const struct otter_report *report,
                         const unsigned char *uses, const struct otter_what_if *change,
                         uint32_t rank)
{
    unsigned n = 0;
    if (change->has_rank && change->rank != rank) {
        return false;
    }
    for (uint32_t i = 0; i < report->analysis->account.n_labels; i++) {
        if ((uses[i] & kinds[change->kind].uses) &&
            otter_report_is_label(report, i, change->label)) {
            otter_change_region(arrays, i, change->kind, change->value);
            n++;
        }
    }
    return n > 0;
}
