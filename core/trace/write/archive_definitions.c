// The definitions of an archive: clock, paradigms, system tree, locations, parameters, metrics.
#include "trace/write/archive_definitions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/settings.h"
#include "trace/schema.h"
#include "trace/write/archive_devices.h"
#include "trace/write/archive_regions.h"
#include "trace/write/archive_teams.h"

static void write_clock(struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    uint64_t resolution = content->clock_is_counter
                              ? otter_clock_resolution(&content->start, &content->end)
                              : UINT64_C(1000000000);
    uint64_t offset = content->start.ticks;
    uint64_t end =
        content->end.ticks > archive->last_time ? content->end.ticks : archive->last_time;
    OTF2_GlobalDefWriter_WriteClockProperties(archive->writer, resolution, offset,
                                              end > offset ? end - offset : 0,
                                              content->start.realtime_ns);
}

// Kokkos has no communicators.
static void write_paradigm(struct otter_archive_writer *archive, OTF2_Paradigm paradigm,
                           const char *name, OTF2_ParadigmClass kind, const char *comm_name)
{
    OTF2_GlobalDefWriter_WriteParadigm(archive->writer, paradigm, otter_archive_text(archive, name),
                                       kind);
    if (comm_name) {
        OTF2_AttributeValue value = {.stringRef = otter_archive_text(archive, comm_name)};
        OTF2_GlobalDefWriter_WriteParadigmProperty(archive->writer, paradigm,
                                                   OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
                                                   OTF2_TYPE_STRING, value);
    }
}

