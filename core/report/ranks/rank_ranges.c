// Prints the numbers of some ranks as ranges.
#include "report/ranks/rank_ranges.h"

#include <inttypes.h>
#include <string.h>

#include "base/text/print.h"

static bool add_range(char *text, uint64_t first, uint64_t last)
{
    enum { OF_ONE = 48 }; // bytes of two numbers with their signs
    size_t used = strlen(text), room = OTTER_MISSING_RANKS - used;
    const char *sign = used > 0 ? ", " : "";
    if (room < OF_ONE + sizeof ", ...") {
        snprintf(text + used, room, "%s...", sign);
    } else if (first == last) {
        snprintf(text + used, room, "%s%" PRIu64, sign, first);
    } else {
        snprintf(text + used, room, "%s%" PRIu64 "-%" PRIu64, sign, first, last);
    }
    return room >= OF_ONE + sizeof ", ...";
}

uint64_t otter_missing_ranks(char text[OTTER_MISSING_RANKS],
                             const struct otter_definitions *definitions, uint64_t n_all)
{
    uint64_t n = 0, next = 0;
    bool has_room = true;
    *text = '\0';
    for (size_t i = 0; i <= definitions->n_ranks; i++) { // the last: after all ranks
        uint64_t number = i < definitions->n_ranks ? definitions->ranks[i].number : n_all;
        if (next < number && next < n_all) {
            uint64_t end = number < n_all ? number : n_all;
            has_room = has_room && add_range(text, next, end - 1);
            n += end - next;
        }
        next = number + 1;
    }
    return n;
}

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
