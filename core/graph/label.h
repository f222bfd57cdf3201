// What a person calls a region: "task fib.c:12".
//
// One label for each region of an archive. They are made from the definitions; the `otter` command then puts source lines in
// (report/lines.h), which a traced program cannot do at its end.
#pragma once

#include "base/status.h"
#include "base/vector.h"
#include "trace/read/reader.h"

struct otter_label {
    const char *what;     // "task", "parallel", "taskwait"; of Kokkos: the person's own label
    const char *where;    // "fib.c:12", "app+0x1234", "" when unknown
    const char *function; // "fib", "" when unknown
    const char *file;     // "/src/fib.c", "" when unknown
    uint32_t line;        // 0: unknown
};

struct otter_labels {
    struct otter_label *regions; // as many as the definitions have
    size_t n_regions;
    struct {
        OTTER_VECTOR(char *);
    } texts; // that are the labels' own
};

// All strings live until finish; the archive must stay open. OTTER_NO_MEMORY.
enum otter_status otter_labels_init(struct otter_labels *labels,
                                    const struct otter_definitions *definitions);
void otter_labels_finish(struct otter_labels *labels);

// What the barrier is called that is implied where a region ends (OTTER_NODE_IMPLIED), as one that is recorded.
#define OTTER_IMPLIED_BARRIER "implicit barrier"

// Of a region index, which may be OTTER_NONE.
const struct otter_label *otter_label_of(const struct otter_labels *labels, uint32_t region);

// `where`, or "" if `what` names a line of that file itself: Kokkos calls a kernel without a label
// "lambda fib.cpp:12:3".
const char *otter_label_place(const struct otter_label *label);

// `function`, or "" if `where` names the function, as for code of Kokkos.
const char *otter_label_function(const struct otter_label *label);

// "task fib.c:12": what and its place. Returns `text`.
char *otter_label_text(const struct otter_label *label, char *text, size_t size);

// Gives labels of Kokkos that differ in nothing but numbers one text, with '#' for each: "step 1", "step 2" are "step #". What is a label
// of its own keeps it. *is_changed says whether there were any. OTTER_NO_MEMORY.
enum otter_status otter_labels_merge_numbers(struct otter_labels *labels,
                                             const struct otter_definitions *definitions,
                                             bool *is_changed);

// Keeps a copy of `text` as long as the labels live; NULL when memory is short.
const char *otter_labels_keep(struct otter_labels *labels, const char *text);
