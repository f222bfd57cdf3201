// Region totals of the events that are not recorded when the archive is full.
//
// The file `totals` of a recording is created when it is first needed. It is mapped like the
// journal, so that it survives the process. A block of the file has the totals of
// OTTER_TOTALS_OF_BLOCK regions for one location, and exists only if the location entered one of
// these regions. A
// large page is mapped with several blocks. A block without the magic number is empty.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/write/archive_content.h"

enum { OTTER_TOTAL_BLOCK_SIZE = 4096, OTTER_TOTALS_OF_BLOCK = 100 };

#define OTTER_TOTAL_MAGIC UINT64_C(0x3130544f5254544f) // "OTTROT01"

// Times are in ticks. If a region is entered again while it is open on its location, this counts as
// another visit, but its inclusive time is counted only once.
struct otter_total {
    uint64_t n_visits;
    uint64_t inclusive; // inclusive time of closed visits
    uint64_t exclusive; // exclusive time up to the location's last event
    uint64_t open_since, n_open;
};

struct otter_total_block {
    uint64_t magic;
    uint32_t location; // the location's number during recording
    uint32_t first_region;
    uint64_t last_time; // time of the last event summed in this block
    struct otter_total totals[OTTER_TOTALS_OF_BLOCK];
};

struct otter_total_file;

// Creates no file before the first block. `is_mapped`: a block is a mapped part of the file;
// otherwise it is in memory until it is saved. *Returns* NULL if out of memory.
struct otter_total_file *otter_total_file_create(const char *recording, bool is_mapped);
void otter_total_file_destroy(struct otter_total_file *file);

// Adds a block without visits. *Returns* NULL when there is no room. *Thread*: any.
struct otter_total_block *otter_total_file_add(struct otter_total_file *file, uint32_t location,
                                               uint32_t first_region);
// Appends a block held in memory to the file. Does nothing for a mapped block. *Thread*: any.
enum otter_status otter_total_file_save(struct otter_total_file *file,
                                        const struct otter_total_block *block);
// Frees the block's memory, unless other blocks are in its page. Called before destroy.
void otter_total_file_release(const struct otter_total_file *file, struct otter_total_block *block);

// Adds the sums over all locations to `totals`, which has `n` regions. Open visits end with the
// last event of their location. The worst effect of a damaged file is wrong sums.
// *Errors*: OTTER_NOT_FOUND: there is no file.
enum otter_status otter_total_file_sum(const char *path, size_t n,
                                       struct otter_region_total *totals);
