// Says how long ago a program was recorded.
#include "report/screen/age.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text/print.h"

static const uint64_t second = 1000000000;

const char *otter_age_text(const struct otter_definitions *definitions, time_t now,
                           char text[OTTER_AGE_SIZE])
{
    static const struct {
        uint64_t seconds;
        const char *name;
    } units[] = {{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
    const struct otter_clock *clock = &definitions->clock;
    uint64_t end =
        clock->realtime / second + (clock->resolution > 0 ? clock->length / clock->resolution : 0);
    *text = '\0';
    if (clock->realtime == 0 || now < 0 || (uint64_t)now < end) {
        return text;
    }
    uint64_t age = (uint64_t)now - end;
    if (age == 0) {
        snprintf(text, OTTER_AGE_SIZE, "recorded just now");
        return text;
    }
    size_t i = 0;
    while (i < 3 && age < 2 * units[i].seconds) {
        i++;
    }
    uint64_t n = age / units[i].seconds;
    snprintf(text, OTTER_AGE_SIZE, "recorded %" PRIu64 " %s%s ago", n, units[i].name,
             otter_plural(n));
    return text;
}
