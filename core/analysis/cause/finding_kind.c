// The table of findings.
#include "analysis/cause/finding_kind.h"

// In the order of struct otter_finding_facts.
static const struct otter_finding_facts facts[OTTER_N_FINDINGS] = {
    [OTTER_FINDING_SERIAL] = {"serial code", "critical-path", false, OTTER_STATE_OUTSIDE, false,
                              false},
    [OTTER_FINDING_IMBALANCE] = {"imbalance", "regions", true, OTTER_STATE_EXECUTING, true, false},
    [OTTER_FINDING_SERIAL_PART] = {"serial part", "regions", true, OTTER_STATE_EXECUTING, true,
                                   false},
    [OTTER_FINDING_SMALL_TASKS] = {"small tasks", "tasks", true, OTTER_STATE_EXECUTING, true, true},
    [OTTER_FINDING_CREATOR] = {"slow creator", "tasks", true, OTTER_STATE_EXECUTING, true, true},
    [OTTER_FINDING_PHASES] = {"phases", "critical-path", true, OTTER_STATE_WAITING, true, false},
    [OTTER_FINDING_ORDER] = {"dependences", "critical-path", true, OTTER_STATE_EXECUTING, true,
                             true},
    [OTTER_FINDING_TAIL] = {"tail", "critical-path", true, OTTER_STATE_EXECUTING, true, false},
    [OTTER_FINDING_CHAIN] = {"chain", "critical-path", true, OTTER_STATE_EXECUTING, true, false},
    [OTTER_FINDING_EVENT] = {"detached tasks", "waits", true, OTTER_STATE_WAITING, false, false},
    [OTTER_FINDING_TIED] = {"tied tasks", "waits", false, OTTER_STATE_WAITING, false, false},
    [OTTER_FINDING_MIGRATION] = {"untied migrations", "tasks", false, OTTER_STATE_EXECUTING, true,
                                 true},
    [OTTER_FINDING_WAKE_UP] = {"slow wake-up", "waits", false, OTTER_STATE_WAITING, true, false},
    [OTTER_FINDING_DELAY] = {"delay", "waits", false, OTTER_STATE_WAITING, false, false},
    [OTTER_FINDING_LOCK] = {"lock", "locks", false, OTTER_STATE_LOCK, false, false},
    [OTTER_FINDING_BARRIER] = {"barrier", "waits", true, OTTER_STATE_WAITING, true, false},
    [OTTER_FINDING_FENCE] = {"fence", "fences", false, OTTER_STATE_WAITING, true, false},
    [OTTER_FINDING_REDUCTION] = {"reduction", "waits", true, OTTER_STATE_WAITING, true, false},
    [OTTER_FINDING_COPY] = {"copy", "copies", true, OTTER_STATE_EXECUTING, true, false},
    [OTTER_FINDING_FORKING] = {"forking", "regions", false, OTTER_STATE_FORKING, false, false},
    [OTTER_FINDING_UNDEFERRED] = {"undeferred tasks", "tasks", true, OTTER_STATE_EXECUTING, true,
                                  true},
    [OTTER_FINDING_LATE] = {"late workers", "regions", false, OTTER_STATE_OUTSIDE, false, false},
    [OTTER_FINDING_ALONE] = {"small team", "regions", true, OTTER_STATE_EXECUTING, true, false},
    [OTTER_FINDING_SMALL_KERNELS] = {"small kernels", "kernels", true, OTTER_STATE_EXECUTING, true,
                                     true},
    [OTTER_FINDING_SMALL_CHUNKS] = {"small chunks", "loops", true, OTTER_STATE_EXECUTING, true,
                                    true},
    [OTTER_FINDING_ALLOCATION] = {"allocation", "memory", true, OTTER_N_STATES, false, false},
    [OTTER_FINDING_MPI] = {"MPI", "mpi", false, OTTER_STATE_MPI, true, false},
    [OTTER_FINDING_MPI_JOB] = {"MPI job", "mpi", false, OTTER_STATE_MPI, true, false},
    [OTTER_FINDING_CROWDED] = {"oversubscription", "threads", false, OTTER_STATE_EXECUTING, true,
                               false},
    [OTTER_FINDING_NOISE] = {"noise", "threads", false, OTTER_STATE_WAITING, false, false},
    [OTTER_FINDING_SHORT] = {"too short", "labels", false, OTTER_STATE_WAITING, false, false},
    [OTTER_FINDING_UNEXPLAINED] = {"unexplained", "labels", false, OTTER_STATE_WAITING, false,
                                   false},
    [OTTER_FINDING_BLOCKED] = {"blocking", "labels", false, OTTER_STATE_EXECUTING, true, false},
    [OTTER_FINDING_FIRST_TOUCH] = {"first touch", "labels", true, OTTER_STATE_EXECUTING, true,
                                   true},
    [OTTER_FINDING_HIGH_WATER] = {"high water", "memory", false, OTTER_N_STATES, false, false},
};

const struct otter_finding_facts *otter_finding_facts_of(enum otter_finding_kind kind)
{
    static const struct otter_finding_facts unknown = {
        .name = "unknown", .table = "labels", .state = OTTER_STATE_WAITING};
    return kind < OTTER_N_FINDINGS ? &facts[kind] : &unknown;
}

const char *otter_finding_name(enum otter_finding_kind kind)
{
    return otter_finding_facts_of(kind)->name;
}
