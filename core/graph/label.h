// Labels of regions: "task fib.c:12".
//
// Each region of an archive has a label, which is made from its definition. The `otter` command
// then adds source lines (source/lines.h). A traced program cannot add them at its end.
#pragma once

#include "base/status.h"
#include "base/vector.h"
#include "trace/read/reader.h"

struct otter_label {
    const char *what;     // "task", "parallel", "taskwait"; for Kokkos, the user's own label
    const char *where;    // "fib.c:12", "app+0x1234", "" when unknown
    const char *function; // "fib", "" when unknown
    const char *file;     // "/src/fib.c", "" when unknown
    uint32_t line;        // 0: unknown
    const char *note;     // "untied", if another region has the same text; otherwise NULL
};

struct otter_labels {
    struct otter_label *regions; // indexes as in the definitions
    size_t n_regions;
    struct {
        OTTER_VECTOR(struct otter_label);
    } others; // labels of code between MPI calls; their indexes begin at n_regions
    struct {
        OTTER_VECTOR(char *);
    } texts; // texts owned by the labels
};

// Makes the labels of all regions. Strings live until finish; the archive must stay open.
// Errors: OTTER_NO_MEMORY.
enum otter_status otter_labels_init(struct otter_labels *labels,
                                    const struct otter_definitions *definitions);
void otter_labels_finish(struct otter_labels *labels);

// Makes labels without definitions: each is "unknown" until it is set to a copy of another.
// Errors: OTTER_NO_MEMORY.
enum otter_status otter_labels_init_unknown(struct otter_labels *labels, size_t n_regions);
enum otter_status otter_labels_set(struct otter_labels *labels, uint32_t region,
                                   const struct otter_label *label);

// Adds a label with the next index after those of the regions. Copies the texts.
// Errors: OTTER_NO_MEMORY.
enum otter_status otter_labels_add(struct otter_labels *labels, const char *what,
                                   const char *where);

// Text for something without a label, such as a Kokkos kernel whose label is empty.
#define OTTER_NO_LABEL "(no label)"

// Returns the name of the construct as OpenMP has it: "!$omp critical region" for the region that
// OTF2 calls "!$omp critical sblock". For all others, returns the canonical name.
const char *otter_region_words(const struct otter_region *region);

// The name of a barrier that is implied at the end of a region (OTTER_NODE_IMPLIED).
#define OTTER_IMPLIED_BARRIER "implicit barrier"

// Returns whether the index has a label.
static inline bool otter_label_is_known(const struct otter_labels *labels, uint32_t index)
{
    return index < labels->n_regions + labels->others.n;
}

// Returns the label of a region; "unknown" for OTTER_NONE and other invalid indexes.
const struct otter_label *otter_label_of(const struct otter_labels *labels, uint32_t region);

// Returns `where`, or "" if `what` names a line of the same file: Kokkos calls a kernel without a
// label "lambda fib.cpp:12:3".
const char *otter_label_place(const struct otter_label *label);

// Returns `function`, or "" if `where` already names the function, as for code of Kokkos.
const char *otter_label_function(const struct otter_label *label);

// Writes "task fib.c:12", `what` and its place, into `text`, which has `size` bytes. Returns
// `text`.
char *otter_label_text(const struct otter_label *label, char *text, size_t size);

// Merges Kokkos labels that differ only in numbers: "step 1" and "step 2" become "step #". A label
// that equals no other without numbers is unchanged. Sets *is_changed to whether any label changed.
// Errors: OTTER_NO_MEMORY.
enum otter_status otter_labels_merge_numbers(struct otter_labels *labels,
                                             const struct otter_definitions *definitions,
                                             bool *is_changed);

// Returns a copy of `text` that lives as long as the labels; NULL if out of memory.
const char *otter_labels_copy(struct otter_labels *labels, const char *text);
