// Devices, and the records that they report late and in any order. Records are buffered for a
// while, then written to the device's streams sorted by time.
#include "record/device/device.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/lock.h"
#include "otter/record.h"
#include "record/device/stream.h"
#include "record/entry/counts.h"
#include "record/entry/opening.h"
#include "record/process/output.h"
#include "record/process/state.h"
#include "record/thread/thread.h"
#include "trace/schema.h"

enum {
    MAX_FOUND = OTTER_MAX_DEVICES + 1, // the first entry is OTTER_DEVICE_UNKNOWN
    MAX_TYPE = 64,
    MAX_MODULES = 256,
    MAX_BUFFERED = 4096, // per device; if there are more, the earliest is written
};

struct device {
    int number;
    _Atomic uint32_t window; // OTTER_WINDOW_NONE: no window is defined yet
    char type[MAX_TYPE];
    // a heap, the earliest on top; allocated with the first record
    struct otter_device_record *buffered;
    uint32_t n_buffered;
};

// protects all variables below except atomics
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct device devices[MAX_FOUND];
static _Atomic uint32_t n_devices = 1; // devices below this count never change
static uint32_t n_windows;
static uint64_t n_lost, n_refused, n_moved;
static bool is_over;
static _Atomic int host = -1; // the host's device number; see otter_devices_begin
static atomic_bool is_reported_by_host;

// Acquires `lock`. *Returns* false, without the lock, if the session is over. *Thread*: not a
// holder of `lock`.
static bool enter(struct otter_held_signals *held)
{
    if (!otter_session_is_live() || !otter_session_is_ours()) {
        return false;
    }
    otter_lock(&lock, held);
    if (is_over) {
        otter_unlock(&lock, held);
    }
    return !is_over;
}

// ---- devices

void otter_devices_begin(int number, bool reports_operations)
{
    atomic_store(&host, number);
    atomic_store(&is_reported_by_host, reports_operations);
}

static bool is_device(int number)
{
    return number >= 0 && number != atomic_load_explicit(&host, memory_order_relaxed);
}

static uint8_t find(int number)
{
    uint32_t n = atomic_load_explicit(&n_devices, memory_order_acquire);
    for (uint32_t i = 1; i < n; i++) {
        if (devices[i].number == number) {
            return (uint8_t)i;
        }
    }
    return OTTER_DEVICE_UNKNOWN;
}

// Caller holds `lock`.
static uint8_t find_or_add(int number)
{
    uint8_t found = find(number);
    uint32_t n = atomic_load(&n_devices);
    if (found || !is_device(number) || n == MAX_FOUND) {
        return found;
    }
    devices[n].number = number;
    atomic_store(&devices[n].window, OTTER_WINDOW_NONE);
    atomic_store_explicit(&n_devices, n + 1, memory_order_release);
    return (uint8_t)n;
}

uint8_t otter_device_find(int number)
{
    uint8_t found = find(number);
    struct otter_held_signals held;
    if (found || !is_device(number) || !enter(&held)) {
        return found;
    }
    found = find_or_add(number);
    otter_unlock(&lock, &held);
    return found;
}

int otter_device_number(uint8_t device)
{
    return devices[device].number;
}

// Before it has counted its devices, LLVM's runtime reports 0 as the number of the host (quirk
// 'host number').
void otter_device_describe(int number, const char *type)
{
    struct otter_held_signals held;
    if (!enter(&held)) {
        return;
    }
    if (number == atomic_load(&host)) {
        atomic_store(&host, -1);
    }
    uint8_t device = find_or_add(number);
    if (device && type) {
        snprintf(devices[device].type, sizeof(devices[device].type), "%s", type);
    }
    otter_unlock(&lock, &held);
}

// Ignores negative numbers: OTF2 refuses them in a name.
void otter_device_describe_module(int number, const struct otter_device_module *module)
{
    static _Atomic unsigned n_described;
    char name[80];
    if (number < 0 || atomic_load(&n_described) >= MAX_MODULES ||
        atomic_fetch_add(&n_described, 1) >= MAX_MODULES) {
        return;
    }
    snprintf(name, sizeof(name), "DEVICE_MODULE::%d::%" PRIu64, number, module->id);
    otter_describe(name, module->file);
}

// Every device in the archive has a stream, which is the device's member of the window. Caller
// holds `lock`.
static uint32_t window_of(struct device *device)
{
    char type[3 * MAX_TYPE + 8];
    uint32_t window = atomic_load(&device->window);
    if (window != OTTER_WINDOW_NONE || !otter_stream_may_add() || otter_session_open_output() ||
        otter_output_define("device %" PRIu32 " %d %s", n_windows, device->number,
                            otter_journal_encode(device->type, type, sizeof(type)))) {
        return window;
    }
    window = n_windows++;
    otter_stream_add(window);
    atomic_store(&device->window, window);
    return window;
}

