// The report of a merged archive, with a line for each rank.
#pragma once

#include <stdio.h>

#include <jansson.h>

#include "report/form/analysis.h"

struct otter_rank_row {
    uint32_t rank, n_threads;
    uint64_t n_processors;                   // processors on which its threads may run; 0: unknown
    double wall_s, work_s, mpi_s;            // mpi_s: of all threads
    double efficiency, mpi, serial, regions; // as struct otter_efficiency
    bool is_complete;
    bool is_cut_off;  // its process ended before the archive was complete
    bool lacks_mpi;   // its MPI calls were not recorded
    char finding[96]; // the job's most costly finding that concerns the rank; "" for none
    double finding_s; // cost of the finding, summed over the threads of all ranks
};

// The numbers of the report of a selected rank.
struct otter_rank_row otter_rank_row_of(uint32_t rank, const struct otter_report *report);

// Prints the smallest, the mean and the largest of each number, then a line for each rank; the
// ranks whose work is farthest from the mean come first. Leaves out numbers of MPI if no rank
// recorded its calls. Sorts `rows`. `n`: at least 1.
void otter_rank_rows_print(FILE *out, struct otter_rank_row *rows, size_t n);
json_t *otter_rank_rows_json(const struct otter_rank_row *rows, size_t n);
