// The floor: the cheapest tool that records every event. Each callback reads the time stamp counter
// and writes one OTF2 record without attributes into memory that OTF2 manages. No tool that writes
// OTF2 can be much cheaper, so Otter's cost is stated in multiples of this floor.
//
// OMP_TOOL_LIBRARIES loads the tool; it writes the archive $FLOOR_ARCHIVE.
#include <omp-tools.h>
#include <otf2/otf2.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <x86intrin.h>

#define EXPORT __attribute__((visibility("default")))

enum { MAX_THREADS = 1024, CHUNK_SIZE = 1 << 20 };
enum { REGION_TASKWAIT, REGION_WORK, REGION_MUTEX, N_REGIONS };
enum { STRING_EMPTY, STRING_NAME, N_STRINGS };

static OTF2_Archive *archive;
static OTF2_EvtWriter *writers[MAX_THREADS];
static uint32_t n_threads;
static uint64_t first_time;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Thread_local OTF2_EvtWriter *writer;
static _Thread_local uint32_t thread;
static _Thread_local uint32_t n_tasks;

static OTF2_FlushType flush_when_full(void *data, OTF2_FileType type, OTF2_LocationRef location,
                                      void *caller, bool is_final)
{
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = flush_when_full};

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
    pthread_mutex_lock(&lock);
    if (n_threads < MAX_THREADS) {
        thread = n_threads++;
        writer = OTF2_Archive_GetEvtWriter(archive, thread);
        writers[thread] = writer;
    }
    pthread_mutex_unlock(&lock);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                              unsigned requested, int flags, const void *code)
{
    OTF2_EvtWriter_ThreadFork(writer, NULL, __rdtsc(), OTF2_PARADIGM_OPENMP, requested);
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code)
{
    OTF2_EvtWriter_ThreadJoin(writer, NULL, __rdtsc(), OTF2_PARADIGM_OPENMP);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                             ompt_data_t *task, unsigned size, unsigned index, int flags)
{
    if (endpoint == ompt_scope_begin) {
        task->value = (uint64_t)thread << 32;
        OTF2_EvtWriter_ThreadTeamBegin(writer, NULL, __rdtsc(), 0);
    } else {
        OTF2_EvtWriter_ThreadTeamEnd(writer, NULL, __rdtsc(), 0);
    }
}

static void on_task_create(ompt_data_t *creator, const ompt_frame_t *frame, ompt_data_t *task,
                           int flags, int has_dependences, const void *code)
{
    task->value = (uint64_t)thread << 32 | ++n_tasks;
    OTF2_EvtWriter_ThreadTaskCreate(writer, NULL, __rdtsc(), 0, thread, n_tasks);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    uint64_t id = status == ompt_task_complete ? prior->value : next->value;
    if (status == ompt_task_complete) {
        OTF2_EvtWriter_ThreadTaskComplete(writer, NULL, __rdtsc(), 0, id >> 32, (uint32_t)id);
    } else {
        OTF2_EvtWriter_ThreadTaskSwitch(writer, NULL, __rdtsc(), 0, id >> 32, (uint32_t)id);
    }
}

static void mark(ompt_scope_endpoint_t endpoint, OTF2_RegionRef region)
{
    if (endpoint == ompt_scope_begin) {
        OTF2_EvtWriter_Enter(writer, NULL, __rdtsc(), region);
    } else {
        OTF2_EvtWriter_Leave(writer, NULL, __rdtsc(), region);
    }
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    mark(endpoint, REGION_TASKWAIT);
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, uint64_t count, const void *code)
{
    mark(endpoint, REGION_WORK);
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                        ompt_data_t instance)
{
    OTF2_EvtWriter_ParameterUnsignedInt(writer, NULL, __rdtsc(), 0, 0);
}

static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t mutex,
                             const void *code)
{
    mark(ompt_scope_begin, REGION_MUTEX);
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *code)
{
    OTF2_EvtWriter_ThreadAcquireLock(writer, NULL, __rdtsc(), OTF2_PARADIGM_OPENMP, 0, 0);
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *code)
{
    mark(ompt_scope_end, REGION_MUTEX);
}

