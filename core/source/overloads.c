// Compares the parameters of functions that have one name.
#include "source/overloads.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/strings.h"
#include "base/vector.h"
#include "trace/schema.h"

// A name without parameters, and the number of the first name with parameters that has it.
struct base {
    uint32_t first;
    bool is_overloaded;
};

struct overloads {
    struct otter_strings *names, *bases;
    struct {
        OTTER_VECTOR(struct base);
    } items; // by the number of the name in `bases`
    bool is_short_of_memory;
};

// Returns the overloads of a name of `length` bytes, or NULL if out of memory.
static struct base *find(struct overloads *overloads, const char *name, size_t length)
{
    bool is_new = false;
    char *copy = strndup(name, length);
    uint32_t number = copy ? otter_strings_intern(overloads->names, copy, &is_new) : 0, base = 0;
    if (number > 0) {
        strstr(copy, OTTER_PARAMETERS)[strlen(OTTER_PARAMETERS)] = '\0'; // never ""
        base = otter_strings_intern(overloads->bases, copy, &is_new);
    }
    free(copy);
    if (is_new && !OTTER_VECTOR_ADD(&overloads->items, ((struct base){.first = number}))) {
        base = 0;
    }
    overloads->is_short_of_memory |= base == 0;
    if (base == 0) {
        return NULL;
    }
    struct base *found = &overloads->items.items[base - 1];
    found->is_overloaded |= found->first != number;
    return found;
}

// Compares the functions in `text`, which may be inlined into each other. Removes parameters only
// if `is_last`, when all texts have been compared.
static void visit(struct overloads *overloads, char *text, bool is_last)
{
    char *to = text, *at;
    while ((at = strstr(text, OTTER_PARAMETERS)) && !overloads->is_short_of_memory) {
        char *name = text, *next;
        while ((next = strstr(name, OTTER_INLINED)) && next < at) {
            name = next + strlen(OTTER_INLINED);
        }
        char *end = next ? next : name + strlen(name);
        const struct base *base = find(overloads, name, (size_t)(end - name));
        if (is_last && base) {
            size_t n = (size_t)(at - text);
            memmove(to, text, n);
            to += n;
            at += strlen(OTTER_PARAMETERS);
            n = base->is_overloaded ? (size_t)(end - at) : 0;
            memmove(to, at, n);
            to += n;
        }
        text = end;
    }
    if (is_last && to < text) {
        memmove(to, text, strlen(text) + 1);
    }
}

// Visits a copy, since the text may belong to the archive.
static void visit_label(struct overloads *overloads, struct otter_labels *labels,
                        struct otter_label *label, bool is_last)
{
    if (strstr(label->function, OTTER_PARAMETERS)) {
        char *copy = strdup(label->function);
        if (copy) {
            visit(overloads, copy, is_last);
        }
        label->function = copy && is_last ? otter_labels_copy(labels, copy) : label->function;
        overloads->is_short_of_memory |= !copy || !label->function;
        label->function = label->function ? label->function : "";
        free(copy);
    }
}

enum otter_status otter_overloads_tell_apart(struct otter_labels *labels)
{
    bool is_new;
    struct overloads overloads = {.names = otter_strings_create(), .bases = otter_strings_create()};
    overloads.is_short_of_memory = !overloads.names || !overloads.bases;
    if (!overloads.is_short_of_memory) {
        otter_strings_intern(overloads.names, "", &is_new); // its number means no name
        otter_strings_intern(overloads.bases, "", &is_new);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < labels->n_regions && !overloads.is_short_of_memory; i++) {
            visit_label(&overloads, labels, &labels->regions[i], pass == 1);
        }
    }
    free(overloads.items.items);
    otter_strings_destroy(overloads.names);
    otter_strings_destroy(overloads.bases);
    return overloads.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}
