// Writes an archive for tests through OTF2's writer.
#include "write_archive.h"

#include <stdio.h>
#include <string.h>

#include <otf2/otf2.h>

enum { CHUNK = 256 * 1024, REGION_TASK = 0, REGION_PARALLEL = 1, REGION_WAIT = 2 };

static const char *const texts[] = {
    "",                           // 0
    "!$omp task @fib+0x1234",     // 1
    "!$omp task",                 // 2
    "untied",                     // 3
    "!$omp parallel @fib+0x1300", // 4
    "!$omp parallel",             // 5
    "!$omp taskwait",             // 6
    "/usr/bin/fib",               // 7
    "initial thread",             // 8
    "worker",                     // 9
    "idle",                       // 10
    "Process",                    // 11
    "depend in",                  // 12
    "node",                       // 13
    "host1",                      // 14
    "machine",                    // 15
    "OTTER::TID",                 // 16
    "4711",                       // 17
    "All threads",                // 18
};

enum {
    N_TEXTS = sizeof texts / sizeof *texts,
    LONG_LABEL = 3000,
    PARAMETER_BYTES = 1,
    PARAMETER_SECTION_START = 2,
    PARAMETER_SECTION_STOP = 3,
    MEMORY_OF_HOST = 0,
    METRIC_OF_OTHERS = 1,
};

enum kokkos_region {
    SWEEP = 3,
    NASTY,
    STEP,
    COPY,
    FENCE,
    ALLOCATE,
    DEALLOCATE,
    SECTION,
    EVENT,
    LONG,
    SYNC,
    END_OF_KOKKOS_REGIONS
};

static const char *const kokkos_regions[END_OF_KOKKOS_REGIONS][2] = {
    [SWEEP] = {"sweep", "Kokkos parallel_for, OpenMP"},
    [NASTY] = {"two\nlines, \33[31mred, \377\302\205", "Kokkos parallel_reduce, Serial"},
    [STEP] = {"step", "Kokkos region"},
    [COPY] = {"a <- b", "Kokkos deep_copy, Host <- Cuda"},
    [FENCE] = {"wait", "Kokkos fence, user, OpenMP"},
    [ALLOCATE] = {"x", "Kokkos allocate, Host"},
    [DEALLOCATE] = {"x", "Kokkos deallocate, Host"},
    [SECTION] = {"phase", "Kokkos section"},
    [EVENT] = {"here", "Kokkos event"},
    [LONG] = {"", "Kokkos parallel_scan, OpenMP"},
    [SYNC] = {"x", "Kokkos dual_view sync, device"},
};

static OTF2_FlushType always_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                   void *caller, bool is_final)
{
    return OTF2_FLUSH;
}

static OTF2_TimeStamp no_time(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
    return 0;
}

static void write_task(OTF2_EvtWriter *events, uint64_t time, uint32_t number)
{
    OTF2_EvtWriter_ThreadTaskCreate(events, NULL, time, 0, 0, number);
    OTF2_EvtWriter_ParameterUnsignedInt(events, NULL, time, 0, 0x7fff0000u + number);
    OTF2_EvtWriter_ThreadTaskSwitch(events, NULL, time + 10, 0, 0, number);
    OTF2_EvtWriter_Enter(events, NULL, time + 10, REGION_TASK);
    OTF2_EvtWriter_Leave(events, NULL, time + 20, REGION_TASK);
    OTF2_EvtWriter_ThreadTaskComplete(events, NULL, time + 20, 0, 0, number);
}

uint64_t events_of_first_location(const struct archive_options *options)
{
    uint64_t n_tasks = options->n_tasks ? options->n_tasks : ARCHIVE_TASKS_BY_DEFAULT;
    return 6 + 6 * n_tasks + (options->is_foreign ? 2 : 0);
}

static void write_first_location(OTF2_EvtWriter *events, const struct archive_options *options)
{
    uint64_t n_tasks = options->n_tasks ? options->n_tasks : ARCHIVE_TASKS_BY_DEFAULT;
    uint64_t time = 1000;
    OTF2_EvtWriter_ThreadFork(events, NULL, time, OTF2_PARADIGM_OPENMP, 2);
    OTF2_EvtWriter_ThreadTeamBegin(events, NULL, time, 1);
    OTF2_EvtWriter_Enter(events, NULL, time, REGION_PARALLEL);
    for (uint64_t i = 1; i <= n_tasks; i++) {
        write_task(events, time += 100, (uint32_t)i);
    }
    time += 100;
    if (options->is_foreign) {
        OTF2_EvtWriter_IoAcquireLock(events, NULL, time, 0, OTF2_LOCK_EXCLUSIVE);
        OTF2_EvtWriter_IoReleaseLock(events, NULL, time, 0, OTF2_LOCK_EXCLUSIVE);
    }
    time += 100;
    OTF2_EvtWriter_Leave(events, NULL, time, REGION_PARALLEL);
    OTF2_EvtWriter_ThreadTeamEnd(events, NULL, time, 1);
    OTF2_EvtWriter_ThreadJoin(events, NULL, time, OTF2_PARADIGM_OPENMP);
}

