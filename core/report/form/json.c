// Makes and prints JSON with jansson; the text is safe for a terminal.
#include "report/form/json.h"

#include <stdlib.h>

#include "base/text/print.h"
#include "base/text/utf8.h"
#include "base/text/visible.h"

void otter_json_set(json_t *object, const char *name, json_t *value)
{
    json_object_set_new(object, name, value ? value : json_null());
}

json_t *otter_json_text(const char *value)
{
    char *copy = otter_utf8_copy(value ? value : "");
    json_t *string = json_string(copy);
    free(copy);
    return string;
}

json_t *otter_json_number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

json_t *otter_json_numbers(const uint64_t *values, unsigned n)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < n; i++) {
        json_array_append_new(array, otter_json_number(values[i]));
    }
    return array;
}

void otter_json_set_text(json_t *object, const char *name, const char *value)
{
    otter_json_set(object, name, otter_json_text(value));
}

void otter_json_set_number(json_t *object, const char *name, uint64_t value)
{
    otter_json_set(object, name, otter_json_number(value));
}

// Returns the number of characters before the next one that may have to be escaped.
static size_t count_plain(const char *text, uint32_t also)
{
    size_t n = 0;
    while (text[n] >= ' ' && text[n] < 0x7f && (uint32_t)text[n] != also) {
        n++;
    }
    return n;
}

// Escapes `also`, and the invisible characters from U+007F on, which occur only in strings. Jansson
// escapes the controls below U+0020.
static void print_visibly(FILE *out, const char *text, uint32_t also)
{
    for (const char *begin = text; *text; begin = text) {
        size_t n = count_plain(text, also);
        if (n > 0) {
            fwrite(text, 1, n, out);
            text += n;
            continue;
        }
        uint32_t character = otter_utf8_next(&text);
        if (character != also && (character == '\n' || otter_visible_is(character))) {
            fwrite(begin, 1, (size_t)(text - begin), out);
        } else if (character > 0xffff) {
            otter_print(out, "\\u%04x\\u%04x", 0xd7c0 + (character >> 10),
                        0xdc00 + (character & 0x3ff));
        } else {
            otter_print(out, "\\u%04x", character);
        }
    }
}

static enum otter_status print(FILE *out, json_t *root, size_t layout, uint32_t also)
{
    char *text = json_dumps(root, layout | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
    json_decref(root);
    if (text) {
        print_visibly(out, text, also);
    }
    otter_print(out, "\n");
    free(text);
    return text ? OTTER_OK : OTTER_IO;
}

enum otter_status otter_json_print(FILE *out, json_t *root)
{
    return print(out, root, JSON_INDENT(2), 0);
}

enum otter_status otter_json_print_script(FILE *out, json_t *root)
{
    return print(out, root, JSON_COMPACT, '<');
}
