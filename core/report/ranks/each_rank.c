// Runs a command on all ranks of a merged archive.
#include "report/ranks/each_rank.h"

#include "base/log.h"

bool otter_has_ranks(const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    return definitions->n_ranks > 0 && definitions->rank == OTTER_NONE;
}

uint32_t otter_each_rank(struct otter_archive *archive, otter_rank_function *function, void *user)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    struct otter_complaint complaint;
    uint32_t n_failed = 0;
    for (uint32_t i = 0; i < definitions->n_ranks; i++) {
        if (otter_archive_select_rank(archive, i, &complaint)) {
            otter_error("%s", complaint.text);
            n_failed++;
        } else if (!function(user, archive, &definitions->ranks[i])) {
            n_failed++;
        }
    }
    otter_archive_select_rank(archive, OTTER_NONE, &complaint);
    return n_failed;
}
