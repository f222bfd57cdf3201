// Writes the heaviest path and the realised path as intervals.
#include "view/tables.h"

enum {
    REASON_SEVERAL = OTTER_STEP_OUTSIDE + 1,
    SIZE_OF_STEP = 160, // of the page for each step; a step has some 8
};

static const struct otter_chunk_column span_columns[] = {
    {"begin", true}, {"duration", false}, {"lane", false}, {"label", false}, {"task", true},
};
static const struct otter_chunk_table span_chunks = {"span", span_columns,
                                                     sizeof span_columns / sizeof *span_columns, 0};

static const struct otter_chunk_column realised_columns[] = {
    {"begin", true}, {"duration", false}, {"reason", false},
    {"lane", false}, {"label", false},    {"task", true},
};
static const struct otter_chunk_table realised_chunks = {
    "realised", realised_columns, sizeof realised_columns / sizeof *realised_columns, 0};

struct step {
    uint64_t begin, end; // ticks since the view's begin
    uint32_t node;       // OTTER_NONE: none, or several
    unsigned reason;
};

struct path_writer {
    const struct otter_view *view;
    struct otter_chunk_writer chunks;
    uint64_t shortest; // steps below are merged with their neighbours
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
                        node ? (uint64_t)node->task + 1 : 0};
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

static bool is_executed(const struct otter_node *node)
{
    return otter_node_is_piece(node) || node->kind == OTTER_NODE_DEVICE;
}

static enum otter_status write_span(const struct otter_view *view, struct otter_chunks *chunks,
                                    uint64_t shortest)
{
    const struct otter_span *span = &view->analysis.span;
    struct path_writer writer = {
        .view = view, .chunks = {.chunks = chunks, .table = &span_chunks}, .shortest = shortest};
    for (uint32_t i = 0; i < span->n_path; i++) {
        const struct otter_node *node = &view->analysis.graph->nodes[span->path[i]];
        if (is_executed(node)) {
            add_step(&writer, &(struct step){otter_view_ticks(view, node->start),
                                             otter_view_ticks(view, node->end), span->path[i], 0});
        }
    }
    end_merged(&writer);
    return otter_chunk_end(&writer.chunks);
}

static enum otter_status write_realised(const struct otter_view *view, struct otter_chunks *chunks,
                                        uint64_t shortest)
{
    const struct otter_realised *realised = &view->analysis.realised;
    struct path_writer writer = {.view = view,
                                 .chunks = {.chunks = chunks, .table = &realised_chunks},
                                 .shortest = shortest};
    for (uint32_t i = realised->steps.n; i-- > 0;) {
        const struct otter_path_step *step = &realised->steps.items[i];
        add_step(&writer, &(struct step){otter_view_ticks(view, step->begin),
                                         otter_view_ticks(view, step->end), step->node,
                                         (unsigned)step->reason});
    }
    end_merged(&writer);
    return otter_chunk_end(&writer.chunks);
}

// Steps below a share of the wall time are merged with their neighbours. Then about as many remain
// as the share says.
static uint64_t shortest_of(const struct otter_view *view, uint32_t n)
{
    uint64_t most = view->size / SIZE_OF_STEP + 1;
    return n > most ? 2 * ((view->end - view->begin) / most) : 0;
}

enum otter_status otter_view_write_paths(const struct otter_view *view, struct otter_chunks *chunks)
{
    enum otter_status status =
        write_span(view, chunks, shortest_of(view, view->analysis.span.n_path));
    return status
               ? status
               : write_realised(view, chunks, shortest_of(view, view->analysis.realised.steps.n));
}
