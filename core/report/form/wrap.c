// Prints text in lines of limited width.
#include "report/form/wrap.h"

#include <string.h>

#include "base/text/print.h"

void otter_print_wrapped_at(FILE *out, int width, int indent, const char *text)
{
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column == 0 || column + 1 + length > width) {
            otter_print(out, column ? "\n%*s" : "%*s", indent, "");
            column = indent;
        } else {
            otter_print(out, " ");
            column++;
        }
        otter_print(out, "%.*s", length, text);
        column += length;
        text += length + (text[length] == ' ');
    }
    otter_print(out, "\n");
}

void otter_print_wrapped(FILE *out, int indent, const char *text)
{
    otter_print_wrapped_at(out, 80, indent, text);
}
