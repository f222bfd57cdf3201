// Follows the report file, and appends switches to the files of the recordings that it names.
#include "launcher/observe/recordings.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/free.h"
#include "base/order.h"
#include "base/vector.h"
#include "trace/schema.h"

enum {
    RECORDS_AT_ONCE = 256,
    MAX_EARLY = 512,
};

// The last record of a file, which states that no switches follow.
static const struct otter_switch_record ended = {.kind = OTTER_SWITCH_UNKNOWN};

struct recording {
    uint32_t process;
    uint64_t number;
    int file;
    bool is_counter; // whether times are ticks of the processor's counter
    bool is_closing;
    bool has_room_for_samples; // with a limit on the size, they take half of the file at most
    // The last sample that had no room since the last flush; `thread` is the number of such
    // samples.
    struct otter_switch_record left_out;
    uint64_t left_out_ns;
    uint64_t n_stored;
    size_t n;
    struct otter_switch_record records[RECORDS_AT_ONCE]; // records that are not stored yet
};

// A switch of a process that does not record yet. The recorder may already have read the clock for
// its first event, but needs a while to open its output.
struct early {
    struct otter_switch_record record;
    uint64_t time_ns;
    uint32_t process; // 0: all processes
};

// A process that was sampled while it did not record.
struct unrecorded {
    uint32_t process;
    bool has_recorded; // at another time
    uint64_t n_samples;
};

struct otter_recordings {
    FILE *report;
    int watch;
    char *line;
    size_t room;
    struct recording **items;
    size_t n;
    uint64_t n_opened;
    struct {
        OTTER_VECTOR(struct unrecorded);
    } unrecorded;                  // sorted by process
    struct early early[MAX_EARLY]; // the last ones, in a ring buffer
    size_t n_early;                // number of entries that were ever added
};

struct otter_recordings *otter_recordings_create(const char *report)
{
    struct otter_recordings *recordings = calloc(1, sizeof(*recordings));
    if (!recordings) {
        return NULL;
    }
    recordings->report = fopen(report, "re");
    if (!recordings->report) {
        free(recordings);
        return NULL;
    }
    recordings->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (recordings->watch >= 0 && inotify_add_watch(recordings->watch, report, IN_MODIFY) < 0) {
        close(recordings->watch);
        recordings->watch = -1;
    }
    return recordings;
}

int otter_recordings_watch(const struct otter_recordings *recordings)
{
    return recordings->watch;
}

// Returns the index of a process, or `n` if it does not record.
static size_t find(const struct otter_recordings *recordings, uint32_t process)
{
    size_t i = 0;
    while (i < recordings->n && recordings->items[i]->process != process) {
        i++;
    }
    return i;
}

uint64_t otter_recordings_number(const struct otter_recordings *recordings, uint32_t process)
{
    size_t i = find(recordings, process);
    return i < recordings->n ? recordings->items[i]->number : 0;
}

// ---- processes that do not record

static int compare_processes(const void *a, const void *b)
{
    const struct unrecorded *x = a, *y = b;
    return OTTER_BY_1(x, y, process);
}

// Returns NULL if out of memory. New processes mostly have the largest number so far.
static struct unrecorded *find_unrecorded(struct otter_recordings *recordings, uint32_t process)
{
    struct unrecorded added = {.process = process};
    uint32_t i = OTTER_SORTED_BEFORE(&recordings->unrecorded, &added, compare_processes);
    if (i < recordings->unrecorded.n && recordings->unrecorded.items[i].process == process) {
        return &recordings->unrecorded.items[i];
    }
    if (!OTTER_VECTOR_RESERVE(&recordings->unrecorded)) {
        return NULL;
    }
    struct unrecorded *found = &recordings->unrecorded.items[i];
    memmove(found + 1, found, (recordings->unrecorded.n++ - i) * sizeof(*found));
    *found = added;
    return found;
}

void otter_recordings_leave_out(struct otter_recordings *recordings, uint32_t process)
{
    struct unrecorded *unrecorded = find_unrecorded(recordings, process);
    if (unrecorded) {
        unrecorded->n_samples++;
    }
}

