// Converts the samples of a recording to calling contexts and events.
#include "recording/finish/finish_samples.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/free.h"
#include "base/order.h"
#include "base/path.h"
#include "base/vector.h"
#include "recording/finish/added_events.h"
#include "recording/sample_log.h"

enum {
    MAX_CONTEXTS = 1 << 20, // deeper frames of further chains are left out
    MAX_THREADS = 1 << 15,
    FILES_AT_ONCE = 32, // the log is read once for this many threads
    FIRST_ROOM = 1024,
};

// ---- numbers of pairs

struct pair {
    uint64_t first, second;
    uint32_t number; // from 1; 0: the place is free
};

// A hash table. `room` is a power of two.
struct pairs {
    struct pair *items;
    size_t n, room;
};

static struct pair *place_of(const struct pairs *pairs, uint64_t first, uint64_t second)
{
    uint64_t hash = (first ^ (second << 32 | second >> 32)) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 20) & (pairs->room - 1);
    while (pairs->items[i].number &&
           (pairs->items[i].first != first || pairs->items[i].second != second)) {
        i = (i + 1) & (pairs->room - 1);
    }
    return &pairs->items[i];
}

static bool grow(struct pairs *pairs)
{
    struct pairs larger = {.n = pairs->n, .room = pairs->room ? 2 * pairs->room : FIRST_ROOM};
    larger.items = calloc(larger.room, sizeof(*larger.items));
    for (size_t i = 0; larger.items && i < pairs->room; i++) {
        const struct pair *pair = &pairs->items[i];
        if (pair->number) {
            *place_of(&larger, pair->first, pair->second) = *pair;
        }
    }
    if (larger.items) {
        free(pairs->items);
        *pairs = larger;
    }
    return larger.items != NULL;
}

// Returns the pair, whose number the caller sets if it is 0. NULL: out of memory.
static struct pair *find_pair(struct pairs *pairs, uint64_t first, uint64_t second)
{
    if (2 * pairs->n >= pairs->room && !grow(pairs)) {
        return NULL;
    }
    struct pair *pair = place_of(pairs, first, second);
    if (!pair->number) {
        pair->first = first;
        pair->second = second;
    }
    return pair;
}

// ---- the conversion

struct sampled_thread {
    uint32_t number; // the kernel's
    uint64_t n;
    struct otter_added_events *events; // NULL: not open
};

struct conversion {
    struct otter_finish_state *state;
    int file;
    uint64_t n_records;
    uint64_t begin, end;          // span of the archive, in ticks
    struct pairs owners, regions; // by address
    struct pairs contexts;        // by parent and region
    size_t room_regions, room_contexts;
    struct {
        OTTER_VECTOR(struct sampled_thread);
    } threads; // sorted by number
    bool is_short_of_memory;
};

static struct otter_archive_content *content_of(const struct conversion *conversion)
{
    return &conversion->state->definitions.content;
}

static bool reserve(struct conversion *conversion, void **items, size_t n, size_t *room,
                    size_t size)
{
    if (n < *room) {
        return true;
    }
    size_t larger = n < FIRST_ROOM ? FIRST_ROOM : 2 * n;
    void *moved = reallocarray(*items, larger, size);
    conversion->is_short_of_memory |= !moved;
    *items = moved ? moved : *items;
    *room = moved ? larger : *room;
    return moved != NULL;
}

// ---- code addresses

// Returns the number of the module that was loaded last at the address, from 1; 0: none.
static uint32_t module_at(const struct otter_archive_content *content, uint64_t address)
{
    for (size_t i = content->n_modules; i > 0; i--) {
        const struct otter_module_definition *module = &content->modules[i - 1];
        if (address >= module->begin && address < module->end) {
            return (uint32_t)i;
        }
    }
    return 0;
}

// Returns whether the module is an OpenMP runtime or belongs to Otter.
static bool is_runtime(const struct otter_archive_content *content, uint32_t module)
{
    static const char *const names[] = {"libomp", "libgomp", "libiomp", "libotter"};
    const char *file = module > 0 ? otter_path_file(content->modules[module - 1].path) : "";
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strncmp(file, names[i], strlen(names[i])) == 0) {
            return true;
        }
    }
    return false;
}

static uint32_t add_region(struct conversion *conversion, uint64_t address)
{
    struct otter_archive_content *content = content_of(conversion);
    size_t id = otter_content_n_regions(content);
    uint32_t module = module_at(content, address - 1);
    if (module == 0 || id >= OTTER_MAX_REGIONS ||
        !reserve(conversion, (void **)&content->regions, id, &conversion->room_regions,
                 sizeof(*content->regions))) {
        return OTTER_REGION_UNKNOWN;
    }
    for (size_t i = content->n_regions; i < id; i++) {
        content->regions[i] = (struct otter_region_definition){.is_defined = false};
    }
    content->regions[id] = (struct otter_region_definition){.is_defined = true,
                                                            .construct = OTTER_CONSTRUCT_CODE,
                                                            .address = address,
                                                            .module = module};
    content->n_regions = id + 1;
    return (uint32_t)id;
}

