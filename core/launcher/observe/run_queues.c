// Divides the time that threads spend in run queues among their switches.
#include "launcher/observe/run_queues.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/free.h"
#include "base/vector.h"

enum { MIN_WAIT_NS = 20000 }; // shorter waits are not stored

struct thread {
    uint32_t number, process;
    enum otter_switch_kind last; // OTTER_SWITCH_UNKNOWN: the thread has not been switched in yet
    uint64_t last_ns;
    bool is_known;   // whether `last` is known
    bool is_counted; // whether waited_ns is known
    bool has_ended;
    // the part of the kernel's sum that was divided, or that preemptions explain
    uint64_t waited_ns;
};

// A sleep of a thread, which ends when the thread is switched in.
struct sleep {
    uint32_t thread; // number of the thread
    uint32_t change; // index of the switch that ended the sleep
    uint64_t ns, waited_ns;
};

struct change {
    struct otter_kernel_switch kernel;
    uint32_t index;
    uint64_t waited_ns; // time in a run queue before a switch in
};

// The switches of a processor that were not added.
struct lost {
    uint64_t n, last_ns;
};

struct otter_run_queues {
    const char *proc;
    struct {
        OTTER_VECTOR(struct thread); // sorted by number
    } threads;
    struct {
        OTTER_VECTOR(struct sleep);
    } sleeps;
    struct {
        OTTER_VECTOR(struct change);
    } changes;
    struct lost *lost; // by processor
    uint32_t n_processors;
    bool is_full; // memory ran out: until the end of the pass, no switch is added
};

// ---- threads

static uint64_t read_waited_ns(const char *proc, const struct thread *thread)
{
    char path[4096], text[128];
    uint64_t on_ns, waited_ns;
    snprintf(path, sizeof(path), "%s/%" PRIu32 "/task/%" PRIu32 "/schedstat", proc, thread->process,
             thread->number);
    bool is_read = otter_file_read_text(path, text, sizeof(text)) > 0 &&
                   sscanf(text, "%" SCNu64 " %" SCNu64, &on_ns, &waited_ns) == 2;
    return is_read ? waited_ns : 0;
}

