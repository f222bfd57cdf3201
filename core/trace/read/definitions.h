// Reads the definitions of an archive.
#pragma once

#include "trace/read/state.h"

// Opens the file of definitions. Returns NULL if OTF2 fails.
OTF2_GlobalDefReader *otter_reader_open_definitions(const struct otter_archive *archive);

// *Errors*: OTTER_BAD_ARCHIVE: the definitions are damaged; OTTER_NO_MEMORY.
enum otter_status otter_reader_read_definitions(struct otter_archive *archive,
                                                struct otter_complaint *complaint);
// Makes all definitions accessible in archive->definitions.
void otter_reader_publish(struct otter_archive *archive);
void otter_reader_free_definitions(struct otter_archive *archive);