static uint32_t region_of(struct conversion *conversion, uint64_t address)
{
    struct pair *pair = find_pair(&conversion->regions, address, 0);
    conversion->is_short_of_memory |= !pair;
    if (pair && !pair->number) {
        pair->number = add_region(conversion, address);
        conversion->regions.n++;
    }
    return pair ? pair->number : OTTER_REGION_UNKNOWN;
}

// Whose code an address is.
enum owner { UNKNOWN = 1, RUNTIME, PROGRAM };

static enum owner owner_of(struct conversion *conversion, uint64_t address)
{
    struct pair *pair = find_pair(&conversion->owners, address, 0);
    conversion->is_short_of_memory |= !pair;
    if (pair && !pair->number) {
        uint32_t module = module_at(content_of(conversion), address);
        pair->number = module == 0                                  ? UNKNOWN
                       : is_runtime(content_of(conversion), module) ? RUNTIME
                                                                    : PROGRAM;
        conversion->owners.n++;
    }
    return pair ? (enum owner)pair->number : UNKNOWN;
}

// Returns how many frames are the program's: up to the runtime's function that called the task or
// the loop. Beyond the runtime, which has no frame pointers, frames are chance. Addresses outside
// of all modules are, too.
static uint32_t depth_of(struct conversion *conversion, const struct otter_logged_sample *sample)
{
    bool is_inside = false; // whether a frame of the program was seen
    for (uint32_t i = 0; i < sample->n; i++) {
        enum owner owner = owner_of(conversion, sample->addresses[i] - (i > 0));
        if (i > 0 && (owner == UNKNOWN || (is_inside && owner == RUNTIME))) {
            return i;
        }
        is_inside = is_inside || owner != RUNTIME;
    }
    return sample->n;
}

// ---- calling contexts

// Returns the calling context of a region called from `parent`.
static uint32_t context_of(struct conversion *conversion, uint32_t parent, uint32_t region)
{
    struct otter_archive_content *content = content_of(conversion);
    struct pair *pair = find_pair(&conversion->contexts, parent, region);
    conversion->is_short_of_memory |= !pair;
    if (pair && !pair->number && content->n_contexts < MAX_CONTEXTS &&
        reserve(conversion, (void **)&content->contexts, content->n_contexts,
                &conversion->room_contexts, sizeof(*content->contexts))) {
        content->contexts[content->n_contexts++] =
            (struct otter_context_definition){.region = region, .parent = parent};
        pair->number = (uint32_t)content->n_contexts;
        conversion->contexts.n++;
    }
    return pair && pair->number ? pair->number - 1 : parent;
}

// The innermost frame has the address of an instruction, the others have those after a call. A
// region's address is always after the instruction.
static uint32_t context_of_sample(struct conversion *conversion,
                                  const struct otter_logged_sample *sample)
{
    uint32_t context = OTTER_CONTEXT_NONE;
    for (uint32_t i = depth_of(conversion, sample); i > 0; i--) {
        uint64_t address = sample->addresses[i - 1] + (i == 1);
        context = context_of(conversion, context, region_of(conversion, address));
    }
    return context;
}

// ---- threads

static int compare_threads(const void *a, const void *b)
{
    const struct sampled_thread *x = a, *y = b;
    return OTTER_BY_1(x, y, number);
}

static uint32_t place_of_thread(const struct conversion *conversion, uint32_t number)
{
    struct sampled_thread key = {.number = number};
    return OTTER_SORTED_BEFORE(&conversion->threads, &key, compare_threads);
}

static struct sampled_thread *find_thread(const struct conversion *conversion, uint32_t number)
{
    uint32_t i = place_of_thread(conversion, number);
    bool is_there = i < conversion->threads.n && conversion->threads.items[i].number == number;
    return is_there ? &conversion->threads.items[i] : NULL;
}

static bool is_inside(const struct conversion *conversion, const struct otter_logged_sample *sample)
{
    return sample->time >= conversion->begin && sample->time <= conversion->end;
}

// Counts the sample of its thread, and defines its calling context.
static bool define(void *user, const struct otter_logged_sample *sample)
{
    struct conversion *conversion = user;
    struct sampled_thread *thread = find_thread(conversion, sample->thread);
    if (!is_inside(conversion, sample)) {
        return true;
    }
    if (!thread && conversion->threads.n < MAX_THREADS) {
        uint32_t at = place_of_thread(conversion, sample->thread);
        struct sampled_thread added = {.number = sample->thread};
        conversion->is_short_of_memory |= !OTTER_VECTOR_ADD(&conversion->threads, added);
        if (!conversion->is_short_of_memory) {
            thread = &conversion->threads.items[at];
            memmove(thread + 1, thread, (conversion->threads.n - 1 - at) * sizeof(*thread));
            *thread = added;
        }
    }
    if (thread) {
        thread->n++;
        context_of_sample(conversion, sample);
    }
    return !conversion->is_short_of_memory;
}

