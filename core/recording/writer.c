#include "recording/writer.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <otf2/otf2.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/lock.h"
#include "recording/event_file.h"

enum {
    DEFINITION_CHUNK_SIZE = 256 * 1024, // of files that this writer never writes
    RESERVE = 8 * 1024, // of a chunk, for what is being recorded when no further one may be had
    N_LOCATIONS = OTTER_FIRST_STREAM + OTTER_MAX_STREAMS,
};

struct location {
    struct otter_location_writer records; // first: make_room finds the rest by it
    struct otter_writer *writer;
    uint32_t id;
    struct otter_event_file *file;
    uint8_t *chunk;  // NULL: nothing more can be kept
    bool has_memory; // has its share of max_memory
    bool is_last;    // there will be no other, and its reserve is in use
};

struct otter_writer {
    char *events_folder;
    struct otter_writer_options options;
    _Atomic uint64_t size;   // of all chunks that were begun
    _Atomic bool is_full;    // one was refused: from then on all are
    _Atomic uint64_t memory; // of the chunks that are held
    struct location *locations[N_LOCATIONS];
};

// ---- chunks

// Refuses all further records: there is no room for any.
static void end_location(struct location *location)
{
    static uint8_t nowhere[2];
    location->chunk = NULL;
    location->records.last = nowhere;
    location->records.at = nowhere + 1;
}

static bool fail_location(struct location *location, enum otter_status why)
{
    const struct otter_writer_options *options = &location->writer->options;
    end_location(location);
    if (options->location_failed) {
        options->location_failed(location->id, why);
    }
    return false;
}

// Whether there may be no other chunk.
static bool is_full(struct otter_writer *writer)
{
    uint64_t size = writer->options.chunk_size;
    if (writer->options.max_size > 0 &&
        atomic_fetch_add(&writer->size, size) + size > writer->options.max_size) {
        atomic_store(&writer->is_full, true);
    }
    return atomic_load(&writer->is_full);
}

static void give_memory_back(struct location *location)
{
    if (location->has_memory) {
        atomic_fetch_sub(&location->writer->memory, location->writer->options.chunk_size);
    }
    location->has_memory = false;
}

static void tell_that_it_is_full(const struct otter_writer *writer)
{
    if (writer->options.full) {
        writer->options.full();
    }
}

// What one call records is kept as a whole or not at all, so that those that are lost can be counted.
static bool use_reserve(struct location *location)
{
    if (location->is_last) {
        return fail_location(location, OTTER_FULL);
    }
    location->is_last = true;
    location->records.last += RESERVE;
    tell_that_it_is_full(location->writer);
    return true;
}

// Its last chunk takes no more than what is in it.
static void give_back(struct location *location)
{
    struct otter_writer *writer = location->writer;
    size_t used = location->chunk ? (size_t)(location->records.at - location->chunk) : 0;
    if (writer->options.max_size > 0) {
        atomic_fetch_sub(&writer->size, writer->options.chunk_size - used);
    }
    give_memory_back(location);
    location->chunk = NULL;
}

static bool next_chunk(struct location *location)
{
    void *chunk = NULL;
    const struct otter_writer_options *options = &location->writer->options;
    struct otter_held_signals signals;
    otter_signals_hold(&signals);
    enum otter_status status = otter_event_file_next_chunk(location->file, &chunk);
    otter_signals_release(&signals);
    if (status == OTTER_BUSY) { // the session is closed: nobody is to know
        end_location(location);
        return false;
    }
    if (status) {
        return fail_location(location, status);
    }
    location->chunk = chunk;
    otter_location_begin_chunk(&location->records, chunk, options->chunk_size);
    location->records.last -= options->max_size > 0 ? RESERVE : 0;
    return true;
}

static bool make_room(struct otter_location_writer *records)
{
    struct location *location = (struct location *)records;
    const struct otter_writer_options *options = &location->writer->options;
    uint64_t begin = otter_clock_now();
    if (!location->chunk) {
        return false;
    }
    if (is_full(location->writer)) {
        return use_reserve(location);
    }
    otter_location_end_chunk(records, location->chunk);
    if (!next_chunk(location)) {
        return false;
    }
    if (options->chunk_written) {
        options->chunk_written(location->id, begin, otter_clock_now());
    }
    return true;
}

// ---- opening and closing

