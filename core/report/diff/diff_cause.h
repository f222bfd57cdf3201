// The cause of a change: the part of the thread time that changed most.
#pragma once

#include "report/diff/diff.h"

// A part of the thread time: executed time of a label, or time lost to one cause at one place. If
// each side has labels that the other lacks, all of them count as one part, since an edit may have
// replaced one label by another.
struct otter_diff_cause {
    const struct otter_diff_row *row; // of the table; NULL: no part has a tenth of the change
    bool is_executed;                 // of the table "labels", otherwise of "causes"
    // `row` is the largest of several rows whose labels only one side has
    bool is_one_sided;
    // `row` is the largest of several labels whose work is inflated
    bool is_inflation;
    double change; // seconds of threads, like `total`
    double total;  // the change of the whole thread time
};

// Finds the largest change in the same direction as the thread time. Ignores changes that are
// noise, and the finding "noise", which other processes cause.
struct otter_diff_cause otter_diff_find_cause(const struct otter_diff *diff);

// Returns whether AFTER executes the label for longer, though as often and in the same program.
bool otter_diff_is_inflated(const struct otter_diff *diff, const struct otter_diff_row *label);

// Returns how many bytes of a row's text in the table "causes" are the kind: 4 in "lock: lock
// a.c:7".
size_t otter_diff_kind_length(const char *text);
// Returns the label in such a text, "" if the cause has no place.
const char *otter_diff_place_of(const char *text);

// Writes ", mostly because lock at lock a.c:7 costs 3.00 ms more", or "" without a cause. For jobs,
// the cause is the part of the critical path across ranks that changed most.
void otter_diff_write_cause(const struct otter_diff *diff, char *text, size_t size);
