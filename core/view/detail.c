// Chooses how much detail fits into the file, and writes it.
#include "view/detail.h"

#include <stdlib.h>

#include "view/rank.h"
#include "view/lane/tasks.h"

enum { MAX_ATTEMPTS = 6 };

static const double ENOUGH = 0.7; // attempts end when this share of the size is used
static const double LESS =
    0.85; // target size of the next attempt after one that was too large, relative to the limit

enum { N_TABLES = 3 };

struct counts {
    uint64_t slices, tasks, edges;
};

// Characters of the file for a row of each table.
struct rates {
    double slice, task, edge;
};

// The rates if only the longest rows are written, whose differences need more characters.
static const struct rates SPARSE = {.slice = 11.5, .task = 15.5, .edge = 8.5};

struct choice {
    const struct otter_view *view;
    struct otter_ranking ranking;
    const struct otter_view_tasks *tasks;
    uint16_t *task_ranks;                  // of each task: the highest rank of its slices
    struct counts of_ranks[OTTER_N_RANKS]; // rows with this rank
    struct rates rates;
    struct counts written; // rows in the current attempt
    uint32_t threshold;    // rows with at least this rank are written
    uint64_t n_characters; // the limit
    double aim;            // characters that the next attempt aims at
    struct otter_chunks *chunks;
};

// ---- the rows to choose from

static void count_slice(void *user, const struct otter_slice *slice)
{
    struct choice *choice = user;
    uint16_t rank = otter_slice_rank(&choice->ranking, slice);
    choice->of_ranks[rank].slices++;
    if (slice->task < choice->view->analysis.graph->n_tasks &&
        rank > choice->task_ranks[slice->task]) {
        choice->task_ranks[slice->task] = rank;
    }
}

static uint32_t edge_rank(const struct choice *choice, uint32_t from, uint32_t e)
{
    const struct otter_graph *graph = choice->view->analysis.graph;
    uint32_t a = choice->task_ranks[graph->nodes[from].task];
    uint32_t b = choice->task_ranks[graph->nodes[graph->edge_to[e]].task];
    return a < b ? a : b;
}

static void count(struct choice *choice)
{
    const struct otter_graph *graph = choice->view->analysis.graph;
    otter_slices_each(choice->view, count_slice, choice);
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        choice->of_ranks[choice->task_ranks[i]].tasks += otter_view_has_task(choice->view, i);
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            if (otter_view_has_edge(choice->view, i, e)) {
                choice->of_ranks[edge_rank(choice, i, e)].edges++;
            }
        }
    }
}

static struct counts count_from(const struct choice *choice, uint32_t rank)
{
    struct counts sum = {0};
    for (; rank < OTTER_N_RANKS; rank++) {
        sum.slices += choice->of_ranks[rank].slices;
        sum.tasks += choice->of_ranks[rank].tasks;
        sum.edges += choice->of_ranks[rank].edges;
    }
    return sum;
}

// ---- how much fits

// Returns the lowest rank whose rows fit at the current rates. OTTER_N_RANKS: nothing fits.
static uint32_t find_threshold(const struct choice *choice)
{
    double size = 0;
    uint32_t rank = OTTER_N_RANKS;
    while (rank > 0) {
        const struct counts *counts = &choice->of_ranks[rank - 1];
        size += (double)counts->slices * choice->rates.slice +
                (double)counts->tasks * choice->rates.task +
                (double)counts->edges * choice->rates.edge;
        if (size > choice->aim) {
            break;
        }
        rank--;
    }
    return rank;
}

// ---- slices

static const struct otter_chunk_column slice_columns[] = {
    {"start", true},      {"duration", false}, {"state", false}, {"label", false},
    {"construct", false}, {"task", true},      {"count", false},
};
static const struct otter_chunk_table slice_chunks = {
    .name = "slices", OTTER_COLUMNS(slice_columns), .n_segment_numbers = 6};

struct slice_writer {
    struct choice *choice;
    struct otter_chunk_writer chunks;
    struct otter_slice left_out; // the slices after the last one that was written
    uint64_t n_left_out;
    uint32_t lane, row;
    bool is_full;
};

static void add_row(struct slice_writer *writer, const struct otter_slice *slice, uint64_t state,
                    uint64_t n)
{
    bool is_new = otter_chunk_is_empty(&writer->chunks) || writer->lane != slice->lane ||
                  writer->row != slice->row;
    if (is_new) {
        otter_chunk_begin_segment(
            &writer->chunks, (struct otter_segment){{slice->lane, slice->row, writer->chunks.n_rows,
                                                     0, slice->begin, 0}});
        writer->lane = slice->lane;
        writer->row = slice->row;
    }
    struct otter_segment *segment = otter_chunk_segment(&writer->chunks);
    segment->numbers[3]++;
    segment->numbers[5] = slice->end;
    uint64_t values[] = {slice->begin,
                         slice->end - slice->begin,
                         state,
                         slice->label,
                         slice->construct,
                         slice->task == OTTER_NONE ? 0 : (uint64_t)slice->task + 1,
                         n};
    otter_chunk_add(&writer->chunks, values);
    writer->is_full = writer->choice->chunks->n_characters > writer->choice->n_characters;
}

