#include "trace/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <otf2/otf2.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/lock.h"
#include "trace/event_file.h"

enum {
    DEFINITION_CHUNK_SIZE = 256 * 1024, // of files that this writer never writes
};

struct location {
    struct otter_event_file *file;
    bool has_chunk;
    void *scratch; // takes what OTF2 still writes after a failure
};

struct otter_writer {
    OTF2_Archive *archive; // in memory only: OTF2 writes no file
    char *events_folder;
    struct otter_writer_options options;
    struct location *locations[OTTER_MAX_LOCATIONS];
};

// ---- what OTF2 asks of us

static OTF2_ErrorCode be_silent(void *user, const char *file, uint64_t line, const char *function,
                                OTF2_ErrorCode code, const char *format, va_list arguments)
{
    return code;
}

static void *fail_location(struct otter_writer *writer, uint32_t id, enum otter_status why)
{
    struct location *location = writer->locations[id];
    if (!location->scratch) {
        location->scratch = calloc(1, writer->options.chunk_size);
    }
    if (writer->options.location_failed) {
        writer->options.location_failed(id, why);
    }
    return location->scratch;
}

static void *allocate(void *user, OTF2_FileType type, OTF2_LocationRef id, void **buffer,
                      uint64_t size)
{
    struct otter_writer *writer = user;
    if (type != OTF2_FILETYPE_EVENTS || id >= OTTER_MAX_LOCATIONS || !writer->locations[id]) {
        return NULL;
    }
    struct location *location = writer->locations[id];
    void *chunk = NULL;
    uint64_t begin = otter_clock_now();
    struct otter_held_signals signals;
    otter_signals_hold(&signals);
    enum otter_status status = otter_event_file_next_chunk(location->file, &chunk);
    otter_signals_release(&signals);
    if (status) {
        return fail_location(writer, (uint32_t)id, status);
    }
    if (location->has_chunk && writer->options.chunk_written) {
        writer->options.chunk_written((uint32_t)id, begin, otter_clock_now());
    }
    location->has_chunk = true;
    return chunk;
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

// An archive that OTF2 keeps in the memory that `memory` hands out.
static OTF2_Archive *open_in_memory(uint64_t chunk_size, const OTF2_MemoryCallbacks *memory,
                                    void *user)
{
    OTF2_Error_RegisterCallback(be_silent, NULL);
    OTF2_Archive *archive =
        OTF2_Archive_Open("/", "none", OTF2_FILEMODE_WRITE, chunk_size, DEFINITION_CHUNK_SIZE,
                          OTF2_SUBSTRATE_NONE, OTF2_COMPRESSION_NONE);
    if (!archive) {
        return NULL;
    }
    if (OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, user) ||
        OTF2_Archive_SetMemoryCallbacks(archive, memory, user) ||
        OTF2_Archive_SetSerialCollectiveCallbacks(archive) || OTF2_Archive_OpenEvtFiles(archive)) {
        OTF2_Archive_Close(archive);
        return NULL;
    }
    return archive;
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
    writer->archive = open_in_memory(options->chunk_size, &memory_callbacks, writer);
    if (!writer->archive) {
        goto remove_folder;
    }
    *opened = writer;
    return OTTER_OK;

remove_folder:
    rmdir(writer->events_folder);
free_folder:
    free(writer->events_folder);
free_writer:
    free(writer);
    return status;
}

