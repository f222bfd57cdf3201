// The formats of `otter export`, each in a file of its own.
#pragma once

#include "export/parts.h"

struct otter_packets;

otter_conversion_function otter_convert_to_chrome, otter_convert_to_perfetto,
    otter_convert_to_collapsed, otter_convert_to_speedscope, otter_convert_to_csv,
    otter_convert_to_json;
otter_conversion_end otter_end_chrome, otter_end_speedscope, otter_end_json;

// Puts packets with all functions and call chains, then a packet for each sample.
void otter_perfetto_put_samples(const struct otter_conversion *conversion,
                                struct otter_packets *packets);

// ---- a folder with all tables: tasks/rank=0/part-0.parquet, ...

// Adds the files of one rank to the folder. *Errors*: the errno of the first write that failed.
int otter_parquet_write(const struct otter_conversion *conversion, const char *folder);

// Returns whether a folder has only files of these names, so that an export may replace it.
bool otter_parquet_is_export(const char *path);
