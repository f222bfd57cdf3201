// The regions of all threads, and their lines of the journal.
#include "record/thread/region.h"

#include <inttypes.h>
#include <pthread.h>

#include "base/lock.h"
#include "base/log.h"
#include "base/table.h"
#include "record/process/modules.h"
#include "record/process/output.h"
#include "trace/schema.h"

struct region {
    _Atomic uint64_t kind; // any thread reads `kind` and `address` without the lock
    _Atomic uintptr_t address;
    uint32_t module; // the module of the address: see otter_modules_at
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct region regions[OTTER_MAX_REGIONS]; // untouched pages use no memory
static struct otter_table by_hash; // struct region; protected by `lock`; regions are never removed
static uint32_t n_regions = OTTER_REGION_FIRST;

uintptr_t otter_region_address(uint32_t region)
{
    return region < OTTER_MAX_REGIONS
               ? atomic_load_explicit(&regions[region].address, memory_order_relaxed)
               : 0;
}

// A task's id has 16 bits for its region. Labels leave room for code locations, since a program may
// define labels without limit, and a construct with an unknown region is missing from the graph.
static struct room {
    // how a warning names the kinds that share the room, and the kind that exceeded it
    const char *shared, *what;
    uint32_t end;
    bool has_warned;
} all_room = {.shared = "code locations and labels",
              .what = "ones",
              .end = OTTER_MAX_REGIONS - 1 - OTTER_N_CONSTRUCTS},
  label_room = {
      .shared = "labels and code locations", .what = "labels", .end = OTTER_MAX_REGIONS / 8 * 7};

// Beyond a limit, all constructs of a kind share one region, so that their events stay
// recognisable.
static _Atomic uint32_t further[OTTER_N_CONSTRUCTS]; // 0: not defined

enum { N_HASHES = 1 << 20 };
static _Atomic uint64_t hashes[N_HASHES / 64]; // a bit for each label or place beyond a limit
static _Atomic uint64_t n_beyond;

// Caller holds `lock`.
static bool is_full(struct room *room)
{
    if (n_regions < room->end) {
        return false;
    }
    if (!room->has_warned) {
        otter_warning("more than %" PRIu32
                      " %s: further %s are recorded as 'unknown', one of each kind",
                      room->end - OTTER_REGION_FIRST, room->shared, room->what);
    }
    room->has_warned = true;
    return true;
}

// Caller holds `lock`.
static uint32_t define_further(enum otter_construct construct)
{
    uint32_t id = n_regions;
    if (id >= OTTER_MAX_REGIONS - 1 ||
        otter_output_define("further %" PRIu32 " %d", id, (int)construct)) {
        return OTTER_REGION_UNKNOWN;
    }
    atomic_store_explicit(&regions[id].kind, otter_region_kind(construct, 0), memory_order_relaxed);
    atomic_store(&further[construct], id);
    n_regions++;
    return id;
}

static void count_beyond(uint64_t hash)
{
    uint64_t place = hash % N_HASHES, bit = UINT64_C(1) << place % 64;
    if (!(atomic_fetch_or_explicit(&hashes[place / 64], bit, memory_order_relaxed) & bit)) {
        atomic_fetch_add(&n_beyond, 1);
    }
}

uint64_t otter_region_n_beyond(void)
{
    return atomic_load(&n_beyond);
}

uint32_t otter_region_further(enum otter_construct construct, uint64_t hash)
{
    count_beyond(hash);
    uint32_t region = atomic_load(&further[construct]);
    if (!region) {
        struct otter_held_signals held;
        otter_lock(&lock, &held);
        region = atomic_load(&further[construct]);
        region = region ? region : define_further(construct);
        otter_unlock(&lock, &held);
    }
    return region;
}

enum otter_construct otter_region_construct(uint32_t region)
{
    return (enum otter_construct)(
        atomic_load_explicit(&regions[region].kind, memory_order_relaxed) >> 32);
}

// LLVM's runtime reports no code address for a taskloop and its tasks. The taskgroup that the
// directive begins just before has the directive's address. With `nogroup` there is none, and other
// open constructs are on other lines (quirk 'own address').
uintptr_t otter_enclosing_address(const struct otter_thread *thread, enum otter_construct construct)
{
    for (uint32_t i = thread->n_open; i > 0; i--) {
        const struct otter_open *open = &thread->open[i - 1];
        if (construct == OTTER_CONSTRUCT_TASKLOOP && open->construct != OTTER_CONSTRUCT_TASKGROUP) {
            return 0;
        }
        uintptr_t address = otter_region_address(open->region);
        bool encloses_all =
            open->construct == OTTER_CONSTRUCT_TASK || open->construct == OTTER_CONSTRUCT_TASKLOOP;
        if (address || encloses_all) { // constructs further down belong to suspended tasks
            return address;
        }
    }
    return 0;
}

static uint64_t hash_of(uint64_t kind, uintptr_t address)
{
    return (address ^ kind * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0x9e3779b97f4a7c15);
}

// Caller holds `lock`.
static uint32_t define(enum otter_construct construct, uint32_t detail, uintptr_t address)
{
    uint32_t id = n_regions;
    if (is_full(&all_room) || otter_output_define("region %" PRIu32 " %d %" PRIu32 " %" PRIxPTR, id,
                                                  (int)construct, detail, address)) {
        return OTTER_REGION_UNKNOWN;
    }
    atomic_store_explicit(&regions[id].kind, otter_region_kind(construct, detail),
                          memory_order_relaxed);
    atomic_store_explicit(&regions[id].address, address, memory_order_relaxed);
    regions[id].module = otter_modules_at(address);
    // If memory runs out, the next lookup defines the region again.
    otter_table_add(&by_hash, hash_of(otter_region_kind(construct, detail), address), &regions[id]);
    n_regions++;
    return id;
}

// *Returns* the region, or NULL. Caller holds `lock`, as for find_or_define().
static struct region *find(enum otter_construct construct, uint32_t detail, uintptr_t address)
{
    uint64_t kind = otter_region_kind(construct, detail), hash = hash_of(kind, address);
    uint32_t module = otter_modules_at(address);
    struct region *region = otter_table_find(&by_hash, hash);
    while (region && (atomic_load_explicit(&region->kind, memory_order_relaxed) != kind ||
                      atomic_load_explicit(&region->address, memory_order_relaxed) != address ||
                      region->module != module)) {
        region = otter_table_next(&by_hash, hash, region);
    }
    return region;
}

static uint32_t find_or_define(enum otter_construct construct, uint32_t detail, uintptr_t address)
{
    const struct region *region = find(construct, detail, address);
    if (!region) {
        if (otter_modules_note(address)) {
            otter_threads_request_change(); // each thread calls otter_region_refresh
        }
        region = find(construct, detail, address); // the object is known now
    }
    return region ? (uint32_t)(region - regions) : define(construct, detail, address);
}

void otter_region_refresh(struct otter_thread *thread)
{
    uint32_t n = otter_modules_n_replaced();
    if (thread->n_replaced != n) {
        thread->n_replaced = n;
        otter_thread_forget_regions(thread);
    }
}

static uint32_t named_or_further(uint32_t region, enum otter_construct construct, uint32_t detail,
                                 uintptr_t address)
{
    uint64_t hash = hash_of(otter_region_kind(construct, detail), address);
    return region == OTTER_REGION_UNKNOWN ? otter_region_further(construct, hash >> 44) : region;
}

void otter_region_prepare(void)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    otter_modules_note((uintptr_t)otter_region_prepare);
    otter_unlock(&lock, &held);
}

void otter_region_complete(void)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    otter_modules_note_all();
    otter_unlock(&lock, &held);
}

uint32_t otter_region_of(enum otter_construct construct, uint32_t detail, uintptr_t code)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    uint32_t region = find_or_define(construct, detail, code);
    otter_unlock(&lock, &held);
    return named_or_further(region, construct, detail, code);
}

uint32_t otter_region_define(struct otter_thread *thread, enum otter_construct construct,
                             uint32_t detail, uintptr_t code)
{
    uint32_t region = otter_region_of(construct, detail, code);
    *otter_region_cache_at(thread, otter_region_kind(construct, detail), code) =
        (struct otter_region_cache_entry){
            .code = code, .kind = otter_region_kind(construct, detail), .region = region};
    return region;
}

uint32_t otter_region_define_label(enum otter_construct construct, const char *texts)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    uint32_t id = n_regions;
    if (is_full(&label_room) ||
        otter_output_define("label %" PRIu32 " %d %s", id, (int)construct, texts)) {
        id = OTTER_REGION_UNKNOWN;
    } else {
        atomic_store_explicit(&regions[id].kind, otter_region_kind(construct, 0),
                              memory_order_relaxed);
        n_regions++;
    }
    otter_unlock(&lock, &held);
    return id;
}
