// Reads the MPI calls of one rank from its archive, without an analysis.
#include "analysis/job/rank_calls.h"
#include "trace/schema.h"

bool otter_rank_has_calls(const struct otter_definitions *definitions)
{
    for (size_t i = 0; i < definitions->n_regions; i++) {
        if (otter_construct_is_mpi(definitions->regions[i].construct)) {
            return true;
        }
    }
    return false;
}

enum otter_status otter_rank_calls_read(struct otter_rank_calls *calls,
                                        struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    *calls = (struct otter_rank_calls){.last = OTTER_NONE};
    if (!otter_rank_has_calls(definitions)) {
        return OTTER_OK;
    }
    enum otter_status status = otter_rank_calls_begin(calls, definitions);
    for (size_t i = 0; i < definitions->n_locations && !status; i++) {
        struct otter_complaint damage;
        if (definitions->locations[i].kind == OTTER_LOCATION_CPU_THREAD) {
            calls->is_gapped |= otter_archive_read(archive, i, otter_rank_calls_add, calls, NULL,
                                                   &damage) != OTTER_OK;
        }
    }
    calls->is_gapped |= otter_archive_number(archive, "OTTER::LOST") > 0;
    return status ? status : otter_rank_calls_complete(calls);
}
