// Prints the numbers of some ranks as ranges.
#include "cli/rank_ranges.h"

#include <inttypes.h>

#include "base/print.h"

void otter_rank_ranges_print(FILE *out, const struct otter_definitions *definitions,
                             otter_is_listed_function *is_listed, const void *user)
{
    size_t n = definitions->n_ranks;
    for (size_t i = 0, n_shown = 0; i < n; i++) {
        if (!is_listed(user, i)) {
            continue;
        }
        size_t last = i;
        while (last + 1 < n && is_listed(user, last + 1)) {
            last++;
        }
        otter_print(out, "%s%" PRIu32, n_shown++ ? ", " : "", definitions->ranks[i].number);
        if (last > i) {
            otter_print(out, "-%" PRIu32, definitions->ranks[last].number);
        }
        i = last;
    }
}