enum otter_status otter_writer_open(const struct otter_writer_options *options,
                                    struct otter_writer **opened)
{
    struct otter_writer *writer = calloc(1, sizeof(*writer));
    if (!writer) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = OTTER_NO_MEMORY;
    writer->options = *options;
    writer->events_folder = otter_path("%s/events", options->folder);
    if (!writer->events_folder) {
        goto free_writer;
    }
    if (mkdir(writer->events_folder, 0777) < 0) {
        status = otter_status_from_errno(errno);
        goto free_folder;
    }
    *opened = writer;
    return OTTER_OK;

free_folder:
    free(writer->events_folder);
free_writer:
    free(writer);
    return status;
}

static bool take_memory(struct location *location)
{
    struct otter_writer *writer = location->writer;
    uint64_t size = writer->options.chunk_size, max = writer->options.max_memory;
    location->has_memory = max > 0;
    if (max == 0 || atomic_fetch_add(&writer->memory, size) + size <= max) {
        return true;
    }
    give_memory_back(location);
    return false;
}

enum otter_status otter_writer_open_location(struct otter_writer *writer, uint32_t id,
                                             struct otter_location_writer **opened)
{
    if (id >= N_LOCATIONS) {
        return OTTER_UNSUPPORTED;
    }
    struct location *location = calloc(1, sizeof(*location));
    if (!location) {
        return OTTER_NO_MEMORY;
    }
    location->file = otter_event_file_create(writer->events_folder, id, writer->options.chunk_size,
                                             writer->options.is_mapped);
    if (!location->file) {
        free(location);
        return OTTER_NO_MEMORY;
    }
    location->records.make_room = make_room;
    location->writer = writer;
    location->id = id;
    writer->locations[id] = location;
    if (is_full(writer)) {
        end_location(location);
        tell_that_it_is_full(writer);
        *opened = &location->records;
        return OTTER_FULL;
    }
    if (!take_memory(location)) {
        otter_event_file_close(location->file);
        fail_location(location, OTTER_NO_MEMORY);
        return OTTER_NO_MEMORY;
    }
    if (!next_chunk(location)) {
        give_back(location);
        otter_event_file_close(location->file);
        return OTTER_NO_SPACE;
    }
    *opened = &location->records;
    return OTTER_OK;
}

uint64_t otter_writer_end_location(struct otter_writer *writer, uint32_t id,
                                   void (*missed)(void *totals, uint64_t time, uint32_t region,
                                                  bool is_enter),
                                   void *totals)
{
    struct location *location = writer->locations[id];
    uint64_t last_time = location->records.time;
    end_location(location);
    location->records.time = OTTER_TIME_OF_NONE;
    location->records.missed = missed;
    location->records.totals = totals;
    return last_time;
}

bool otter_writer_flush_location(struct otter_writer *writer, uint32_t id)
{
    const struct location *location = writer->locations[id];
    if (!location->file || writer->options.is_mapped) {
        return false;
    }
    struct otter_held_signals signals;
    otter_signals_hold(&signals);
    enum otter_status status = otter_event_file_flush_chunk(location->file);
    otter_signals_release(&signals);
    return !status; // what could not be written stays in memory until otter_writer_save
}

bool otter_writer_end_writing(struct otter_writer *writer, uint32_t id)
{
    struct otter_event_file *file = writer->locations[id]->file;
    return file && otter_event_file_close(file);
}

// The location itself stays, a few bytes: otter_writer_save looks at all.
enum otter_status otter_writer_seal_location(struct otter_writer *writer, uint32_t id)
{
    struct location *location = writer->locations[id];
    uint64_t n_events, last_time;
    enum otter_status status = otter_event_file_save_chunk(location->file);
    if (status) {
        return status; // the chunk stays in memory until otter_writer_save
    }
    give_back(location);
    otter_event_file_destroy(location->file);
    location->file = NULL;
    return otter_event_file_seal(writer->events_folder, id, writer->options.chunk_size, &n_events,
                                 &last_time);
}

enum otter_status otter_writer_abandon_location(struct otter_writer *writer, uint32_t id)
{
    const struct location *location = writer->locations[id];
    return location->file ? otter_event_file_abandon(location->file) : OTTER_NOT_FOUND;
}

void otter_writer_end_streams(struct otter_writer *writer)
{
    for (uint32_t id = OTTER_FIRST_STREAM; id < N_LOCATIONS; id++) {
        if (writer->locations[id]) {
            otter_writer_end_writing(writer, id);
        }
    }
}

