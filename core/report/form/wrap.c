// Prints text in lines of limited width.
#include "report/form/wrap.h"

#include <string.h>

#include "base/text/print.h"
#include "report/form/plain.h"

void otter_print_wrapped_at(FILE *out, int width, int indent, const char *text)
{
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        int n = (int)otter_plain_width_part(text, (size_t)length);
        if (column == 0 || column + 1 + n > width) {
            otter_print(out, column ? "\n%*s" : "%*s", indent, "");
            column = indent;
        } else {
            otter_print(out, " ");
            column++;
        }
        if (n > width - indent) {
            n = (int)otter_plain_print_part(out, text, (size_t)length, (size_t)(width - indent));
        } else {
            otter_print(out, "%.*s", length, text);
        }
        column += n;
        text += length + (text[length] == ' ');
    }
    otter_print(out, "\n");
}

void otter_print_wrapped(FILE *out, int indent, const char *text)
{
    otter_print_wrapped_at(out, 80, indent, text);
}