enum otter_status otter_writer_open_location(struct otter_writer *writer, uint32_t id,
                                             struct otter_location_writer **opened)
{
    if (id >= OTTER_MAX_LOCATIONS) {
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
    writer->locations[id] = location;
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(writer->archive, id);
    if (!events || location->scratch) {
        return OTTER_NO_SPACE;
    }
    *opened = (struct otter_location_writer *)events;
    return OTTER_OK;
}

// OTF2's own handle stays, a few hundred bytes: closing it could write behind the end of a full chunk.
enum otter_status otter_writer_close_location(struct otter_writer *writer, uint32_t id)
{
    struct location *location = writer->locations[id];
    uint64_t n_events, last_time;
    enum otter_status status = otter_event_file_save_chunk(location->file);
    if (status) {
        return status; // the chunk stays in memory until otter_writer_save
    }
    otter_event_file_destroy(location->file);
    location->file = NULL;
    return otter_event_file_seal(writer->events_folder, id, writer->options.chunk_size, &n_events,
                                 &last_time);
}

enum otter_status otter_writer_save(struct otter_writer *writer)
{
    enum otter_status first = OTTER_OK;
    for (size_t i = 0; i < OTTER_MAX_LOCATIONS && writer->locations[i]; i++) {
        const struct otter_event_file *file = writer->locations[i]->file;
        enum otter_status status = file ? otter_event_file_save_chunk(file) : OTTER_OK;
        first = first ? first : status;
    }
    return first;
}

// ---- the layout of chunks

struct probe {
    uint8_t *chunk;
    size_t size;
};

static void *probe_allocate(void *user, OTF2_FileType type, OTF2_LocationRef id, void **buffer,
                            uint64_t size)
{
    struct probe *probe = user;
    return size == probe->size ? probe->chunk : NULL;
}

static bool probe_events(const struct probe *probe, OTF2_Archive *archive)
{
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(archive, 0);
    if (!events) {
        return false;
    }
    const uint64_t last = 12;
    OTF2_EvtWriter_Enter(events, NULL, 10, 300);
    OTF2_EvtWriter_ThreadTaskCreate(events, NULL, 11, 0, 1, 70000);
    OTF2_EvtWriter_Leave(events, NULL, last, 300);
    OTF2_EvtWriter_ParameterUnsignedInt(events, NULL, last, 3, UINT64_MAX);

    uint64_t n = 0, time = 0, n_written = 0;
    size_t used = otter_event_chunk_used(probe->chunk, probe->size, &n, &time);
    OTF2_EvtWriter_GetNumberOfEvents(events, &n_written);
    return used > 0 && n == 4 && n_written == 4 && time == last && probe->chunk[used] == 0;
}

bool otter_writer_layout_is_known(void)
{
    static const OTF2_MemoryCallbacks memory = {.otf2_allocate = probe_allocate,
                                                .otf2_free_all = free_all};
    struct probe probe = {.size = OTF2_CHUNK_SIZE_MIN};
    probe.chunk = calloc(1, probe.size);
    OTF2_Archive *archive = open_in_memory(probe.size, &memory, &probe);
    bool is_known = probe.chunk && archive && probe_events(&probe, archive);
    if (archive) {
        OTF2_Archive_Close(archive);
    }
    free(probe.chunk);
    return is_known;
}

// ---- records

static OTF2_EvtWriter *events_of(struct otter_location_writer *location)
{
    return (OTF2_EvtWriter *)location;
}

void otter_write_enter(struct otter_location_writer *location, uint64_t time, uint32_t region)
{
    OTF2_EvtWriter_Enter(events_of(location), NULL, time, region);
}

void otter_write_leave(struct otter_location_writer *location, uint64_t time, uint32_t region)
{
    OTF2_EvtWriter_Leave(events_of(location), NULL, time, region);
}

void otter_write_parameter(struct otter_location_writer *location, uint64_t time,
                           uint32_t parameter, uint64_t value)
{
    OTF2_EvtWriter_ParameterUnsignedInt(events_of(location), NULL, time, parameter, value);
}

void otter_write_memory(struct otter_location_writer *location, uint64_t time, uint32_t space,
                        uint64_t in_use, uint64_t high_water)
{
    static const OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
    OTF2_MetricValue values[] = {{.unsigned_int = in_use}, {.unsigned_int = high_water}};
    OTF2_EvtWriter_Metric(events_of(location), NULL, time, space, 2, types, values);
}

void otter_write_flush(struct otter_location_writer *location, uint64_t time, uint64_t end)
{
    OTF2_EvtWriter_BufferFlush(events_of(location), NULL, time, end);
}

void otter_write_fork(struct otter_location_writer *location, uint64_t time, uint32_t requested)
{
    OTF2_EvtWriter_ThreadFork(events_of(location), NULL, time, OTF2_PARADIGM_OPENMP, requested);
}

void otter_write_join(struct otter_location_writer *location, uint64_t time)
{
    OTF2_EvtWriter_ThreadJoin(events_of(location), NULL, time, OTF2_PARADIGM_OPENMP);
}

void otter_write_team_begin(struct otter_location_writer *location, uint64_t time, uint32_t comm)
{
    OTF2_EvtWriter_ThreadTeamBegin(events_of(location), NULL, time, comm);
}

void otter_write_team_end(struct otter_location_writer *location, uint64_t time, uint32_t comm)
{
    OTF2_EvtWriter_ThreadTeamEnd(events_of(location), NULL, time, comm);
}

void otter_write_task_create(struct otter_location_writer *location, uint64_t time,
                             uint32_t creator, uint32_t number)
{
    OTF2_EvtWriter_ThreadTaskCreate(events_of(location), NULL, time, OTTER_COMM_ALL_THREADS,
                                    creator, number);
}

void otter_write_task_switch(struct otter_location_writer *location, uint64_t time,
                             uint32_t creator, uint32_t number)
{
    OTF2_EvtWriter_ThreadTaskSwitch(events_of(location), NULL, time, OTTER_COMM_ALL_THREADS,
                                    creator, number);
}

void otter_write_task_complete(struct otter_location_writer *location, uint64_t time,
                               uint32_t creator, uint32_t number)
{
    OTF2_EvtWriter_ThreadTaskComplete(events_of(location), NULL, time, OTTER_COMM_ALL_THREADS,
                                      creator, number);
}

void otter_write_lock_acquire(struct otter_location_writer *location, uint64_t time, uint32_t lock,
                              uint32_t order)
{
    OTF2_EvtWriter_ThreadAcquireLock(events_of(location), NULL, time, OTF2_PARADIGM_OPENMP, lock,
                                     order);
}

void otter_write_lock_release(struct otter_location_writer *location, uint64_t time, uint32_t lock,
                              uint32_t order)
{
    OTF2_EvtWriter_ThreadReleaseLock(events_of(location), NULL, time, OTF2_PARADIGM_OPENMP, lock,
                                     order);
}
