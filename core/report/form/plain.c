// Prints text from an archive in a limited number of columns.
#include "report/form/plain.h"

#include <stdbool.h>
#include <string.h>

#include "base/text/print.h"
#include "base/text/visible.h"

size_t otter_plain_width_part(const char *text, size_t length)
{
    const char *end = text + length;
    size_t width = 0;
    for (struct otter_visible visible; otter_visible_next(&text, end, &visible);) {
        width += visible.n_columns;
    }
    return width;
}

size_t otter_plain_width(const char *text)
{
    return otter_plain_width_part(text, strlen(text));
}

size_t otter_plain_print(FILE *out, const char *text, size_t limit)
{
    return otter_plain_print_part(out, text, strlen(text), limit);
}

size_t otter_plain_print_part(FILE *out, const char *text, size_t length, size_t limit)
{
    const char *end = text + length;
    size_t total = otter_plain_width_part(text, length);
    bool is_cut = limit > 0 && total > limit;
    size_t head = is_cut ? (limit - 1) * 2 / 3 : total; // columns before the gap
    size_t tail = is_cut ? limit - 1 - head : 0;        // and after it
    size_t at = 0, used = 0;
    bool has_gap = false;
    for (struct otter_visible visible; otter_visible_next(&text, end, &visible);) {
        size_t width = visible.n_columns;
        if ((!has_gap && at + width <= head) || total - at <= tail) {
            fwrite(visible.bytes, 1, visible.n_bytes, out);
            used += width;
        } else if (!has_gap) {
            otter_print(out, "…");
            used++;
            has_gap = true;
        }
        at += width;
    }
    return used;
}
