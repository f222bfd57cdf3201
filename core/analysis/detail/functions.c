// Counts the samples of each function by label.
#include "analysis/detail/functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/time/states.h"
#include "base/free.h"
#include "base/order.h"
#include "base/path.h"
#include "base/settings.h"
#include "base/text/strings.h"
#include "trace/schema.h"

// A sample, or several equal ones.
struct hit {
    uint32_t context;
    uint32_t label; // OTTER_NONE unless executing
    uint32_t state; // enum otter_state
};

// Samples of a function at one line. Texts have the numbers of the walk's strings.
struct part {
    uint32_t function, label, state, where;
    uint64_t n_self, n_total;
};

struct walk {
    const struct otter_analysis *analysis;
    const struct otter_labels *labels;
    struct otter_functions *functions;
    struct otter_strings *strings;
    const struct otter_thread_line *line; // of the thread whose samples are read; NULL: unknown
    struct {
        OTTER_VECTOR(struct hit);
    } hits;
    struct {
        OTTER_VECTOR(struct part);
    } parts;
    struct {
        OTTER_VECTOR(uint32_t);
    } chain; // functions of a sample, each once
    bool is_short_of_memory;
};

// ---- reading

// Returns the line of the thread with the kernel's number `thread`. NULL: none, or the kernel
// reused the number.
static const struct otter_thread_line *find_line(const struct otter_analysis *analysis,
                                                 uint64_t thread)
{
    const struct otter_timeline *timeline = &analysis->timeline;
    const struct otter_thread_line *found = NULL;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        const struct otter_location *location = &analysis->definitions->locations[line->location];
        if (otter_location_number(location, "OTTER::TID") == thread) {
            if (found) {
                return NULL;
            }
            found = line;
        }
    }
    return found;
}

static struct hit hit_at(const struct walk *walk, uint64_t time)
{
    const struct otter_thread_line *line = walk->line;
    struct hit hit = {.label = OTTER_NONE, .state = OTTER_STATE_UNRECORDED};
    if (line) {
        bool is_inside = line->intervals.n > 0 && time >= line->intervals.items[0].begin &&
                         time <= walk->analysis->timeline.end;
        const struct otter_interval *interval =
            is_inside ? &line->intervals.items[otter_interval_at(line, time)] : NULL;
        hit.state = interval ? interval->state : OTTER_STATE_OUTSIDE;
        hit.label =
            interval && interval->state == OTTER_STATE_EXECUTING ? interval->label : OTTER_NONE;
    }
    return hit;
}

static bool add_event(void *user, const struct otter_event *event)
{
    struct walk *walk = user;
    if (event->kind == OTTER_RECORD_SAMPLE) {
        struct hit hit = hit_at(walk, event->time);
        hit.context = event->context;
        walk->functions->n_samples++;
        walk->is_short_of_memory |= !OTTER_VECTOR_ADD(&walk->hits, hit);
    }
    return !walk->is_short_of_memory;
}

static void read_samples(struct walk *walk)
{
    const struct otter_analysis *analysis = walk->analysis;
    struct otter_complaint damage, *first = &walk->functions->damage;
    for (uint32_t i = 0; i < analysis->definitions->n_locations && !walk->is_short_of_memory; i++) {
        const struct otter_location *location = &analysis->definitions->locations[i];
        uint64_t thread = otter_location_number(location, OTTER_SAMPLES_OF);
        if (location->kind != OTTER_LOCATION_METRIC || thread == 0) {
            continue;
        }
        walk->line = find_line(analysis, thread);
        enum otter_status status =
            analysis->source.read(analysis->source.run, i, add_event, walk, &damage);
        walk->is_short_of_memory |= status == OTTER_NO_MEMORY;
        if (status && *first->text == '\0') {
            *first = damage;
        }
    }
}

// ---- functions