uint64_t otter_writer_n_events(const struct otter_writer *writer)
{
    uint64_t n = 0;
    for (size_t i = 0; i < N_LOCATIONS; i++) {
        n += writer->locations[i] ? writer->locations[i]->records.n_events : 0;
    }
    return n;
}

uint64_t otter_writer_n_refused(const struct otter_writer *writer)
{
    uint64_t n = 0;
    for (size_t i = 0; i < N_LOCATIONS; i++) {
        n += writer->locations[i] ? writer->locations[i]->records.n_refused : 0;
    }
    return n;
}

static enum otter_status save(struct otter_writer *writer, size_t begin, size_t end)
{
    enum otter_status first = OTTER_OK;
    for (size_t i = begin; i < end; i++) {
        const struct location *location = writer->locations[i];
        struct otter_event_file *file = location ? location->file : NULL;
        enum otter_status status = file ? otter_event_file_save_chunk(file) : OTTER_OK;
        first = first ? first : status;
    }
    return first;
}

enum otter_status otter_writer_save(struct otter_writer *writer)
{
    enum otter_status threads = save(writer, 0, OTTER_MAX_LOCATIONS);
    enum otter_status streams = save(writer, OTTER_FIRST_STREAM, N_LOCATIONS);
    return threads ? threads : streams;
}

// ---- what OTF2 writes

static OTF2_ErrorCode be_silent(void *user, const char *file, uint64_t line, const char *function,
                                OTF2_ErrorCode code, const char *format, va_list arguments)
{
    return code;
}

struct probe {
    uint8_t *chunk;
    size_t size;
};

static void *allocate(void *user, OTF2_FileType type, OTF2_LocationRef id, void **buffer,
                      uint64_t size)
{
    struct probe *probe = user;
    return size == probe->size ? probe->chunk : NULL;
}

static void free_all(void *user, OTF2_FileType type, OTF2_LocationRef id, void **buffer, bool final)
{
}

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef id, void *caller,
                                bool final)
{
    return OTF2_NO_FLUSH;
}

static const OTF2_MemoryCallbacks memory_callbacks = {.otf2_allocate = allocate,
                                                      .otf2_free_all = free_all};
static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = pre_flush};

// An archive whose events go to the chunk of `probe`.
static OTF2_Archive *open_in_memory(struct probe *probe)
{
    OTF2_Error_RegisterCallback(be_silent, NULL);
    OTF2_Archive *archive =
        OTF2_Archive_Open("/", "none", OTF2_FILEMODE_WRITE, probe->size, DEFINITION_CHUNK_SIZE,
                          OTF2_SUBSTRATE_NONE, OTF2_COMPRESSION_NONE);
    if (!archive) {
        return NULL;
    }
    if (OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, probe) ||
        OTF2_Archive_SetMemoryCallbacks(archive, &memory_callbacks, probe) ||
        OTF2_Archive_SetSerialCollectiveCallbacks(archive) || OTF2_Archive_OpenEvtFiles(archive)) {
        OTF2_Archive_Close(archive);
        return NULL;
    }
    return archive;
}

