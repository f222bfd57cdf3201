// Opens perf events for switches and samples, and reads the ring buffer of each processor.
#include "launcher/perf_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

// An ordinary user may map perf_event_mlock_kb per processor, by default 516 KiB.
enum {
    LARGEST_BUFFER = 128 * 1024,
    LARGEST_SAMPLE_BUFFER = 512 * 1024,
    SMALLEST_BUFFER = 16 * 1024,
    MAX_RECORD = 1024,
    MAX_PROCESSORS = 1 << 16,
};

struct ring {
    struct perf_event_mmap_page *page; // first page; the buffer follows
    uint32_t processor;
    int file; // -1: the process and its descendants have ended
};

struct otter_perf_events {
    struct ring *rings;
    size_t n;
    size_t page_size, buffer_size; // bytes
    uint32_t rate;                 // samples per second; 0: none
};

// The end of each record, because of sample_id_all.
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
        uint32_t process, thread;
        uint64_t time_ns;
        uint32_t processor, unused;
        uint64_t n, addresses[];
    } sample;
    uint8_t bytes[MAX_RECORD];
};

// ---- opening

// Makes the event sample after equal periods of processor time, so that each sample stands for the
// same time. Cycles of a PMU are not time, and their periods vary.
static void set_sampling(struct perf_event_attr *attr, uint32_t rate)
{
    attr->config = PERF_COUNT_SW_TASK_CLOCK;
    attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
    attr->sample_period = UINT64_C(1000000000) / rate;
    attr->sample_max_stack = OTTER_MAX_SAMPLE_DEPTH;
    attr->exclude_callchain_kernel = 1;
}

static int open_event(const struct otter_perf_events *events, pid_t pid, int processor)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof(attr),
        .config = PERF_COUNT_SW_DUMMY,
        .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
        .disabled = 1,
        .inherit = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .enable_on_exec = 1,
        .task = 1, // reports starts and ends of threads, which are not switches
        .watermark = 1,
        .wakeup_watermark = (uint32_t)events->buffer_size / 2,
        .sample_id_all = 1,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
        .context_switch = 1,
    };
    if (events->rate > 0) {
        set_sampling(&attr, events->rate);
    }
    return (int)syscall(SYS_perf_event_open, &attr, pid, processor, -1, PERF_FLAG_FD_CLOEXEC);
}

static int add_ring(struct otter_perf_events *events, int file, int processor)
{
    size_t size = events->page_size + events->buffer_size;
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) {
        int error = errno == EPERM ? ENOBUFS : errno; // EPERM: the limit on memory for such buffers
        close(file);
        return error;
    }
    events->rings[events->n++] = (struct ring){page, (uint32_t)processor, file};
    return 0;
}

static int open_all(struct otter_perf_events *events, pid_t pid, int n_processors)
{
    int error = 0;
    for (int i = 0; i < n_processors && !error; i++) {
        int file = open_event(events, pid, i);
        bool is_offline = file < 0 && errno == ENODEV;
        error = file < 0 ? is_offline ? 0 : errno : add_ring(events, file, i);
    }
    return error ? error : events->n > 0 ? 0 : ENODEV;
}

static void close_all(struct otter_perf_events *events)
{
    for (size_t i = 0; i < events->n; i++) {
        munmap(events->rings[i].page, events->page_size + events->buffer_size);
        if (events->rings[i].file >= 0) {
            close(events->rings[i].file);
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
    size_t size = events->rate > 0 ? LARGEST_SAMPLE_BUFFER : LARGEST_BUFFER;
    for (; error == ENOBUFS && size >= SMALLEST_BUFFER; size /= 2) {
        events->buffer_size = size > events->page_size ? size : events->page_size;
        error = open_all(events, pid, n_processors);
        if (error) {
            close_all(events);
        }
    }
    return error;
}

int otter_perf_events_open(pid_t pid, uint32_t rate, struct otter_perf_events **opened)
{
    int n_processors = end_of_processors();
    struct otter_perf_events *events = calloc(1, sizeof(*events));
    if (!events) {
        return ENOMEM;
    }
    events->page_size = (size_t)sysconf(_SC_PAGESIZE);
    events->rate = rate;
    events->rings = calloc((size_t)n_processors, sizeof(*events->rings));
    int error = events->rings ? open_in_memory(events, pid, n_processors) : ENOMEM;
    if (error) {
        otter_perf_events_close(events);
        return error;
    }
    *opened = events;
    return 0;
}

void otter_perf_events_close(struct otter_perf_events *events)
{
    if (events) {
        close_all(events);
        free(events->rings);
        free(events);
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
    size_t at = tail & (events->buffer_size - 1);
    size_t first = events->buffer_size - at < size ? events->buffer_size - at : size;
    memcpy(to, buffer + at, first);
    memcpy((uint8_t *)to + first, buffer, size - first);
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

// A call chain begins with a mark that its addresses are those of a user.
static void pass_sample(const union record *record, const struct otter_perf_visitor *visitor)
{
    const uint64_t *addresses = record->sample.addresses;
    size_t room = (record->header.size - sizeof(record->sample)) / sizeof(*addresses);
    size_t n = record->sample.n < room ? record->sample.n : room;
    while (n > 0 && addresses[0] >= PERF_CONTEXT_MAX) {
        addresses++;
        n--;
    }
    struct otter_kernel_sample sample = {
        .time_ns = record->sample.time_ns,
        .process = record->sample.process,
        .thread = record->sample.thread,
        .n = (uint32_t)(n < OTTER_MAX_SAMPLE_DEPTH ? n : OTTER_MAX_SAMPLE_DEPTH),
        .addresses = addresses};
    if (n > 0) {
        visitor->visit_sample(visitor->user, &sample);
    }
}

// Visits a whole record. *Returns* false if it must stay in the buffer, because it is too recent.
static bool pass(const struct ring *ring, const union record *record, uint64_t until_ns,
                 const struct otter_perf_visitor *visitor)
{
    struct otter_kernel_switch change;
    struct sample_id id;
    size_t size = record->header.size;
    bool is_sample = record->header.type == PERF_RECORD_SAMPLE && size >= sizeof(record->sample);
    memcpy(&id, record->bytes + (is_sample ? sizeof(record->header) : size - sizeof(id)),
           sizeof(id));
    if (id.time_ns >= until_ns) {
        return false;
    }
    id.processor = ring->processor;
    if (is_sample) {
        pass_sample(record, visitor);
    } else if (translate(record, &id, &change)) {
        visitor->visit_switch(visitor->user, &change);
    }
    return true;
}

static void drain_ring(const struct otter_perf_events *events, const struct ring *ring,
                       uint64_t until_ns, const struct otter_perf_visitor *visitor)
{
    uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = ring->page->data_tail;
    while (tail < head) {
        union record record;
        copy_record(events, ring, tail, &record.header, sizeof(record.header));
        size_t size = record.header.size;
        if (size < sizeof(record.header) + sizeof(struct sample_id) || size > head - tail) {
            tail = head; // no kernel writes such a record
            break;
        }
        if (size <= sizeof(record)) {
            copy_record(events, ring, tail, &record, size);
            if (!pass(ring, &record, until_ns, visitor)) {
                break;
            }
        }
        tail += size;
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
