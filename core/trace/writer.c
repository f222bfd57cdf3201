#include "trace/writer.h"

#include <limits.h>
#include <pthread.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <otf2/otf2.h>

#include "base/clock.h"
#include "trace/event_file.h"

enum {
    DEFINITION_CHUNK_SIZE = 256 * 1024, // of files that this writer never writes
    MAX_LOCATIONS = 1 << 14,
    FLUSHED_CHUNKS = 4, // held in memory by a location before they are written
};

struct location {
    struct otter_event_file *file;
    void *scratch; // takes what OTF2 still writes after a failure
    void *chunks[FLUSHED_CHUNKS];
    unsigned n_chunks;
};

struct otter_writer {
    OTF2_Archive *archive;
    char *folder;
    size_t chunk_size;
    bool flushed;
    void (*location_failed)(void *user, uint32_t location, enum otter_status why);
    void *user;
    struct location *locations[MAX_LOCATIONS];
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
        location->scratch = calloc(1, writer->chunk_size);
    }
    if (writer->location_failed) {
        writer->location_failed(writer->user, id, why);
    }
    return location->scratch;
}

static void *next_mapped_chunk(struct otter_writer *writer, uint32_t id)
{
    void *chunk = NULL;
    enum otter_status status = otter_event_file_next_chunk(writer->locations[id]->file, &chunk);
    return status ? fail_location(writer, id, status) : chunk;
}

// NULL makes OTF2 write its chunks and ask again.
static void *next_memory_chunk(struct otter_writer *writer, uint32_t id)
{
    struct location *location = writer->locations[id];
    if (location->n_chunks == FLUSHED_CHUNKS) {
        return NULL;
    }
    void *chunk = calloc(1, writer->chunk_size);
    if (!chunk) {
        return fail_location(writer, id, OTTER_NO_MEMORY);
    }
    location->chunks[location->n_chunks++] = chunk;
    return chunk;
}

static void *allocate(void *user, OTF2_FileType type, OTF2_LocationRef id, void **buffer, uint64_t size)
{
    struct otter_writer *writer = user;
    if (type != OTF2_FILETYPE_EVENTS || id >= MAX_LOCATIONS || !writer->locations[id]) {
        return NULL;
    }
    return writer->flushed ? next_memory_chunk(writer, (uint32_t)id) : next_mapped_chunk(writer, (uint32_t)id);
}

static void free_all(void *user, OTF2_FileType type, OTF2_LocationRef id, void **buffer, bool final)
{
    struct otter_writer *writer = user;
    if (type != OTF2_FILETYPE_EVENTS || id >= MAX_LOCATIONS || !writer->locations[id]) {
        return;
    }
    struct location *location = writer->locations[id];
    while (location->n_chunks > 0) {
        free(location->chunks[--location->n_chunks]);
    }
}

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef id, void *caller, bool final)
{
    struct otter_writer *writer = user;
    return writer->flushed ? OTF2_FLUSH : OTF2_NO_FLUSH;
}

static OTF2_TimeStamp post_flush(void *user, OTF2_FileType type, OTF2_LocationRef id)
{
    return otter_clock_now();
}

static const OTF2_MemoryCallbacks memory_callbacks = {.otf2_allocate = allocate, .otf2_free_all = free_all};
static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = pre_flush, .otf2_post_flush = post_flush};

// ---- opening and closing

static enum otter_status open_archive(struct otter_writer *writer)
{
    OTF2_Error_RegisterCallback(be_silent, NULL);
    writer->archive = OTF2_Archive_Open(writer->folder, "events", OTF2_FILEMODE_WRITE, writer->chunk_size,
                                        DEFINITION_CHUNK_SIZE,
                                        writer->flushed ? OTF2_SUBSTRATE_POSIX : OTF2_SUBSTRATE_NONE,
                                        OTF2_COMPRESSION_NONE);
    if (!writer->archive || OTF2_Archive_SetFlushCallbacks(writer->archive, &flush_callbacks, writer) ||
        OTF2_Archive_SetMemoryCallbacks(writer->archive, &memory_callbacks, writer) ||
        OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive) ||
        OTF2_Archive_OpenEvtFiles(writer->archive)) {
        return OTTER_IO;
    }
    return OTTER_OK;
}