static void end_left_out(struct slice_writer *writer)
{
    if (writer->n_left_out > 0) {
        add_row(writer, &writer->left_out, OTTER_N_STATES, writer->n_left_out);
    }
    writer->n_left_out = 0;
}

static void leave_out(struct slice_writer *writer, const struct otter_slice *slice)
{
    if (writer->n_left_out++ == 0) {
        uint32_t no_label = otter_view_n_labels(writer->choice->view);
        writer->left_out = *slice;
        writer->left_out.label = writer->left_out.construct = no_label;
        writer->left_out.task = OTTER_NONE;
    }
    writer->left_out.end = slice->end;
}

static void write_slice(void *user, const struct otter_slice *slice)
{
    struct slice_writer *writer = user;
    const struct otter_slice *left_out = &writer->left_out;
    if (writer->is_full) {
        return;
    }
    const struct choice *choice = writer->choice;
    bool is_in =
        choice->threshold == 0 || otter_slice_rank(&choice->ranking, slice) >= choice->threshold;
    if (is_in || left_out->lane != slice->lane || left_out->row != slice->row) {
        end_left_out(writer);
    }
    if (is_in) {
        add_row(writer, slice, slice->state, 1);
        writer->choice->written.slices++;
    } else {
        leave_out(writer, slice);
    }
}

static void write_slices(struct choice *choice)
{
    struct slice_writer writer = {.choice = choice,
                                  .chunks = {.chunks = choice->chunks, .table = &slice_chunks},
                                  .lane = OTTER_NONE};
    otter_slices_each(choice->view, write_slice, &writer);
    end_left_out(&writer);
    otter_chunk_end(&writer.chunks);
}

// ---- tasks and edges

static bool is_full(const struct choice *choice)
{
    return choice->chunks->n_characters > choice->n_characters;
}

static void write_tasks(struct choice *choice)
{
    struct otter_chunk_writer writer = {.chunks = choice->chunks, .table = &otter_task_chunks};
    for (uint32_t i = 0; i < choice->view->analysis.graph->n_tasks && !is_full(choice); i++) {
        if (choice->task_ranks[i] >= choice->threshold && otter_view_has_task(choice->view, i)) {
            otter_view_add_task(choice->tasks, i, &writer);
            choice->written.tasks++;
        }
    }
    otter_chunk_end(&writer);
}

static void write_edges(struct choice *choice)
{
    const struct otter_graph *graph = choice->view->analysis.graph;
    struct otter_chunk_writer writer = {.chunks = choice->chunks, .table = &otter_edge_chunks};
    for (uint32_t i = 0; i < graph->n_nodes && !is_full(choice); i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            if (otter_view_has_edge(choice->view, i, e) &&
                (choice->threshold == 0 || edge_rank(choice, i, e) >= choice->threshold)) {
                otter_view_add_edge(choice->view, i, e, &writer);
                choice->written.edges++;
            }
        }
    }
    otter_chunk_end(&writer);
}

// ---- attempts

// Returns characters per row. A few rows are not representative, since each table has at least one
// chunk. A table that does not fit has rows but no characters.
static double rate(double before, uint64_t n_characters, uint64_t n_rows)
{
    bool is_known = n_rows >= OTTER_CHUNK_ROWS / 4 && n_characters > 0;
    return is_known ? (double)n_characters / (double)n_rows : before;
}

// Writes a table with the current threshold until the file is full, and determines its rate.
static void write_table(struct choice *choice, unsigned table)
{
    static void (*const write[N_TABLES])(struct choice *) = {write_slices, write_tasks,
                                                             write_edges};
    uint64_t *const written[N_TABLES] = {&choice->written.slices, &choice->written.tasks,
                                         &choice->written.edges};
    double *const rates[N_TABLES] = {&choice->rates.slice, &choice->rates.task,
                                     &choice->rates.edge};
    uint64_t begin = choice->chunks->n_characters;
    *written[table] = 0;
    write[table](choice);
    *rates[table] = rate(*rates[table], choice->chunks->n_characters - begin, *written[table]);
}

