// Counts the samples of each function by label.
#include "analysis/sample/functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/order.h"

// The content of a sample, without its thread and time.
struct hit {
    uint32_t context, label, state;
    bool is_on_path;
};

// Samples of a function at one line.
struct part {
    uint32_t function, label, state, where; // numbers of texts, and members of a sample
    uint64_t n_self, n_total, n_path;
};

struct count {
    const struct otter_analysis *analysis;
    struct otter_functions *functions;
    struct {
        OTTER_VECTOR(struct hit);
    } hits;
    struct {
        OTTER_VECTOR(struct part);
    } parts;
    struct otter_frame_chain chain;
    uint32_t *order, n_ordered;     // of each text: its place among the lines with samples
    uint64_t *on_path;              // of each text, as a function: samples on the realised path
    uint32_t *last_chain, n_chains; // of each text, as a function: the last chain that has it
    bool is_short_of_memory;
};

// ---- parts

// Returns whether the function also occurs further inside the current chain.
static bool is_repeated(struct count *count, uint32_t function)
{
    bool is_repeated = count->last_chain[function] == count->n_chains;
    count->last_chain[function] = count->n_chains;
    return is_repeated;
}

// Adds `n` equal samples to each function of their call chain; `n_path` are on the realised path.
static void add_parts(struct count *count, const struct hit *hit, uint64_t n, uint64_t n_path)
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
    count->n_chains++;
    for (uint32_t i = 0; i < chain->n && !count->is_short_of_memory; i++) {
        struct part part = {.function = chain->items[i].function,
                            .label = hit->label,
                            .state = hit->state,
                            .where = i == 0 ? where : 0,
                            .n_self = i == 0 ? n : 0,
                            .n_total = n,
                            .n_path = i == 0 ? n_path : 0};
        if (!is_repeated(count, part.function)) {
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
        struct hit hit = {sample->context, sample->label, sample->state,
                          otter_sample_is_on_path(count->analysis, sample)};
        count->is_short_of_memory |= !OTTER_VECTOR_ADD(&count->hits, hit);
    }
    OTTER_SORT(&count->hits, compare_hits);
    for (uint32_t i = 0, end; i < count->hits.n && !count->is_short_of_memory; i = end) {
        uint64_t n_path = 0;
        for (end = i; end < count->hits.n &&
                      compare_hits(&count->hits.items[i], &count->hits.items[end]) == 0;
             end++) {
            n_path += count->hits.items[end].is_on_path;
        }
        add_parts(count, &count->hits.items[i], end - i, n_path);
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
    order = otter_order(order, OTTER_BY_2(x, y, label, state));
    return otter_order(order, strcmp(x->where, y->where));
}

static void add_part(struct part *sum, const struct part *part)
{
    sum->n_self += part->n_self;
    sum->n_total += part->n_total;
    sum->n_path += part->n_path;
}

// Adds up the parts with the same function, label, state and line.
static void join_parts(struct count *count)
{
    struct part *parts = count->parts.items;
    uint32_t n = 0;
    OTTER_SORT(&count->parts, compare_parts);
    for (uint32_t i = 0; i < count->parts.n; i++) {
        if (n > 0 && compare_parts(&parts[n - 1], &parts[i]) == 0) {
            add_part(&parts[n - 1], &parts[i]);
        } else {
            parts[n++] = parts[i];
        }
    }
    count->parts.n = n;
}

static void add_use(struct count *count, struct otter_function_uses *uses, const struct part *part)
{
    const struct otter_frames *frames = &count->functions->frames;
    struct otter_function_use use = {.function = otter_frames_text(frames, part->function),
                                     .where = otter_frames_text(frames, part->where),
                                     .label = part->label,
                                     .state = (enum otter_state)part->state,
                                     .n_self = part->n_self,
                                     .n_total = part->n_total,
                                     .n_path = part->n_path};
    count->is_short_of_memory |= !OTTER_VECTOR_ADD(uses, use);
}

// If lines have equally many samples, the first in the order of calling contexts is the hottest.
static bool is_hotter(const struct count *count, const struct part *part, const struct part *than)
{
    return part->n_self > than->n_self ||
           (part->n_self == than->n_self && count->order[part->where] < count->order[than->where]);
}

// Adds the lines of a function with one label and state, and the function itself. `first` is its
// first part. Returns the index after its last part.
static uint32_t add_function(struct count *count, uint32_t first)
{
    const struct part *parts = count->parts.items, *hottest = &parts[first];
    struct part sum = {.function = parts[first].function,
                       .label = parts[first].label,
                       .state = parts[first].state};
    uint32_t i = first;
    for (; i < count->parts.n && OTTER_BY_3(&sum, &parts[i], function, label, state) == 0; i++) {
        struct part line = parts[i];
        add_part(&sum, &line);
        hottest = is_hotter(count, &parts[i], hottest) ? &parts[i] : hottest;
        line.n_total = line.n_self;
        if (line.n_self > 0) {
            add_use(count, &count->functions->lines, &line);
        }
    }
    sum.where = hottest->where;
    add_use(count, &count->functions->uses, &sum);
    count->on_path[sum.function] += sum.n_path;
    return i;
}

static void find_functions_on_path(struct count *count)
{
    struct otter_functions *functions = count->functions;
    while (functions->n_on_path < OTTER_PATH_FUNCTIONS) {
        uint32_t most = 0;
        for (uint32_t i = 1; i < functions->frames.texts.n; i++) {
            most = count->on_path[i] > count->on_path[most] ? i : most;
        }
        if (count->on_path[most] == 0) {
            return;
        }
        functions->on_path[functions->n_on_path++] = (struct otter_path_function){
            otter_frames_text(&functions->frames, most), count->on_path[most]};
        count->on_path[most] = 0;
    }
}

static void add_up(struct count *count)
{
    add_hits(count);
    join_parts(count);
    for (uint32_t i = 0; i < count->parts.n && !count->is_short_of_memory;) {
        i = add_function(count, i);
    }
    OTTER_SORT(&count->functions->uses, compare_uses);
    OTTER_SORT(&count->functions->lines, compare_uses);
    if (!count->is_short_of_memory) {
        find_functions_on_path(count);
    }
}

// ---- all

const struct otter_function_use *otter_functions_hottest(const struct otter_functions *functions,
                                                         uint32_t label, uint64_t *n_samples)
{
    const char *recorder = otter_frames_text(&functions->frames, functions->frames.recording);
    const struct otter_function_use *hottest = NULL;
    *n_samples = 0;
    for (uint32_t i = 0; i < functions->lines.n; i++) {
        const struct otter_function_use *line = &functions->lines.items[i];
        if (line->state == OTTER_STATE_EXECUTING && line->label == label) {
            bool is_recorder = functions->frames.recording > 0 && line->function == recorder;
            if (!hottest && !is_recorder) {
                hottest = line;
            }
            *n_samples += line->n_self;
        }
    }
    return hottest;
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
    size_t n = functions->frames.texts.n;
    struct count count = {.analysis = analysis,
                          .functions = functions,
                          .order = calloc(n, sizeof *count.order),
                          .on_path = calloc(n, sizeof *count.on_path),
                          .last_chain = calloc(n, sizeof *count.last_chain)};
    count.is_short_of_memory = !count.order || !count.on_path || !count.last_chain;
    add_up(&count);
    OTTER_FREE(count.hits.items, count.parts.items, count.chain.items, count.order, count.on_path,
               count.last_chain);
    return count.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

void otter_functions_finish(struct otter_functions *functions)
{
    otter_frames_finish(&functions->frames);
    otter_samples_finish(&functions->samples);
    OTTER_FREE(functions->uses.items, functions->lines.items);
    *functions = (struct otter_functions){0};
}
