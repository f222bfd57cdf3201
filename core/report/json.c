#include "report/json.h"

#include <stdlib.h>
#include <string.h>

void otter_json_set(json_t *object, const char *name, json_t *value)
{
    json_object_set_new(object, name, value ? value : json_null());
}

json_t *otter_json_text(const char *value)
{
    json_t *string = json_string(value ? value : "");
    if (string) {
        return string;
    }
    char *latin = malloc(2 * strlen(value) + 1), *at = latin;
    for (const unsigned char *byte = (const unsigned char *)value; latin && *byte; byte++) {
        if (*byte < 0x80) {
            *at++ = (char)*byte;
        } else {
            *at++ = (char)(0xc0 | *byte >> 6);
            *at++ = (char)(0x80 | (*byte & 0x3f));
        }
    }
    if (!latin) {
        return NULL;
    }
    *at = '\0';
    string = json_string(latin);
    free(latin);
    return string;
}

json_t *otter_json_number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

enum otter_status otter_json_print(FILE *out, json_t *root)
{
    int failed =
        !root ||
        json_dumpf(root, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12)) != 0;
    json_decref(root);
    fputc('\n', out);
    return failed ? OTTER_IO : OTTER_OK;
}