uint64_t otter_recordings_left_out(const struct otter_recordings *recordings, uint32_t *n_processes)
{
    uint64_t n = 0;
    *n_processes = 0;
    for (uint32_t i = 0; i < recordings->unrecorded.n; i++) {
        const struct unrecorded *unrecorded = &recordings->unrecorded.items[i];
        n += unrecorded->has_recorded ? 0 : unrecorded->n_samples;
        *n_processes += !unrecorded->has_recorded;
    }
    return n;
}

// ---- records

// Stores the collected records. Closes the file after a failure, since no record may follow an
// incomplete one.
static void store(struct recording *recording)
{
    if (recording->file >= 0) {
        recording->n_stored += recording->n;
        bool has_room = otter_switch_log_has_room(recording->file, recording->n_stored);
        bool is_stored =
            has_room && otter_switch_log_append(recording->file, recording->records, recording->n);
        if (!has_room) {
            otter_switch_log_append(recording->file, &ended, 1);
        }
        recording->has_room_for_samples =
            otter_switch_log_has_room(recording->file, 2 * recording->n_stored);
        if (!is_stored) {
            close(recording->file);
            recording->file = -1;
        }
    }
    recording->n = 0;
}

static void add(struct recording *recording, const struct otter_switch_record *record,
                uint64_t time_ns)
{
    if (recording->n == RECORDS_AT_ONCE) {
        store(recording);
    }
    struct otter_switch_record *added = &recording->records[recording->n++];
    *added = *record;
    added->time = recording->is_counter ? record->time : time_ns;
}

static void leave_out(struct recording *recording, const struct otter_logged_sample *sample,
                      uint64_t time_ns)
{
    recording->left_out = (struct otter_switch_record){.time = sample->time,
                                                       .thread = recording->left_out.thread + 1,
                                                       .kind = OTTER_SWITCH_SAMPLES_LOST};
    recording->left_out_ns = time_ns;
}

// Adds a record of how many samples had no room.
static void note_left_out(struct recording *recording)
{
    if (recording->left_out.thread > 0) {
        add(recording, &recording->left_out, recording->left_out_ns);
        recording->left_out.thread = 0;
    }
}

static void add_early(struct otter_recordings *recordings, uint32_t process,
                      const struct otter_switch_record *record, uint64_t time_ns)
{
    recordings->early[recordings->n_early++ % MAX_EARLY] =
        (struct early){.record = *record, .time_ns = time_ns, .process = process};
}

static void move_early(const struct otter_recordings *recordings, struct recording *recording)
{
    size_t n = recordings->n_early;
    for (size_t i = n > MAX_EARLY ? n - MAX_EARLY : 0; i < n; i++) {
        const struct early *early = &recordings->early[i % MAX_EARLY];
        if (early->process == recording->process || early->process == 0) {
            add(recording, &early->record, early->time_ns);
        }
    }
}

void otter_recordings_add(struct otter_recordings *recordings, uint32_t process,
                          const struct otter_switch_record *record, uint64_t time_ns)
{
    size_t i = find(recordings, process);
    if (i < recordings->n) {
        add(recordings->items[i], record, time_ns);
    } else {
        add_early(recordings, process, record, time_ns);
    }
}

// Samples from before the first event are not needed.
void otter_recordings_add_sample(struct otter_recordings *recordings, uint32_t process,
                                 const struct otter_logged_sample *sample, uint64_t time_ns)
{
    struct otter_switch_record records[OTTER_SAMPLE_RECORDS];
    size_t i = find(recordings, process);
    bool has_room = i < recordings->n && recordings->items[i]->has_room_for_samples;
    size_t n = has_room ? otter_sample_pack(sample, records) : 0;
    if (i < recordings->n && !has_room) {
        leave_out(recordings->items[i], sample, time_ns);
    }
    for (size_t k = 0; k < n; k++) {
        add(recordings->items[i], &records[k], k == 0 ? time_ns : records[k].time);
    }
}

