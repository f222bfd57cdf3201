// Creates and frees the parts of the builder.
#include "graph/build/edges/parts.h"

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
    free(parts->open.items);
    free(parts->joins.scopes.items);
    free(parts->joins.adoptions.items);
    free(parts->joins.orphans.items);
    free(parts->dependences.entries.items);
    free(parts->dependences.predecessors.items);
    free(parts->teams.forks.items);
    free(parts->teams.members.items);
    free(parts->teams.barriers.items);
    free(parts->teams.sorted_members);
    free(parts->doacross.points.items);
    free(parts->operations.targets.items);
    free(parts->operations.requests.items);
    free(parts->operations.pieces.items);
    free(parts->ends.fulfilments.items);
    free(parts->ends.tails.items);
    free(parts->ends.fulfils);
}
