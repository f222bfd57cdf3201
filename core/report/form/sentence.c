// Writes a text piece by piece.
#include "report/form/sentence.h"

#include <stdarg.h>
#include <stdio.h>

void otter_sentence_add(struct otter_sentence *sentence, const char *format, ...)
{
    size_t room = sentence->size - sentence->used;
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(sentence->text + sentence->used, room, format, arguments);
    va_end(arguments);
    if (n > 0) {
        sentence->used += (size_t)n < room ? (size_t)n : room - 1;
    }
}
