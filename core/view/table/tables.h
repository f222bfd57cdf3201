// The small tables of the page, each in full or downsampled to a fixed number of rows.
#pragma once

#include "view/lane/chunk.h"
#include "view/lane/tasks.h"
#include "view/table/calls.h"

// Each function adds its tables to `chunks`.

// Writes the tables `span` and `realised`, and `job_path` for a job. Adjacent short steps of a long
// path are merged.
void otter_view_write_paths(const struct otter_view *view, struct otter_chunks *chunks);

// Writes the table `profile`. Sets *step to the number of ticks of a row.
void otter_view_write_profile(const struct otter_view *view, struct otter_chunks *chunks,
                              uint64_t *step);

// Writes the table `messages`: messages to and from other ranks.
void otter_view_write_messages(const struct otter_view *view, struct otter_chunks *chunks);
// Returns the ticks below which messages are left out, so that at most `most` remain.
uint64_t otter_view_shortest_message(const struct otter_job *job, uint64_t most);

struct otter_memory_space {
    uint32_t metric;     // index in the definitions
    uint64_t high_water; // bytes
};

struct otter_memory {
    uint64_t step; // ticks of a bucket
    struct otter_memory_space *spaces;
    uint32_t n_spaces; // spaces that have samples
};

// Writes the table `memory`. The caller frees memory->spaces.
void otter_view_write_memory(struct otter_view *view, struct otter_chunks *chunks,
                             struct otter_memory *memory);

// Writes the table `flame`.
void otter_view_write_flame(const struct otter_view *view, struct otter_chunks *chunks);

// The samples of the page: all, or one of `every` if these are too many.
struct otter_page_samples {
    struct otter_view_samples all; // read before the tables are written
    uint64_t every;
    // functions of the table `calls`: texts of the frames
    struct {
        OTTER_VECTOR(uint32_t);
    } functions;
};

// Writes the tables `calls` and `samples`.
void otter_view_write_samples(const struct otter_view *view, struct otter_page_samples *samples,
                              struct otter_chunks *chunks);
void otter_page_samples_finish(struct otter_page_samples *samples);

// Writes the table `off`: times on no processor. Sets *shortest to the ticks below which times are
// left out; 0: all times are written.
void otter_view_write_off(const struct otter_view *view, struct otter_chunks *chunks,
                          uint64_t *shortest);

// Writes the table `histogram`.
void otter_view_write_histogram(const struct otter_view_tasks *tasks, struct otter_chunks *chunks);
