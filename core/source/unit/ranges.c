// Stores ranges of code addresses, and finds the range of an address.
#include "source/unit/ranges.h"

#include <stdlib.h>

#include "base/order.h"

static int compare(const void *a, const void *b)
{
    const struct otter_range *x = a, *y = b;
    return OTTER_BY_1(x, y, begin);
}

void otter_ranges_add(struct otter_ranges *ranges, struct otter_range range)
{
    if (OTTER_VECTOR_RESERVE(ranges)) {
        ranges->items[ranges->n++] = range;
    }
}

void otter_ranges_add_die(struct otter_ranges *ranges, Dwarf_Die *die, unsigned most,
                          uint32_t index)
{
    Dwarf_Addr base, begin, end;
    ptrdiff_t offset = 0;
    for (unsigned i = 0; i < most; i++) {
        offset = dwarf_ranges(die, offset, &base, &begin, &end);
        if (offset <= 0) {
            return;
        }
        if (begin < end) {
            otter_ranges_add(ranges, (struct otter_range){begin, end, index});
        }
    }
}

void otter_ranges_sort(struct otter_ranges *ranges)
{
    OTTER_SORT(ranges, compare);
}

void otter_ranges_finish(struct otter_ranges *ranges)
{
    free(ranges->items);
}

const struct otter_range *otter_ranges_find(const struct otter_ranges *ranges, uint64_t address)
{
    struct otter_range after = {.begin = address + 1};
    uint32_t n = OTTER_SORTED_BEFORE(ranges, &after, compare);
    return n > 0 && address < ranges->items[n - 1].end ? &ranges->items[n - 1] : NULL;
}
