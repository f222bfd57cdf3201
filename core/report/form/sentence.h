// A text that grows at its end and is cut at the end of its array.
#pragma once

#include <stddef.h>

struct otter_sentence {
    char *text; // belongs to the caller
    size_t size;
    size_t used; // bytes, without the 0 at the end
};

// Appends to the text.
void otter_sentence_add(struct otter_sentence *sentence, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