enum otter_status otter_writer_open(const struct otter_writer_options *options, struct otter_writer **opened)
{
    struct otter_writer *writer = calloc(1, sizeof(*writer));
    char *folder = strdup(options->folder);
    if (!writer || !folder) {
        free(writer);
        free(folder);
        return OTTER_NO_MEMORY;
    }
    writer->folder = folder;
    writer->chunk_size = options->chunk_size;
    writer->flushed = options->flushed;
    writer->location_failed = options->location_failed;
    writer->user = options->user;
    enum otter_status status = open_archive(writer);
    if (status) {
        otter_writer_close(writer);
        return status;
    }
    *opened = writer;
    return OTTER_OK;
}

static void destroy_location(struct location *location)
{
    if (location) {
        otter_event_file_destroy(location->file);
        free(location->scratch);
        free(location);
    }
}

static struct location *create_location(const struct otter_writer *writer, uint32_t id)
{
    struct location *location = calloc(1, sizeof(*location));
    char path[PATH_MAX];
    int length = snprintf(path, sizeof(path), "%s/events/%" PRIu32 ".evt", writer->folder, id);
    if (!location || (size_t)length >= sizeof(path)) {
        free(location);
        return NULL;
    }
    location->file = otter_event_file_create(path, writer->chunk_size);
    if (!location->file) {
        free(location);
        return NULL;
    }
    return location;
}

enum otter_status otter_writer_open_location(struct otter_writer *writer, uint32_t id,
                                             struct otter_location_writer **opened)
{
    if (id >= MAX_LOCATIONS) {
        return OTTER_UNSUPPORTED;
    }
    writer->locations[id] = create_location(writer, id);
    if (!writer->locations[id]) {
        return OTTER_NO_MEMORY;
    }
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(writer->archive, id);
    if (!events || writer->locations[id]->scratch) {
        return OTTER_NO_SPACE;
    }
    *opened = (struct otter_location_writer *)events;
    return OTTER_OK;
}

// A mapped recording is complete as it lies. Its OTF2 handle stays: it is small, and a thread that could not be stopped
// may still be in it.
void otter_writer_close(struct otter_writer *writer)
{
    if (!writer) {
        return;
    }
    if (!writer->flushed) {
        return;
    }
    if (writer->archive) {
        OTF2_Archive_CloseEvtFiles(writer->archive);
        OTF2_Archive_Close(writer->archive);
    }
    for (size_t i = 0; i < MAX_LOCATIONS; i++) {
        destroy_location(writer->locations[i]);
    }
    free(writer->folder);
    free(writer);
}

// ---- the layout of chunks

struct probe {
    uint8_t *chunk;
    size_t size;
};

static void *probe_allocate(void *user, OTF2_FileType type, OTF2_LocationRef id, void **buffer, uint64_t size)
{
    struct probe *probe = user;
    return size == probe->size ? probe->chunk : NULL;
}

static void probe_free(void *user, OTF2_FileType type, OTF2_LocationRef id, void **buffer, bool final)
{
}

static OTF2_FlushType probe_flush(void *user, OTF2_FileType type, OTF2_LocationRef id, void *caller, bool final)
{
    return OTF2_NO_FLUSH;
}