static void write_second_location(OTF2_EvtWriter *events)
{
    OTF2_EvtWriter_ThreadTeamBegin(events, NULL, 1500, 1);
    OTF2_EvtWriter_Enter(events, NULL, 1500, REGION_WAIT);
    OTF2_EvtWriter_ThreadAcquireLock(events, NULL, 1510, OTF2_PARADIGM_OPENMP, 7, 1);
    OTF2_EvtWriter_ThreadReleaseLock(events, NULL, 1520, OTF2_PARADIGM_OPENMP, 7, 1);
    OTF2_EvtWriter_MeasurementOnOff(events, NULL, 1530, OTF2_MEASUREMENT_OFF);
    OTF2_EvtWriter_Leave(events, NULL, 1600, REGION_WAIT);
    OTF2_EvtWriter_ThreadTeamEnd(events, NULL, 1600, 1);
}

static void write_block(OTF2_EvtWriter *events, uint64_t time, uint32_t region, uint64_t in_use)
{
    OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
    OTF2_MetricValue values[] = {{.unsigned_int = in_use}, {.unsigned_int = 4096}};
    OTF2_EvtWriter_Enter(events, NULL, time, region);
    OTF2_EvtWriter_ParameterUnsignedInt(events, NULL, time, PARAMETER_BYTES, 4096);
    OTF2_EvtWriter_Metric(events, NULL, time, MEMORY_OF_HOST, 2, types, values);
    OTF2_EvtWriter_Leave(events, NULL, time, region);
}

static void write_span(OTF2_EvtWriter *events, uint64_t begin, uint64_t end, uint32_t region)
{
    OTF2_EvtWriter_Enter(events, NULL, begin, region);
    OTF2_EvtWriter_Leave(events, NULL, end, region);
}

// A recursive region with three kernels, a temporary block of memory, and a section that is open at
// the end.
static void write_kokkos(OTF2_EvtWriter *events)
{
    OTF2_EvtWriter_ParameterUnsignedInt(events, NULL, 2000, PARAMETER_SECTION_START, SECTION);
    OTF2_EvtWriter_Enter(events, NULL, 2000, STEP);
    write_span(events, 2010, 2110, SWEEP);
    write_span(events, 2200, 2500, SWEEP);
    write_span(events, 2600, 2650, NASTY);
    write_span(events, 2700, 2710, LONG);
    write_span(events, 2720, 2730, STEP);
    OTF2_EvtWriter_Leave(events, NULL, 3000, STEP);
    write_block(events, 3100, ALLOCATE, 4096);
    OTF2_EvtWriter_Enter(events, NULL, 3200, COPY);
    OTF2_EvtWriter_ParameterUnsignedInt(events, NULL, 3200, PARAMETER_BYTES, 2048);
    OTF2_EvtWriter_Leave(events, NULL, 3260, COPY);
    write_span(events, 3300, 3320, FENCE);
    write_block(events, 3400, DEALLOCATE, 0);
    write_span(events, 3500, 3500, EVENT);
    write_span(events, 3510, 3510, SYNC);
    OTF2_Type type = OTF2_TYPE_UINT64;
    OTF2_MetricValue value = {.unsigned_int = 9};
    OTF2_EvtWriter_Metric(events, NULL, 3550, METRIC_OF_OTHERS, 1, &type, &value);
    OTF2_EvtWriter_ParameterUnsignedInt(events, NULL, 3600, PARAMETER_SECTION_STOP, SECTION);
    OTF2_EvtWriter_ParameterUnsignedInt(events, NULL, 3700, PARAMETER_SECTION_START, SECTION);
}

static void write_events(OTF2_Archive *archive, const struct archive_options *options)
{
    OTF2_Archive_OpenEvtFiles(archive);
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(archive, options->first_location);
    write_first_location(events, options);
    OTF2_Archive_CloseEvtWriter(archive, events);
    events = OTF2_Archive_GetEvtWriter(archive, options->first_location + 1);
    write_second_location(events);
    if (options->has_kokkos) {
        write_kokkos(events);
    }
    OTF2_Archive_CloseEvtWriter(archive, events);
    events = OTF2_Archive_GetEvtWriter(archive, options->first_location + 2);
    OTF2_Archive_CloseEvtWriter(archive, events);
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    for (uint64_t i = 0; i < 3; i++) {
        OTF2_DefWriter *definitions =
            OTF2_Archive_GetDefWriter(archive, options->first_location + i);
        OTF2_Archive_CloseDefWriter(archive, definitions);
    }
    OTF2_Archive_CloseDefFiles(archive);
}

