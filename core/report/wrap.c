#include "report/wrap.h"

#include <string.h>

void otter_print_wrapped(FILE *out, int indent, const char *text)
{
    enum { WIDTH = 100 };
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column == 0 || column + 1 + length > WIDTH) {
            fprintf(out, "%s%*s", column ? "\n" : "", indent, "");
            column = indent;
        } else {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", length, text);
        column += length;
        text += length + (text[length] == ' ');
    }
    fputc('\n', out);
}
