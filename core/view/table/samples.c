// Writes the samples of threads, and the functions of their call chains as a tree.
#include <stdlib.h>

#include "graph/numbers.h"
#include "view/table/tables.h"

// characters of the page for each sample, and for each node of the tree
enum { SIZE_OF_SAMPLE = 40, SIZE_OF_CALL = 400, MAX_CALLS = 20000 };

static const struct otter_chunk_column call_columns[] = {{"parent", true}, {"function", false}};
static const struct otter_chunk_table call_table = {.name = "calls", OTTER_COLUMNS(call_columns)};

static const struct otter_chunk_column sample_columns[] = {
    {"lane", false},  {"time", true},   {"call", false},
    {"label", false}, {"state", false}, {"task", true},
};
static const struct otter_chunk_table sample_table = {.name = "samples",
                                                      OTTER_COLUMNS(sample_columns)};

struct sampling {
    const struct otter_view *view;
    const struct otter_page_samples *samples;
    const struct otter_calls *calls;
    struct otter_chunk_writer writer;
};

// Numbers the functions in the order of their first use. The root has the first number.
static void write_calls(struct otter_page_samples *samples, const struct otter_calls *calls,
                        struct otter_chunks *chunks)
{
    struct otter_chunk_writer writer = {.chunks = chunks, .table = &call_table};
    uint32_t *numbers = otter_numbers_create(samples->all.frames.texts.n);
    for (uint32_t i = 0; i < calls->n; i++) {
        uint32_t function = calls->items[i].function;
        if (numbers[function] == OTTER_NONE) {
            numbers[function] = samples->functions.n;
            OTTER_VECTOR_APPEND(&samples->functions, function);
        }
        uint64_t values[] = {calls->items[i].parent, numbers[function]};
        otter_chunk_add(&writer, values);
    }
    free(numbers);
    otter_chunk_end(&writer);
}

static void write_sample(void *user, uint32_t index, const struct otter_slice *slice)
{
    struct sampling *sampling = user;
    const struct otter_view *view = sampling->view;
    const struct otter_sample *sample = &sampling->samples->all.all.items[index];
    uint32_t lane = otter_sample_lane(view, sample);
    if (lane == OTTER_NONE || index % sampling->samples->every != 0) {
        return;
    }
    bool has_task = slice && slice->task != OTTER_NONE && sample->state == OTTER_STATE_EXECUTING;
    uint64_t values[] = {lane,
                         otter_view_ticks(view, sample->time),
                         otter_calls_node(sampling->calls, sample),
                         otter_view_label(view, sample->label),
                         sample->state,
                         has_task ? (uint64_t)slice->task + 1 : 0};
    otter_chunk_add(&sampling->writer, values);
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

void otter_view_write_samples(const struct otter_view *view, struct otter_page_samples *samples,
                              struct otter_chunks *chunks)
{
    struct otter_calls calls = {0};
    uint64_t room = view->size / SIZE_OF_SAMPLE + 1;
    samples->every = samples->all.all.n / room + 1;
    if (samples->all.all.n == 0) {
        return;
    }
    uint32_t n_calls = (uint32_t)at_most(view->size / SIZE_OF_CALL + 1, MAX_CALLS);
    otter_calls_init(&calls, &samples->all, false, n_calls);
    write_calls(samples, &calls, chunks);
    struct sampling sampling = {.view = view,
                                .samples = samples,
                                .calls = &calls,
                                .writer = {.chunks = chunks, .table = &sample_table}};
    otter_samples_each(view, &samples->all.all, write_sample, &sampling);
    otter_chunk_end(&sampling.writer);
    otter_calls_finish(&calls);
}

void otter_page_samples_finish(struct otter_page_samples *samples)
{
    otter_view_samples_finish(&samples->all);
    free(samples->functions.items);
}
