// Names the parts of the thread time and of the efficiency.
#include "report/form/parts.h"

const struct otter_column otter_time_parts[OTTER_N_TIME_PARTS] = {
    [OTTER_TIME_EXECUTING] = {"executing_s", "executing", OTTER_COLUMN_SECONDS},
    [OTTER_TIME_PREEMPTED] = {"preempted_s", "preempted", OTTER_COLUMN_SECONDS},
    [OTTER_TIME_CREATING] = {"creating_s", "creating tasks", OTTER_COLUMN_SECONDS},
    [OTTER_TIME_SCHEDULING] = {"scheduling_s", "scheduling", OTTER_COLUMN_SECONDS},
    [OTTER_TIME_DELAY] = {"delay_s", "delay", OTTER_COLUMN_SECONDS},
    [OTTER_TIME_TIED] = {"tied_s", "ready, but tied", OTTER_COLUMN_SECONDS},
    [OTTER_TIME_NO_WORK] = {"no_work_s", "no work", OTTER_COLUMN_SECONDS},
    [OTTER_TIME_LOCKS] = {"locks_s", "locks", OTTER_COLUMN_SECONDS},
    [OTTER_TIME_FORKING] = {"forking_s", "forking and joining", OTTER_COLUMN_SECONDS},
    [OTTER_TIME_MPI] = {"mpi_s", "in MPI", OTTER_COLUMN_SECONDS},
    [OTTER_TIME_OUTSIDE] = {"outside_s", "outside of regions", OTTER_COLUMN_SECONDS},
    [OTTER_TIME_PAUSED] = {"paused_s", "paused", OTTER_COLUMN_SECONDS},
    [OTTER_TIME_LOST] = {"lost_s", "lost: no events", OTTER_COLUMN_SECONDS},
};

uint64_t otter_time_part(const struct otter_account *account, enum otter_time_part part)
{
    const uint64_t ticks[OTTER_N_TIME_PARTS] = {
        [OTTER_TIME_EXECUTING] = account->executing,
        [OTTER_TIME_PREEMPTED] = account->preempted,
        [OTTER_TIME_CREATING] = account->creating,
        [OTTER_TIME_SCHEDULING] = account->scheduling,
        [OTTER_TIME_DELAY] = account->delay - account->scheduling,
        [OTTER_TIME_TIED] = account->tied,
        [OTTER_TIME_NO_WORK] = account->no_work,
        [OTTER_TIME_LOCKS] = account->lock,
        [OTTER_TIME_FORKING] = account->forking,
        [OTTER_TIME_MPI] = account->mpi,
        [OTTER_TIME_OUTSIDE] = account->outside,
        [OTTER_TIME_PAUSED] = account->paused,
        [OTTER_TIME_LOST] = account->lost,
    };
    return ticks[part];
}

double otter_speed_up(const struct otter_account *account, uint64_t work)
{
    uint64_t recorded = account->total - account->paused - account->lost;
    double wall =
        account->total > 0 ? (double)account->wall * (double)recorded / (double)account->total : 0;
    return wall > 0 ? (double)work / wall : 0;
}

const struct otter_column otter_factors[OTTER_N_FACTORS] = {
    [OTTER_FACTOR_TOTAL] = {"total", "efficiency", OTTER_COLUMN_PERCENT},
    [OTTER_FACTOR_MPI] = {"mpi", "MPI", OTTER_COLUMN_PERCENT},
    [OTTER_FACTOR_SERIAL] = {"serial", "serial", OTTER_COLUMN_PERCENT},
    [OTTER_FACTOR_REGIONS] = {"regions", "in regions", OTTER_COLUMN_PERCENT},
    [OTTER_FACTOR_LOAD_BALANCE] = {"load_balance", "load balance", OTTER_COLUMN_PERCENT},
    [OTTER_FACTOR_SCHEDULING] = {"scheduling", "scheduling", OTTER_COLUMN_PERCENT},
};

double otter_factor(const struct otter_efficiency *efficiency, enum otter_factor factor)
{
    const double values[OTTER_N_FACTORS] = {
        [OTTER_FACTOR_TOTAL] = efficiency->total,
        [OTTER_FACTOR_MPI] = efficiency->mpi,
        [OTTER_FACTOR_SERIAL] = efficiency->serial,
        [OTTER_FACTOR_REGIONS] = efficiency->regions,
        [OTTER_FACTOR_LOAD_BALANCE] = efficiency->load_balance,
        [OTTER_FACTOR_SCHEDULING] = efficiency->scheduling,
    };
    return values[factor];
}
