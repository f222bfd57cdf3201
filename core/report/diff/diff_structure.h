// The task graph of an archive as `otter diff` compares it: hashes, and the first difference.
#pragma once

#include "report/diff/diff_run.h"

// Hashes the structure view, unfolded and folded. `labels` belong to the archive; each is hashed by
// its name in `names`. `reference` belongs to another archive with the same names, or is NULL: if
// both graphs are equal, this graph need not be folded. *Errors*: any from reading; *complaint has
// the message.
enum otter_status otter_diff_structure_read(struct otter_archive *archive,
                                            const struct otter_labels *labels,
                                            const struct otter_diff_labels *names,
                                            const struct otter_diff_structure *reference,
                                            struct otter_diff_structure *structure,
                                            struct otter_complaint *complaint);

enum { OTTER_DIFF_PLACE = 1024 };

// Writes a sentence that says where the folded graphs of two archives first differ; "" if they are
// equal. `ranks` has names for both, such as "rank 3"; NULL: "before" and "after". *Errors*: any
// from reading; *complaint has the message.
enum otter_status otter_diff_structure_place(const struct otter_diff_run *before,
                                             const struct otter_diff_run *after,
                                             const char *const *ranks, char text[OTTER_DIFF_PLACE],
                                             struct otter_complaint *complaint);
