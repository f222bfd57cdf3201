// Opens perf events for switches and samples, and reads the ring buffer of each processor.
#include "launcher/observe/perf_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/free.h"

// An ordinary user may map perf_event_mlock_kb per processor, by default 516 KiB. Samples have a
// buffer of their own, twice as large, so that no switch is lost if it overflows.
enum {
    LARGEST_BUFFER = 128 * 1024,
    SMALLEST_BUFFER = 16 * 1024,
    MAX_RECORD = 1 << 16, // its size has 16 bits
    MAX_PROCESSORS = 1 << 16,
};

struct ring {
    struct perf_event_mmap_page *page; // first page; the buffer follows
    size_t size;                       // bytes of the buffer
    uint32_t processor;
    int file; // -1: the process and its descendants have ended
    bool is_of_samples;
    // the counters that store into the buffer, and their numbers in its records
    int counters[OTTER_MAX_COUNTERS];
    uint64_t ids[OTTER_MAX_COUNTERS];
    uint64_t periods[OTTER_MAX_COUNTERS]; // 0: each record contains its own
    unsigned n_counters;
};

struct otter_perf_events {
    struct ring *rings; // rings of switches, then rings of samples
    size_t n;
    size_t page_size, buffer_size; // bytes; of each buffer of switches
    struct otter_sampling sampling;
    struct otter_counters counters;
    unsigned refused;     // the counter that failed to open; counters.n: none
    union record *record; // the record that is being read
};

// The fields at the end of each record, because of sample_id_all. In buffers of samples, the
// event's number follows.
struct sample_id {
    uint32_t process, thread;
    uint64_t time_ns;
    uint32_t processor, unused;
};

union record {
    struct perf_event_header header;
    struct {
        struct perf_event_header header;
        uint32_t process, parent, thread, parent_thread;
    } task;
    struct {
        struct perf_event_header header;
        uint64_t id, n;
    } lost;
    struct {
        struct perf_event_header header;
        uint64_t event;
        struct sample_id id;
        uint64_t period;         // not for counters with a fixed period
        uint64_t n, addresses[]; // only for samples with a chain
    } sample;
    struct {
        struct perf_event_header header;
        uint64_t event;
        struct sample_id id;
        uint64_t period;
        uint64_t abi, registers[]; // then the size of the copy, the copy, and how much of it is the
                                   // thread's
    } stack;
    uint8_t bytes[MAX_RECORD];
};

// ---- opening

// Returns what the events of switches and of samples have in common.
static struct perf_event_attr attributes(size_t buffer_size)
{
    return (struct perf_event_attr){
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof(struct perf_event_attr),
        .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
        .disabled = 1,
        .inherit = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .enable_on_exec = 1,
        .watermark = 1,
        .wakeup_watermark = (uint32_t)buffer_size / 2,
        .sample_id_all = 1,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
    };
}

static int open_event(struct perf_event_attr *attr, pid_t pid, int processor)
{
    return (int)syscall(SYS_perf_event_open, attr, pid, processor, -1, PERF_FLAG_FD_CLOEXEC);
}

static int open_switches(const struct otter_perf_events *events, pid_t pid, int processor)
{
    struct perf_event_attr attr = attributes(events->buffer_size);
    attr.config = PERF_COUNT_SW_DUMMY;
    attr.context_switch = 1;
    attr.task = 1; // reports starts and ends of threads, which are not switches
    return open_event(&attr, pid, processor);
}

// A buffer must have room for several samples, and the kernel copies multiples of 8 bytes.
static uint32_t stack_size(const struct otter_perf_events *events)
{
    enum { MIN_SAMPLES = 8, ROOM_FOR_THE_REST = 512 };
    uint32_t room = (uint32_t)(2 * events->buffer_size / MIN_SAMPLES) - ROOM_FOR_THE_REST;
    uint32_t wanted = events->sampling.stack_size;
    return (wanted < room ? wanted : room) & ~UINT32_C(7);
}

// Opens an event that samples after equal periods of processor time, so that each sample stands for
// the same time. A PMU's cycles are not time, and their periods vary.
static int open_samples(const struct otter_perf_events *events, pid_t pid, int processor)
{
    struct perf_event_attr attr = attributes(2 * events->buffer_size);
    attr.config = PERF_COUNT_SW_TASK_CLOCK;
    attr.sample_type |= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_PERIOD;
    attr.sample_period = UINT64_C(1000000000) / events->sampling.rate;
    if (events->sampling.stack_size > 0) {
        attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
        attr.sample_regs_user = otter_unwinder_registers();
        attr.sample_stack_user = stack_size(events);
    } else {
        attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
        attr.sample_max_stack = OTTER_MAX_SAMPLE_DEPTH;
        attr.exclude_callchain_kernel = 1;
    }
    return open_event(&attr, pid, processor);
}

