// Ids of tasks and parallel regions, as 64 bits.
#pragma once

#include <stdint.h>

#include "recording/writer.h"

// Bits of a task's id:
// - 63: always set
// - 62: untied
// - 61-48: location of the creator
// - 47-32: region
// - 31-0: the task number, from 1
// A parallel region's id has the same layout, with the forker's own running number.
#define OTTER_ID_VALID (UINT64_C(1) << 63)
#define OTTER_ID_UNTIED (UINT64_C(1) << 62)
// set in a parallel region's id if its fork was not recorded
#define OTTER_ID_FORKED_IN_PAUSE (UINT64_C(1) << 62)

_Static_assert(OTTER_MAX_LOCATIONS <= 1 << 14, "a task's number has 14 bits for its location");

static inline uint64_t otter_id_make(uint32_t location, uint32_t region, uint32_t number)
{
    return OTTER_ID_VALID | (uint64_t)location << 48 | (uint64_t)region << 32 | number;
}

static inline uint32_t otter_id_location(uint64_t id)
{
    return (uint32_t)(id >> 48) & (OTTER_MAX_LOCATIONS - 1);
}

static inline uint32_t otter_id_region(uint64_t id)
{
    return (uint32_t)(id >> 32) & 0xffff;
}

static inline uint32_t otter_id_number(uint64_t id)
{
    return (uint32_t)id;
}

// The last running number of a task, a region or an operation. OTF2 has 32 bits, and their largest
// value means "undefined".
#define OTTER_LAST_NUMBER (UINT32_MAX - 1)

// The number by which the archive names the task.
static inline uint64_t otter_id_public(uint64_t id)
{
    return id ? (uint64_t)otter_id_location(id) << 32 | otter_id_number(id) : 0;
}
