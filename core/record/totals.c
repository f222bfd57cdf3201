// Sums up visits and times of regions once the archive is full.
#include "record/totals.h"

#include <pthread.h>
#include <sys/mman.h>

#include "base/lock.h"
#include "record/control.h"
#include "record/output.h"
#include "trace/schema.h"
#include "recording/totals.h"

enum {
    FIRST_ROOM = 1024,
    N_BLOCKS = OTTER_MAX_REGIONS / OTTER_TOTALS_OF_BLOCK + 1,
};

struct otter_totalling {
    uint32_t location;
    uint64_t since, last; // the time of the last record, and of the last call; 0: none
    uint64_t below;       // of this time, in constructs open at `since` that are not in `open`
    bool is_broken;       // memory was short: all later visits are lost
    uint64_t n_lost;
    uint32_t *open; // regions
    uint32_t n_open, open_room;
    struct otter_total_block *blocks[N_BLOCKS]; // NULL: none of its regions was entered
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // protects the making of the file
static _Atomic(struct otter_total_file *) file;

bool otter_totalling_is_wanted(void)
{
    return atomic_load(&file) != NULL;
}

bool otter_totalling_want(const char *recording, bool is_mapped)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    if (!otter_totalling_is_wanted()) {
        atomic_store(&file, otter_total_file_create(recording, is_mapped));
    }
    otter_unlock(&lock, &held);
    otter_control_call_threads();
    return otter_totalling_is_wanted();
}

// ---- the totals of a thread