static void probe_otf2(OTF2_EvtWriter *events)
{
    static const OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
    OTF2_MetricValue values[] = {{.unsigned_int = 0}, {.unsigned_int = UINT64_MAX - 1}};
    OTF2_EvtWriter_Enter(events, NULL, 10, 300);
    OTF2_EvtWriter_ThreadTaskCreate(events, NULL, 11, OTTER_COMM_ALL_THREADS, 1, 70000);
    OTF2_EvtWriter_ThreadTaskSwitch(events, NULL, 11, OTTER_COMM_ALL_THREADS, 0, UINT32_MAX);
    OTF2_EvtWriter_ThreadTaskComplete(events, NULL, 11, OTTER_COMM_ALL_THREADS, 255, 256);
    OTF2_EvtWriter_ThreadFork(events, NULL, 12, OTF2_PARADIGM_OPENMP, 2);
    OTF2_EvtWriter_ThreadTeamBegin(events, NULL, UINT64_MAX / 3, 65536);
    OTF2_EvtWriter_ThreadTeamEnd(events, NULL, UINT64_MAX / 3, 65535);
    OTF2_EvtWriter_ThreadJoin(events, NULL, UINT64_MAX / 2, OTF2_PARADIGM_OPENMP);
    OTF2_EvtWriter_ThreadAcquireLock(events, NULL, UINT64_MAX / 2, OTF2_PARADIGM_OPENMP, 7, 1);
    OTF2_EvtWriter_ThreadReleaseLock(events, NULL, UINT64_MAX / 2, OTF2_PARADIGM_OPENMP, 7, 1);
    OTF2_EvtWriter_BufferFlush(events, NULL, UINT64_MAX / 2, UINT64_MAX - 1);
    OTF2_EvtWriter_Metric(events, NULL, UINT64_MAX / 2, 1, 2, types, values);
    OTF2_EvtWriter_RmaPut(events, NULL, UINT64_MAX / 2, 0, 1, 1 << 20, UINT64_MAX / 3);
    OTF2_EvtWriter_RmaGet(events, NULL, UINT64_MAX / 2, 2, 300, UINT64_MAX, 1);
    OTF2_EvtWriter_RmaOpCompleteBlocking(events, NULL, UINT64_MAX / 2, 2, UINT64_MAX / 3);
    OTF2_EvtWriter_MeasurementOnOff(events, NULL, UINT64_MAX / 2, OTF2_MEASUREMENT_OFF);
    OTF2_EvtWriter_MeasurementOnOff(events, NULL, UINT64_MAX / 2, OTF2_MEASUREMENT_ON);
    OTF2_EvtWriter_Leave(events, NULL, UINT64_MAX / 2, 1);
    OTF2_EvtWriter_ParameterUnsignedInt(events, NULL, UINT64_MAX / 2, 3, UINT64_MAX);
}

static void probe_ours(struct otter_location_writer *location)
{
    otter_write_enter(location, 10, 300);
    otter_write_task_create(location, 11, 1, 70000);
    otter_write_task_switch(location, 11, 0, UINT32_MAX);
    otter_write_task_complete(location, 11, 255, 256);
    otter_write_fork(location, 12, 2);
    otter_write_team_begin(location, UINT64_MAX / 3, 65536);
    otter_write_team_end(location, UINT64_MAX / 3, 65535);
    otter_write_join(location, UINT64_MAX / 2);
    otter_write_lock_acquire(location, UINT64_MAX / 2, 7, 1);
    otter_write_lock_release(location, UINT64_MAX / 2, 7, 1);
    otter_write_flush(location, UINT64_MAX / 2, UINT64_MAX - 1);
    otter_write_memory(location, UINT64_MAX / 2, 1, 0, UINT64_MAX - 1);
    otter_write_put(location, UINT64_MAX / 2, 0, 1, 1 << 20, UINT64_MAX / 3);
    otter_write_get(location, UINT64_MAX / 2, 2, 300, UINT64_MAX, 1);
    otter_write_transferred(location, UINT64_MAX / 2, 2, UINT64_MAX / 3);
    otter_write_measurement(location, UINT64_MAX / 2, false);
    otter_write_measurement(location, UINT64_MAX / 2, true);
    otter_write_leave(location, UINT64_MAX / 2, 1);
    otter_write_parameter(location, UINT64_MAX / 2, 3, UINT64_MAX);
}

static bool write_alike(OTF2_Archive *archive, const struct probe *probe)
{
    uint8_t chunk[OTTER_RECORD_ROOM * 16] = {0};
    struct otter_location_writer ours = {0};
    uint64_t n = 0, time = 0;
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(archive, 0);
    if (!events) {
        return false;
    }
    probe_otf2(events);
    otter_location_begin_chunk(&ours, chunk, sizeof(chunk));
    probe_ours(&ours);
    size_t used = otter_event_chunk_used(chunk, sizeof(chunk), &n, &time);
    return n == ours.n_events && time == ours.time && used == (size_t)(ours.at - chunk) &&
           memcmp(chunk, probe->chunk, sizeof(chunk)) == 0;
}

const char *otter_writer_otf2_version(void)
{
    return OTF2_VERSION;
}

bool otter_writer_layout_is_known(void)
{
    struct probe probe = {.size = OTF2_CHUNK_SIZE_MIN};
    probe.chunk = calloc(1, probe.size);
    OTF2_Archive *archive = open_in_memory(&probe);
    bool is_known = probe.chunk && archive && write_alike(archive, &probe);
    if (archive) {
        OTF2_Archive_Close(archive);
    }
    free(probe.chunk);
    return is_known;
}
