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
    MAX_CONTEXTS = 1 << 20, // beyond this, chains have only their innermost frame
    MAX_THREADS = 1 << 15,
    FILES_AT_ONCE = 32, // the log is read once for this many threads
    FIRST_ROOM = 1024,
};

// ---- numbers by key

struct entry {
    uint64_t key;
    uint32_t number; // of a region or a context; 0: none
    uint32_t module; // of code: the number of its module, from 1; 0: outside of all modules
    uint8_t owner;   // of code: enum owner
    bool is_used;
};

// A hash table. `room` is a power of two.
struct entries {
    struct entry *items;
    size_t n, room;
};

static struct entry *place_of(const struct entries *entries, uint64_t key)
{
    uint64_t hash = (key ^ key >> 33) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    size_t i = (size_t)(hash ^ hash >> 33) & (entries->room - 1);
    while (entries->items[i].is_used && entries->items[i].key != key) {
        i = (i + 1) & (entries->room - 1);
    }
    return &entries->items[i];
}

static bool grow(struct entries *entries)
{
    struct entries larger = {.n = entries->n,
                             .room = entries->room ? 2 * entries->room : FIRST_ROOM};
    larger.items = calloc(larger.room, sizeof(*larger.items));
    for (size_t i = 0; larger.items && i < entries->room; i++) {
        const struct entry *entry = &entries->items[i];
        if (entry->is_used) {
            *place_of(&larger, entry->key) = *entry;
        }
    }
    if (larger.items) {
        free(entries->items);
        *entries = larger;
    }
    return larger.items != NULL;
}

// Returns the entry, which is valid until the next call. NULL: out of memory.
static struct entry *find_entry(struct entries *entries, uint64_t key, bool *is_new)
{
    if (2 * entries->n >= entries->room && !grow(entries)) {
        return NULL;
    }
    struct entry *entry = place_of(entries, key);
    *is_new = !entry->is_used;
    entries->n += *is_new;
    entry->key = key;
    entry->is_used = true;
    return entry;
}

// ---- the conversion

struct sampled_thread {
    uint32_t number;                   // the kernel's
    struct otter_added_events *events; // NULL: not open
    uint64_t counts[OTTER_MAX_COUNTERS];
};