static void *allocate(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

// *Returns* NULL without memory.
static struct otter_total_block *block_of(struct otter_totalling *totalling, uint32_t region)
{
    uint32_t i = region / OTTER_TOTALS_OF_BLOCK;
    if (OTTER_UNLIKELY(!totalling->blocks[i])) {
        totalling->blocks[i] = otter_total_file_add(atomic_load(&file), totalling->location,
                                                    i * OTTER_TOTALS_OF_BLOCK);
    }
    return totalling->blocks[i];
}

static struct otter_total *total_in(struct otter_total_block *block, uint32_t region)
{
    return &block->totals[region % OTTER_TOTALS_OF_BLOCK];
}

// The region is open.
static struct otter_total *total_of(struct otter_totalling *totalling, uint32_t region)
{
    return total_in(block_of(totalling, region), region);
}

static bool has_room(struct otter_totalling *totalling)
{
    if (totalling->n_open < totalling->open_room) {
        return true;
    }
    size_t size = totalling->open_room * sizeof(*totalling->open);
    void *room = mremap(totalling->open, size, 2 * size, MREMAP_MAYMOVE);
    if (room == MAP_FAILED) {
        return false;
    }
    totalling->open = room;
    totalling->open_room *= 2;
    return true;
}

// Opens the region at `time`. *Returns* NULL without memory.
static struct otter_total *push(struct otter_totalling *totalling, uint64_t time, uint32_t region)
{
    struct otter_total_block *block = block_of(totalling, region);
    if (!block || !has_room(totalling)) {
        totalling->is_broken = true;
        return NULL;
    }
    struct otter_total *total = total_in(block, region);
    total->open_since = total->n_open ? total->open_since : time;
    total->n_open++;
    totalling->open[totalling->n_open++] = region;
    return total;
}

static void pop(struct otter_totalling *totalling, uint64_t time)
{
    uint32_t region = totalling->open[--totalling->n_open];
    struct otter_total *total = total_of(totalling, region);
    if (--total->n_open == 0) {
        total->inclusive += time - total->open_since;
    }
}

// Ends a construct that was open before the totals began and thus in no push. It encloses all that
// was summed up of its region.
static void end_below(struct otter_totalling *totalling, uint64_t time, uint32_t region)
{
    struct otter_total_block *block = block_of(totalling, region);
    if (!block) {
        totalling->is_broken = true;
        return;
    }
    struct otter_total *total = total_in(block, region);
    total->inclusive = time - totalling->since;
    total->exclusive += totalling->below;
    totalling->below = 0;
    block->last_time = time;
}

// Adds the time until `time` to the innermost open region.
static void pass(struct otter_totalling *totalling, uint64_t time)
{
    uint64_t ticks = time - totalling->last;
    totalling->last = time;
    if (totalling->n_open == 0) {
        totalling->below += ticks;
        return;
    }
    uint32_t region = totalling->open[totalling->n_open - 1];
    struct otter_total_block *block = block_of(totalling, region);
    total_in(block, region)->exclusive += ticks;
    block->last_time = time;
}

static uint64_t not_before_last(const struct otter_totalling *totalling, uint64_t time)
{
    return time > totalling->last ? time : totalling->last;
}

static void hear(void *totals, uint64_t time, uint32_t region, bool is_enter)
{
    struct otter_totalling *totalling = totals;
    if (OTTER_UNLIKELY(totalling->is_broken)) {
        totalling->n_lost += is_enter;
        return;
    }
    if (totalling->last == 0) {
        totalling->since = totalling->last = time;
    }
    time = not_before_last(totalling, time);
    pass(totalling, time);
    if (is_enter) {
        struct otter_total *total = push(totalling, time, region);
        *(total ? &total->n_visits : &totalling->n_lost) += 1;
    } else if (totalling->n_open > 0) {
        pop(totalling, time);
    } else {
        end_below(totalling, time, region);
    }
}

// ---- pauses

void otter_totalling_pause(struct otter_thread *thread, uint64_t time)
{
    struct otter_totalling *totalling = thread->totalling;
    if (!totalling || totalling->is_broken || totalling->last == 0) {
        return;
    }
    time = not_before_last(totalling, time);
    pass(totalling, time);
    for (uint32_t i = 0; i < totalling->n_open; i++) {
        struct otter_total *total = total_of(totalling, totalling->open[i]);
        total->inclusive += time - total->open_since;
        total->open_since = time;
    }
}

void otter_totalling_resume(struct otter_thread *thread, uint64_t time)
{
    struct otter_totalling *totalling = thread->totalling;
    if (!totalling || totalling->is_broken || totalling->last == 0) {
        return;
    }
    time = not_before_last(totalling, time);
    totalling->since += time - totalling->last;
    totalling->last = time;
    for (uint32_t i = 0; i < totalling->n_open; i++) {
        total_of(totalling, totalling->open[i])->open_since = time;
    }
}

// ---- the totals of a thread begin and end

// For a paused thread, add_event() finds out which constructs had been written as open.
static void take_open(struct otter_totalling *totalling, const struct otter_thread *thread)
{
    for (uint32_t i = 0; i < thread->n_open && !thread->is_paused && !totalling->is_broken; i++) {
        push(totalling, totalling->since, thread->open[i].region);
    }
}

static struct otter_totalling *create(uint32_t location)
{
    struct otter_totalling *totalling = allocate(sizeof(*totalling));
    uint32_t *open = allocate(FIRST_ROOM * sizeof(*open));
    if (totalling && open) {
        totalling->location = location;
        totalling->open = open;
        totalling->open_room = FIRST_ROOM;
        return totalling;
    }
    if (totalling) {
        munmap(totalling, sizeof(*totalling));
    }
    return NULL; // loses a page; memory is short anyway
}

void otter_totalling_follow(struct otter_thread *thread)
{
    if (!otter_totalling_is_wanted() || thread->totalling) {
        return;
    }
    struct otter_totalling *totalling = create(thread->location);
    if (!totalling) {
        otter_thread_fail(thread);
        otter_thread_tell_want_of_memory();
        return;
    }
    totalling->since = totalling->last =
        otter_writer_end_location(otter_output_writer(), thread->location, hear, totalling);
    take_open(totalling, thread);
    thread->totalling = totalling;
}

void otter_totalling_end(struct otter_thread *thread)
{
    struct otter_totalling *totalling = thread->totalling;
    for (size_t i = 0; totalling && i < N_BLOCKS; i++) {
        if (totalling->blocks[i] &&
            otter_total_file_save(atomic_load(&file), totalling->blocks[i])) {
            totalling->n_lost++;
        }
    }
    if (totalling) {
        thread->n_lost += totalling->n_lost;
        totalling->n_lost = 0;
    }
}

void otter_totalling_release(struct otter_thread *thread)
{
    struct otter_totalling *totalling = thread->totalling;
    thread->totalling = NULL;
    for (size_t i = 0; totalling && i < N_BLOCKS; i++) {
        if (totalling->blocks[i]) {
            otter_total_file_release(totalling->blocks[i]);
        }
    }
    if (totalling) {
        munmap(totalling->open, totalling->open_room * sizeof(*totalling->open));
        munmap(totalling, sizeof(*totalling));
    }
}
