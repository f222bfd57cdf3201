// Texts that are kept as long as the process runs: others may still read one that is of no use any more. Not thread-safe.
#pragma once

#include <stdbool.h>

// A copy of `text`, the same one for equal texts, so that repetition costs nothing. NULL: out of memory.
const char *otter_text_keep(const char *text);

// Whether this is the first time that a message about `text` is told, since otter_texts_forget_told; true also when memory is short.
bool otter_text_is_news(const char *text);
void otter_texts_forget_told(void);