struct conversion {
    struct otter_finish_state *state;
    int file;
    uint64_t n_records;
    uint64_t n_lost;     // samples
    uint64_t n_cut;      // samples whose chains end too early
    uint64_t begin, end; // span of the archive, in ticks
    size_t n_counters;
    struct entries codes;    // by the address after an instruction
    struct entries contexts; // by parent and region
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

// The owner of the code at an address.
enum owner { UNKNOWN, RUNTIME, LIBC, PROGRAM };

static enum owner owner_of(const struct otter_archive_content *content, uint32_t module)
{
    static const char *const libc[] = {"libc.so", "libc-2", "libpthread", "ld-"};
    const char *path = module > 0 ? content->modules[module - 1].path : "";
    if (otter_path_is_openmp(path) || otter_path_file_begins(path, "libotter-")) {
        return RUNTIME;
    }
    for (size_t i = 0; i < sizeof(libc) / sizeof(libc[0]); i++) {
        if (otter_path_file_begins(path, libc[i])) {
            return LIBC;
        }
    }
    return module > 0 ? PROGRAM : UNKNOWN;
}

// Returns the code before an address. NULL: out of memory.
static struct entry *code_before(struct conversion *conversion, uint64_t address)
{
    bool is_new = false;
    struct entry *code = find_entry(&conversion->codes, address, &is_new);
    conversion->is_short_of_memory |= !code;
    if (is_new) {
        code->module = otter_content_module_at(content_of(conversion), address - 1);
        code->owner = (uint8_t)owner_of(content_of(conversion), code->module);
    }
    return code;
}

// Returns the address after the instruction of frame `i`. The innermost frame has the address of an
// instruction; each other frame has the address after a call.
static uint64_t address_after(const struct otter_logged_sample *sample, uint32_t i)
{
    return sample->addresses[i] + (i == 0);
}

// Returns the number of a new region; 0: none.
static uint32_t add_region(struct conversion *conversion, uint64_t address, uint32_t module)
{
    struct otter_archive_content *content = content_of(conversion);
    size_t id = otter_content_n_regions(content);
    if (module == 0) {
        return OTTER_REGION_UNKNOWN;
    }
    if (id >= OTTER_MAX_REGIONS || !reserve(conversion, (void **)&content->regions, id,
                                            &conversion->room_regions, sizeof(*content->regions))) {
        return 0;
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

// Returns the region of the code before an address; 0: none.
static uint32_t region_of(struct conversion *conversion, uint64_t address)
{
    struct entry *code = code_before(conversion, address);
    if (code && code->number == 0) {
        code->number = add_region(conversion, address, code->module);
    }
    return code ? code->number : 0;
}

// Returns how many frames belong to the program: those inside the runtime's function that called
// the task or the loop. Frames beyond that function belong to the enclosing construct. They are
// meaningless if the runtime has no frame pointers, as are addresses outside all modules. Both the
// program and the runtime may call functions of libc.
//
// *is_cut: callers are missing, since a function of the program was called neither by the
// runtime nor by libc, which starts threads.
static uint32_t depth_of(struct conversion *conversion, const struct otter_logged_sample *sample,
                         bool *is_cut)
{
    bool is_inside = false; // whether a frame of the program was seen
    enum owner last = LIBC;
    for (uint32_t i = 0; i < sample->n; i++) {
        if (i > 0 && sample->addresses[i] == 0) {
            *is_cut = false; // the launcher knows that the function has no caller
            return i;
        }
        const struct entry *code = code_before(conversion, address_after(sample, i));
        enum owner owner = code ? (enum owner)code->owner : UNKNOWN;
        if (i > 0 && (owner == UNKNOWN || (is_inside && owner == RUNTIME))) {
            *is_cut = owner == UNKNOWN && is_inside && last != LIBC;
            return i;
        }
        is_inside = is_inside || owner == PROGRAM || owner == UNKNOWN;
        last = owner;
    }
    *is_cut = is_inside && last != LIBC;
    return sample->n;
}

// ---- calling contexts

// Returns the calling context of a region called from `parent`. OTTER_CONTEXT_NONE: out of memory,
// or the limit is reached, which does not apply to roots.
static uint32_t context_of(struct conversion *conversion, uint32_t parent, uint32_t region)
{
    struct otter_archive_content *content = content_of(conversion);
    bool is_new, has_room = parent == OTTER_CONTEXT_NONE || content->n_contexts < MAX_CONTEXTS;
    struct entry *entry =
        find_entry(&conversion->contexts, (uint64_t)parent << 32 | region, &is_new);
    conversion->is_short_of_memory |= !entry;
    if (entry && entry->number == 0 && has_room &&
        reserve(conversion, (void **)&content->contexts, content->n_contexts,
                &conversion->room_contexts, sizeof(*content->contexts))) {
        content->contexts[content->n_contexts++] =
            (struct otter_context_definition){.region = region, .parent = parent};
        entry->number = (uint32_t)content->n_contexts;
    }
    return entry && entry->number ? entry->number - 1 : OTTER_CONTEXT_NONE;
}

// Returns OTTER_CONTEXT_NONE if out of memory or regions. *is_cut: as for depth_of.
static uint32_t context_of_sample(struct conversion *conversion,
                                  const struct otter_logged_sample *sample, bool *is_cut)
{
    uint32_t context = OTTER_CONTEXT_NONE;
    uint32_t leaf = region_of(conversion, address_after(sample, 0));
    for (uint32_t i = depth_of(conversion, sample, is_cut); i > 0; i--) {
        uint32_t region = region_of(conversion, address_after(sample, i - 1));
        context = region ? context_of(conversion, context, region) : OTTER_CONTEXT_NONE;
        if (context == OTTER_CONTEXT_NONE) {
            return leaf ? context_of(conversion, OTTER_CONTEXT_NONE, leaf) : OTTER_CONTEXT_NONE;
        }
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

// Counts a sample that is not added to the archive, or the samples that the launcher lost.
static bool count_lost(void *user, const struct otter_logged_sample *sample)
{
    struct conversion *conversion = user;
    uint64_t n = sample->n_lost > 0 ? sample->n_lost : 1;
    conversion->n_lost += is_inside(conversion, sample) ? n : 0;
    return true;
}

// Defines the sample's thread and calling context.
static bool define(void *user, const struct otter_logged_sample *sample)
{
    struct conversion *conversion = user;
    struct sampled_thread *thread = find_thread(conversion, sample->thread);
    if (!is_inside(conversion, sample) || sample->n_lost > 0) {
        return count_lost(conversion, sample);
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
    bool is_cut = false;
    bool is_lost =
        !thread || (sample->counter > 0
                        ? sample->counter > conversion->n_counters
                        : context_of_sample(conversion, sample, &is_cut) == OTTER_CONTEXT_NONE);
    conversion->n_lost += is_lost;
    conversion->n_cut += is_cut && !is_lost;
    return !conversion->is_short_of_memory;
}

static bool write_sample(void *user, const struct otter_logged_sample *sample)
{
    struct conversion *conversion = user;
    struct sampled_thread *thread = find_thread(conversion, sample->thread);
    bool is_wanted = thread && thread->events && is_inside(conversion, sample) &&
                     sample->n_lost == 0 && sample->counter <= conversion->n_counters;
    bool is_cut;
    uint32_t context = is_wanted && sample->counter == 0
                           ? context_of_sample(conversion, sample, &is_cut)
                           : OTTER_CONTEXT_NONE;
    if (!is_wanted || (sample->counter == 0 && context == OTTER_CONTEXT_NONE)) {
        return true;
    }
    struct otter_location_writer *records = &thread->events->records;
    uint64_t n_before = records->n_events, time = otter_added_time(thread->events, sample->time);
    if (sample->counter > 0) {
        uint32_t counter = sample->counter - 1;
        thread->counts[counter] += sample->addresses[0];
        otter_write_count(records, time,
                          otter_content_counter_class(content_of(conversion)) + counter,
                          thread->counts[counter]);
    } else {
        otter_write_sample(records, time, context);
    }
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

// Returns false if there is no room for the samples.
static bool add_from(struct conversion *conversion)
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
    return is_good;
}

void otter_finish_add_samples(struct otter_finish_state *state)
{
    struct otter_archive_content *content = &state->definitions.content;
    struct otter_switch_log_header header;
    struct conversion conversion = {.state = state, .begin = content->start.ticks};
    conversion.end = content->has_end ? content->end.ticks : state->last_time;
    conversion.room_regions = content->n_regions;
    conversion.n_counters = otter_content_n_counters(content);
    conversion.file = otter_switch_log_read(state->recording, &header, &conversion.n_records);
    if (conversion.file >= 0) {
        if ((header.is_counter != 0) != content->clock_is_counter || !add_from(&conversion)) {
            conversion.n_lost = conversion.n_cut = 0;
            otter_sample_log_visit(conversion.file, conversion.n_records, count_lost, &conversion);
        }
        content->n_lost_samples = conversion.n_lost;
        content->n_cut_samples = conversion.n_cut;
        close(conversion.file);
    }
    OTTER_FREE(conversion.codes.items, conversion.contexts.items, conversion.threads.items);
}