uint32_t otter_device_window(uint8_t device)
{
    uint32_t window = device ? atomic_load(&devices[device].window) : OTTER_WINDOW_NONE;
    struct otter_held_signals held;
    if (!device || window != OTTER_WINDOW_NONE || !enter(&held)) {
        return window;
    }
    window = window_of(&devices[device]);
    otter_unlock(&lock, &held);
    return window;
}

// ---- buffered records: a heap by start; of records with the same start, the longer one first

static bool is_before(const struct otter_device_record *a, const struct otter_device_record *b)
{
    return a->begin < b->begin || (a->begin == b->begin && a->end > b->end);
}

static void swap(struct otter_device_record *a, struct otter_device_record *b)
{
    struct otter_device_record old = *a;
    *a = *b;
    *b = old;
}

static void push(struct device *device, const struct otter_device_record *record)
{
    uint32_t i = device->n_buffered++;
    device->buffered[i] = *record;
    for (; i > 0 && is_before(&device->buffered[i], &device->buffered[(i - 1) / 2]);
         i = (i - 1) / 2) {
        swap(&device->buffered[i], &device->buffered[(i - 1) / 2]);
    }
}

static void write_earliest(struct device *device)
{
    bool is_written = otter_stream_write(atomic_load(&device->window), &device->buffered[0],
                                         atomic_load(&is_reported_by_host));
    n_lost += !is_written;
    uint32_t n = --device->n_buffered;
    device->buffered[0] = device->buffered[n];
    for (uint32_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && is_before(&device->buffered[child + 1], &device->buffered[child])) {
            child++;
        }
        if (!is_before(&device->buffered[child], &device->buffered[i])) {
            return;
        }
        swap(&device->buffered[i], &device->buffered[child]);
    }
}

static void flush(struct device *device)
{
    while (device->n_buffered > 0) {
        write_earliest(device);
    }
}

static void buffer(struct device *device, const struct otter_device_record *record)
{
    if (!device->buffered) {
        device->buffered = calloc(MAX_BUFFERED, sizeof(*device->buffered));
    }
    // Devices are defined only while the session is open, because buffered records are written when
    // it closes.
    if (!device->buffered || window_of(device) == OTTER_WINDOW_NONE) {
        n_lost++;
        return;
    }
    if (device->n_buffered == MAX_BUFFERED) {
        write_earliest(device);
    }
    push(device, record);
}

static bool is_in_run(const struct otter_device_record *record)
{
    return record->begin >= otter_session_start().ticks && record->end <= otter_clock_now();
}

static uint64_t within(uint64_t time, uint64_t first, uint64_t last)
{
    return time < first ? first : time > last ? last : time;
}

// Two clocks always differ a little, so a record slightly outside the run is moved to its edge.
// *Returns* false if it is too far outside. Caller holds `lock`.
static bool move_into_run(struct otter_device_record *record)
{
    uint64_t start = otter_session_start().ticks, now = otter_clock_now();
    uint64_t little = otter_session_tenth_of_second();
    if (record->begin + little < start || record->end > now + little) {
        return false;
    }
    record->begin = within(record->begin, start, now);
    record->end = within(record->end, start, now);
    n_moved++;
    return true;
}

static bool is_possible(struct otter_device_record *record)
{
    return record->device >= 0 && record->begin <= record->end &&
           (is_in_run(record) || move_into_run(record));
}

// ---- calls of a connector. Caller does not hold `lock`

void otter_device_record(const struct otter_device_record *record)
{
    struct otter_held_signals held;
    if (!enter(&held)) {
        return;
    }
    struct otter_device_record possible = *record;
    uint8_t device = find_or_add(record->device);
    if (!is_possible(&possible)) {
        n_refused++;
    } else if (device) {
        buffer(&devices[device], &possible);
    } else {
        n_lost++; // there are too many devices
    }
    otter_unlock(&lock, &held);
}

void otter_device_flush(int number)
{
    struct otter_held_signals held;
    if (!enter(&held)) {
        return;
    }
    flush(&devices[find(number)]);
    otter_unlock(&lock, &held);
}

void otter_device_refuse(int number)
{
    struct otter_held_signals held;
    if (!enter(&held)) {
        return;
    }
    n_refused++;
    otter_unlock(&lock, &held);
}

uint64_t otter_now(void)
{
    return otter_clock_now();
}

// ---- the end

void otter_devices_finish(struct otter_counts *counts)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    is_over = true;
    for (uint32_t i = 1; i < atomic_load(&n_devices); i++) {
        flush(&devices[i]);
        free(devices[i].buffered);
    }
    counts->n_lost += n_lost;
    if (n_refused > 0) {
        otter_output_define("describe DEVICE_REFUSED %" PRIu64, n_refused);
    }
    if (n_moved > 0) {
        otter_output_define("describe DEVICE_MOVED %" PRIu64, n_moved);
    }
    otter_unlock(&lock, &held);
}