static bool write_sample(void *user, const struct otter_logged_sample *sample)
{
    struct conversion *conversion = user;
    const struct sampled_thread *thread = find_thread(conversion, sample->thread);
    uint32_t context = thread && thread->events && is_inside(conversion, sample)
                           ? context_of_sample(conversion, sample)
                           : OTTER_CONTEXT_NONE;
    if (context == OTTER_CONTEXT_NONE) {
        return true;
    }
    struct otter_location_writer *records = &thread->events->records;
    uint64_t n_before = records->n_events;
    otter_write_sample(records, otter_added_time(thread->events, sample->time), context);
    return records->n_events > n_before;
}

// Writes the event files of `n` threads from `first` on, at most FILES_AT_ONCE.
static bool write_some(struct conversion *conversion, uint32_t first, uint32_t n)
{
    const struct otter_archive_content *content = content_of(conversion);
    struct otter_added_events events[FILES_AT_ONCE];
    size_t location = otter_content_n_locations(content) - content->n_sampled + first;
    uint32_t n_open = 0;
    bool is_written = true;
    for (; n_open < n && is_written; n_open++) {
        conversion->threads.items[first + n_open].events = &events[n_open];
        is_written = otter_added_open(&events[n_open], conversion->state, location + n_open);
    }
    is_written = is_written && otter_sample_log_visit(conversion->file, conversion->n_records,
                                                      write_sample, conversion);
    for (uint32_t i = 0; i < n_open; i++) {
        uint64_t *n_events = &conversion->state->n_events[location + i];
        is_written = otter_added_close(&events[i], is_written, n_events) && is_written;
        conversion->threads.items[first + i].events = NULL;
    }
    return is_written;
}

static bool write_all(struct conversion *conversion)
{
    struct otter_archive_content *content = content_of(conversion);
    uint32_t n = conversion->threads.n;
    content->sampled = calloc(n + 1, sizeof(*content->sampled));
    for (uint32_t i = 0; content->sampled && i < n; i++) {
        content->sampled[i] = conversion->threads.items[i].number;
    }
    content->n_sampled = content->sampled ? n : 0;
    bool is_written =
        content->sampled && otter_added_count(conversion->state) &&
        !otter_switch_log_note(conversion->state->recording,
                               (uint32_t)otter_content_n_executing(content),
                               (uint32_t)(content->n_processors + content->n_sampled));
    for (uint32_t i = 0; i < n && is_written; i += FILES_AT_ONCE) {
        is_written = write_some(conversion, i, n - i < FILES_AT_ONCE ? n - i : FILES_AT_ONCE);
    }
    return is_written;
}

// The new regions have no totals.
static bool extend_totals(struct otter_archive_content *content, size_t n_before)
{
    size_t n = otter_content_n_regions(content) + OTTER_REGION_FIRST;
    struct otter_region_total *totals =
        content->totals ? reallocarray(content->totals, n, sizeof(*totals)) : NULL;
    if (!totals) {
        return !content->totals;
    }
    size_t n_known = n_before + OTTER_REGION_FIRST;
    memset(totals + n_known, 0, (n - n_known) * sizeof(*totals));
    content->totals = totals;
    return true;
}

static void add_from(struct conversion *conversion)
{
    struct otter_archive_content *content = content_of(conversion);
    size_t n_regions = content->n_regions;
    bool is_good =
        otter_sample_log_visit(conversion->file, conversion->n_records, define, conversion) &&
        extend_totals(content, n_regions);
    if (is_good && conversion->threads.n > 0 && !write_all(conversion)) {
        otter_added_remove(conversion->state, content->n_processors, content->n_sampled);
        is_good = false;
    }
    if (!is_good) {
        content->n_sampled = content->n_contexts = 0;
        content->n_regions = n_regions;
    }
}

void otter_finish_add_samples(struct otter_finish_state *state)
{
    const struct otter_archive_content *content = &state->definitions.content;
    struct otter_switch_log_header header;
    struct conversion conversion = {.state = state, .begin = content->start.ticks};
    conversion.end = content->has_end ? content->end.ticks : state->last_time;
    conversion.room_regions = content->n_regions;
    conversion.file = otter_switch_log_read(state->recording, &header, &conversion.n_records);
    if (conversion.file >= 0) {
        if ((header.is_counter != 0) == content->clock_is_counter) {
            add_from(&conversion);
        }
        close(conversion.file);
    }
    OTTER_FREE(conversion.owners.items, conversion.regions.items, conversion.contexts.items,
               conversion.threads.items);
}
