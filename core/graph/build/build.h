// Builds a task graph from the events of an archive.
#pragma once

#include "base/status.h"
#include "graph/build/edges/findings.h"
#include "graph/graph.h"

enum { OTTER_MAX_WHY = 160 };

// Checks that Otter wrote the archive, with a schema that this version knows.
// *Returns* false otherwise, with the reason in `why`.
bool otter_graph_knows(const struct otter_archive *archive, char why[OTTER_MAX_WHY]);

// *Returns* whether `number` is a plausible number of a task created on `location`. A damaged
// archive may contain numbers far above the number of records plus the number of lost events.
// The limit bounds the memory for tasks, even with many locations.
bool otter_graph_may_be_task(const struct otter_definitions *definitions, uint32_t location,
                             uint32_t number);

// Builds a view of the graph of an archive. Reads each location up to its end or its first damage.
// `findings` may be NULL.
// *Returns* OTTER_OK: the caller destroys *graph before it closes the archive.
// *Errors*: OTTER_BAD_ARCHIVE for an archive that otter_graph_knows() rejects; OTTER_NO_MEMORY.
// *complaint has the details.
enum otter_status otter_graph_build(struct otter_archive *archive, enum otter_graph_view view,
                                    struct otter_graph **graph,
                                    struct otter_build_findings *findings,
                                    struct otter_complaint *complaint);

// ---- event by event, without an archive

struct otter_builder;

// `definitions` must outlive the builder and the graph.
// *Returns* NULL if out of memory.
struct otter_builder *otter_builder_create(const struct otter_definitions *definitions,
                                           enum otter_graph_view view);
// Adds the next event. The caller adds all events of a location in order, then the events of the
// next location. The signature matches otter_event_function. *Returns* false if out of memory; then
// the caller may only destroy the builder.
bool otter_builder_add(void *builder, const struct otter_event *event);
// Builds the graph and destroys the builder; *graph as in otter_graph_build().
// *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_builder_finish(struct otter_builder *builder, struct otter_graph **graph,
                                       struct otter_build_findings *findings);
// Destroys the builder without a graph. Accepts NULL.
void otter_builder_destroy(struct otter_builder *builder);
