#include "report/number.h"

#include <inttypes.h>
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

const char *otter_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}
