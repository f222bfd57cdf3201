// Prints text in lines of limited width.
#include "report/form/wrap.h"

#include <string.h>

#include "base/text/print.h"
#include "base/text/visible.h"

static size_t columns_of(const char *text, const char *end)
{
    size_t n = 0;
    for (struct otter_visible visible; otter_visible_next(&text, end, &visible);) {
        n += visible.n_columns;
    }
    return n;
}

void otter_print_wrapped_at(FILE *out, int width, int indent, const char *text)
{
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " "), n = (int)columns_of(text, text + length);
        if (column == 0 || column + 1 + n > width) {
            otter_print(out, column ? "\n%*s" : "%*s", indent, "");
            column = indent;
        } else {
            otter_print(out, " ");
            column++;
        }
        otter_print(out, "%.*s", length, text);
        column += n;
        text += length + (text[length] == ' ');
    }
    otter_print(out, "\n");
}

void otter_print_wrapped(FILE *out, int indent, const char *text)
{
    otter_print_wrapped_at(out, 80, indent, text);
}
