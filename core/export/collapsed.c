// Writes stacks of labels, one per line: "outer;inner 123", with executed time in microseconds.
#include <stdlib.h>
#include <string.h>

#include "base/text/visible.h"
#include "export/formats.h"
#include "graph/export/text.h"
#include "view/table/flame.h"

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
        uint32_t at = node;
        while (flame->items[at].depth > depth) {
            at = flame->items[at].parent;
        }
        otter_put(conversion->out, depth > 1 ? ";" : "");
        put_label(conversion->out, otter_conversion_name(conversion, flame->items[at].label,
                                                         OTTER_CATEGORY_EXECUTING, text));
    }
}

// Rounds the running sum, so that the lines add up exactly.
enum otter_status otter_convert_to_collapsed(const struct otter_conversion *conversion)
{
    struct otter_flame flame;
    enum otter_status status = otter_flame_init(&flame, conversion->view);
    uint64_t ticks = 0, written = 0; // ticks of the lines so far; microseconds written
    for (uint32_t i = 0; !status && i < flame.n; i++) {
        ticks += flame.items[i].self;
        uint64_t sum = (otter_view_ns(conversion->view, ticks) + 500) / 1000;
        if (sum > written) {
            put_path(conversion, &flame, i);
            otter_put(conversion->out, " ");
            otter_put_number(conversion->out, (int64_t)(sum - written));
            otter_put(conversion->out, "\n");
        }
        written = sum;
    }
    free(flame.items);
    return status;
}
