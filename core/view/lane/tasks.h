// The tasks of the page and the edges between them.
#pragma once

#include "analysis/detail/node_slack.h"
#include "view/lane/chunk.h"
#include "view/lane/lanes.h"

struct otter_view_tasks {
    const struct otter_view *view;
    // of each task: ticks of the archive; the start of the task if no creation is known
    uint64_t *created;
    uint64_t *work; // of each task: ticks
    // Set by otter_view_tasks_find_slack; otherwise NULL.
    struct otter_node_slack nodes; // the caller may finish it earlier
    // of each task: ticks that it may grow without a longer span; UINT64_MAX: nothing was executed
    uint64_t *slack;
    // of each task: ticks that it may grow without a longer run, as recorded
    uint64_t *realised_slack;
};

void otter_view_tasks_init(struct otter_view_tasks *tasks, const struct otter_view *view);
// Computes the slack of all tasks once.
void otter_view_tasks_find_slack(struct otter_view_tasks *tasks);
void otter_view_tasks_finish(struct otter_view_tasks *tasks);

// Returns whether the task was executed.
bool otter_view_has_task(const struct otter_view *view, uint32_t task);
// Returns whether the edge `e` from node `from` connects two executed tasks, and is not the
// creation that the task itself describes.
bool otter_view_has_edge(const struct otter_view *view, uint32_t from, uint32_t e);

extern const struct otter_chunk_table otter_task_chunks, otter_edge_chunks;

void otter_view_add_task(const struct otter_view_tasks *tasks, uint32_t task,
                         struct otter_chunk_writer *writer);
void otter_view_add_edge(const struct otter_view *view, uint32_t from, uint32_t e,
                         struct otter_chunk_writer *writer);
