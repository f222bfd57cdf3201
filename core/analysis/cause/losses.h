// A ledger of lost time: each tick in which a thread does not execute has one cause at one place.
//
// README.md has the list of causes. Causes are the kinds of findings.
#pragma once

#include "analysis/cause/finding_kind.h"
#include "base/status.h"

struct otter_losses {
    double *ticks;     // ticks of threads: a row of n_labels places for each kind
    uint64_t *n;       // number of intervals added, in the same layout
    uint32_t n_labels; // as in account.h: all labels, and one place for ticks without a label
};

// *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_losses_init(struct otter_losses *losses, uint32_t n_labels);
void otter_losses_finish(struct otter_losses *losses);

// `label`: an index of a region, or any larger number for no place.
void otter_losses_add(struct otter_losses *losses, enum otter_finding_kind kind, uint32_t label,
                      double ticks);

// Returns the ticks of one cause at one place.
double otter_losses_at(const struct otter_losses *losses, enum otter_finding_kind kind,
                       uint32_t label);

// Moves `ticks`, or as many as there are, to another cause or place. Returns how many it moved.
double otter_losses_move(struct otter_losses *losses, enum otter_finding_kind from,
                         uint32_t from_label, enum otter_finding_kind to, uint32_t to_label,
                         double ticks);

// Returns the ticks of one cause at all places.
double otter_losses_of(const struct otter_losses *losses, enum otter_finding_kind kind);