static void write_system_tree(struct otter_archive_writer *archive)
{
    const char *host = otter_content_description(archive->content, "HOST");
    const char *rank = otter_content_description(archive->content, "RANK");
    char process[64] = "Process";
    if (*rank) {
        snprintf(process, sizeof(process), "MPI Rank %.32s", rank);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(archive->writer, 0, otter_archive_text(archive, host),
                                             otter_archive_text(archive, "machine"),
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(archive->writer, 0,
                                                   OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(archive->writer, 1, otter_archive_text(archive, host),
                                             otter_archive_text(archive, "node"), 0);
    OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(archive->writer, 1,
                                                   OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
    OTF2_GlobalDefWriter_WriteLocationGroup(
        archive->writer, 0, otter_archive_text(archive, process), OTF2_LOCATION_GROUP_TYPE_PROCESS,
        1, OTF2_UNDEFINED_LOCATION_GROUP);
}

static void location_name(const struct otter_archive_content *content, size_t i, char *name,
                          size_t size)
{
    const struct otter_location_definition *location = &content->locations[i];
    if (location->os_thread == 0) {
        snprintf(name, size, "Unknown thread %zu", i);
        return;
    }
    if (location->os_thread == strtoull(otter_content_description(content, "PID"), NULL, 10)) {
        snprintf(name, size, "Master thread"); // the thread with which the process began
        return;
    }
    switch (location->kind) {
    case OTTER_THREAD_INITIAL: snprintf(name, size, "Initial thread %zu", i); return;
    case OTTER_THREAD_WORKER: snprintf(name, size, "OMP thread %zu", i); return;
    case OTTER_THREAD_OTHER:
    case OTTER_THREAD_UNKNOWN: snprintf(name, size, "Thread %zu", i); return;
    }
}

static void write_locations(struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    for (size_t i = 0; i < content->n_locations; i++) {
        char name[48];
        location_name(content, i, name, sizeof(name));
        OTF2_GlobalDefWriter_WriteLocation(archive->writer, i, otter_archive_text(archive, name),
                                           OTF2_LOCATION_TYPE_CPU_THREAD,
                                           otter_archive_n_events(archive, i), 0);
        OTF2_AttributeValue kind = {
            .stringRef =
                otter_archive_text(archive, otter_thread_kind_name(content->locations[i].kind))};
        OTF2_GlobalDefWriter_WriteLocationProperty(
            archive->writer, i, otter_archive_text(archive, "OTTER::THREAD_KIND"), OTF2_TYPE_STRING,
            kind);
        OTF2_AttributeValue thread = {.uint64 = content->locations[i].os_thread};
        OTF2_GlobalDefWriter_WriteLocationProperty(archive->writer, i,
                                                   otter_archive_text(archive, "OTTER::TID"),
                                                   OTF2_TYPE_UINT64, thread);
    }
}

static void write_parameters(struct otter_archive_writer *archive)
{
    for (uint32_t i = 0; i < OTTER_N_PARAMETERS; i++) {
        OTF2_GlobalDefWriter_WriteParameter(
            archive->writer, i,
            otter_archive_text(archive, otter_parameter_name((enum otter_parameter)i)),
            OTF2_PARAMETER_TYPE_UINT64);
    }
}

// Class i has the memory of space i: bytes in use, and their maximum.
static void write_memory_metrics(struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    static const char *const names[] = {"memory in use", "memory high water"};
    for (uint32_t i = 0; i < content->n_spaces; i++) {
        OTF2_MetricMemberRef members[2] = {2 * i, 2 * i + 1};
        for (unsigned k = 0; k < 2; k++) {
            char *name = otter_path("%s: %s", names[k], content->spaces[i]);
            otter_archive_note_error(archive, name ? OTTER_OK : OTTER_NO_MEMORY);
            OTF2_GlobalDefWriter_WriteMetricMember(
                archive->writer, members[k], otter_archive_text(archive, name ? name : names[k]),
                otter_archive_text(archive, "bytes of a Kokkos memory space"),
                OTF2_METRIC_TYPE_USER, OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64,
                OTF2_BASE_DECIMAL, 0, otter_archive_text(archive, "B"));
            free(name);
        }
        OTF2_GlobalDefWriter_WriteMetricClass(archive->writer, i, 2, members,
                                              OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
    }
}

// The class of switches follows the classes of memory spaces.
static void write_switch_metrics(struct otter_archive_writer *archive)
{
    static const char *const names[] = {OTTER_SWITCH_METRIC, OTTER_SWITCH_KIND_METRIC};
    uint32_t class = (uint32_t)archive->content->n_spaces;
    OTF2_MetricMemberRef members[2] = {2 * class, 2 * class + 1};
    for (unsigned i = 0; i < 2 && archive->content->n_processors > 0; i++) {
        OTF2_GlobalDefWriter_WriteMetricMember(
            archive->writer, members[i], otter_archive_text(archive, names[i]),
            otter_archive_text(archive, "switches of threads by the scheduler"),
            OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL,
            0, otter_archive_text(archive, "#"));
    }
    if (archive->content->n_processors > 0) {
        OTF2_GlobalDefWriter_WriteMetricClass(archive->writer, class, 2, members,
                                              OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
    }
}

// Counters follow the switches. As in Score-P, a value is the number of events so far.
static void write_counter_metrics(struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    uint32_t first = otter_content_counter_class(content);
    size_t n = content->n_sampled > 0 ? otter_content_n_counters(content) : 0;
    for (uint32_t i = 0; i < n; i++) {
        char name[OTTER_COUNTER_SIZE];
        OTF2_MetricMemberRef member = 2 * first + i;
        otter_content_counter(content, i, name);
        OTF2_GlobalDefWriter_WriteMetricMember(
            archive->writer, member, otter_archive_text(archive, name),
            otter_archive_text(archive, "events of the thread, counted by the kernel"),
            OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
            OTF2_BASE_DECIMAL, 0, otter_archive_text(archive, "#"));
        OTF2_GlobalDefWriter_WriteMetricClass(archive->writer, first + i, 1, &member,
                                              OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
    }
}

// Writes `n` locations, starting at number `first`, for processors or threads by the kernel's
// numbers.
static void write_numbered(struct otter_archive_writer *archive, size_t first,
                           const uint32_t *numbers, size_t n, const char *kind,
                           const char *property)
{
    for (size_t i = 0; i < n; i++) {
        char name[48];
        snprintf(name, sizeof(name), "%s %" PRIu32, kind, numbers[i]);
        OTF2_GlobalDefWriter_WriteLocation(
            archive->writer, first + i, otter_archive_text(archive, name),
            OTF2_LOCATION_TYPE_METRIC, otter_archive_n_events(archive, first + i), 0);
        OTF2_AttributeValue number = {.uint64 = numbers[i]};
        OTF2_GlobalDefWriter_WriteLocationProperty(archive->writer, first + i,
                                                   otter_archive_text(archive, property),
                                                   OTF2_TYPE_UINT64, number);
    }
}

static void write_added(struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    size_t first = otter_content_n_executing(content);
    write_numbered(archive, first, content->processors, content->n_processors, "Processor",
                   "OTTER::PROCESSOR");
    write_numbered(archive, first + content->n_processors, content->sampled, content->n_sampled,
                   "Samples of thread", OTTER_SAMPLES_OF);
}

// Contexts have the source lines of their regions.
static void write_contexts(struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    uint64_t rate = 0;
    otter_settings_parse_size(otter_content_description(content, "SETTING::SAMPLE"), &rate);
    for (size_t i = 0; i < content->n_contexts; i++) {
        OTF2_GlobalDefWriter_WriteCallingContext(
            archive->writer, (uint32_t)i, content->contexts[i].region,
            OTF2_UNDEFINED_SOURCE_CODE_LOCATION, content->contexts[i].parent);
    }
    if (content->n_contexts > 0) {
        OTF2_GlobalDefWriter_WriteInterruptGenerator(
            archive->writer, 0, otter_archive_text(archive, "samples"),
            OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -9,
            UINT64_C(1000000000) / (rate > 0 ? rate : 1));
    }
}

static enum otter_status write_global(struct otter_archive_writer *archive)
{
    archive->writer = OTF2_Archive_GetGlobalDefWriter(archive->handle);
    archive->strings = otter_strings_create();
    if (!archive->writer || !archive->strings) {
        return OTTER_NO_MEMORY;
    }
    otter_archive_text(archive, "");
    write_clock(archive);
    const char *connectors = otter_content_description(archive->content, "CONNECTORS");
    write_paradigm(archive, OTF2_PARADIGM_OPENMP, "OpenMP", OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN,
                   "Thread team ${id}");
    if (strstr(connectors, "kokkos")) {
        write_paradigm(archive, OTF2_PARADIGM_KOKKOS, "KOKKOS", OTF2_PARADIGM_CLASS_ACCELERATOR,
                       NULL);
    }
    if (strstr(connectors, "mpi")) {
        write_paradigm(archive, OTF2_PARADIGM_MPI, "MPI", OTF2_PARADIGM_CLASS_PROCESS,
                       "MPI Rank ${id}");
    }
    write_system_tree(archive);
    write_locations(archive);
    otter_archive_write_devices(archive);
    write_added(archive);
    otter_archive_write_regions(archive);
    write_contexts(archive);
    write_parameters(archive);
    write_memory_metrics(archive);
    write_switch_metrics(archive);
    write_counter_metrics(archive);
    return otter_archive_write_teams(archive);
}

// Readers warn about each location without a definition file, and some refuse the archive.
static enum otter_status write_local(struct otter_archive_writer *archive)
{
    if (OTF2_Archive_OpenDefFiles(archive->handle)) {
        return OTTER_IO;
    }
    for (size_t i = 0; i < otter_content_n_locations(archive->content); i++) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive->handle, i);
        if (!writer || OTF2_Archive_CloseDefWriter(archive->handle, writer)) {
            return OTTER_IO;
        }
    }
    return OTF2_Archive_CloseDefFiles(archive->handle) ? OTTER_IO : OTTER_OK;
}

enum otter_status otter_archive_write_definitions(struct otter_archive_writer *archive)
{
    enum otter_status status = write_global(archive);
    return status ? status : write_local(archive);
}
