// From the events of an archive to a graph.
#pragma once

#include "base/status.h"
#include "graph/graph.h"

// What the builder had to make up for: each is a finding of `otter check`.
struct otter_build_findings {
    uint64_t n_unfinished_tasks;   // created, never ended
    uint64_t n_unknown_tasks;      // executed or ended, never created
    uint64_t n_orphans;            // executed, created while recording was paused
    uint64_t n_unknown_forks;      // members of a team whose fork was not found
    uint64_t n_unknown_fulfillers; // events fulfilled by a thread that executed no task
    uint64_t n_unmatched_leaves;   // a Leave of what was not entered last
    uint64_t n_uneven_barriers;    // of which not all members of the team took part
    uint64_t n_unknown_operations; // told by a device, not by the host
    uint64_t n_late_operations;    // that a device ended after all that the host waits for
    uint64_t n_damaged_locations;  // could not be read to the end
    uint64_t n_pauses; // of threads: no finding, but times of the structure include them
};

enum { OTTER_MAX_WHY = 160 };

// Whether Otter wrote the archive, by a schema that is known here: only then its records have a meaning. If not, `why` says so.
bool otter_graph_knows(const struct otter_archive *archive, char why[OTTER_MAX_WHY]);

// Whether location `location` may have created as many tasks. Each creation is a record, unless it was lost: a number far beyond is
// damage, and no memory need be kept for it. The more locations, the fewer of each can have been lost: there is memory for so many.
bool otter_graph_may_be_task(const struct otter_definitions *definitions, uint32_t location,
                             uint32_t number);

// Builds the view of an archive that Otter wrote. A location that cannot be read to its end is read as far as it goes and counted.
// On success *graph is the caller's to destroy, before the archive is closed; `findings` may be NULL.
// OTTER_BAD_ARCHIVE: not one of Otter's, or of a newer schema; OTTER_NO_MEMORY; *complaint says more.
enum otter_status otter_graph_build(struct otter_archive *archive, enum otter_graph_view view,
                                    struct otter_graph **graph,
                                    struct otter_build_findings *findings,
                                    struct otter_complaint *complaint);

// The same, event by event, for whoever has no archive. Locations in any order, one after the other; the events of each in order.
struct otter_builder;

// `definitions` must outlive the builder and the graph. NULL when memory is short.
struct otter_builder *otter_builder_create(const struct otter_definitions *definitions,
                                           enum otter_graph_view view);
// False when memory is short: then only destroy may follow. The signature is that of otter_event_function.
bool otter_builder_add(void *builder, const struct otter_event *event);
// Ends the builder; *graph as above. OTTER_NO_MEMORY.
enum otter_status otter_builder_finish(struct otter_builder *builder, struct otter_graph **graph,
                                       struct otter_build_findings *findings);
// Without a graph. Accepts NULL.
void otter_builder_destroy(struct otter_builder *builder);
