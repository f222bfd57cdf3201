// The limits of a program: its lost time by cause and place, and what to change.
#pragma once

#include "analysis/analysis.h"
#include "analysis/sample/counts.h"
#include "analysis/detail/frequent_address.h"
#include "analysis/findings/finding.h"

// A cost above its upper bound: a defect of the analysis.
struct otter_excess {
    enum otter_finding_kind kind;
    uint32_t label;    // the place; OTTER_NONE: all places of the kind
    double cost, most; // ticks of threads
};

struct otter_findings {
    OTTER_VECTOR(struct otter_finding); // the most costly first; noise and kinds without cost last
    struct otter_frequent_address address; // of the finding ORDER
    struct otter_lock_wait *lock_waits;    // by label; of the finding LOCK
    struct otter_losses losses;            // all causes and places, including small ones
    struct otter_counts counts;
    // Ticks: all thread time except useful execution, pauses and lost events. All findings and
    // `unexplained` add up to at most `lost`; small causes make up the rest.
    uint64_t lost, unexplained;
    bool has_excess; // a cause exceeded its bound; the excess counts as unexplained
    struct otter_excess excess;
};

enum { OTTER_FINDING_PERCENT = 2 }; // a finding costs at least this share of all thread-seconds

// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_findings_init(struct otter_findings *findings,
                                      const struct otter_analysis *analysis);
void otter_findings_finish(struct otter_findings *findings);

// Returns the ticks that a task with this label costs in the runtime: creation, start, and
// contention with threads that look for tasks.
uint64_t otter_task_cost(const struct otter_analysis *analysis, const struct otter_task_use *use);
// Returns this cost for the tasks of the construct at `region`; 0 if it has no tasks.
uint64_t otter_task_cost_of(const struct otter_analysis *analysis, uint32_t region);

// Serial code with a larger blocked share mostly sleeps, so more threads do not make it shorter.
static const double OTTER_MOSTLY_BLOCKED = 0.5;

// Returns the share of the label's execution in which its threads sleep or wait in the kernel.
double otter_findings_blocked_share(const struct otter_findings *findings,
                                    const struct otter_analysis *analysis, uint32_t region);

// Returns the number of threads that keep all processors busy, at most the threads of the run. A
// thread that blocks for a part of its execution needs a processor only for the rest.
uint32_t otter_enough_threads(const struct otter_account *account);
// Returns the mean number of members of the teams that execute a label.
double otter_team_size(const struct otter_analysis *analysis, uint32_t label);
// Returns the ticks in which threads execute the label between a failed test of a lock and the next
// test at the same place.
double otter_between_tests(const struct otter_analysis *analysis, uint32_t label);
// Returns the number of iterations that chunks of a loop with small chunks should have.
double otter_enough_iterations(const struct otter_analysis *analysis,
                               const struct otter_finding *finding);
