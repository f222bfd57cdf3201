// Functions that all callbacks of definitions need: strings, lists, failures.
#pragma once

#include "trace/read/state.h"

// Notes that memory has run out. *Returns* the result of the callback, which ends the reading.
OTF2_CallbackCode otter_reader_out_of_memory(struct otter_archive *archive);

// *Returns* the string with this number; "" if it is not defined.
const char *otter_reader_string(const struct otter_archive *archive, OTF2_StringRef id);

// Appends an item with the number `id` to `list`. *Returns* NULL if out of memory.
void *otter_reader_add(struct otter_list *list, struct otter_ids *ids, uint64_t id, size_t size);

// *Returns* the value of a property as text that the archive owns; NULL if out of memory.
const char *otter_reader_property_text(struct otter_archive *archive, OTF2_Type type,
                                       OTF2_AttributeValue value);
