#include <inttypes.h>
#include <stdio.h>

#include "trace/write/archive_internal.h"
#include "trace/schema.h"

// Properties, because they are definitions: every reader has them, without an event that would have to lie where there are none any more.
void otter_archive_set_totals(const struct otter_archive_being_written *archive)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    size_t n =
        definitions->n_regions < OTTER_REGION_FIRST ? OTTER_REGION_FIRST : definitions->n_regions;
    for (size_t i = 0; definitions->totals && i < n; i++) {
        const struct otter_total *total = &definitions->totals[i];
        char name[48], value[80];
        if (total->n_visits || total->inclusive || total->exclusive) {
            snprintf(name, sizeof(name), "OTTER::TOTALS::%zu", i);
            snprintf(value, sizeof(value), "%" PRIu64 " %" PRIu64 " %" PRIu64, total->n_visits,
                     total->inclusive, total->exclusive);
            OTF2_Archive_SetProperty(archive->handle, name, value, true);
        }
    }
}