static void write_regions(OTF2_GlobalDefWriter *writer)
{
    OTF2_GlobalDefWriter_WriteRegion(writer, REGION_TASK, 1, 2, 3, OTF2_REGION_ROLE_TASK,
                                     OTF2_PARADIGM_OPENMP, OTF2_REGION_FLAG_NONE, 7, 12, 0);
    OTF2_GlobalDefWriter_WriteRegion(writer, REGION_PARALLEL, 4, 5, 0, OTF2_REGION_ROLE_PARALLEL,
                                     OTF2_PARADIGM_OPENMP, OTF2_REGION_FLAG_NONE, 7, 0, 0);
    OTF2_GlobalDefWriter_WriteRegion(writer, REGION_WAIT, 6, 6, 0, OTF2_REGION_ROLE_TASK_WAIT,
                                     OTF2_PARADIGM_OPENMP, OTF2_REGION_FLAG_NONE, 0, 0, 0);
}

static void write_threads(OTF2_GlobalDefWriter *writer, const struct archive_options *options)
{
    uint64_t first = options->first_location;
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 15, 15, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 1, 14, 13, 0);
    OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, 11, OTF2_LOCATION_GROUP_TYPE_PROCESS, 1,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(writer, first, 8, OTF2_LOCATION_TYPE_CPU_THREAD,
                                       events_of_first_location(options), 0);
    OTF2_GlobalDefWriter_WriteLocation(writer, first + 1, 9, OTF2_LOCATION_TYPE_CPU_THREAD,
                                       options->has_kokkos ? 40 : 7, 0);
    OTF2_GlobalDefWriter_WriteLocation(writer, first + 2, 10, OTF2_LOCATION_TYPE_CPU_THREAD, 0, 0);
    OTF2_AttributeValue value = {.stringRef = 17};
    OTF2_GlobalDefWriter_WriteLocationProperty(
        writer, first + (options->has_unknown_position ? 3 : 0), 16, OTF2_TYPE_STRING, value);
    uint64_t all[] = {options->has_unknown_member ? first + 99 : first, first + 1, first + 2};
    uint64_t team[] = {options->has_unknown_position ? 3 : 1, 0};
    OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, 3, all);
    uint64_t indexes[] = {0, 1, 2};
    OTF2_GlobalDefWriter_WriteGroup(writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP,
                                    OTF2_GROUP_FLAG_NONE, 3, indexes);
    OTF2_GlobalDefWriter_WriteGroup(writer, 2, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP,
                                    OTF2_GROUP_FLAG_NONE, 2, team);
    OTF2_GlobalDefWriter_WriteComm(writer, 0, 18, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(writer, 1, 0, 2, 0, OTF2_COMM_FLAG_NONE);
}

static uint32_t write_text(OTF2_GlobalDefWriter *writer, uint32_t *n, const char *text)
{
    OTF2_GlobalDefWriter_WriteString(writer, *n, text);
    return (*n)++;
}