// A counter stores a record after a number of events. Older kernels do not read other counters with
// a sample (PERF_SAMPLE_READ) of an inherited event.
static int open_counter(const struct otter_perf_events *events, unsigned i, pid_t pid,
                        struct ring *ring)
{
    struct perf_event_attr attr = attributes(ring->size);
    otter_counter_set(&events->counters.items[i], events->sampling.rate, &attr);
    attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
    ring->periods[i] = attr.freq ? 0 : attr.sample_period;
    return open_event(&attr, pid, (int)ring->processor);
}

static int add_ring(struct otter_perf_events *events, int file, int processor, bool is_of_samples)
{
    size_t size = is_of_samples ? 2 * events->buffer_size : events->buffer_size;
    void *page = mmap(NULL, events->page_size + size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) {
        int error = errno == EPERM ? ENOBUFS : errno; // EPERM: the limit on memory for such buffers
        close(file);
        return error;
    }
    events->rings[events->n++] = (struct ring){.page = page,
                                               .size = size,
                                               .processor = (uint32_t)processor,
                                               .file = file,
                                               .is_of_samples = is_of_samples};
    return 0;
}

static int add_counters(struct otter_perf_events *events, pid_t pid, struct ring *ring)
{
    for (unsigned i = 0; i < events->counters.n; i++) {
        int file = open_counter(events, i, pid, ring);
        if (file < 0) {
            events->refused = i;
            return errno;
        }
        ring->counters[ring->n_counters++] = file;
        if (ioctl(file, PERF_EVENT_IOC_SET_OUTPUT, ring->file) != 0 ||
            ioctl(file, PERF_EVENT_IOC_ID, &ring->ids[i]) != 0) {
            return errno;
        }
    }
    return 0;
}

static int add_samples(struct otter_perf_events *events, pid_t pid)
{
    size_t n = events->n;
    int error = 0;
    for (size_t i = 0; i < n && !error; i++) {
        int processor = (int)events->rings[i].processor;
        int file = open_samples(events, pid, processor);
        error = file < 0 ? errno : add_ring(events, file, processor, true);
        if (error == EMFILE && events->counters.n > 0) {
            events->refused = events->counters.n - 1; // without it, there are more files
        }
        error = error ? error : add_counters(events, pid, &events->rings[events->n - 1]);
    }
    return error;
}

static int open_all(struct otter_perf_events *events, pid_t pid, int n_processors)
{
    int error = 0;
    for (int i = 0; i < n_processors && !error; i++) {
        int file = open_switches(events, pid, i);
        bool is_offline = file < 0 && errno == ENODEV;
        error = file < 0 ? is_offline ? 0 : errno : add_ring(events, file, i, false);
    }
    error = error ? error : events->n > 0 ? 0 : ENODEV;
    return error || events->sampling.rate == 0 ? error : add_samples(events, pid);
}

static void close_all(struct otter_perf_events *events)
{
    for (size_t i = 0; i < events->n; i++) {
        const struct ring *ring = &events->rings[i];
        munmap(ring->page, events->page_size + ring->size);
        if (ring->file >= 0) {
            close(ring->file);
        }
        for (unsigned k = 0; k < ring->n_counters; k++) {
            close(ring->counters[k]);
        }
    }
    events->n = 0;
}

// Returns the highest number of a processor, plus 1. Numbers may have gaps, so the number of
// processors would be too small.
static int end_of_processors(void)
{
    char text[256]; // such as 0-3,8-11
    size_t n = otter_file_read_text("/sys/devices/system/cpu/possible", text, sizeof(text));
    const char *number = text;
    for (size_t i = 0; i < n; i++) {
        number = text[i] == '-' || text[i] == ',' ? text + i + 1 : number;
    }
    long last = n > 0 ? strtol(number, NULL, 10) : sysconf(_SC_NPROCESSORS_CONF) - 1;
    return last < 0 ? 1 : last < MAX_PROCESSORS ? (int)last + 1 : MAX_PROCESSORS;
}

// Tries smaller buffers until the kernel allows them.
static int open_in_memory(struct otter_perf_events *events, pid_t pid, int n_processors)
{
    int error = ENOBUFS;
    for (size_t size = LARGEST_BUFFER; error == ENOBUFS && size >= SMALLEST_BUFFER; size /= 2) {
        events->buffer_size = size > events->page_size ? size : events->page_size;
        events->refused = events->counters.n;
        error = open_all(events, pid, n_processors);
        if (error) {
            close_all(events);
        }
    }
    return error;
}

