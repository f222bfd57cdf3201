// Compares the records of core/trace/write/location_writer.c with the records of OTF2's own writer.
#include "trace/write/layout_probe.h"

#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

#include "trace/event_chunk.h"
#include "trace/schema.h"
#include "trace/write/location_writer.h"

enum { DEFINITION_CHUNK_SIZE = 256 * 1024 }; // bytes; the probe writes no definitions

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

// Opens an archive whose events are stored in the chunk of `probe`.
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

static void probe_otf2_messages(OTF2_EvtWriter *events)
{
    const uint64_t time = UINT64_MAX / 2;
    OTF2_EvtWriter_MpiSend(events, NULL, time, 1, 300, 7, UINT64_MAX - 1);
    OTF2_EvtWriter_MpiIsend(events, NULL, time, 70000, 1, 0, 256, 255);
    OTF2_EvtWriter_MpiIsendComplete(events, NULL, time, 255);
    OTF2_EvtWriter_MpiIrecvRequest(events, NULL, time, UINT64_MAX / 3);
    OTF2_EvtWriter_MpiRecv(events, NULL, time, 0, 1, UINT32_MAX, 0);
    OTF2_EvtWriter_MpiIrecv(events, NULL, time, 3, 1, 2, 1 << 20, UINT64_MAX / 3);
    OTF2_EvtWriter_MpiRequestCancelled(events, NULL, time, 9);
    OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, time);
    OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, time, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, 1,
                                    OTF2_UNDEFINED_UINT32, 1 << 20, 8);
    OTF2_EvtWriter_NonBlockingCollectiveRequest(events, NULL, time, 10);
    OTF2_EvtWriter_NonBlockingCollectiveComplete(events, NULL, time, OTF2_COLLECTIVE_OP_BCAST, 2, 0,
                                                 0, UINT64_MAX / 5, 10);
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
    OTF2_EvtWriter_Metric(events, NULL, UINT64_MAX / 2, 2, 1, types, values + 1);
    OTF2_EvtWriter_CallingContextSample(events, NULL, UINT64_MAX / 2, 70000, OTF2_UNDEFINED_UINT32,
                                        0);
    OTF2_EvtWriter_RmaPut(events, NULL, UINT64_MAX / 2, 0, 1, 1 << 20, UINT64_MAX / 3);
    OTF2_EvtWriter_RmaGet(events, NULL, UINT64_MAX / 2, 2, 300, UINT64_MAX, 1);
    OTF2_EvtWriter_RmaOpCompleteBlocking(events, NULL, UINT64_MAX / 2, 2, UINT64_MAX / 3);
    OTF2_EvtWriter_MeasurementOnOff(events, NULL, UINT64_MAX / 2, OTF2_MEASUREMENT_OFF);
    OTF2_EvtWriter_MeasurementOnOff(events, NULL, UINT64_MAX / 2, OTF2_MEASUREMENT_ON);
    probe_otf2_messages(events);
    OTF2_EvtWriter_Leave(events, NULL, UINT64_MAX / 2, 1);
    OTF2_EvtWriter_ParameterUnsignedInt(events, NULL, UINT64_MAX / 2, 3, UINT64_MAX);
}

static void probe_our_messages(struct otter_location_writer *location)
{
    static const struct otter_message messages[] = {
        [OTTER_MESSAGE_SEND] = {300, 1, 7, UINT64_MAX - 1, 0},
        [OTTER_MESSAGE_ISEND] = {1, 70000, 0, 256, 255},
        [OTTER_MESSAGE_SENT] = {.request = 255},
        [OTTER_MESSAGE_RECV_POSTED] = {.request = UINT64_MAX / 3},
        [OTTER_MESSAGE_RECV] = {1, 0, UINT32_MAX, 0, 0},
        [OTTER_MESSAGE_IRECV] = {1, 3, 2, 1 << 20, UINT64_MAX / 3},
        [OTTER_MESSAGE_CANCELLED] = {.request = 9},
    };
    static const struct otter_collective_operation blocks = {
        .operation = OTTER_COLLECTIVE_REDUCE_SCATTER_BLOCK,
        .communicator = 1,
        .root = OTTER_NO_ROOT,
        .sent = 1 << 20,
        .received = 8};
    static const struct otter_collective_operation returns = {.operation = OTTER_COLLECTIVE_BCAST,
                                                              .communicator = 2,
                                                              .received = UINT64_MAX / 5,
                                                              .request = 10};
    for (unsigned i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        otter_write_message(location, UINT64_MAX / 2, (enum otter_message_kind)i, &messages[i]);
    }
    otter_write_collective_begin(location, UINT64_MAX / 2, 0);
    otter_write_collective_end(location, UINT64_MAX / 2, &blocks);
    otter_write_collective_begin(location, UINT64_MAX / 2, returns.request);
    otter_write_collective_end(location, UINT64_MAX / 2, &returns);
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
    otter_write_metric(location, UINT64_MAX / 2, 1, 0, UINT64_MAX - 1);
    otter_write_count(location, UINT64_MAX / 2, 2, UINT64_MAX - 1);
    otter_write_sample(location, UINT64_MAX / 2, 70000);
    otter_write_put(location, UINT64_MAX / 2, 0, 1, 1 << 20, UINT64_MAX / 3);
    otter_write_get(location, UINT64_MAX / 2, 2, 300, UINT64_MAX, 1);
    otter_write_transferred(location, UINT64_MAX / 2, 2, UINT64_MAX / 3);
    otter_write_measurement(location, UINT64_MAX / 2, false);
    otter_write_measurement(location, UINT64_MAX / 2, true);
    probe_our_messages(location);
    otter_write_leave(location, UINT64_MAX / 2, 1);
    otter_write_parameter(location, UINT64_MAX / 2, 3, UINT64_MAX);
}

static bool write_alike(OTF2_Archive *archive, const struct probe *probe)
{
    uint8_t chunk[OTTER_RECORD_ROOM * 24] = {0};
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

const char *otter_layout_otf2_version(void)
{
    return OTF2_VERSION;
}

bool otter_layout_is_known(void)
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
