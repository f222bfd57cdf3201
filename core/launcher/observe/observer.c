// Copies the contents of the kernel's ring buffers to the files of the recordings.
#include "launcher/observe/observer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/free.h"
#include "base/log.h"
#include "base/text/number.h"
#include "base/vector.h"
#include "launcher/observe/perf_events.h"
#include "launcher/observe/recordings.h"
#include "launcher/observe/run_queues.h"
#include "launcher/observe/unwinder.h"
#include "recording/rank.h"

enum {
    // How often switches are read. If the launcher is killed, the last period is lost. Waits in run
    // queues are measured once per period. With 50 ms, two busy threads on two processors are 2 %
    // slower.
    PERIOD_MS = 100,
    PERIOD_UNWATCHED_MS =
        10, // if the report cannot be watched; recorders wait this long at the end
    FD_SIGNALS = 0,
    FD_REPORT,
    FD_EVENTS, // index of the first perf event
};

// A sample or a count of the current drain. Its addresses, or its only value, are the `n` entries
// of the observer's `addresses` from index `first` on.
struct sample {
    uint64_t time_ns;
    uint32_t process, thread;
    uint32_t counter; // 0: a sample
    uint32_t n, first;
};

struct otter_observer {
    struct otter_recordings *recordings;
    struct otter_perf_events *events; // NULL: not begun
    struct otter_run_queues *queues;
    struct otter_clock_reading before, now; // clocks at the previous drain, and at this one
    struct otter_sampling sampling;
    struct otter_counters counters;
    struct otter_unwinder *unwinder; // NULL: samples have chains
    uint64_t n_samples;              // of processes that record
    struct {
        OTTER_VECTOR(struct sample);
    } samples;
    struct {
        OTTER_VECTOR(uint64_t);
    } addresses;
    struct pollfd *fds;
    size_t n_fds;
};

struct otter_observer *otter_observer_create(const char *report,
                                             const struct otter_sampling *sampling,
                                             const char *counters)
{
    struct otter_observer *observer = calloc(1, sizeof(*observer));
    if (!observer) {
        return NULL;
    }
    observer->sampling = *sampling;
    otter_counters_parse(&observer->counters, counters);
    observer->recordings = otter_recordings_create(report);
    if (!observer->recordings) {
        free(observer);
        return NULL;
    }
    otter_clock_use_counter(true);
    return observer;
}

// ---- draining

// Converts a time between the clock readings of two drains to ticks.
static uint64_t ticks_of(const struct otter_observer *observer, uint64_t time_ns)
{
    const struct otter_clock_reading *before = &observer->before, *now = &observer->now;
    if (now->monotonic_ns <= before->monotonic_ns) {
        return now->ticks;
    }
    double rate =
        (double)(now->ticks - before->ticks) / (double)(now->monotonic_ns - before->monotonic_ns);
    return now->ticks - (uint64_t)((double)(now->monotonic_ns - time_ns) * rate + 0.5);
}

static void store(void *user, const struct otter_kernel_switch *change)
{
    const struct otter_observer *observer = user;
    bool is_lost = change->kind == OTTER_SWITCH_LOST;
    bool is_number = is_lost || change->kind == OTTER_SWITCH_WAITED;
    uint64_t n = change->n < UINT32_MAX ? change->n : UINT32_MAX;
    struct otter_switch_record record = {.time = ticks_of(observer, change->time_ns),
                                         .thread = is_number ? (uint32_t)n : change->thread,
                                         .processor = (uint16_t)change->processor,
                                         .kind = (uint16_t)change->kind};
    if (is_lost) {
        otter_recordings_add_to_all(observer->recordings, &record, change->time_ns);
    } else {
        otter_recordings_add(observer->recordings, change->process, &record, change->time_ns);
    }
}

static void note_switch(void *user, const struct otter_kernel_switch *change)
{
    const struct otter_observer *observer = user;
    otter_run_queues_add(observer->queues, change);
}

static uint32_t unwind(const struct otter_observer *observer,
                       const struct otter_kernel_sample *sample,
                       uint64_t addresses[OTTER_MAX_SAMPLE_DEPTH])
{
    struct otter_unwound program = {sample->process,
                                    otter_recordings_number(observer->recordings, sample->process)};
    return otter_unwinder_find(observer->unwinder, &program, sample->time_ns, &sample->stack,
                               addresses);
}