int otter_perf_events_open(pid_t pid, const struct otter_sampling *sampling,
                           struct otter_counters *counters, struct otter_perf_events **opened)
{
    int n_processors = end_of_processors();
    struct otter_perf_events *events = calloc(1, sizeof(*events));
    if (!events) {
        return ENOMEM;
    }
    events->page_size = (size_t)sysconf(_SC_PAGESIZE);
    events->sampling = *sampling;
    events->record = malloc(MAX_RECORD);
    events->counters = *counters;
    events->rings = calloc(2 * (size_t)n_processors, sizeof(*events->rings));
    int error =
        events->rings && events->record ? open_in_memory(events, pid, n_processors) : ENOMEM;
    while (error && events->refused < events->counters.n) {
        otter_counters_remove(&events->counters, events->refused, error);
        error = open_in_memory(events, pid, n_processors);
    }
    if (error) {
        otter_perf_events_close(events);
        return error;
    }
    *counters = events->counters;
    *opened = events;
    return 0;
}

void otter_perf_events_close(struct otter_perf_events *events)
{
    if (events) {
        close_all(events);
        OTTER_FREE(events->rings, events->record, events);
    }
}

size_t otter_perf_events_count(const struct otter_perf_events *events)
{
    return events->n;
}

void otter_perf_events_list(const struct otter_perf_events *events, struct pollfd *fds)
{
    for (size_t i = 0; i < events->n; i++) {
        fds[i] = (struct pollfd){.fd = events->rings[i].file, .events = POLLIN};
    }
}

// Removes descriptors whose processes have all ended, since they would always be ready.
void otter_perf_events_polled(struct otter_perf_events *events, struct pollfd *fds)
{
    for (size_t i = 0; i < events->n; i++) {
        if (fds[i].fd >= 0 && (fds[i].revents & (POLLHUP | POLLERR))) {
            close(fds[i].fd);
            events->rings[i].file = fds[i].fd = -1;
        }
    }
}

uint32_t otter_perf_events_processor(const struct otter_perf_events *events)
{
    return events->rings[0].processor;
}

uint32_t otter_perf_events_end_of_processors(const struct otter_perf_events *events)
{
    return events->rings[events->n - 1].processor + 1; // rings are in order
}

// ---- reading

static void copy_record(const struct otter_perf_events *events, const struct ring *ring,
                        uint64_t tail, void *to, size_t size)
{
    const uint8_t *buffer = (const uint8_t *)ring->page + events->page_size;
    size_t at = tail & (ring->size - 1);
    size_t first = ring->size - at < size ? ring->size - at : size;
    memcpy(to, buffer + at, first);
    memcpy((uint8_t *)to + first, buffer, size - first);
}

// Returns the size of the fields at the end of each record other than a sample.
static size_t end_of_record(const struct ring *ring)
{
    return sizeof(struct sample_id) + (ring->is_of_samples ? sizeof(uint64_t) : 0);
}

// Translates a record. *Returns* false unless the record is a switch, the start or end of a thread,
// or a number of lost records.
static bool translate(const union record *record, const struct sample_id *id,
                      struct otter_kernel_switch *change)
{
    *change = (struct otter_kernel_switch){.time_ns = id->time_ns,
                                           .process = id->process,
                                           .thread = id->thread,
                                           .processor = id->processor};
    uint16_t misc = record->header.misc;
    switch (record->header.type) {
    case PERF_RECORD_SWITCH:
        change->kind = !(misc & PERF_RECORD_MISC_SWITCH_OUT)        ? OTTER_SWITCH_IN
                       : misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? OTTER_SWITCH_PREEMPTED
                                                                    : OTTER_SWITCH_OUT;
        return true;
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
        change->is_start = record->header.type == PERF_RECORD_FORK;
        change->is_end = !change->is_start;
        change->kind = change->is_end ? OTTER_SWITCH_OUT : OTTER_SWITCH_UNKNOWN;
        change->process = record->task.process;
        change->thread = record->task.thread;
        return true;
    case PERF_RECORD_LOST:
        change->kind = OTTER_SWITCH_LOST;
        change->n = record->lost.n;
        return true;
    default: return false;
    }
}

// A call chain begins with a marker that says that its addresses are in user space.
static void find_chain(const union record *record, struct otter_kernel_sample *sample)
{
    const uint64_t *addresses = record->sample.addresses;
    size_t size = record->header.size, head = sizeof(record->sample);
    size_t room = size > head ? (size - head) / sizeof(*addresses) : 0;
    size_t n = room > 0 && record->sample.n < room ? record->sample.n : room;
    while (n > 0 && addresses[0] >= PERF_CONTEXT_MAX) {
        addresses++;
        n--;
    }
    sample->n = (uint32_t)(n < OTTER_MAX_SAMPLE_DEPTH ? n : OTTER_MAX_SAMPLE_DEPTH);
    sample->addresses = addresses;
}

