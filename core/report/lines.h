// Source lines: from the code addresses in an archive to functions and lines of the files that ran.
#pragma once

#include "graph/label.h"
#include "trace/read/reader.h"

// Gives the labels of regions at a code address their function, file and line, and "fib.c:12" as their place. What cannot be known is
// left as it is: the file of code is gone, was built anew (said once, on stderr) or has no debug information; the address is one
// in the OpenMP runtime. Where the address is that of another construct, there is no place at all. OTTER_NO_MEMORY.
enum otter_status otter_lines_resolve(const struct otter_archive *archive,
                                      struct otter_labels *labels);