void otter_recordings_add_to_all(struct otter_recordings *recordings,
                                 const struct otter_switch_record *record, uint64_t time_ns)
{
    for (size_t i = 0; i < recordings->n; i++) {
        add(recordings->items[i], record, time_ns);
    }
    if (record->kind == OTTER_SWITCH_LOST || record->kind == OTTER_SWITCH_SAMPLES_LOST) {
        add_early(recordings, 0, record, time_ns);
    }
}

static void remove_at(struct otter_recordings *recordings, size_t i)
{
    if (recordings->items[i]->file >= 0) {
        close(recordings->items[i]->file);
    }
    free(recordings->items[i]);
    recordings->items[i] = recordings->items[--recordings->n];
}

void otter_recordings_flush(struct otter_recordings *recordings)
{
    for (size_t i = recordings->n; i-- > 0;) {
        note_left_out(recordings->items[i]);
        store(recordings->items[i]);
        if (recordings->items[i]->is_closing) {
            remove_at(recordings, i);
        }
    }
}

// ---- the report file

// A process in another namespace knows itself and its threads by other numbers than those the
// kernel reports here.
static bool is_in_our_namespace(uint32_t process)
{
    char path[64];
    struct stat own, other;
    snprintf(path, sizeof(path), "/proc/%" PRIu32 "/ns/pid", process);
    return stat("/proc/self/ns/pid", &own) == 0 && stat(path, &other) == 0 &&
           own.st_ino == other.st_ino;
}

// A process that executes another program may open a second recording.
static void open_recording(struct otter_recordings *recordings, uint32_t process,
                           const char *folder)
{
    size_t former = find(recordings, process);
    if (former < recordings->n) {
        remove_at(recordings, former);
    }
    struct unrecorded *earlier = find_unrecorded(recordings, process);
    if (earlier) {
        earlier->has_recorded = true;
    }
    bool is_counter;
    int file = otter_switch_log_open(folder, &is_counter);
    if (file >= 0 && !is_in_our_namespace(process)) {
        otter_switch_log_append(file, &ended, 1);
        close(file);
        return;
    }
    struct recording *added = file >= 0 ? malloc(sizeof(*added)) : NULL;
    struct recording **longer =
        added ? reallocarray(recordings->items, recordings->n + 1, sizeof(struct recording *))
              : NULL;
    if (!longer) {
        free(added);
        if (file >= 0) {
            close(file);
        }
        return;
    }
    added->process = process;
    added->number = ++recordings->n_opened;
    added->file = file;
    added->is_counter = is_counter;
    added->is_closing = false;
    added->has_room_for_samples = true;
    added->n_stored = added->n = added->left_out.thread = 0;
    recordings->items = longer;
    longer[recordings->n++] = added;
    move_early(recordings, added);
}

static void note_closing(const struct otter_recordings *recordings, uint32_t process)
{
    size_t i = find(recordings, process);
    if (i < recordings->n) {
        recordings->items[i]->is_closing = true;
    }
}

static void read_line(struct otter_recordings *recordings, const char *line)
{
    char word[16];
    unsigned process;
    int at;
    if (sscanf(line, "%15s %u %n", word, &process, &at) != 2) {
        return;
    }
    if (strcmp(word, "opened") == 0) {
        open_recording(recordings, process, line + at);
    } else if (strcmp(word, "closing") == 0) {
        note_closing(recordings, process);
    }
}

// Recorders write each line, with its NUL, in a single call.
void otter_recordings_update(struct otter_recordings *recordings)
{
    char events[4096];
    while (recordings->watch >= 0 && read(recordings->watch, events, sizeof(events)) > 0) {
    }
    clearerr(recordings->report);
    while (getdelim(&recordings->line, &recordings->room, '\0', recordings->report) > 0) {
        read_line(recordings, recordings->line);
    }
}

void otter_recordings_destroy(struct otter_recordings *recordings)
{
    if (!recordings) {
        return;
    }
    otter_recordings_add_to_all(recordings, &ended, 0);
    otter_recordings_flush(recordings);
    while (recordings->n > 0) {
        remove_at(recordings, 0);
    }
    OTTER_FREE(recordings->items, recordings->line, recordings->unrecorded.items);
    fclose(recordings->report);
    if (recordings->watch >= 0) {
        close(recordings->watch);
    }
    free(recordings);
}
