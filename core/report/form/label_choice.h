// Labels that a user names: finds regions with such a label, and lists the known labels if none
// has.
#pragma once

#include "base/vector.h"
#include "report/form/analysis.h"

// Returns whether `text` names the region: its description, its place, or both, with or without a
// note. A text without a note names all regions with this text. "(no label)" also names all code
// between MPI calls.
bool otter_report_is_label(const struct otter_report *report, uint32_t region, const char *text);

// Distinct names. All bytes zero: no names.
struct otter_known_labels {
    OTTER_VECTOR(char *);          // in the order in which they were added
    struct otter_strings *strings; // the same texts
};

// Adds a name unless it is known.
void otter_known_labels_add(struct otter_known_labels *known, const char *name);
// Prints an error that no `kind` has the name `wanted` in `where`, and lists the known names, the
// most similar first. `options`: which tables list more of them. Sorts the names.
void otter_known_labels_complain(struct otter_known_labels *known, const char *kind,
                                 const char *wanted, const char *where, const char *options);
void otter_known_labels_finish(struct otter_known_labels *known);

// The label to which a table is narrowed.
struct otter_label_choice {
    const char *text; // as typed; NULL: all labels
    bool is_found;
    struct otter_known_labels known; // other labels of the table
};

// Returns whether a row belongs to the table: a region that is executed, or a row with another
// text, `state`, in place of a label. `state`: NULL for a region. `choice` may be NULL.
bool otter_label_choice_has(struct otter_label_choice *choice, const struct otter_report *report,
                            uint32_t region, const char *state);
// Returns OTTER_OK, or OTTER_NOT_FOUND after an error if the table has rows but none was chosen.
// Then frees the known labels.
enum otter_status otter_label_choice_end(struct otter_label_choice *choice, const char *option);