// Returns the number of a text, which is copied; 0, the number of "", if out of memory.
static uint32_t number_of(struct walk *walk, const char *text, size_t length)
{
    bool is_new = false;
    char *copy = strndup(text, length);
    uint32_t number = copy ? otter_strings_intern(walk->strings, copy, &is_new) : 0;
    bool is_added = is_new && OTTER_VECTOR_ADD(&walk->functions->texts, copy);
    bool is_known = number > 0 || (length == 0 && walk->functions->texts.n > 0);
    walk->is_short_of_memory |= !copy || !is_known || (is_new && !is_added);
    if (!is_added) {
        free(copy);
    }
    return number;
}

static void add_to_chain(struct walk *walk, uint32_t function)
{
    for (uint32_t i = 0; i < walk->chain.n; i++) {
        if (walk->chain.items[i] == function) {
            return;
        }
    }
    walk->is_short_of_memory |= !OTTER_VECTOR_ADD(&walk->chain, function);
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

// Adds the functions at a code address: those inlined there, then the function that contains them.
// Code without a function has its module: "[libm.so.6]".
static void add_functions(struct walk *walk, uint32_t region)
{
    static const char separator[] = OTTER_INLINED;
    const struct otter_label *label =
        otter_definitions_construct(walk->analysis->definitions, region) == OTTER_CONSTRUCT_CODE
            ? otter_label_of(walk->labels, region)
            : NULL;
    const char *name = label ? label->function : "";
    char *module =
        label && !*name ? otter_path("[%.*s]", length_of_module(label), label->where) : NULL;
    walk->is_short_of_memory |= label && !*name && !module;
    name = module ? module : name;
    const char *next = name;
    for (int i = 0; name && i <= OTTER_MAX_INLINED && !walk->is_short_of_memory; i++, name = next) {
        next = strstr(name, separator);
        add_to_chain(walk, number_of(walk, name, next ? (size_t)(next - name) : strlen(name)));
        next = next ? next + strlen(separator) : NULL;
    }
    free(module);
}

// Adds `n` equal samples to each function of their call chain.
static void add_parts(struct walk *walk, const struct hit *hit, uint64_t n)
{
    const struct otter_definitions *definitions = walk->analysis->definitions;
    uint32_t context = hit->context < definitions->n_contexts ? hit->context : OTTER_NONE;
    uint32_t leaf = context == OTTER_NONE ? OTTER_NONE : definitions->contexts[context].region;
    walk->chain.n = 0;
    add_functions(walk, leaf);
    for (int depth = 1; context != OTTER_NONE && depth < OTTER_MAX_SAMPLE_DEPTH; depth++) {
        context = definitions->contexts[context].parent;
        if (context != OTTER_NONE) {
            add_functions(walk, definitions->contexts[context].region);
        }
    }
    const struct otter_label *label = otter_label_of(walk->labels, leaf);
    const char *where = label->line > 0 ? label->where : "";
    for (uint32_t i = 0; i < walk->chain.n && !walk->is_short_of_memory; i++) {
        struct part part = {.function = walk->chain.items[i],
                            .label = hit->label,
                            .state = hit->state,
                            .where = i == 0 ? number_of(walk, where, strlen(where)) : 0,
                            .n_self = i == 0 ? n : 0,
                            .n_total = n};
        walk->is_short_of_memory |= !OTTER_VECTOR_ADD(&walk->parts, part);
    }
}

// ---- sums

static int compare_hits(const void *a, const void *b)
{
    const struct hit *x = a, *y = b;
    return OTTER_BY_3(x, y, context, label, state);
}

static int compare_parts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    return OTTER_BY_4(x, y, function, label, state, where);
}

static int compare_uses(const void *a, const void *b)
{
    const struct otter_function_use *x = a, *y = b;
    int order = otter_order(OTTER_BY_2(y, x, n_self, n_total), strcmp(x->function, y->function));
    return otter_order(order, OTTER_BY_2(x, y, label, state));
}

