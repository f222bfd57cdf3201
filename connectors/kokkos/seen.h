// The labels of regions and sections that match no entry of the settings `only` and `skip`. A
// warning about a misspelt entry lists them.
// *Thread*: any, even in a forked child, since no function waits.
#pragma once

#include <stdint.h>

// Stores a label unless it is already stored or the table is full.
void seen_add(const char *label);

// Prints a warning for each entry of `list`, the value of `setting`, whose bit is not in `matched`;
// the first entry has bit 1. The warning lists the stored labels, the most similar one first.
void seen_warn(const char *setting, const char *list, uint64_t matched);