// Each processor has a buffer, so the samples of a thread are not in order yet.
static void note_sample(void *user, const struct otter_kernel_sample *sample)
{
    struct otter_observer *observer = user;
    bool is_recorded = otter_recordings_number(observer->recordings, sample->process) > 0;
    if (!is_recorded && sample->counter == 0) {
        otter_recordings_leave_out(observer->recordings, sample->process);
    }
    if (!is_recorded) {
        return;
    }
    observer->n_samples += sample->counter == 0;
    struct sample noted = {.time_ns = sample->time_ns,
                           .process = sample->process,
                           .thread = sample->thread,
                           .counter = sample->counter,
                           .first = observer->addresses.n};
    uint64_t unwound[OTTER_MAX_SAMPLE_DEPTH];
    const uint64_t *values = sample->counter > 0 ? &sample->count : sample->addresses;
    uint32_t n = sample->counter > 0 ? 1 : sample->n;
    if (sample->stack.registers) {
        n = unwind(observer, sample, unwound);
        values = unwound;
    }
    while (noted.n < n && OTTER_VECTOR_ADD(&observer->addresses, values[noted.n])) {
        noted.n++;
    }
    if (noted.n > 0) {
        (void)OTTER_VECTOR_ADD(&observer->samples, noted); // else memory ran out
    }
}

static void store_lost_samples(void *user, uint64_t time_ns, uint64_t n)
{
    const struct otter_observer *observer = user;
    struct otter_switch_record record = {.time = ticks_of(observer, time_ns),
                                         .thread = (uint32_t)(n < UINT32_MAX ? n : UINT32_MAX),
                                         .kind = OTTER_SWITCH_SAMPLES_LOST};
    otter_recordings_add_to_all(observer->recordings, &record, time_ns);
}

static int compare_samples(const void *a, const void *b)
{
    const struct sample *one = a, *other = b;
    return one->time_ns < other->time_ns ? -1 : one->time_ns > other->time_ns;
}

static void store_samples(struct otter_observer *observer)
{
    if (observer->samples.n > 0) {
        qsort(observer->samples.items, observer->samples.n, sizeof(struct sample), compare_samples);
    }
    for (uint32_t i = 0; i < observer->samples.n; i++) {
        const struct sample *sample = &observer->samples.items[i];
        struct otter_logged_sample logged = {.time = ticks_of(observer, sample->time_ns),
                                             .thread = sample->thread,
                                             .counter = sample->counter,
                                             .n = sample->n};
        memcpy(logged.addresses, &observer->addresses.items[sample->first],
               sample->n * sizeof(uint64_t));
        otter_recordings_add_sample(observer->recordings, sample->process, &logged,
                                    sample->time_ns);
    }
    observer->samples.n = observer->addresses.n = 0;
}

// A recorder that closes may be waiting, so its line is read before the clocks.
static void drain(struct otter_observer *observer)
{
    if (!observer->events) {
        return;
    }
    otter_recordings_update(observer->recordings);
    observer->now = otter_clock_read();
    otter_perf_events_drain(
        observer->events, observer->now.monotonic_ns,
        &(struct otter_perf_visitor){note_switch, note_sample, store_lost_samples, observer});
    otter_run_queues_pass(observer->queues, store, observer);
    store_samples(observer);
    struct otter_switch_record complete = {
        .time = observer->now.ticks,
        .processor = (uint16_t)otter_perf_events_processor(observer->events),
        .kind = OTTER_SWITCH_COMPLETE};
    otter_recordings_add_to_all(observer->recordings, &complete, observer->now.monotonic_ns);
    otter_recordings_flush(observer->recordings);
    observer->before = observer->now;
}

// ---- waiting

// Opens the events, without samples and counters if the kernel refuses these.
static int open_events(struct otter_observer *observer, pid_t pid, int *sample_error)
{
    const struct otter_sampling none = {0};
    struct otter_sampling *sampling = &observer->sampling;
    observer->unwinder =
        sampling->rate > 0 && sampling->stack_size > 0 ? otter_unwinder_create() : NULL;
    sampling->stack_size = observer->unwinder ? sampling->stack_size : 0;
    int error = otter_perf_events_open(pid, sampling, &observer->counters, &observer->events);
    *sample_error = sampling->rate > 0 ? error : 0;
    if (*sample_error) {
        observer->counters.n = 0;
        error = otter_perf_events_open(pid, &none, &observer->counters, &observer->events);
    }
    return error;
}