static bool probe_events(struct probe *probe, OTF2_Archive *archive)
{
    static const OTF2_MemoryCallbacks memory = {.otf2_allocate = probe_allocate, .otf2_free_all = probe_free};
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = probe_flush};
    if (OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL) ||
        OTF2_Archive_SetMemoryCallbacks(archive, &memory, probe) ||
        OTF2_Archive_SetSerialCollectiveCallbacks(archive) || OTF2_Archive_OpenEvtFiles(archive)) {
        return false;
    }
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
    OTF2_Error_RegisterCallback(be_silent, NULL);
    struct probe probe = {.size = OTF2_CHUNK_SIZE_MIN};
    probe.chunk = calloc(1, probe.size);
    OTF2_Archive *archive = OTF2_Archive_Open("/", "none", OTF2_FILEMODE_WRITE, probe.size, OTF2_CHUNK_SIZE_MIN,
                                              OTF2_SUBSTRATE_NONE, OTF2_COMPRESSION_NONE);
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

bool otter_write_enter(struct otter_location_writer *location, uint64_t time, uint32_t region)
{
    return OTF2_EvtWriter_Enter(events_of(location), NULL, time, region) == OTF2_SUCCESS;
}

bool otter_write_leave(struct otter_location_writer *location, uint64_t time, uint32_t region)
{
    return OTF2_EvtWriter_Leave(events_of(location), NULL, time, region) == OTF2_SUCCESS;
}

bool otter_write_parameter(struct otter_location_writer *location, uint64_t time, uint32_t parameter, uint64_t value)
{
    return OTF2_EvtWriter_ParameterUnsignedInt(events_of(location), NULL, time, parameter, value) == OTF2_SUCCESS;
}

bool otter_write_fork(struct otter_location_writer *location, uint64_t time, uint32_t requested)
{
    return OTF2_EvtWriter_ThreadFork(events_of(location), NULL, time, OTF2_PARADIGM_OPENMP, requested) == OTF2_SUCCESS;
}

bool otter_write_join(struct otter_location_writer *location, uint64_t time)
{
    return OTF2_EvtWriter_ThreadJoin(events_of(location), NULL, time, OTF2_PARADIGM_OPENMP) == OTF2_SUCCESS;
}

bool otter_write_team_begin(struct otter_location_writer *location, uint64_t time, uint32_t comm)
{
    return OTF2_EvtWriter_ThreadTeamBegin(events_of(location), NULL, time, comm) == OTF2_SUCCESS;
}

bool otter_write_team_end(struct otter_location_writer *location, uint64_t time, uint32_t comm)
{
    return OTF2_EvtWriter_ThreadTeamEnd(events_of(location), NULL, time, comm) == OTF2_SUCCESS;
}

bool otter_write_task_create(struct otter_location_writer *location, uint64_t time, uint32_t creator, uint32_t number)
{
    return OTF2_EvtWriter_ThreadTaskCreate(events_of(location), NULL, time, OTTER_COMM_ALL_THREADS, creator,
                                           number) == OTF2_SUCCESS;
}

bool otter_write_task_switch(struct otter_location_writer *location, uint64_t time, uint32_t creator, uint32_t number)
{
    return OTF2_EvtWriter_ThreadTaskSwitch(events_of(location), NULL, time, OTTER_COMM_ALL_THREADS, creator,
                                           number) == OTF2_SUCCESS;
}

bool otter_write_task_complete(struct otter_location_writer *location, uint64_t time, uint32_t creator, uint32_t number)
{
    return OTF2_EvtWriter_ThreadTaskComplete(events_of(location), NULL, time, OTTER_COMM_ALL_THREADS, creator,
                                             number) == OTF2_SUCCESS;
}

bool otter_write_lock_acquire(struct otter_location_writer *location, uint64_t time, uint32_t lock, uint32_t order)
{
    return OTF2_EvtWriter_ThreadAcquireLock(events_of(location), NULL, time, OTF2_PARADIGM_OPENMP, lock, order) ==
           OTF2_SUCCESS;
}

bool otter_write_lock_release(struct otter_location_writer *location, uint64_t time, uint32_t lock, uint32_t order)
{
    return OTF2_EvtWriter_ThreadReleaseLock(events_of(location), NULL, time, OTF2_PARADIGM_OPENMP, lock, order) ==
           OTF2_SUCCESS;
}
