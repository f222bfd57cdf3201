// Finds the functions at the addresses of call chains.
#include "analysis/sample/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/path.h"
#include "base/text/strings.h"
#include "trace/schema.h"

static const char recording[] = "[recording]";

struct naming {
    struct otter_frames *frames;
    struct otter_strings *strings;
    bool is_short_of_memory;
};

// Returns the number of a text, which is copied; 0, the number of "", if out of memory.
static uint32_t number_of(struct naming *naming, const char *text, size_t length)
{
    bool is_new = false;
    char *copy = strndup(text, length);
    uint32_t number = copy ? otter_strings_intern(naming->strings, copy, &is_new) : 0;
    bool is_added = is_new && OTTER_VECTOR_ADD(&naming->frames->texts, copy);
    bool is_known = number > 0 || (length == 0 && naming->frames->texts.n > 0);
    naming->is_short_of_memory |= !copy || !is_known || (is_new && !is_added);
    if (!is_added) {
        free(copy);
    }
    return number;
}

// Returns the length of the module in "libm.so.6+0x12", or of the file in "fib.c:12".
static int length_of_module(const struct otter_label *label)
{
    static const char offset[] = "+0x";
    const char *where = label->where, *end = label->line > 0 ? strrchr(where, ':') : NULL;
    for (const char *at = where; label->line == 0 && (at = strstr(at, offset)); at++) {
        end = at;
    }
    return end ? (int)(end - where) : (int)strlen(where);
}

// Returns the number of the function.
static uint32_t add_frame(struct naming *naming, const char *function, size_t length,
                          const char *where)
{
    struct otter_frame frame = {number_of(naming, function, length),
                                number_of(naming, where, strlen(where))};
    naming->is_short_of_memory |= !OTTER_VECTOR_ADD(naming->frames, frame);
    return frame.function;
}

// Returns whether a region is code of the recorder. Otter's libraries for MPI and GCC's runtime
// also call other code, so they count like any other library.
static bool is_recorder(const struct otter_region *region)
{
    static const char *const libraries[] = {"libotter-core.", "libotter-ompt.", "libotter-kokkos."};
    const char *slash = strrchr(region->file, '/'), *name = slash ? slash + 1 : region->file;
    bool is_recorder = false;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        is_recorder |= strncmp(name, libraries[i], strlen(libraries[i])) == 0;
    }
    return is_recorder;
}

// Adds the functions at a code address: those inlined there, then the function that contains them.
// Code outside of any known function gets the name of its module: "[libm.so.6]".
static void add_functions(struct naming *naming, const struct otter_label *label, bool is_code)
{
    static const char separator[] = OTTER_INLINED;
    const char *where = label->line > 0 ? label->where : "", *name = is_code ? label->function : "";
    bool is_module = is_code && !*name;
    char *module = is_module ? otter_path("[%.*s]", length_of_module(label), label->where) : NULL;
    naming->is_short_of_memory |= is_module && !module;
    name = module ? module : name;
    for (int i = 0; name && i <= OTTER_MAX_INLINED && !naming->is_short_of_memory; i++) {
        const char *next = strstr(name, separator);
        add_frame(naming, name, next ? (size_t)(next - name) : strlen(name), i == 0 ? where : "");
        name = next ? next + strlen(separator) : NULL;
    }
    free(module);
}

// Marks the regions of calling contexts in `first`.
static void mark_regions(const struct otter_frames *frames)
{
    const struct otter_definitions *definitions = frames->definitions;
    for (size_t i = 0; i < definitions->n_contexts; i++) {
        uint32_t region = definitions->contexts[i].region;
        if (region < definitions->n_regions) {
            frames->first[region] = 1;
        }
    }
}

static void add_regions(struct naming *naming, const struct otter_labels *labels)
{
    struct otter_frames *frames = naming->frames;
    const struct otter_definitions *definitions = frames->definitions;
    for (uint32_t i = 0; i < definitions->n_regions && !naming->is_short_of_memory; i++) {
        bool is_used = frames->first[i] > 0;
        frames->first[i] = frames->n;
        const struct otter_region *region = &definitions->regions[i];
        bool is_code = region->construct == OTTER_CONSTRUCT_CODE;
        if (is_used && is_code && is_recorder(region)) {
            frames->recording = add_frame(naming, recording, strlen(recording), "");
        } else if (is_used) {
            add_functions(naming, otter_label_of(labels, i), is_code);
        }
    }
    frames->first[definitions->n_regions] = frames->n;
}

enum otter_status otter_frames_init(struct otter_frames *frames,
                                    const struct otter_definitions *definitions,
                                    const struct otter_labels *labels)
{
    *frames = (struct otter_frames){
        .definitions = definitions,
        .first = calloc(definitions->n_regions + (size_t)1, sizeof *frames->first)};
    struct naming naming = {.frames = frames, .strings = otter_strings_create()};
    naming.is_short_of_memory = !naming.strings || !frames->first;
    if (!naming.is_short_of_memory) {
        number_of(&naming, "", 0);
        mark_regions(frames);
        add_regions(&naming, labels);
    }
    otter_strings_destroy(naming.strings);
    return naming.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

void otter_frames_finish(struct otter_frames *frames)
{
    for (uint32_t i = 0; i < frames->texts.n; i++) {
        free(frames->texts.items[i]);
    }
    OTTER_FREE(frames->texts.items, frames->items, frames->first);
    *frames = (struct otter_frames){0};
}

static bool add_region(const struct otter_frames *frames, uint32_t region,
                       struct otter_frame_chain *chain)
{
    bool is_good = true;
    if (region >= frames->definitions->n_regions) {
        return OTTER_VECTOR_ADD(chain, (struct otter_frame){0});
    }
    for (uint32_t i = frames->first[region]; i < frames->first[region + 1] && is_good; i++) {
        is_good = OTTER_VECTOR_ADD(chain, frames->items[i]);
    }
    return is_good;
}

// Replaces the recorder's functions, and those that it calls, by one.
static void join_recorder(const struct otter_frames *frames, struct otter_frame_chain *chain)
{
    uint32_t n_inside = 0;
    for (uint32_t i = 0; i < chain->n && frames->recording > 0; i++) {
        n_inside = chain->items[i].function == frames->recording ? i : n_inside;
    }
    chain->n -= n_inside;
    memmove(chain->items, chain->items + n_inside, chain->n * sizeof *chain->items);
}

bool otter_frames_chain(const struct otter_frames *frames, uint32_t context,
                        struct otter_frame_chain *chain)
{
    const struct otter_definitions *definitions = frames->definitions;
    chain->n = 0;
    if (context >= definitions->n_contexts) {
        return OTTER_VECTOR_ADD(chain, (struct otter_frame){0});
    }
    bool is_good = true;
    for (int depth = 0; context != OTTER_NONE && depth < OTTER_MAX_SAMPLE_DEPTH && is_good;
         depth++) {
        is_good = add_region(frames, definitions->contexts[context].region, chain);
        context = definitions->contexts[context].parent;
    }
    join_recorder(frames, chain);
    return is_good;
}