int otter_observer_begin(struct otter_observer *observer, pid_t pid, int *sample_error,
                         char counters[OTTER_COUNTERS_SIZE])
{
    signal(SIGXFSZ, SIG_IGN); // exceeding the file size limit makes write() fail
    int error = open_events(observer, pid, sample_error);
    otter_counters_list(&observer->counters, counters);
    if (error) {
        return error;
    }
    observer->n_fds = FD_EVENTS + otter_perf_events_count(observer->events);
    observer->fds = calloc(observer->n_fds, sizeof(*observer->fds));
    observer->queues = otter_run_queues_create(
        "/proc", pid, otter_perf_events_end_of_processors(observer->events));
    if (!observer->fds || !observer->queues) {
        otter_perf_events_close(observer->events);
        observer->events = NULL;
        return ENOMEM;
    }
    observer->before = otter_clock_read();
    observer->fds[FD_SIGNALS] = (struct pollfd){.fd = -1, .events = POLLIN};
    observer->fds[FD_REPORT] =
        (struct pollfd){.fd = otter_recordings_watch(observer->recordings), .events = POLLIN};
    otter_perf_events_list(observer->events, observer->fds + FD_EVENTS);
    return 0;
}

int otter_observer_paranoid(void)
{
    char text[32];
    size_t n = otter_file_read_text("/proc/sys/kernel/perf_event_paranoid", text, sizeof(text));
    return n > 0 ? (int)strtol(text, NULL, 10) : 0;
}

const char *otter_observer_refusal(int error, int paranoid, char text[OTTER_REFUSAL_SIZE])
{
    bool is_forbidden = error == EACCES || error == EPERM;
    if (is_forbidden && paranoid > 2) {
        snprintf(text, OTTER_REFUSAL_SIZE,
                 "kernel.perf_event_paranoid is %d, but must be at most 2: sysctl "
                 "kernel.perf_event_paranoid=2",
                 paranoid);
        return text;
    }
    if (is_forbidden || error == ENOSYS) {
        return "the system or its container forbids perf_event_open: allow it in the seccomp "
               "profile, or grant CAP_PERFMON";
    }
    if (error == ENOBUFS) {
        return "the kernel allows no memory for it: raise kernel.perf_event_mlock_kb, or ulimit -l";
    }
    if (error == EOVERFLOW) {
        return "kernel.perf_event_max_stack is below 64, the number of calls that a sample may "
               "have";
    }
    if (error == EMFILE || error == ENFILE) {
        return "each processor needs an open file: raise ulimit -n";
    }
    return strerror(error);
}

static void poll_once(const struct otter_observer *observer)
{
    poll(observer->fds, observer->n_fds,
         observer->fds[FD_REPORT].fd < 0 ? PERIOD_UNWATCHED_MS : PERIOD_MS);
    otter_perf_events_polled(observer->events, observer->fds + FD_EVENTS);
}

void otter_observer_wait(struct otter_observer *observer, const sigset_t *signals)
{
    if (!observer->events) {
        return;
    }
    struct pollfd *pending = &observer->fds[FD_SIGNALS];
    if (pending->fd < 0) {
        pending->fd = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
    }
    while (pending->fd >= 0) {
        poll_once(observer);
        if (pending->revents) {
            return;
        }
        drain(observer);
    }
}

// Samples of a shell that starts the program are too few to be missed.
static void note_left_out(const struct otter_observer *observer)
{
    enum { MANY = 20 }; // one in so many samples
    uint32_t n_processes;
    char time[OTTER_MAX_NUMBER];
    uint64_t n = otter_recordings_left_out(observer->recordings, &n_processes);
    if (observer->n_samples > 0 && n * MANY > observer->n_samples + n && otter_rank_speaks()) {
        otter_note("the samples lack %s of processor time: %" PRIu32 " process%s ran without a "
                   "recording (children of fork, or programs without OpenMP and Kokkos)",
                   otter_duration_text((double)n / observer->sampling.rate, time), n_processes,
                   n_processes == 1 ? "" : "es");
    }
}

void otter_observer_destroy(struct otter_observer *observer)
{
    if (!observer) {
        return;
    }
    drain(observer);
    note_left_out(observer);
    otter_recordings_destroy(observer->recordings);
    otter_perf_events_close(observer->events);
    otter_run_queues_destroy(observer->queues);
    otter_unwinder_destroy(observer->unwinder);
    if (observer->fds && observer->fds[FD_SIGNALS].fd >= 0) {
        close(observer->fds[FD_SIGNALS].fd);
    }
    OTTER_FREE(observer->samples.items, observer->addresses.items, observer->fds, observer);
}