static void attempt(struct choice *choice)
{
    choice->written = (struct counts){0};
    for (unsigned i = 0; i < N_TABLES && (i == 0 || !is_full(choice)); i++) {
        write_table(choice, i);
    }
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// After an attempt that was too large: raises the rates, since fewer rows need more characters
// each.
static void expect_fewer_rows(struct choice *choice)
{
    choice->rates.slice = larger(choice->rates.slice, SPARSE.slice);
    choice->rates.task = larger(choice->rates.task, SPARSE.task);
    choice->rates.edge = larger(choice->rates.edge, SPARSE.edge);
    choice->aim *= LESS;
}

static void raise_rates(struct rates *rates)
{
    rates->slice *= 1.5;
    rates->task *= 1.5;
    rates->edge *= 1.5;
}

// Returns the threshold at the current rates. Raises the rates until the threshold is at least
// `least`. Ranks without rows fit at any rate, so this may never happen; then returns `least`.
static uint32_t raised_threshold(struct choice *choice, uint32_t least)
{
    enum { MAX_RAISES = 50 };
    uint32_t next = find_threshold(choice);
    for (unsigned i = 0; i < MAX_RAISES && next < least; i++) {
        raise_rates(&choice->rates);
        next = find_threshold(choice);
    }
    return next < least ? least : next;
}

// Writes the beginning of each table without omitting rows, to determine the rates; then discards
// it.
static void sample_rates(struct choice *choice)
{
    enum { SHARE = 16 };
    struct otter_chunks *chunks = choice->chunks;
    uint64_t limit = choice->n_characters, begin = chunks->n_characters;
    uint32_t n = chunks->n;
    choice->n_characters = begin + (limit - begin) / SHARE;
    for (unsigned i = 0; i < N_TABLES; i++) {
        write_table(choice, i);
        otter_chunks_cut(chunks, n);
    }
    choice->n_characters = limit;
}

// Sets the rates for the first attempt.
static void guess_rates(struct choice *choice)
{
    static const struct rates low = {.slice = 1, .task = 4, .edge = 1.5},
                              high = {.slice = 2.5, .task = 8, .edge = 3.5};
    choice->rates = high;
    if (find_threshold(choice) == 0) {
        return;
    }
    choice->rates = low;
    if (find_threshold(choice) == 0) {
        sample_rates(choice);
    }
    if (find_threshold(choice) > 0) {
        choice->rates = SPARSE;
    }
}

// Writes the tables with the lowest threshold whose rows fit. Each attempt shows how many
// characters a row needs; the last good attempt is repeated only if a later one was too large.
static void write_all(struct choice *choice)
{
    // `least`: any lower threshold needs too many characters
    uint32_t n = choice->chunks->n, least = 0, fitting = OTTER_N_RANKS;
    for (unsigned i = 0; i < MAX_ATTEMPTS && least < fitting; i++) {
        uint32_t next = raised_threshold(choice, least);
        choice->threshold = next < fitting ? next : fitting - 1;
        attempt(choice);
        if (is_full(choice)) {
            least = choice->threshold + 1;
            expect_fewer_rows(choice);
        } else {
            fitting = choice->threshold;
            double used = (double)choice->chunks->n_characters;
            if (fitting == 0 || used > ENOUGH * (double)choice->n_characters) {
                return;
            }
        }
        otter_chunks_cut(choice->chunks, n);
    }
    choice->threshold = fitting;
    attempt(choice);
}

static void describe(struct otter_detail *detail, const struct choice *choice)
{
    struct counts all = count_from(choice, 0), in = count_from(choice, choice->threshold);
    *detail = (struct otter_detail){
        .n_slices = all.slices - in.slices,
        .n_tasks = all.tasks - in.tasks,
        .n_edges = all.edges - in.edges,
        .threshold = choice->threshold < OTTER_RANKS_OF_CLASS
                         ? otter_rank_duration(choice->threshold)
                         : choice->view->end - choice->view->begin,
        .has_paths = choice->threshold <= OTTER_FIRST_RANK_OF_PATHS,
    };
}

void otter_detail_write(struct otter_detail *detail, const struct otter_view_tasks *tasks,
                        const struct otter_evidence *evidence,
                        const struct otter_detail_request *request, struct otter_chunks *chunks)
{
    const struct otter_view *view = tasks->view;
    struct choice *choice = malloc(sizeof *choice);
    *choice = (struct choice){.view = view,
                              .tasks = tasks,
                              .n_characters = request->n_characters,
                              .aim = (double)(request->n_characters - chunks->n_characters),
                              .chunks = chunks};
    choice->task_ranks = calloc(view->analysis.graph->n_tasks + 1, sizeof *choice->task_ranks);
    otter_ranking_init(&choice->ranking, view, evidence);
    choice->ranking.has_window = request->has_window;
    choice->ranking.begin = request->begin;
    choice->ranking.end = request->end;
    count(choice);
    guess_rates(choice);
    write_all(choice);
    describe(detail, choice);
    otter_ranking_finish(&choice->ranking);
    free(choice->task_ranks);
    free(choice);
}
