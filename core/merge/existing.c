// Checks the archive that a repeated merge would replace, so that no event gets lost.
#include "merge/existing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "trace/complaint.h"

static const char *value_of(const struct otter_property *properties, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(properties[i].name, name) == 0) {
            return properties[i].value;
        }
    }
    return "";
}

// Returns whether a merged rank was made from this source: both recordings began at the same time.
static bool is_made_of(const struct otter_rank *rank, const struct otter_merge_source *source)
{
    static const char begin[] = "OTTER::CLOCK_MONOTONIC";
    return strcmp(value_of(rank->properties, rank->n_properties, begin),
                  value_of(source->properties, source->n_properties, begin)) == 0;
}

static enum otter_status check_ranks(const struct otter_definitions *definitions,
                                     const struct otter_merge_sources *sources,
                                     struct otter_complaint *complaint)
{
    uint32_t k = 0;
    for (size_t i = 0; i < definitions->n_ranks; i++) {
        const struct otter_rank *rank = &definitions->ranks[i];
        while (k < sources->n && sources->items[k].rank < rank->number) {
            k++;
        }
        if (k == sources->n || sources->items[k].rank != rank->number ||
            !is_made_of(rank, &sources->items[k])) {
            return otter_complain(
                complaint, OTTER_EXISTS,
                "the merged archive '%s' contains the only copy of the events of rank %" PRIu32
                ", and a merge would replace them: choose another name with --output",
                definitions->folder, rank->number);
        }
    }
    return OTTER_OK;
}

static enum otter_status check(const char *folder, const struct otter_merge_sources *sources,
                               struct otter_complaint *complaint)
{
    struct otter_archive *archive;
    struct otter_complaint reason;
    enum otter_status status = otter_archive_open_definitions(folder, &archive, &reason);
    if (status) {
        return otter_complain(complaint, OTTER_EXISTS,
                              "a merge would replace the archive in '%s', which cannot be read "
                              "(%s): choose another name with --output",
                              folder, reason.text);
    }
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    status = definitions->n_ranks > 0
                 ? check_ranks(definitions, sources, complaint)
                 : otter_complain(complaint, OTTER_EXISTS,
                                  "'%s' is the archive of one process, and a merge would replace "
                                  "the archive: choose another name with --output",
                                  folder);
    otter_archive_close(archive);
    return status;
}

enum otter_status otter_merge_check_existing(const char *folder,
                                             const struct otter_merge_sources *sources,
                                             struct otter_complaint *complaint)
{
    char *anchor = otter_path("%s/traces.otf2", folder);
    bool exists = access(anchor, F_OK) == 0;
    free(anchor);
    return exists ? check(folder, sources, complaint) : OTTER_OK;
}
