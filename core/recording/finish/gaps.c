// Numbers that no readable line of a damaged journal defines.
#include "recording/finish/gaps.h"

#include <stdlib.h>
#include <string.h>

enum { SHORTEST_LINE = 10 }; // the shortest line that defines a number: "space 0 -"

bool otter_gap_is_possible(const struct otter_journal_definitions *definitions, uint64_t id,
                           size_t n)
{
    return id >= n && id - n <= definitions->n_unread_bytes / SHORTEST_LINE;
}

void otter_gap_use(struct otter_journal_definitions *definitions, uint64_t id, size_t n)
{
    definitions->n_unread_bytes -= (id - n) * SHORTEST_LINE;
}

enum otter_status otter_gap_add_threads(struct otter_journal_definitions *definitions, size_t id)
{
    struct otter_archive_content *content = &definitions->content;
    size_t n = content->n_locations;
    struct otter_location_definition *grown =
        realloc(content->locations, (id + 1) * sizeof(*grown));
    if (!grown) {
        return OTTER_NO_MEMORY;
    }
    otter_gap_use(definitions, id, n);
    memset(grown + n, 0, (id + 1 - n) * sizeof(*grown));
    content->locations = grown;
    content->n_locations = id + 1;
    return OTTER_OK;
}