// Returns the index of the first thread whose number is not smaller than `number`.
static uint32_t place_of(const struct otter_run_queues *queues, uint32_t number)
{
    uint32_t low = 0, high = queues->threads.n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (queues->threads.items[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct thread *find(const struct otter_run_queues *queues, uint32_t number)
{
    uint32_t i = place_of(queues, number);
    bool is_there = i < queues->threads.n && queues->threads.items[i].number == number;
    return is_there ? &queues->threads.items[i] : NULL;
}

// The sum of a thread that has ended can no longer be read.
static void forget_sleeps(struct otter_run_queues *queues, uint32_t number)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < queues->sleeps.n; i++) {
        if (queues->sleeps.items[i].thread != number) {
            queues->sleeps.items[n++] = queues->sleeps.items[i];
        }
    }
    queues->sleeps.n = n;
}

// A number that occurs again belongs to a new thread.
static struct thread *begin_thread(struct otter_run_queues *queues, uint32_t process,
                                   uint32_t number)
{
    struct thread begun = {.number = number, .process = process, .is_counted = true};
    struct thread *thread = find(queues, number);
    if (!thread && !OTTER_VECTOR_ADD(&queues->threads, begun)) {
        return NULL;
    }
    if (thread) {
        forget_sleeps(queues, number);
    } else {
        uint32_t at = place_of(queues, number), end = queues->threads.n - 1;
        thread = &queues->threads.items[at];
        memmove(thread + 1, thread, (end - at) * sizeof(*thread));
    }
    *thread = begun;
    return thread;
}

struct otter_run_queues *otter_run_queues_create(const char *proc, pid_t pid, uint32_t n_processors)
{
    struct otter_run_queues *queues = calloc(1, sizeof(*queues));
    if (!queues) {
        return NULL;
    }
    queues->proc = proc;
    queues->n_processors = n_processors;
    queues->lost = calloc(n_processors, sizeof(*queues->lost));
    struct thread *first = queues->lost ? begin_thread(queues, (uint32_t)pid, (uint32_t)pid) : NULL;
    if (!first) {
        otter_run_queues_destroy(queues);
        return NULL;
    }
    first->waited_ns = read_waited_ns(proc, first);
    return queues;
}

void otter_run_queues_destroy(struct otter_run_queues *queues)
{
    if (queues) {
        OTTER_FREE(queues->threads.items, queues->sleeps.items, queues->changes.items,
                   queues->lost);
        free(queues);
    }
}

// ---- switches

// If memory runs out, the later switches of all processors are lost, too, so that those of all
// processors are complete up to the same time.
void otter_run_queues_add(void *user, const struct otter_kernel_switch *change)
{
    struct otter_run_queues *queues = user;
    struct change added = {.kernel = *change, .index = queues->changes.n};
    queues->is_full = queues->is_full || !OTTER_VECTOR_ADD(&queues->changes, added);
    if (queues->is_full && change->processor < queues->n_processors) {
        struct lost *lost = &queues->lost[change->processor];
        lost->n += change->kind == OTTER_SWITCH_LOST ? change->n : 1;
        lost->last_ns = change->time_ns;
    }
}

static int compare_changes(const void *a, const void *b)
{
    const struct change *one = a, *other = b;
    if (one->kernel.time_ns != other->kernel.time_ns) {
        return one->kernel.time_ns < other->kernel.time_ns ? -1 : 1;
    }
    return one->index < other->index ? -1 : one->index > other->index;
}

// Ends the span since the thread's last switch, in which it was on no processor.
static void end_wait(struct otter_run_queues *queues, struct thread *thread, struct change *change)
{
    uint64_t ns = change->kernel.time_ns - thread->last_ns;
    if (thread->last == OTTER_SWITCH_OUT) {
        struct sleep sleep = {.thread = thread->number,
                              .change = (uint32_t)(change - queues->changes.items),
                              .ns = ns};
        // If memory runs out, the kernel's sum contains a wait that belongs to no stored sleep.
        thread->is_counted = OTTER_VECTOR_ADD(&queues->sleeps, sleep) && thread->is_counted;
    } else if (thread->last != OTTER_SWITCH_IN) {
        thread->waited_ns += ns;
        change->waited_ns = thread->last == OTTER_SWITCH_UNKNOWN ? ns : 0;
    }
}

// A thread that executes another program takes the number of its process, whose first thread has
// ended. The kernel reports no start of this thread.
static struct thread *begin_unknown_thread(struct otter_run_queues *queues,
                                           const struct otter_kernel_switch *kernel)
{
    struct thread *thread = begin_thread(queues, kernel->process, kernel->thread);
    if (thread) {
        thread->is_counted = false;
    }
    return thread;
}

static void apply(struct otter_run_queues *queues, struct change *change)
{
    const struct otter_kernel_switch *kernel = &change->kernel;
    struct thread *thread = kernel->is_start ? begin_thread(queues, kernel->process, kernel->thread)
                                             : find(queues, kernel->thread);
    if (!thread && kernel->kind == OTTER_SWITCH_IN) {
        thread = begin_unknown_thread(queues, kernel);
    }
    if (kernel->kind == OTTER_SWITCH_LOST) {
        for (uint32_t i = 0; i < queues->threads.n; i++) {
            queues->threads.items[i].is_known = queues->threads.items[i].is_counted = false;
        }
    } else if (thread) {
        if (kernel->kind == OTTER_SWITCH_IN && thread->is_known) {
            end_wait(queues, thread, change);
        }
        thread->last = kernel->kind;
        thread->last_ns = kernel->time_ns;
        thread->is_known = true;
        thread->has_ended = kernel->is_end;
    }
}

// ---- sleeps

static int compare_sleeps(const void *a, const void *b)
{
    const struct sleep *one = a, *other = b;
    if (one->thread != other->thread) {
        return one->thread < other->thread ? -1 : 1;
    }
    return one->ns > other->ns ? -1 : one->ns < other->ns;
}

// Divides the waiting time among the sleeps of a thread, starting with the longest one. A program's
// frequent sleeps take about the same time, so a longer one contains a wait. What remains of the
// longest sleeps is equal.
static void divide(const struct otter_run_queues *queues, struct sleep *sleeps, uint32_t n,
                   uint64_t waited_ns)
{
    uint64_t sum = 0, level = 0;
    uint32_t n_cut = 0;
    while (n_cut < n && (n_cut == 0 || sum < waited_ns + n_cut * sleeps[n_cut].ns)) {
        sum += sleeps[n_cut++].ns;
    }
    level = sum > waited_ns ? (sum - waited_ns) / n_cut : 0;
    for (uint32_t i = 0; i < n_cut && sleeps[i].ns > level; i++) {
        queues->changes.items[sleeps[i].change].waited_ns = sleeps[i].ns - level;
    }
}

static void divide_all(struct otter_run_queues *queues)
{
    struct sleep *sleeps = queues->sleeps.items;
    uint32_t n = queues->sleeps.n, end;
    if (n > 0) {
        qsort(sleeps, n, sizeof(*sleeps), compare_sleeps);
    }
    for (uint32_t i = 0; i < n; i = end) {
        struct thread *thread = find(queues, sleeps[i].thread);
        uint64_t slept_ns = 0;
        for (end = i; end < n && sleeps[end].thread == sleeps[i].thread; end++) {
            slept_ns += sleeps[end].ns;
        }
        uint64_t sum_ns = thread ? read_waited_ns(queues->proc, thread) : 0;
        if (thread && sum_ns > thread->waited_ns) {
            uint64_t waited_ns = thread->is_counted ? sum_ns - thread->waited_ns : 0;
            waited_ns = waited_ns < slept_ns ? waited_ns : slept_ns;
            divide(queues, &sleeps[i], end - i, waited_ns);
            thread->waited_ns = thread->is_counted ? thread->waited_ns + waited_ns : sum_ns;
            thread->is_counted = true;
        }
    }
    queues->sleeps.n = 0;
}

static void remove_ended(struct otter_run_queues *queues)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < queues->threads.n; i++) {
        if (!queues->threads.items[i].has_ended) {
            queues->threads.items[n++] = queues->threads.items[i];
        }
    }
    queues->threads.n = n;
}

