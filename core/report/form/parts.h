// The parts of the thread time and of the efficiency, with the names that text, JSON and the page
// share.
#pragma once

#include "analysis/cause/account.h"
#include "analysis/cause/efficiency.h"
#include "report/form/sheet.h"

enum otter_time_part {
    OTTER_TIME_EXECUTING = 0,
    OTTER_TIME_PREEMPTED,
    OTTER_TIME_CREATING,
    OTTER_TIME_SCHEDULING,
    OTTER_TIME_DELAY, // excludes the time of scheduling
    OTTER_TIME_TIED,
    OTTER_TIME_NO_WORK,
    OTTER_TIME_LOCKS,
    OTTER_TIME_FORKING,
    OTTER_TIME_MPI,
    OTTER_TIME_OUTSIDE,
    OTTER_TIME_PAUSED,
    OTTER_TIME_LOST,
    OTTER_N_TIME_PARTS
};

extern const struct otter_column otter_time_parts[OTTER_N_TIME_PARTS];

// Returns ticks; the parts add up to account->total.
uint64_t otter_time_part(const struct otter_account *account, enum otter_time_part part);

// Returns the work divided by the wall time. Like the efficiency, excludes paused and lost time.
double otter_speed_up(const struct otter_account *account, uint64_t work);

enum otter_factor {
    OTTER_FACTOR_TOTAL = 0,
    OTTER_FACTOR_MPI,
    OTTER_FACTOR_SERIAL,
    OTTER_FACTOR_REGIONS,
    OTTER_FACTOR_LOAD_BALANCE,
    OTTER_FACTOR_SCHEDULING,
    OTTER_N_FACTORS
};

extern const struct otter_column otter_factors[OTTER_N_FACTORS];

double otter_factor(const struct otter_efficiency *efficiency, enum otter_factor factor);
