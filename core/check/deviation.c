// Counts deviations by check and quirk, and stores the first of them in full.
#include "check/deviation.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text/number.h"

static struct otter_deviation *add(struct otter_check_report *report, enum otter_check check,
                                   enum otter_quirk quirk, uint64_t n)
{
    struct otter_deviations *deviations = &report->results[check].deviations[quirk];
    uint64_t index = deviations->n;
    deviations->n += n;
    return index < OTTER_MAX_DEVIATIONS_SHOWN ? &deviations->first[index] : NULL;
}

void otter_deviate(struct otter_check_report *report, enum otter_check check,
                   enum otter_quirk quirk, struct otter_deviation where, const char *format, ...)
{
    struct otter_deviation *deviation = add(report, check, quirk, 1);
    if (!deviation) {
        return;
    }
    *deviation = where;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(deviation->text, sizeof deviation->text, format, arguments);
    va_end(arguments);
}

void otter_deviate_often(struct otter_check_report *report, enum otter_check check,
                         enum otter_quirk quirk, uint64_t n, const char *one, const char *many)
{
    struct otter_deviation *deviation = n > 0 ? add(report, check, quirk, n) : NULL;
    if (deviation) {
        char text[OTTER_MAX_NUMBER];
        *deviation = (struct otter_deviation){.location = OTTER_NONE};
        snprintf(deviation->text, sizeof deviation->text, "%s %s", otter_number_text(n, text),
                 n == 1 ? one : many);
    }
}