static void visit_lost(struct otter_run_queues *queues,
                       void (*visit)(void *user, const struct otter_kernel_switch *change),
                       void *user)
{
    for (uint32_t i = 0; i < queues->n_processors && queues->is_full; i++) {
        struct change lost = {.kernel = {.kind = OTTER_SWITCH_LOST,
                                         .time_ns = queues->lost[i].last_ns,
                                         .processor = i,
                                         .n = queues->lost[i].n}};
        if (lost.kernel.n > 0) {
            apply(queues, &lost);
            visit(user, &lost.kernel);
        }
        queues->lost[i] = (struct lost){0};
    }
    queues->is_full = false;
}

void otter_run_queues_pass(struct otter_run_queues *queues,
                           void (*visit)(void *user, const struct otter_kernel_switch *change),
                           void *user)
{
    struct change *changes = queues->changes.items;
    if (queues->changes.n > 0) {
        qsort(changes, queues->changes.n, sizeof(*changes), compare_changes);
    }
    for (uint32_t i = 0; i < queues->changes.n; i++) {
        apply(queues, &changes[i]);
    }
    divide_all(queues);
    remove_ended(queues);
    for (uint32_t i = 0; i < queues->changes.n; i++) {
        struct otter_kernel_switch change = changes[i].kernel;
        if (!change.is_start) {
            visit(user, &change);
        }
        if (changes[i].waited_ns >= MIN_WAIT_NS) {
            change.kind = OTTER_SWITCH_WAITED;
            change.n = changes[i].waited_ns / 1000;
            visit(user, &change);
        }
    }
    queues->changes.n = 0;
    visit_lost(queues, visit, user);
}
