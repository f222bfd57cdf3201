// Creates and frees the parts of the builder.
#include "graph/build/edges/parts.h"

#include "base/free.h"

bool otter_parts_init(struct otter_parts *parts, const struct otter_definitions *definitions,
                      enum otter_graph_view view)
{
    *parts = (struct otter_parts){0};
    for (size_t i = 0; i < definitions->n_locations; i++) {
        parts->operations.has_devices |=
            definitions->locations[i].kind == OTTER_LOCATION_ACCELERATOR;
    }
    // Index 0 must be writable even when memory runs out.
    return otter_store_init(&parts->store, definitions, view) &&
           otter_regions_init(&parts->regions, definitions) &&
           OTTER_VECTOR_RESERVE(&parts->joins.scopes) &&
           OTTER_VECTOR_RESERVE(&parts->teams.forks) &&
           OTTER_VECTOR_RESERVE(&parts->teams.members) &&
           OTTER_VECTOR_RESERVE(&parts->operations.targets);
}

void otter_parts_finish(struct otter_parts *parts)
{
    otter_store_finish(&parts->store);
    otter_regions_finish(&parts->regions);
    OTTER_FREE(parts->open.items, parts->joins.scopes.items, parts->joins.adoptions.items,
               parts->joins.orphans.items, parts->dependences.entries.items,
               parts->dependences.predecessors.items, parts->teams.forks.items,
               parts->teams.members.items, parts->teams.barriers.items, parts->teams.sorted_members,
               parts->doacross.points.items, parts->operations.targets.items,
               parts->operations.requests.items, parts->operations.pieces.items,
               parts->ends.fulfilments.items, parts->ends.tails.items, parts->ends.fulfils);
}