// Adds the parts from `first` to before `end`, which have the same function, label and state.
static void add_use(struct walk *walk, uint32_t first, uint32_t end)
{
    const struct part *parts = walk->parts.items;
    char *const *texts = walk->functions->texts.items;
    struct otter_function_use use = {.function = texts[parts[first].function],
                                     .where = "",
                                     .label = parts[first].label,
                                     .state = (enum otter_state)parts[first].state};
    uint64_t n_most = 0, n_here = 0;
    for (uint32_t i = first; i < end; i++) {
        n_here = i > first && parts[i].where == parts[i - 1].where ? n_here : 0;
        n_here += parts[i].n_self;
        if (n_here > n_most) {
            n_most = n_here;
            use.where = texts[parts[i].where];
        }
        use.n_self += parts[i].n_self;
        use.n_total += parts[i].n_total;
    }
    walk->functions->items[walk->functions->n++] = use;
}

static void add_up(struct walk *walk)
{
    OTTER_SORT(&walk->hits, compare_hits);
    for (uint32_t i = 0, end; i < walk->hits.n && !walk->is_short_of_memory; i = end) {
        end = i + 1;
        while (end < walk->hits.n &&
               compare_hits(&walk->hits.items[i], &walk->hits.items[end]) == 0) {
            end++;
        }
        add_parts(walk, &walk->hits.items[i], end - i);
    }
    OTTER_SORT(&walk->parts, compare_parts);
    struct otter_functions *functions = walk->functions;
    functions->items = calloc(walk->parts.n + (size_t)1, sizeof *functions->items);
    walk->is_short_of_memory |= !functions->items;
    for (uint32_t i = 0, end; i < walk->parts.n && !walk->is_short_of_memory; i = end) {
        const struct part *first = &walk->parts.items[i];
        end = i + 1;
        while (end < walk->parts.n &&
               OTTER_BY_3(first, &walk->parts.items[end], function, label, state) == 0) {
            end++;
        }
        add_use(walk, i, end);
    }
    if (functions->n > 0) {
        qsort(functions->items, functions->n, sizeof *functions->items, compare_uses);
    }
}

// ---- all

void otter_sample_share(uint64_t n, uint64_t n_samples, double *low, double *high)
{
    const double z = 1.96;
    double all = (double)n_samples, share = all > 0 ? (double)n / all : 0;
    double middle = all > 0 ? (share + z * z / (2 * all)) / (1 + z * z / all) : 0;
    double half =
        all > 0 ? z * sqrt(share * (1 - share) / all + z * z / (4 * all * all)) / (1 + z * z / all)
                : 0;
    *low = middle - half > 0 ? middle - half : 0;
    *high = middle + half;
}

enum otter_status otter_functions_read(struct otter_functions *functions,
                                       const struct otter_analysis *analysis,
                                       const struct otter_labels *labels)
{
    struct walk walk = {.analysis = analysis,
                        .labels = labels,
                        .functions = functions,
                        .strings = otter_strings_create()};
    const char *rate = otter_definitions_property(analysis->definitions, "OTTER::SETTING::SAMPLE");
    uint64_t hertz = 0;
    *functions = (struct otter_functions){0};
    bool is_known = rate && otter_settings_parse_size(rate, &hertz) && hertz > 0;
    functions->period = is_known ? 1 / (double)hertz : 0;
    functions->n_lost = otter_definitions_number(analysis->definitions, "OTTER::SAMPLES_LOST");
    walk.is_short_of_memory = !walk.strings;
    if (walk.strings && analysis->definitions->n_contexts > 0) {
        number_of(&walk, "", 0);
        read_samples(&walk);
        add_up(&walk);
    }
    otter_strings_destroy(walk.strings);
    OTTER_FREE(walk.hits.items, walk.parts.items, walk.chain.items);
    return walk.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

void otter_functions_finish(struct otter_functions *functions)
{
    for (uint32_t i = 0; i < functions->texts.n; i++) {
        free(functions->texts.items[i]);
    }
    OTTER_FREE(functions->texts.items, functions->items);
    *functions = (struct otter_functions){0};
}
