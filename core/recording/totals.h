// What is kept of the program when no more events are: for each location and region how often the region was entered, and for how long. The
// file `totals` of a recording, made when it is first needed. It is mapped like the journal, so that it survives the process.
//
// The file: blocks of one page, each of the totals of OTTER_TOTALS_OF_BLOCK regions of one location. A location has a block for those regions
// alone that it met.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { OTTER_TOTAL_BLOCK_SIZE = 4096, OTTER_TOTALS_OF_BLOCK = 100 };

#define OTTER_TOTAL_MAGIC UINT64_C(0x3130544f5254544f) // "OTTROT01"

// Ticks. A region that is entered while it is open on its location counts as one more visit, and its time once.
struct otter_total {
    uint64_t n_visits;
    uint64_t inclusive; // without what is open now
    uint64_t exclusive; // up to the location's last event
    uint64_t open_since, n_open;
};

struct otter_total_block {
    uint64_t magic;
    uint32_t location; // as it is called while it is recorded
    uint32_t first_region;
    uint64_t last_time; // of the events that the block heard of
    struct otter_total totals[OTTER_TOTALS_OF_BLOCK];
};

struct otter_total_file;

// Names the file in the folder `recording`. `is_mapped`: a block is a piece of the file; else it is memory until it is saved. NULL: out of
// memory.
struct otter_total_file *otter_total_file_create(const char *recording, bool is_mapped);
void otter_total_file_destroy(struct otter_total_file *file);

// A further block, all zeros but for what it is about; NULL: there is no room for it. Any thread.
struct otter_total_block *otter_total_file_add(struct otter_total_file *file, uint32_t location,
                                               uint32_t first_region);
// Puts a block that is memory into the file, behind those that are there. Nothing to do for a mapped one. Any thread.
enum otter_status otter_total_file_save(struct otter_total_file *file,
                                        const struct otter_total_block *block);
// Gives the block's memory back.
void otter_total_file_release(struct otter_total_block *block);

// The sum over all locations: `totals` of `n` regions, to which is added; what is open ends with its location's last event. The file may be
// anybody's: whatever is in it, sums are all that comes of it. OTTER_NOT_FOUND: there is none.
enum otter_status otter_total_file_sum(const char *path, size_t n, struct otter_total *totals);
