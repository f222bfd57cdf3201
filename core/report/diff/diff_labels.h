// Matches labels of two archives even if lines have shifted or addresses have changed.
#pragma once

#include "base/status.h"
#include "graph/graph.h"
#include "graph/label.h"

struct otter_diff_label {
    char *text;     // "task fib.c:12"
    char *what;     // "task"
    char *function; // "fib", "" when unknown
    char *file;     // "fib.c", or the module without the address
    uint64_t place; // the line, otherwise the address
    bool has_line;  // `place` is a line
    uint64_t n;     // how often the label occurs in the graph; 0: unknown
    uint32_t
        around; // the label of the task that creates or encounters all instances, or OTTER_NONE
    const char *name; // the text of the matching label in the reference, otherwise `text`
    bool is_matched;  // of a reference: whether the last otter_diff_labels_match() found a partner
};

struct otter_diff_labels {
    OTTER_VECTOR(struct otter_diff_label); // sorted by text, each text once
};

// `labels`: of all regions of `definitions`. Leaves out code locations, which only samples have.
void otter_diff_labels_init(struct otter_diff_labels *list, const struct otter_labels *labels,
                            const struct otter_definitions *definitions);
void otter_diff_labels_finish(struct otter_diff_labels *list);

// Adds what the archive's fragments view knows about each label. `labels` are those passed to
// _init.
void otter_diff_labels_place(struct otter_diff_labels *list, const struct otter_labels *labels,
                             const struct otter_graph *graph);

// Sets the names of `list` to texts of `reference`, which must outlive it. Labels are matched by
//   1. construct, function and file: two labels that are each other's only best match. Labels match
//      better the more labels of the function have moved by the same number of lines, if they occur
//      equally often in the graph and in similar tasks, and if their order is the same. Then in the
//      order of lines, if both archives have equally many labels left; otherwise by equal text
//   2. construct and file, in the order of lines, if both archives have equally many of them
//   3. construct, likewise, in the order of lines or addresses, if one archive has no lines
void otter_diff_labels_match(struct otter_diff_labels *list, struct otter_diff_labels *reference);

// Adds labels whose names differ from their texts, unless `list` already has them; copies both
// texts.
void otter_diff_labels_add_moved(struct otter_diff_labels *list,
                                 const struct otter_diff_labels *other);

// Returns the name of the label with this text, or `text` if there is none.
const char *otter_diff_labels_name(const struct otter_diff_labels *list, const char *text);

// Returns the part of a previous label's text that differs from its name: "fib.c:10" for "task
// fib.c:10" that is now "task fib.c:12".
const char *otter_diff_label_was(const struct otter_diff_label *label);
