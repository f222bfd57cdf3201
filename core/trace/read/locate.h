// Finds the files of an archive.
#pragma once

#include "trace/read/state.h"

// Sets folder and anchor. `path`: a folder or an .otf2 file.
// *Errors*: OTTER_NOT_FOUND; OTTER_BAD_ARCHIVE: no archive, or a recording; otherwise from errno.
enum otter_status otter_reader_set_paths(struct otter_archive *archive, const char *path,
                                         struct otter_complaint *complaint);

// Returns the length of "<folder>/traces" in "<folder>/traces.otf2". The names of all files of an
// archive begin with this stem.
int otter_reader_stem_length(const char *anchor);
