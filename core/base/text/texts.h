// Texts that stay valid for the life of the process, since a thread may still read an old value.
// Thread: one at a time.
#pragma once

#include <stdbool.h>

// Returns a copy of `text`, the same copy for equal texts; NULL: out of memory.
const char *otter_text_store(const char *text);

// Returns whether this is the first call for `text` since otter_texts_forget_reported. Returns true
// as well if out of memory.
bool otter_text_is_new(const char *text);
void otter_texts_forget_reported(void);
