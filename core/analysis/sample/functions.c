// Counts the samples of each function by label.
#include "analysis/sample/functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/order.h"

// What a sample says, without its thread and time.
struct hit {
    uint32_t context, label, state;
};

// Samples of a function at one line.
struct part {
    uint32_t function, label, state, where; // numbers of texts, and members of a sample
    uint64_t n_self, n_total;
};

struct count {
    struct otter_functions *functions;
    struct {
        OTTER_VECTOR(struct hit);
    } hits;
    struct {
        OTTER_VECTOR(struct part);
    } parts;
    struct otter_frame_chain chain;
    uint32_t *order, n_ordered; // of each text: its place among the lines with samples
    bool is_short_of_memory;
};

// ---- parts

// Returns whether the function is further inside in the chain, too.
static bool is_repeated(const struct otter_frame_chain *chain, uint32_t frame)
{
    uint32_t i = 0;
    while (i < frame && chain->items[i].function != chain->items[frame].function) {
        i++;
    }
    return i < frame;
}

// Adds `n` equal samples to each function of their call chain.
static void add_parts(struct count *count, const struct hit *hit, uint64_t n)
{
    struct otter_frame_chain *chain = &count->chain;
    if (!otter_frames_chain(&count->functions->frames, hit->context, chain)) {
        count->is_short_of_memory = true;
        return;
    }
    uint32_t where = chain->items[0].where;
    if (where > 0 && count->order[where] == 0) {
        count->order[where] = ++count->n_ordered;
    }
    for (uint32_t i = 0; i < chain->n && !count->is_short_of_memory; i++) {
        struct part part = {.function = chain->items[i].function,
                            .label = hit->label,
                            .state = hit->state,
                            .where = i == 0 ? where : 0,
                            .n_self = i == 0 ? n : 0,
                            .n_total = n};
        if (!is_repeated(chain, i)) {
            count->is_short_of_memory |= !OTTER_VECTOR_ADD(&count->parts, part);
        }
    }
}

static int compare_hits(const void *a, const void *b)
{
    const struct hit *x = a, *y = b;
    return OTTER_BY_3(x, y, context, label, state);
}

static void add_hits(struct count *count)
{
    const struct otter_samples *samples = &count->functions->samples;
    for (uint32_t i = 0; i < samples->n && !count->is_short_of_memory; i++) {
        const struct otter_sample *sample = &samples->items[i];
        struct hit hit = {sample->context, sample->label, sample->state};
        count->is_short_of_memory |= !OTTER_VECTOR_ADD(&count->hits, hit);
    }
    OTTER_SORT(&count->hits, compare_hits);
    for (uint32_t i = 0, end; i < count->hits.n && !count->is_short_of_memory; i = end) {
        end = i + 1;
        while (end < count->hits.n &&
               compare_hits(&count->hits.items[i], &count->hits.items[end]) == 0) {
            end++;
        }
        add_parts(count, &count->hits.items[i], end - i);
    }
}

// ---- sums

static int compare_parts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    return OTTER_BY_4(x, y, function, label, state, where);
}

static int compare_uses(const void *a, const void *b)
{
    const struct otter_function_use *x = a, *y = b;
    int order = otter_order(OTTER_BY_2(y, x, n_self, n_total), strcmp(x->function, y->function));
    return otter_order(order, OTTER_BY_2(x, y, label, state));
}

// Adds the parts from `first` to before `end`, which have the same function, label and state. Of
// lines with equally many samples, the first in the order of calling contexts counts.
static void add_use(struct count *count, uint32_t first, uint32_t end)
{
    const struct part *parts = count->parts.items;
    struct otter_functions *functions = count->functions;
    struct otter_function_use use = {
        .function = otter_frames_text(&functions->frames, parts[first].function),
        .label = parts[first].label,
        .state = (enum otter_state)parts[first].state};
    uint64_t n_most = 0, n_here = 0;
    uint32_t most = 0;
    for (uint32_t i = first; i < end; i++) {
        uint32_t where = parts[i].where;
        n_here = i > first && where == parts[i - 1].where ? n_here : 0;
        n_here += parts[i].n_self;
        bool is_last = i + 1 == end || parts[i + 1].where != where;
        if (is_last &&
            (n_here > n_most || (n_here == n_most && count->order[where] < count->order[most]))) {
            n_most = n_here;
            most = where;
        }
        use.n_self += parts[i].n_self;
        use.n_total += parts[i].n_total;
    }
    use.where = otter_frames_text(&functions->frames, most);
    count->is_short_of_memory |= !OTTER_VECTOR_ADD(functions, use);
}

static void add_up(struct count *count)
{
    add_hits(count);
    OTTER_SORT(&count->parts, compare_parts);
    for (uint32_t i = 0, end; i < count->parts.n && !count->is_short_of_memory; i = end) {
        const struct part *first = &count->parts.items[i];
        end = i + 1;
        while (end < count->parts.n &&
               OTTER_BY_3(first, &count->parts.items[end], function, label, state) == 0) {
            end++;
        }
        add_use(count, i, end);
    }
    OTTER_SORT(count->functions, compare_uses);
}

// ---- all

void otter_sample_share(uint64_t n, uint64_t n_samples, double *low, double *high)
{
    const double z = 1.96;
    double all = (double)n_samples, share = all > 0 ? (double)n / all : 0;
    double middle = all > 0 ? (share + z * z / (2 * all)) / (1 + z * z / all) : 0;
    double half =
        all > 0 ? z * sqrt(share * (1 - share) / all + z * z / (4 * all * all)) / (1 + z * z / all)
                : 0;
    *low = middle - half > 0 ? middle - half : 0;
    *high = middle + half;
}

enum otter_status otter_functions_read(struct otter_functions *functions,
                                       const struct otter_analysis *analysis,
                                       const struct otter_labels *labels)
{
    *functions = (struct otter_functions){0};
    enum otter_status status = otter_samples_read(&functions->samples, analysis);
    OTTER_THEN(status, otter_frames_init(&functions->frames, analysis->definitions, labels));
    if (status) {
        return status;
    }
    struct count count = {.functions = functions,
                          .order = calloc(functions->frames.texts.n, sizeof *count.order)};
    count.is_short_of_memory = !count.order;
    add_up(&count);
    OTTER_FREE(count.hits.items, count.parts.items, count.chain.items, count.order);
    return count.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

void otter_functions_finish(struct otter_functions *functions)
{
    otter_frames_finish(&functions->frames);
    otter_samples_finish(&functions->samples);
    free(functions->items);
    *functions = (struct otter_functions){0};
}
