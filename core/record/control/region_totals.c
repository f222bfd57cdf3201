// Sums up visits and times of regions once the archive is full.
#include "record/control/region_totals.h"

#include <pthread.h>
#include <sys/mman.h>

#include "base/lock.h"
#include "record/process/output.h"
#include "recording/totals.h"
#include "trace/schema.h"

enum {
    FIRST_ROOM = 1024,
    N_BLOCKS = OTTER_MAX_REGIONS / OTTER_TOTALS_OF_BLOCK + 1,
};

struct otter_region_totals {
    uint32_t location;
    uint64_t since, last; // times of the last record and of the last call; 0: none
    // time after `since` in constructs that were open at `since` and are not in `open`
    uint64_t below;
    bool is_broken; // memory ran out: all later visits are lost
    uint64_t n_lost;
    uint32_t *open; // regions of the open constructs
    uint32_t n_open, open_room;
    // blocks of regions; NULL: no region of the block was entered
    struct otter_total_block *blocks[N_BLOCKS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // held while the file is created
static _Atomic(struct otter_total_file *) file;

bool otter_region_totals_are_enabled(void)
{
    return atomic_load(&file) != NULL;
}

bool otter_region_totals_enable(const char *recording, bool is_mapped)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    if (!otter_region_totals_are_enabled()) {
        atomic_store(&file, otter_total_file_create(recording, is_mapped));
    }
    otter_unlock(&lock, &held);
    otter_threads_request_change();
    return otter_region_totals_are_enabled();
}

// ---- the totals of a thread

static void *allocate(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

// *Returns* NULL if out of memory.
static struct otter_total_block *block_of(struct otter_region_totals *totals, uint32_t region)
{
    uint32_t i = region / OTTER_TOTALS_OF_BLOCK;
    if (OTTER_UNLIKELY(!totals->blocks[i])) {
        totals->blocks[i] =
            otter_total_file_add(atomic_load(&file), totals->location, i * OTTER_TOTALS_OF_BLOCK);
    }
    return totals->blocks[i];
}

static struct otter_total *total_in(struct otter_total_block *block, uint32_t region)
{
    return &block->totals[region % OTTER_TOTALS_OF_BLOCK];
}

// `region` must be open.
static struct otter_total *total_of(struct otter_region_totals *totals, uint32_t region)
{
    return total_in(block_of(totals, region), region);
}

static bool has_room(struct otter_region_totals *totals)
{
    if (totals->n_open < totals->open_room) {
        return true;
    }
    size_t size = totals->open_room * sizeof(*totals->open);
    void *room = mremap(totals->open, size, 2 * size, MREMAP_MAYMOVE);
    if (room == MAP_FAILED) {
        return false;
    }
    totals->open = room;
    totals->open_room *= 2;
    return true;
}

// Opens the region at `time`. *Returns* NULL if out of memory.
static struct otter_total *push(struct otter_region_totals *totals, uint64_t time, uint32_t region)
{
    struct otter_total_block *block = block_of(totals, region);
    if (!block || !has_room(totals)) {
        totals->is_broken = true;
        return NULL;
    }
    struct otter_total *total = total_in(block, region);
    total->open_since = total->n_open ? total->open_since : time;
    total->n_open++;
    totals->open[totals->n_open++] = region;
    return total;
}

static void pop(struct otter_region_totals *totals, uint64_t time)
{
    uint32_t region = totals->open[--totals->n_open];
    struct otter_total *total = total_of(totals, region);
    if (--total->n_open == 0) {
        total->inclusive += time - total->open_since;
    }
}

// Ends a construct that was open before the totals began, and was therefore never pushed. It
// encloses everything summed up for its region.
static void end_below(struct otter_region_totals *totals, uint64_t time, uint32_t region)
{
    struct otter_total_block *block = block_of(totals, region);
    if (!block) {
        totals->is_broken = true;
        return;
    }
    struct otter_total *total = total_in(block, region);
    total->inclusive = time - totals->since;
    total->exclusive += totals->below;
    totals->below = 0;
    block->last_time = time;
}

// Adds the time until `time` to the innermost open region.
static void pass(struct otter_region_totals *totals, uint64_t time)
{
    uint64_t ticks = time - totals->last;
    totals->last = time;
    if (totals->n_open == 0) {
        totals->below += ticks;
        return;
    }
    uint32_t region = totals->open[totals->n_open - 1];
    struct otter_total_block *block = block_of(totals, region);
    total_in(block, region)->exclusive += ticks;
    block->last_time = time;
}

static uint64_t not_before_last(const struct otter_region_totals *totals, uint64_t time)
{
    return time > totals->last ? time : totals->last;
}

static void add_event(void *user, uint64_t time, uint32_t region, bool is_enter)
{
    struct otter_region_totals *totals = user;
    if (OTTER_UNLIKELY(totals->is_broken)) {
        totals->n_lost += is_enter;
        return;
    }
    if (totals->last == 0) {
        totals->since = totals->last = time;
    }
    time = not_before_last(totals, time);
    pass(totals, time);
    if (is_enter) {
        struct otter_total *total = push(totals, time, region);
        *(total ? &total->n_visits : &totals->n_lost) += 1;
    } else if (totals->n_open > 0) {
        pop(totals, time);
    } else {
        end_below(totals, time, region);
    }
}

// ---- pauses

void otter_region_totals_pause(struct otter_thread *thread, uint64_t time)
{
    struct otter_region_totals *totals = thread->region_totals;
    if (!totals || totals->is_broken || totals->last == 0) {
        return;
    }
    time = not_before_last(totals, time);
    pass(totals, time);
    for (uint32_t i = 0; i < totals->n_open; i++) {
        struct otter_total *total = total_of(totals, totals->open[i]);
        total->inclusive += time - total->open_since;
        total->open_since = time;
    }
}

void otter_region_totals_resume(struct otter_thread *thread, uint64_t time)
{
    struct otter_region_totals *totals = thread->region_totals;
    if (!totals || totals->is_broken || totals->last == 0) {
        return;
    }
    time = not_before_last(totals, time);
    totals->since += time - totals->last;
    totals->last = time;
    for (uint32_t i = 0; i < totals->n_open; i++) {
        total_of(totals, totals->open[i])->open_since = time;
    }
}

// ---- the totals of a thread begin and end

// For a paused thread, add_event() determines which constructs had been written as open.
static void take_open(struct otter_region_totals *totals, const struct otter_thread *thread)
{
    for (uint32_t i = 0; i < thread->n_open && !thread->is_paused && !totals->is_broken; i++) {
        push(totals, totals->since, thread->open[i].region);
    }
}

static struct otter_region_totals *create(uint32_t location)
{
    struct otter_region_totals *totals = allocate(sizeof(*totals));
    uint32_t *open = allocate(FIRST_ROOM * sizeof(*open));
    if (totals && open) {
        totals->location = location;
        totals->open = open;
        totals->open_room = FIRST_ROOM;
        return totals;
    }
    if (totals) {
        munmap(totals, sizeof(*totals));
    }
    return NULL; // leaks a page, but memory has run out anyway
}

void otter_region_totals_begin(struct otter_thread *thread)
{
    if (!otter_region_totals_are_enabled() || thread->region_totals) {
        return;
    }
    struct otter_region_totals *totals = create(thread->location);
    if (!totals) {
        otter_thread_fail(thread);
        otter_thread_warn_of_memory();
        return;
    }
    totals->since = totals->last =
        otter_writer_end_location(otter_output_writer(), thread->location, add_event, totals);
    take_open(totals, thread);
    thread->region_totals = totals;
}

void otter_region_totals_end(struct otter_thread *thread)
{
    struct otter_region_totals *totals = thread->region_totals;
    for (size_t i = 0; totals && i < N_BLOCKS; i++) {
        if (totals->blocks[i] && otter_total_file_save(atomic_load(&file), totals->blocks[i])) {
            totals->n_lost++;
        }
    }
    if (totals) {
        thread->n_lost += totals->n_lost;
        totals->n_lost = 0;
    }
}

void otter_region_totals_release(struct otter_thread *thread)
{
    struct otter_region_totals *totals = thread->region_totals;
    thread->region_totals = NULL;
    for (size_t i = 0; totals && i < N_BLOCKS; i++) {
        if (totals->blocks[i]) {
            otter_total_file_release(atomic_load(&file), totals->blocks[i]);
        }
    }
    if (totals) {
        munmap(totals->open, totals->open_room * sizeof(*totals->open));
        munmap(totals, sizeof(*totals));
    }
}
