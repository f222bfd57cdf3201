// All tables of an archive as a folder of Parquet files: tasks/rank=0/part-0.parquet, ...
#pragma once

#include "export/tables.h"

// Adds the files of one rank to the folder. Returns OTTER_OK, OTTER_NO_MEMORY, or the status of
// *error, the errno of the first write that failed.
enum otter_status otter_parquet_write(const struct otter_conversion *conversion, const char *folder,
                                      int *error);

// Returns whether a folder has only files of these names, so that an export may replace it.
bool otter_parquet_is_export(const char *path);
