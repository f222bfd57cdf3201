// Writes stacks of labels, and of functions below them if there are samples, one per line:
// "outer;inner;function 123", with executed time in microseconds.
#include <stdlib.h>
#include <string.h>

#include "base/text/visible.h"
#include "export/formats.h"
#include "graph/export/text.h"
#include "graph/numbers.h"
#include "view/table/calls.h"
#include "view/table/flame.h"

struct collapsed {
    const struct otter_conversion *conversion;
    struct otter_view_samples samples;
    struct otter_calls calls;
    struct otter_flame flame;
    uint64_t *stacks; // of executing samples, sorted: node of the flame << 32 | node of the calls
    uint32_t n_stacks, next_stack;
    uint64_t written; // microseconds of all lines so far
};

// A `;` separates labels and is shown as an escape in a label.
static void put_label(FILE *out, const char *text)
{
    char shown[OTTER_VISIBLE_MAX + 1];
    const char *end = text + strlen(text);
    for (struct otter_visible visible; otter_visible_next(&text, end, &visible);) {
        memcpy(shown, visible.bytes, visible.n_bytes);
        shown[visible.n_bytes] = '\0';
        otter_put(out, strcmp(shown, ";") == 0 ? "\\x3b" : shown);
    }
}

// Writes the labels from the outermost to the node's own.
static void put_path(const struct otter_conversion *conversion, const struct otter_flame *flame,
                     uint32_t node)
{
    char text[OTTER_LABEL_SIZE];
    if (conversion->file->has_ranks) {
        otter_put(conversion->out, "rank ");
        otter_put_number(conversion->out, (int64_t)conversion->rank);
        otter_put(conversion->out, ";");
    }
    for (uint32_t depth = flame->items[node].depth ? 1 : 0; depth <= flame->items[node].depth;
         depth++) {
        uint32_t at = otter_flame_above(flame, node, depth);
        otter_put(conversion->out, depth > 1 ? ";" : "");
        put_label(conversion->out, otter_conversion_name(conversion, flame->items[at].label,
                                                         OTTER_CATEGORY_EXECUTING, text));
    }
}

static void put_functions(const struct collapsed *collapsed, uint32_t call)
{
    const struct otter_calls *calls = &collapsed->calls;
    const uint32_t *path = call != OTTER_NONE ? otter_calls_path(calls, call) : NULL;
    for (uint32_t i = 0; path && i < calls->items[call].depth; i++) {
        const char *name = otter_calls_name(&collapsed->samples, calls->items[path[i]].function);
        otter_put(collapsed->conversion->out, ";");
        put_label(collapsed->conversion->out, name);
    }
}

// Puts the line of a path of labels, and of functions unless `call` is OTTER_NONE. `ticks`: the sum
// of all lines up to this one. Rounds this sum, so that the lines add up exactly.
static void put_line(struct collapsed *collapsed, uint32_t node, uint32_t call, uint64_t ticks)
{
    const struct otter_conversion *conversion = collapsed->conversion;
    uint64_t sum = (otter_view_ns(conversion->view, ticks) + 500) / 1000;
    if (sum > collapsed->written) {
        put_path(conversion, &collapsed->flame, node);
        put_functions(collapsed, call);
        otter_put(conversion->out, " ");
        otter_put_number(conversion->out, (int64_t)(sum - collapsed->written));
        otter_put(conversion->out, "\n");
    }
    collapsed->written = sum;
}

// Puts the lines of a path, whose functions share its time in proportion to their samples.
static void put_lines(struct collapsed *collapsed, uint32_t node, uint64_t before)
{
    const uint64_t *stacks = collapsed->stacks, self = collapsed->flame.items[node].self;
    uint32_t first = collapsed->next_stack, end = first;
    while (end < collapsed->n_stacks && stacks[end] >> 32 == node) {
        end++;
    }
    for (uint32_t i = first; i < end; i++) {
        bool is_last = i + 1 == end;
        if (is_last || stacks[i] != stacks[i + 1]) {
            double share = (double)(i + 1 - first) / (double)(end - first);
            uint64_t part = is_last ? self : (uint64_t)((double)self * share);
            put_line(collapsed, node, (uint32_t)stacks[i], before + part);
        }
    }
    if (first == end) {
        put_line(collapsed, node, OTTER_NONE, before + self);
    }
    collapsed->next_stack = end;
}

// Lists the stacks of all samples with a path.
static void list_stacks(struct collapsed *collapsed)
{
    const struct otter_samples *samples = &collapsed->samples.all;
    collapsed->stacks = malloc((samples->n + (size_t)1) * sizeof *collapsed->stacks);
    for (uint32_t i = 0; i < samples->n; i++) {
        uint64_t node = collapsed->flame.of_samples[i];
        if (node != OTTER_NONE) {
            collapsed->stacks[collapsed->n_stacks++] =
                node << 32 | otter_calls_node(&collapsed->calls, &samples->items[i]);
        }
    }
    otter_numbers_sort(collapsed->stacks, collapsed->n_stacks);
}

static void read_stacks(struct collapsed *collapsed)
{
    const struct otter_view *view = collapsed->conversion->view;
    struct otter_view_samples *samples = &collapsed->samples;
    if (collapsed->conversion->has_functions) {
        otter_view_samples_init(samples, view);
    }
    otter_calls_init(&collapsed->calls, samples, false, UINT32_MAX);
    otter_flame_init(&collapsed->flame, view, &samples->all);
    list_stacks(collapsed);
}

void otter_convert_to_collapsed(const struct otter_conversion *conversion)
{
    struct collapsed collapsed = {.conversion = conversion};
    uint64_t ticks = 0;
    read_stacks(&collapsed);
    for (uint32_t i = 0; i < collapsed.flame.n; i++) {
        put_lines(&collapsed, i, ticks);
        ticks += collapsed.flame.items[i].self;
    }
    free(collapsed.stacks);
    otter_flame_finish(&collapsed.flame);
    otter_calls_finish(&collapsed.calls);
    otter_view_samples_finish(&collapsed.samples);
}
