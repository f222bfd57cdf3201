// Splits lines of a journal into fields, and reads them as numbers and texts.
#include "recording/finish/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "recording/journal.h"

static bool read_number(const char *text, int base, uint64_t max, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    unsigned long long parsed = strtoull(text, &end, base);
    if (errno || end == text || *end != '\0' || parsed > max) {
        return false;
    }
    *value = parsed;
    return true;
}

struct otter_fields otter_fields_split(char *text)
{
    struct otter_fields fields = {.n = 0};
    char *rest = text;
    for (char *field; fields.n < OTTER_MAX_FIELDS && (field = strsep(&rest, " "));) {
        fields.at[fields.n++] = field;
    }
    return fields;
}

bool otter_fields_numbers(const struct otter_fields *fields, size_t first, size_t n, uint64_t max,
                          uint64_t *values)
{
    if (fields->n < first + n) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (!read_number(fields->at[first + i], 10, max, &values[i])) {
            return false;
        }
    }
    return true;
}

bool otter_fields_hexadecimal(const struct otter_fields *fields, size_t field, uint64_t *value)
{
    return field < fields->n && read_number(fields->at[field], 16, UINT64_MAX, value);
}

char *otter_fields_text(const struct otter_fields *fields, size_t field)
{
    static char empty[1];
    if (field >= fields->n) {
        return empty;
    }
    otter_journal_decode(fields->at[field]);
    return fields->at[field];
}
