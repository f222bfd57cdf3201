// Writes the heaviest path, the realised path, and the part of the job's path as intervals.
#include "view/table/tables.h"

enum {
    REASON_SEVERAL = OTTER_STEP_OUTSIDE + 1,
    SIZE_OF_STEP = 100, // characters of the page for each step; a step needs about 8
    N_DURATIONS = 64,   // factors of 2
};

static const struct otter_chunk_column span_columns[] = {
    {"begin", true}, {"duration", false}, {"lane", false}, {"label", false}, {"task", true},
};
static const struct otter_chunk_table span_chunks = {.name = "span", OTTER_COLUMNS(span_columns)};

static const struct otter_chunk_column realised_columns[] = {
    {"begin", true}, {"duration", false}, {"reason", false},
    {"lane", false}, {"label", false},    {"task", true},
};
static const struct otter_chunk_table realised_chunks = {.name = "realised",
                                                         OTTER_COLUMNS(realised_columns)};
static const struct otter_chunk_table job_chunks = {.name = "job_path",
                                                    OTTER_COLUMNS(realised_columns)};

struct step {
    uint64_t begin, end; // ticks since the view's start
    uint32_t node;       // OTTER_NONE: none, or several
    unsigned reason;
};

struct path_writer {
    const struct otter_view *view;
    struct otter_chunk_writer chunks;
    uint64_t shortest; // shorter steps are merged with their neighbours
    struct step merged;
    bool has_merged;
};

static void write_step(struct path_writer *writer, const struct step *step)
{
    const struct otter_view *view = writer->view;
    const struct otter_graph *graph = view->analysis.graph;
    const struct otter_node *node = step->node != OTTER_NONE ? &graph->nodes[step->node] : NULL;
    uint32_t lane = node ? view->lanes.of_locations[node->location] : OTTER_NONE;
    uint64_t place[] = {lane != OTTER_NONE ? lane : view->lanes.n,
                        otter_view_label(view, node ? node->region : OTTER_NONE),
                        node && node->task != OTTER_NONE ? (uint64_t)node->task + 1 : 0};
    if (writer->chunks.table == &span_chunks) {
        uint64_t values[] = {step->begin, step->end - step->begin, place[0], place[1], place[2]};
        otter_chunk_add(&writer->chunks, values);
    } else {
        uint64_t values[] = {step->begin, step->end - step->begin, step->reason, place[0], place[1],
                             place[2]};
        otter_chunk_add(&writer->chunks, values);
    }
}

static void end_merged(struct path_writer *writer)
{
    if (writer->has_merged) {
        write_step(writer, &writer->merged);
    }
    writer->has_merged = false;
}

static void add_step(struct path_writer *writer, const struct step *step)
{
    if (step->end <= step->begin) {
        return;
    }
    if (writer->has_merged && writer->merged.end < step->begin &&
        writer->chunks.table == &job_chunks) {
        end_merged(writer); // the path is in other ranks between the two stays
    }
    if (step->end - step->begin >= writer->shortest) {
        end_merged(writer);
        write_step(writer, step);
    } else if (writer->has_merged) {
        writer->merged.end = step->end;
        writer->merged.node = OTTER_NONE;
        writer->merged.reason = REASON_SEVERAL;
    } else {
        writer->merged = *step;
        writer->has_merged = true;
    }
}

// Returns the smallest duration for which the page has room: all steps of at least this duration
// are written. Runs of shorter steps are merged, so each written step may have a merged step beside
// it.
static uint64_t shortest_of(const struct otter_view *view, const uint64_t *n_of_durations,
                            uint32_t n)
{
    uint64_t most = view->size / SIZE_OF_STEP + 1, n_longer = 0;
    unsigned bits = N_DURATIONS;
    while (n > most && bits > 0 && n_longer + n_of_durations[bits - 1] <= most / 2) {
        n_longer += n_of_durations[--bits];
    }
    return n > most ? UINT64_C(1) << (bits < N_DURATIONS ? bits : N_DURATIONS - 1) : 0;
}

