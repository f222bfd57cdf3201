// The findings of a job: those of its ranks, once for each construct, and the waits between ranks.
//
// Each loss is in one finding. The findings of ranks on MPI are without the waits for other ranks.
#pragma once

#include "analysis/job.h"
#include "report/analysis.h"

enum { OTTER_JOB_FINDING_TEXT = 900, OTTER_RANKS_TEXT = 160 };

// A finding in one rank.
struct otter_job_share {
    uint32_t rank; // index in the job
    uint64_t cost; // ticks of threads
};

struct otter_job_finding {
    const char *kind;           // "small tasks", "late senders"
    enum otter_finding_kind of; // OTTER_N_FINDINGS: a wait between ranks
    char *what, *where;         // "task", "fib.c:12"; "ranks 2-3"; NULL: no place
    char *text; // evidence and what to try, of the worst rank; NULL: short of memory
    uint64_t n; // bytes of a high water, which has no cost in time
    struct {
        OTTER_VECTOR(struct otter_job_share);
    } ranks;          // in the order in which they were added
    uint32_t worst;   // index in `ranks`
    uint64_t cost;    // ticks of the threads of all ranks
    bool has_gain;    // the next two are known
    uint64_t gain;    // ticks by which the job is shorter without it, if it is spread evenly
    uint64_t at_most; // likewise, wherever it is
};

// A rank's thread time, by what the waits between ranks need. All in ticks of threads.
struct otter_job_load {
    uint64_t total, work;
    double efficiency;               // as struct otter_efficiency
    uint64_t outside_mpi;            // without pauses and lost time
    uint64_t mpi;                    // with the threads that idle because of it
    uint64_t waited[OTTER_N_CAUSES]; // parts of `mpi`, without MPI_Init and MPI_Finalize
    uint64_t waited_at_end;          // in MPI_Finalize
    uint32_t n_threads;
    bool has_calls;                        // of MPI; a rank without may call it unrecorded
    double threads;                        // that wait during a call of MPI
    char function[40];                     // of MPI, with the longest time; ""
    uint64_t doubted[OTTER_N_WAIT_DOUBTS]; // parts of `mpi`: the waits there are not known
    uint64_t not_recorded; // ... because the functions have no records of operations
    char unrecorded[40];   // the one of these with the longest time; ""
};

struct otter_job_findings {
    OTTER_VECTOR(struct otter_job_finding); // after the end: the most costly first, MPI job last
    struct {
        OTTER_VECTOR(struct otter_job_load);
    } loads;        // of each rank of the job
    uint64_t total; // ticks of the threads of all ranks
    uint64_t wall;  // ticks, from the first to the last event of all ranks
    double tick;    // seconds
    bool is_short_of_memory;
};

// Adds the findings of the rank that `job` got last. All zero: no findings. Memory: its findings.
void otter_job_findings_add(struct otter_job_findings *findings, const struct otter_job *job,
                            const struct otter_report *report);
// Finds the waits between ranks, all costs, and the order. A finding costs at least
// OTTER_FINDING_PERCENT of the thread time of all ranks, or the job is that much shorter without.
// `job` has ended. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_job_findings_end(struct otter_job_findings *findings,
                                         const struct otter_job *job);
void otter_job_findings_finish(struct otter_job_findings *findings);

// The job as one run. The efficiency is that of all threads, the speed-up the work by the wall
// time.
struct otter_job_numbers {
    uint64_t n_threads;
    double wall_s, work_s, speed_up, efficiency;
};

// `findings` have ended.
struct otter_job_numbers otter_job_numbers_of(const struct otter_job_findings *findings);

// A part of the end: adds the waits between ranks, and takes them out of the findings on MPI.
void otter_job_findings_add_waits(struct otter_job_findings *findings, const struct otter_job *job);

// Writes "rank 2", "ranks 0-2, 5", "all 4 ranks", "both ranks". Returns `text`.
const char *otter_job_ranks_text(const struct otter_job_finding *finding,
                                 const struct otter_job *job, char text[OTTER_RANKS_TEXT]);
// Writes the worst rank, the text, and how much shorter the job is without it. Returns `text`.
const char *otter_job_finding_text(const struct otter_job_findings *findings,
                                   const struct otter_job *job,
                                   const struct otter_job_finding *finding,
                                   char text[OTTER_JOB_FINDING_TEXT]);

// Prints the findings with their texts: the first ones, or all.
void otter_job_findings_print(FILE *out, const struct otter_job_findings *findings,
                              const struct otter_job *job, struct otter_screen screen, bool is_all);
// Returns NULL when memory is short.
json_t *otter_job_findings_json(const struct otter_job_findings *findings,
                                const struct otter_job *job);
