// The findings of a job: its ranks' findings, once for each construct, and the waits between ranks.
//
// Each loss is in exactly one finding. Findings of ranks on MPI exclude the waits for other ranks.
#pragma once

#include "analysis/job/job.h"
#include "report/form/analysis.h"

enum { OTTER_JOB_FINDING_TEXT = 900, OTTER_RANKS_TEXT = 160 };

// A finding in one rank.
struct otter_job_share {
    uint32_t rank; // index in the job
    uint64_t cost; // ticks of threads
};

struct otter_job_finding {
    const char *kind;           // "small tasks", "late senders"
    enum otter_finding_kind of; // OTTER_N_FINDINGS: between ranks
    enum otter_wait_cause
        cause; // of a finding between ranks: why they wait; OTTER_CAUSE_NONE: any other finding
    bool is_imbalance;
    char *what, *where; // "task", "fib.c:12"; "ranks 2-3"; NULL: no place
    char *text;         // evidence and advice from the worst rank
    uint64_t n;         // bytes of a high-water mark, which costs no time
    struct {
        OTTER_VECTOR(struct otter_job_share);
    } ranks;        // in the order in which they were added
    uint32_t worst; // index in `ranks`
    uint64_t cost;  // ticks of the threads of all ranks
    bool has_gain;  // `gain` and `at_most` are known
    // ticks by which the job is shorter without the finding, if its cost is spread evenly over the
    // run
    uint64_t gain;
    uint64_t at_most; // the same, even if the cost is not spread evenly
};

// A rank's thread time, as needed for the waits between ranks. All in ticks of threads.
struct otter_job_load {
    uint64_t total, work;
    double efficiency;               // as in struct otter_efficiency
    uint64_t outside_mpi;            // ticks outside of MPI, without pauses and lost time
    uint64_t mpi;                    // ticks in MPI, including other threads that idle then
    uint64_t waited[OTTER_N_CAUSES]; // parts of `mpi`, without MPI_Init and MPI_Finalize
    uint64_t waited_at_end;          // in MPI_Finalize
    uint32_t n_threads;
    // has MPI calls; without recorded calls, the rank may still use MPI
    bool has_calls;
    double threads;                        // how many threads wait during an MPI call
    char function[40];                     // MPI function with the longest time, or ""
    uint64_t doubted[OTTER_N_WAIT_DOUBTS]; // parts of `mpi` whose waits are unknown
    uint64_t not_recorded; // parts of `mpi`, in functions whose operations are not recorded
    char unrecorded[40];   // the function of these with the longest time, or ""
    char host[64];         // the host's name; long names are cut
    char *processors;      // processors on which the rank may run, "0-3,8"; NULL: unknown
    uint64_t waiting; // outside of MPI: least time in which the rank was ready but had no processor
    uint64_t asleep;  // outside of MPI: it was neither ready nor on a processor
    bool is_busiest;  // others wait for this rank: rank imbalance
    bool is_cause[OTTER_N_CAUSES]; // this rank delays others: late senders and the like
};

struct otter_job_findings {
    // after otter_job_findings_end: the most costly first, MPI job last
    OTTER_VECTOR(struct otter_job_finding);
    struct {
        OTTER_VECTOR(struct otter_job_load);
    } loads;        // of each rank of the job
    uint64_t total; // ticks of the threads of all ranks
    uint64_t wall;  // ticks, from the first to the last event of all ranks
    double tick;    // seconds
};

// Adds the findings of the rank last added to `job`. All zero: no findings. Memory: only for the
// findings.
void otter_job_findings_add(struct otter_job_findings *findings, const struct otter_job *job,
                            const struct otter_report *report);
// Finds the waits between ranks, all costs, and the order. A finding costs at least
// OTTER_FINDING_PERCENT of the thread time of all ranks, or shortens the job by at least that
// share. `job` has ended.
void otter_job_findings_end(struct otter_job_findings *findings, const struct otter_job *job);
void otter_job_findings_finish(struct otter_job_findings *findings);

// The job as one run. The efficiency covers all threads; the speed-up is work divided by wall time.
struct otter_job_numbers {
    uint64_t n_threads;
    double wall_s, work_s, speed_up, efficiency;
};

// Call after otter_job_findings_end.
struct otter_job_numbers otter_job_numbers_of(const struct otter_job_findings *findings);

// A part of otter_job_findings_end: adds the waits between ranks, and removes them from the
// findings on MPI.
void otter_job_findings_add_waits(struct otter_job_findings *findings, const struct otter_job *job);

// A part of otter_job_findings_end: adds the time in which ranks waited for processors that they
// share.
void otter_job_findings_add_processors(struct otter_job_findings *findings);

// If the ranks on the host of `rank` have more threads than processors, writes that, then `effect`
// and the advice. *Returns* whether they do.
bool otter_job_write_shared(const struct otter_job_findings *findings, uint32_t rank,
                            const char *effect, char *text, size_t size);

// Adds a finding between ranks.
struct otter_job_finding *otter_job_finding_add(struct otter_job_findings *findings,
                                                const char *kind, const char *text);
void otter_job_finding_add_share(struct otter_job_finding *entry, uint32_t rank, uint64_t cost);

// *Returns* how many processors the ranks of all hosts share; 0: unknown.
uint32_t otter_job_n_processors(const struct otter_job_findings *findings);

// Writes the most costly finding that a rank causes, or that costs the rank 2 % of its time; "" if
// there is none. *cost_s: the finding's cost in all ranks. `rank`: index.
void otter_job_findings_name(const struct otter_job_findings *findings, uint32_t rank,
                             char text[96], double *cost_s);

// Writes "rank 2", "ranks 0-2, 5", "all 4 ranks", "both ranks". Returns `text`.
const char *otter_job_ranks_text(const struct otter_job_finding *finding,
                                 const struct otter_job *job, char text[OTTER_RANKS_TEXT]);
// Writes the worst rank, the finding's text, and how much shorter the job would be without it.
// Returns `text`.
const char *otter_job_finding_text(const struct otter_job_findings *findings,
                                   const struct otter_job *job,
                                   const struct otter_job_finding *finding,
                                   char text[OTTER_JOB_FINDING_TEXT]);

// Prints the first findings with their texts, or all.
void otter_job_findings_print(FILE *out, const struct otter_job_findings *findings,
                              const struct otter_job *job, struct otter_screen screen, bool is_all);
json_t *otter_job_findings_json(const struct otter_job_findings *findings,
                                const struct otter_job *job);