static bool open_archive(void)
{
    const char *folder = getenv("FLOOR_ARCHIVE");
    archive = OTF2_Archive_Open(folder ? folder : "floor", "traces", OTF2_FILEMODE_WRITE,
                                CHUNK_SIZE, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!archive) {
        return false;
    }
    OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    first_time = __rdtsc();
    return true;
}

static void write_locations(OTF2_GlobalDefWriter *definitions)
{
    OTF2_Archive_OpenDefFiles(archive);
    for (uint32_t i = 0; i < n_threads; i++) {
        uint64_t n_events = 0;
        OTF2_EvtWriter_GetNumberOfEvents(writers[i], &n_events);
        OTF2_Archive_CloseEvtWriter(archive, writers[i]);
        OTF2_GlobalDefWriter_WriteLocation(definitions, i, STRING_NAME,
                                           OTF2_LOCATION_TYPE_CPU_THREAD, n_events, 0);
        OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, i));
    }
    OTF2_Archive_CloseDefFiles(archive);
}

static void write_team(OTF2_GlobalDefWriter *definitions)
{
    uint64_t members[MAX_THREADS];
    for (uint32_t i = 0; i < n_threads; i++) {
        members[i] = i;
    }
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, STRING_NAME, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, n_threads, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, STRING_NAME, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, n_threads, members);
    OTF2_GlobalDefWriter_WriteComm(definitions, 0, STRING_NAME, 1, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
}

static void write_definitions(OTF2_GlobalDefWriter *definitions)
{
    const char *strings[N_STRINGS] = {"", "floor"};
    for (uint32_t i = 0; i < N_STRINGS; i++) {
        OTF2_GlobalDefWriter_WriteString(definitions, i, strings[i]);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, STRING_NAME, STRING_NAME,
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteLocationGroup(definitions, 0, STRING_NAME,
                                            OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    for (uint32_t i = 0; i < N_REGIONS; i++) {
        OTF2_GlobalDefWriter_WriteRegion(definitions, i, STRING_NAME, STRING_NAME, STRING_EMPTY,
                                         OTF2_REGION_ROLE_UNKNOWN, OTF2_PARADIGM_OPENMP,
                                         OTF2_REGION_FLAG_NONE, STRING_EMPTY, 0, 0);
    }
    OTF2_GlobalDefWriter_WriteParameter(definitions, 0, STRING_NAME, OTF2_PARAMETER_TYPE_UINT64);
}

static void on_finalize(ompt_data_t *data)
{
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1000000000, first_time,
                                              __rdtsc() - first_time, OTF2_UNDEFINED_TIMESTAMP);
    write_definitions(definitions);
    write_locations(definitions);
    write_team(definitions);
    OTF2_Archive_CloseGlobalDefWriter(archive, definitions);
    OTF2_Archive_Close(archive);
}

static const struct {
    ompt_callbacks_t event;
    ompt_callback_t callback;
} callbacks[] = {
    {ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin},
    {ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin},
    {ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end},
    {ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task},
    {ompt_callback_task_create, (ompt_callback_t)on_task_create},
    {ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule},
    {ompt_callback_sync_region, (ompt_callback_t)on_sync_region},
    {ompt_callback_work, (ompt_callback_t)on_work},
    {ompt_callback_dispatch, (ompt_callback_t)on_dispatch},
    {ompt_callback_mutex_acquire, (ompt_callback_t)on_mutex_acquire},
    {ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex_acquired},
    {ompt_callback_mutex_released, (ompt_callback_t)on_mutex_released},
};

static int on_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    if (!open_archive()) {
        return 0;
    }
    for (size_t i = 0; i < sizeof(callbacks) / sizeof(*callbacks); i++) {
        set_callback(callbacks[i].event, callbacks[i].callback);
    }
    return 1;
}

EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {.initialize = on_initialize, .finalize = on_finalize};
    return &result;
}