// The copy of the stack is as large as was wanted; the thread's stack may be smaller.
static void find_stack(const union record *record, struct otter_kernel_sample *sample)
{
    const uint64_t *registers = record->stack.registers;
    size_t n_registers = (size_t)__builtin_popcountll(otter_unwinder_registers());
    const uint64_t *copied = registers + n_registers; // its size
    const uint8_t *bytes = (const uint8_t *)(copied + 1);
    const uint8_t *end = record->bytes + record->header.size;
    if (bytes > end || record->stack.abi != PERF_SAMPLE_REGS_ABI_64) {
        return;
    }
    uint64_t room = (uint64_t)(end - bytes), size = *copied, used = 0;
    if (size > 0 && size <= room && room - size >= sizeof(used)) {
        memcpy(&used, bytes + size, sizeof(used));
    }
    sample->stack = (struct otter_stack_copy){
        .registers = registers, .bytes = bytes, .size = used < size ? used : size};
}

static void pass_sample(const struct otter_perf_events *events, const struct ring *ring,
                        const union record *record, const struct otter_perf_visitor *visitor)
{
    struct otter_kernel_sample sample = {.time_ns = record->sample.id.time_ns,
                                         .process = record->sample.id.process,
                                         .thread = record->sample.id.thread};
    for (unsigned i = 0; i < ring->n_counters; i++) {
        if (ring->ids[i] == record->sample.event) {
            sample.counter = i + 1;
            sample.count = ring->periods[i] > 0 ? ring->periods[i] : record->sample.period;
        }
    }
    if (sample.counter == 0 && events->sampling.stack_size > 0) {
        find_stack(record, &sample);
    } else if (sample.counter == 0) {
        find_chain(record, &sample);
    }
    if (sample.counter > 0 || sample.n > 0 || sample.stack.registers) {
        visitor->visit_sample(visitor->user, &sample);
    }
}

// Visits a record that is not a sample.
static void pass_other(const struct ring *ring, const union record *record,
                       const struct sample_id *id, const struct otter_perf_visitor *visitor)
{
    struct otter_kernel_switch change;
    if (!translate(record, id, &change)) {
        return;
    }
    if (!ring->is_of_samples) {
        visitor->visit_switch(visitor->user, &change);
    } else if (change.kind == OTTER_SWITCH_LOST) {
        visitor->visit_lost_samples(visitor->user, change.time_ns, change.n);
    }
}

// Visits a whole record. *Returns* false if it must stay in the buffer, because it is too recent.
static bool pass(const struct otter_perf_events *events, const struct ring *ring, uint64_t until_ns,
                 const struct otter_perf_visitor *visitor)
{
    const union record *record = events->record;
    struct sample_id id;
    size_t size = record->header.size;
    bool is_sample = ring->is_of_samples && record->header.type == PERF_RECORD_SAMPLE &&
                     size >= offsetof(union record, sample.period);
    size_t at = is_sample ? offsetof(union record, sample.id) : size - end_of_record(ring);
    memcpy(&id, record->bytes + at, sizeof(id));
    if (id.time_ns >= until_ns) {
        return false;
    }
    id.processor = ring->processor;
    if (is_sample) {
        pass_sample(events, ring, record, visitor);
    } else {
        pass_other(ring, record, &id, visitor);
    }
    return true;
}

static void drain_ring(const struct otter_perf_events *events, const struct ring *ring,
                       uint64_t until_ns, const struct otter_perf_visitor *visitor)
{
    uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = ring->page->data_tail;
    while (tail < head) {
        struct perf_event_header header;
        copy_record(events, ring, tail, &header, sizeof(header));
        if (header.size < sizeof(header) + end_of_record(ring) || header.size > head - tail ||
            header.size > ring->size) {
            tail = head; // no kernel writes such a record
            break;
        }
        copy_record(events, ring, tail, events->record, header.size);
        if (!pass(events, ring, until_ns, visitor)) {
            break;
        }
        tail += header.size;
        __atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE); // visits may be slow
    }
    __atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

void otter_perf_events_drain(struct otter_perf_events *events, uint64_t until_ns,
                             const struct otter_perf_visitor *visitor)
{
    for (size_t i = 0; i < events->n; i++) {
        drain_ring(events, &events->rings[i], until_ns, visitor);
    }
}