static void count_duration(uint64_t *n_of_durations, uint64_t begin, uint64_t end)
{
    n_of_durations[end > begin ? 63 - __builtin_clzll(end - begin) : 0]++;
}

static uint64_t shortest_of_span(const struct otter_view *view)
{
    const struct otter_span *span = &view->analysis.span;
    uint64_t n_of_durations[N_DURATIONS] = {0};
    for (uint32_t i = 0; i < span->n_path; i++) {
        const struct otter_node *node = &view->analysis.graph->nodes[span->path[i]];
        count_duration(n_of_durations, node->start, node->end);
    }
    return shortest_of(view, n_of_durations, span->n_path);
}

static uint64_t shortest_of_realised(const struct otter_view *view,
                                     const struct otter_realised *realised)
{
    uint64_t n_of_durations[N_DURATIONS] = {0};
    for (uint32_t i = 0; i < realised->steps.n; i++) {
        struct otter_path_step step = otter_realised_step(realised, i);
        count_duration(n_of_durations, step.begin, step.end);
    }
    return shortest_of(view, n_of_durations, realised->steps.n);
}

static bool is_executed(const struct otter_node *node)
{
    return otter_node_is_piece(node) || node->kind == OTTER_NODE_DEVICE;
}

static void write_span(const struct otter_view *view, struct otter_chunks *chunks,
                       uint64_t shortest)
{
    const struct otter_span *span = &view->analysis.span;
    struct path_writer writer = {
        .view = view, .chunks = {.chunks = chunks, .table = &span_chunks}, .shortest = shortest};
    for (uint32_t i = 0; i < span->n_path; i++) {
        const struct otter_node *node = &view->analysis.graph->nodes[span->path[i]];
        if (is_executed(node)) {
            add_step(&writer, &(struct step){.begin = otter_view_ticks(view, node->start),
                                             .end = otter_view_ticks(view, node->end),
                                             .node = span->path[i]});
        }
    }
    end_merged(&writer);
    otter_chunk_end(&writer.chunks);
}

static void write_realised(const struct otter_view *view, const struct otter_realised *realised,
                           const struct otter_chunk_table *table, struct otter_chunks *chunks)
{
    struct path_writer writer = {.view = view,
                                 .chunks = {.chunks = chunks, .table = table},
                                 .shortest = shortest_of_realised(view, realised)};
    for (uint32_t i = realised->steps.n; i-- > 0;) {
        struct otter_path_step step = otter_realised_step(realised, i);
        add_step(&writer, &(struct step){otter_view_ticks(view, step.begin),
                                         otter_view_ticks(view, step.end), step.node,
                                         (unsigned)step.reason});
    }
    end_merged(&writer);
    otter_chunk_end(&writer.chunks);
}

// Writes the steps of the job's critical path that are in this rank.
static void write_job_path(const struct otter_view *view, struct otter_chunks *chunks)
{
    const struct otter_analysis *analysis = &view->analysis;
    const struct otter_job *job = view->job;
    struct otter_realised realised = {0};
    struct otter_way_back way;
    otter_way_back_init(&way, analysis->graph, &analysis->pieces, &analysis->ready);
    for (uint32_t i = 0; i < job->stays.n; i++) {
        if (job->stays.items[i].rank == view->job_rank) {
            otter_realised_add(&realised, &way, job->stays.items[i].way);
        }
    }
    write_realised(view, &realised, &job_chunks, chunks);
    otter_way_back_finish(&way);
    otter_realised_finish(&realised);
}

void otter_view_write_paths(const struct otter_view *view, struct otter_chunks *chunks)
{
    write_span(view, chunks, shortest_of_span(view));
    write_realised(view, &view->analysis.realised, &realised_chunks, chunks);
    if (view->job) {
        write_job_path(view, chunks);
    }
}
