// Formats numbers, sizes and durations for reading.
#include "base/text/number.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

const char *otter_number_text(uint64_t number, char text[OTTER_MAX_NUMBER])
{
    char digits[OTTER_MAX_NUMBER];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *at = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *at++ = ',';
        }
        *at++ = digits[i];
    }
    *at = '\0';
    return text;
}

const char *otter_size_text(double bytes, char text[OTTER_MAX_NUMBER])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    for (; bytes >= 1024 && unit < sizeof units / sizeof *units - 1; unit++) {
        bytes /= 1024;
    }
    snprintf(text, OTTER_MAX_NUMBER, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return text;
}

const char *otter_duration_text(double seconds, char text[OTTER_MAX_NUMBER])
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    size_t unit = 0;
    for (; seconds < 0.9995 && unit < sizeof units / sizeof *units - 1; unit++) {
        seconds *= 1000;
    }
    int digits = unit == 3 || seconds >= 99.95 ? 0 : seconds >= 9.995 ? 1 : 2;
    snprintf(text, OTTER_MAX_NUMBER, "%.*f %s", digits, seconds, units[unit]);
    return text;
}
