// Measures the cost of an event by recording tasks with waits on a thread of its own.
#include "record/event_cost.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/lock.h"
#include "otter/record.h"
#include "record/thread/region.h"
#include "trace/schema.h"

enum { N_ROUNDS = 16, N_TASKS = 50, N_EVENTS_OF_TASK = 5, CHUNK_SIZE = 256 * 1024, N_OPEN = 16 };

struct scratch {
    struct otter_location_writer writer; // must be first: make_room casts its address
    struct otter_thread thread;
    struct otter_frame frames[N_OPEN];
    struct otter_open open[N_OPEN];
    uint8_t chunk[CHUNK_SIZE];
};

// The records are not needed, so the next ones overwrite them.
static bool make_room(struct otter_location_writer *writer)
{
    struct scratch *scratch = (struct scratch *)writer;
    otter_location_begin_chunk(writer, scratch->chunk, CHUNK_SIZE);
    return true;
}

static const void *code_of(enum otter_construct construct)
{
    return (const void *)(uintptr_t)(construct + 1); // not an address of code
}

// Registers the region only in the thread, so that the recording gets no definition.
static void define(struct otter_thread *thread, enum otter_construct construct)
{
    uint64_t kind = otter_region_kind(construct, 0);
    uintptr_t code = (uintptr_t)code_of(construct);
    *otter_region_cache_at(thread, kind, code) =
        (struct otter_region_cache_entry){.code = code, .kind = kind, .region = OTTER_REGION_FIRST};
}

static void prepare(struct scratch *scratch)
{
    struct otter_thread *thread = &scratch->thread;
    scratch->writer.make_room = make_room;
    make_room(&scratch->writer);
    thread->writer = &scratch->writer;
    thread->frames = scratch->frames;
    thread->open = scratch->open;
    thread->frames_room = thread->open_room = N_OPEN;
    thread->frames[0] = (struct otter_frame){.kind = OTTER_FRAME_OUTSIDE};
    thread->n_frames = 1;
    otter_thread_forget_regions(thread);
    define(thread, OTTER_CONSTRUCT_TASK);
    define(thread, OTTER_CONSTRUCT_TASKWAIT);
    thread->stop = OTTER_STOP_NONE;
}

// Between two events a runtime executes atomic instructions, which wait for all earlier
// instructions and stores. Without such a wait, the processor would overlap several events, which
// it cannot do in a real program.
static void act_as_runtime(void)
{
    static atomic_uint counter;
    atomic_fetch_add(&counter, 1);
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

static void record_tasks(void)
{
    otter_task outer = 0;
    for (unsigned i = 0; i < N_TASKS; i++) {
        otter_task task = otter_task_create(&outer, 0, code_of(OTTER_CONSTRUCT_TASK));
        act_as_runtime();
        otter_task_switch(&outer, &task);
        act_as_runtime();
        otter_enter(OTTER_CONSTRUCT_TASKWAIT, 0, code_of(OTTER_CONSTRUCT_TASKWAIT));
        act_as_runtime();
        otter_leave(OTTER_CONSTRUCT_TASKWAIT);
        act_as_runtime();
        otter_task_end(&task, OTTER_TASK_END_COMPLETE, &outer);
        act_as_runtime();
    }
}

static void record_nothing(void)
{
    for (unsigned i = 0; i < N_TASKS * N_EVENTS_OF_TASK; i++) {
        act_as_runtime();
    }
}

// Takes the shortest round, since others may be interrupted or run with cold caches.
static uint64_t shortest_round_ns(void (*round)(void))
{
    uint64_t shortest = UINT64_MAX;
    for (unsigned i = 0; i < N_ROUNDS; i++) {
        uint64_t begin = otter_clock_monotonic_ns();
        round();
        uint64_t duration = otter_clock_monotonic_ns() - begin;
        shortest = duration < shortest ? duration : shortest;
    }
    return shortest;
}

uint64_t otter_event_cost(void)
{
    struct scratch *scratch = mmap(NULL, sizeof *scratch, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (scratch == MAP_FAILED) {
        return 0;
    }
    prepare(scratch);
    struct otter_held_signals held;
    otter_signals_hold(&held); // a signal handler's events do not belong to the artificial thread
    struct otter_thread *self = otter_current_thread;
    otter_current_thread = &scratch->thread;
    uint64_t with_events = shortest_round_ns(record_tasks);
    uint64_t without = shortest_round_ns(record_nothing);
    otter_current_thread = self;
    otter_signals_release(&held);
    munmap(scratch, sizeof *scratch);
    uint64_t ns = with_events > without ? with_events - without : 0;
    return ns * 1000 / (N_TASKS * N_EVENTS_OF_TASK);
}
