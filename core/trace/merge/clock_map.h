// Maps the clock of a process to the merged archive's clock, with an offset that grows linearly.
#pragma once

#include <math.h>
#include <stdint.h>

struct otter_clock_map {
    uint64_t begin, end;              // ticks of the process, begin < end
    int64_t begin_offset, end_offset; // ticks to add at these times
    double deviation;                 // standard deviation of the offsets, in ticks
};

// Converts ticks of the process to ticks of the merged archive, by OTF2's formula. In a damaged
// archive, ticks may be so far from `begin` that the growth of the offset is ignored.
static inline uint64_t otter_clock_map_apply(const struct otter_clock_map *map, uint64_t ticks)
{
    double slope = (double)(map->end_offset - map->begin_offset) / (double)(map->end - map->begin);
    double passed =
        ticks >= map->begin ? (double)(ticks - map->begin) : -(double)(map->begin - ticks);
    double grown = rint(slope * passed);
    return ticks + (uint64_t)map->begin_offset +
           (fabs(grown) < 9e18 ? (uint64_t)(int64_t)grown : 0);
}
