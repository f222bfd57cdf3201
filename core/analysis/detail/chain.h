// A critical path as a chain of steps, in order of time.
#pragma once

#include "analysis/analysis.h"

enum otter_chain_path { OTTER_CHAIN_REALISED = 0, OTTER_CHAIN_SPAN };

enum otter_chain_reason {
    OTTER_CHAIN_EXECUTED = 0,
    OTTER_CHAIN_MPI,       // the thread was in the MPI call that the label names
    OTTER_CHAIN_LOCK,      // the thread waited for a lock
    OTTER_CHAIN_PREEMPTED, // the thread could execute the label, but was not on a processor
    OTTER_CHAIN_LATENCY,   // the label was ready, and its thread was idle
    OTTER_CHAIN_DISPATCH,  // the thread of the label was busy until then
    OTTER_CHAIN_OTHER,     // before the first or after the last piece; forks and joins
    OTTER_N_CHAIN_REASONS
};

// Consecutive steps with the same label, and all repetitions of these steps.
struct otter_chain_link {
    uint64_t begin[OTTER_N_CHAIN_REASONS]; // of the first step, if there is one
    uint64_t ticks[OTTER_N_CHAIN_REASONS];
    uint64_t n[OTTER_N_CHAIN_REASONS]; // steps
    uint32_t label;                    // OTTER_NONE: none
    uint32_t location;                 // of the first step; OTTER_NONE: none
    bool has_others;                   // other steps are on other threads
};

struct otter_chain {
    struct {
        OTTER_VECTOR(struct otter_chain_link);
    } links; // sorted by the start of each first step
};

// `is_folded`: consecutive steps with one label become one link, and a repeating sequence of labels
// appears only once. The ticks of all links add up to the wall time, or to the span.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_chain_init(struct otter_chain *chain, const struct otter_analysis *analysis,
                                   enum otter_chain_path path, bool is_folded);
// Appends links for the steps of a realised path or of a part of it, in order of time. `is_folded`:
// consecutive steps with one label become one link. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_chain_add_steps(struct otter_chain *chain,
                                        const struct otter_analysis *analysis,
                                        const struct otter_realised *realised, bool is_folded);
// Folds each repeating sequence of labels into one.
void otter_chain_fold(struct otter_chain *chain);
void otter_chain_finish(struct otter_chain *chain);

// Returns the ticks in which a thread is in the label.
static inline uint64_t otter_chain_link_ticks(const struct otter_chain_link *link)
{
    return link->ticks[OTTER_CHAIN_EXECUTED] + link->ticks[OTTER_CHAIN_MPI] +
           link->ticks[OTTER_CHAIN_LOCK] + link->ticks[OTTER_CHAIN_PREEMPTED] +
           link->ticks[OTTER_CHAIN_OTHER];
}

// Returns "executed", "lock", ...; never NULL.
const char *otter_chain_reason_name(enum otter_chain_reason reason);