static void write_kokkos_metrics(OTF2_GlobalDefWriter *writer, uint32_t *n)
{
    static const char *const names[] = {"memory in use: Host", "memory high water: Host", "cycles"};
    for (uint32_t i = 0; i < 3; i++) {
        OTF2_GlobalDefWriter_WriteMetricMember(writer, i, write_text(writer, n, names[i]), 0,
                                               OTF2_METRIC_TYPE_USER, OTF2_METRIC_ABSOLUTE_POINT,
                                               OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0,
                                               write_text(writer, n, i < 2 ? "B" : "#"));
    }
    OTF2_MetricMemberRef memory[] = {0, 1}, other = 2;
    OTF2_GlobalDefWriter_WriteMetricClass(writer, MEMORY_OF_HOST, 2, memory,
                                          OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
    OTF2_GlobalDefWriter_WriteMetricClass(writer, METRIC_OF_OTHERS, 1, &other,
                                          OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
}

static void write_kokkos_definitions(OTF2_GlobalDefWriter *writer, const char *text)
{
    static const char *const parameters[] = {"bytes", "section start", "section stop"};
    static char label[LONG_LABEL + 1];
    memset(label, 'l', LONG_LABEL);
    uint32_t n = N_TEXTS;
    for (uint32_t i = SWEEP; i < END_OF_KOKKOS_REGIONS; i++) {
        uint32_t name = write_text(writer, &n,
                                   text        ? text
                                   : i == LONG ? label
                                               : kokkos_regions[i][0]);
        OTF2_GlobalDefWriter_WriteRegion(
            writer, i, name, name, write_text(writer, &n, kokkos_regions[i][1]),
            OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_KOKKOS, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
    for (uint32_t i = 0; i < 3; i++) {
        OTF2_GlobalDefWriter_WriteParameter(writer, PARAMETER_BYTES + i,
                                            write_text(writer, &n, parameters[i]),
                                            OTF2_PARAMETER_TYPE_UINT64);
    }
    write_kokkos_metrics(writer, &n);
}

// Returns whether the text is a name that users choose: of a region, file, thread or machine.
static bool is_name_of_others(uint32_t i)
{
    return i == 1 || i == 3 || i == 4 || (i >= 7 && i <= 11) || (i >= 13 && i <= 15);
}

static void write_definitions(OTF2_Archive *archive, const struct archive_options *options)
{
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
    uint64_t length = 100 * events_of_first_location(options);
    length = length > 5000000 ? length : 5000000;
    OTF2_GlobalDefWriter_WriteClockProperties(writer, ARCHIVE_RESOLUTION, 1000, length,
                                              UINT64_C(1600000000000000000));
    for (uint32_t i = 0; i < N_TEXTS; i++) {
        bool is_replaced = options->text && is_name_of_others(i);
        OTF2_GlobalDefWriter_WriteString(writer, i, is_replaced ? options->text : texts[i]);
    }
    write_regions(writer);
    OTF2_GlobalDefWriter_WriteParameter(writer, 0, 12, OTF2_PARAMETER_TYPE_UINT64);
    if (options->has_kokkos) {
        write_kokkos_definitions(writer, options->text);
    }
    write_threads(writer, options);
    if (options->has_sparse_attribute) {
        OTF2_GlobalDefWriter_WriteAttribute(writer, 5, 12, 0, OTF2_TYPE_UINT64);
    }
    if (options->has_sparse_window) {
        OTF2_GlobalDefWriter_WriteRmaWin(writer, 5, 12, 0, OTF2_RMA_WIN_FLAG_NONE);
    }
    for (uint32_t i = 0; i < options->n_contexts; i++) {
        uint32_t id = options->first_context + i;
        OTF2_GlobalDefWriter_WriteCallingContext(writer, id, REGION_TASK,
                                                 OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
                                                 i > 0 ? id - 1 : OTF2_UNDEFINED_CALLING_CONTEXT);
    }
    OTF2_Archive_CloseGlobalDefWriter(archive, writer);
}

static void write_properties(OTF2_Archive *archive)
{
    static const char *const properties[][2] = {
        {"OTTER::SCHEMA", "1"},
        {"OTTER::PROGRAM", "/usr/bin/fib"},
        {"OTTER::COMMAND_LINE", "./fib 27"},
        {"OTTER::HOST", "host1"},
        {"OTTER::PID", "4711"},
        {"OTTER::RUNTIME", "a runtime"},
        {"OTTER::LOST", "3"},
        {"OTTER::REPAIRED", "0"},
        {"OTTER::UNFINISHED", "2"},
        {"OTTER::CONNECTORS", "ompt"},
        {"OTTER::CALLBACK::TASK_CREATE", "always"},
        {"OTTER::CALLBACK::WORK", "sometimes"},
        {"OTTER::CALLBACK::TARGET", "never"},
        {"OTTER::SETTING::CLOCK", "monotonic"},
        {"OTTER::SETTING::QUIET", "off"},
    };
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        OTF2_Archive_SetProperty(archive, properties[i][0], properties[i][1], true);
    }
}

bool write_archive(const char *folder, const struct archive_options *options)
{
    OTF2_Archive *archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, CHUNK, CHUNK,
                                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!archive) {
        return false;
    }
    OTF2_FlushCallbacks flush = {.otf2_pre_flush = always_flush, .otf2_post_flush = no_time};
    OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_SetCreator(archive, options->is_foreign ? "Somebody" : "Otter");
    if (!options->is_foreign) {
        write_properties(archive);
    }
    for (char **pair = options->properties; pair && pair[0] && pair[1]; pair += 2) {
        OTF2_Archive_SetProperty(archive, pair[0], pair[1], true);
    }
    write_events(archive, options);
    write_definitions(archive, options);
    return OTF2_Archive_Close(archive) == OTF2_SUCCESS;
}
