// Keeps the open regions in a list, where starts and ends take constant time.
#include "analysis/time/open_regions.h"

#include <stdlib.h>

#include "trace/read/reader.h"

enum otter_status otter_open_regions_init(struct otter_open_regions *open, uint32_t n_regions)
{
    *open = (struct otter_open_regions){calloc(n_regions, sizeof *open->regions), OTTER_NONE};
    return open->regions ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_open_regions_finish(struct otter_open_regions *open)
{
    free(open->regions);
    *open = (struct otter_open_regions){0};
}

static void unlink_region(struct otter_open_regions *open, const struct otter_open_region *region)
{
    if (region->newer != OTTER_NONE) {
        open->regions[region->newer].older = region->older;
    } else {
        open->newest = region->older;
    }
    if (region->older != OTTER_NONE) {
        open->regions[region->older].newer = region->newer;
    }
}

void otter_open_regions_begin(struct otter_open_regions *open, uint32_t region)
{
    struct otter_open_region *begun = &open->regions[region];
    if (begun->n++ > 0) {
        unlink_region(open, begun);
    }
    begun->newer = OTTER_NONE;
    begun->older = open->newest;
    if (open->newest != OTTER_NONE) {
        open->regions[open->newest].newer = region;
    }
    open->newest = region;
}

void otter_open_regions_end(struct otter_open_regions *open, uint32_t region)
{
    if (--open->regions[region].n == 0) {
        unlink_region(open, &open->regions[region]);
    }
}
