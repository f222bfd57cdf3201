#include "trace/archive.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

#include "base/path.h"
#include "trace/archive_internal.h"
#include "trace/findings.h"
#include "trace/schema.h"
#include "trace/silent.h"
#include "trace/strings.h"

enum {
    MIN_DEFINITION_CHUNK = 256 * 1024,
    MAX_DEFINITION_CHUNK = 16 * 1024 * 1024,
    DEFINITION_BYTES_A_LOCATION = 64,
    MIN_FREE_MEMORY = 2 * 1024 * 1024,
};

// ---- definitions

void otter_archive_note_error(struct otter_archive_being_written *archive, enum otter_status error)
{
    archive->error = archive->error ? archive->error : error;
}

uint64_t otter_archive_n_events(const struct otter_archive_being_written *archive, size_t location)
{
    uint64_t n = archive->n_events[location];
    return n > 0 ? n : OTTER_SILENT_EVENTS;
}

OTF2_StringRef otter_archive_text(struct otter_archive_being_written *archive, const char *string)
{
    bool is_new;
    uint32_t ref = otter_strings_intern(archive->strings, string, &is_new);
    if (ref == 0 && *string != '\0') {
        otter_archive_note_error(archive, OTTER_NO_MEMORY);
    }
    if (is_new) {
        OTF2_GlobalDefWriter_WriteString(archive->writer, ref, string);
    }
    return ref;
}

static void write_clock(struct otter_archive_being_written *archive)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    uint64_t resolution = definitions->clock_is_counter
                              ? otter_clock_resolution(&definitions->start, &definitions->end)
                              : UINT64_C(1000000000);
    uint64_t offset = definitions->start.ticks;
    uint64_t end =
        definitions->end.ticks > archive->last_time ? definitions->end.ticks : archive->last_time;
    OTF2_GlobalDefWriter_WriteClockProperties(archive->writer, resolution, offset,
                                              end > offset ? end - offset : 0,
                                              definitions->start.realtime_ns);
}

static void write_paradigm(struct otter_archive_being_written *archive)
{
    OTF2_GlobalDefWriter_WriteParadigm(archive->writer, OTF2_PARADIGM_OPENMP,
                                       otter_archive_text(archive, "OpenMP"),
                                       OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN);
    OTF2_AttributeValue value = {.stringRef = otter_archive_text(archive, "Thread team ${id}")};
    OTF2_GlobalDefWriter_WriteParadigmProperty(archive->writer, OTF2_PARADIGM_OPENMP,
                                               OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
                                               OTF2_TYPE_STRING, value);
}

static void write_kokkos_paradigm(struct otter_archive_being_written *archive)
{
    OTF2_GlobalDefWriter_WriteParadigm(archive->writer, OTF2_PARADIGM_KOKKOS,
                                       otter_archive_text(archive, "KOKKOS"),
                                       OTF2_PARADIGM_CLASS_ACCELERATOR);
}

static void write_system_tree(struct otter_archive_being_written *archive)
{
    const char *host = otter_definitions_described(archive->definitions, "HOST");
    const char *rank = otter_definitions_described(archive->definitions, "RANK");
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

static void location_name(const struct otter_journal_definitions *definitions, size_t i, char *name,
                          size_t size)
{
    const struct otter_location_definition *location = &definitions->locations[i];
    if (location->os_thread ==
        strtoull(otter_definitions_described(definitions, "PID"), NULL, 10)) {
        snprintf(name, size, "Master thread"); // the one that the process began with
        return;
    }
    switch (location->kind) {
    case OTTER_THREAD_INITIAL: snprintf(name, size, "Initial thread %zu", i); return;
    case OTTER_THREAD_WORKER: snprintf(name, size, "OMP thread %zu", i); return;
    case OTTER_THREAD_OTHER:
    case OTTER_THREAD_UNKNOWN: snprintf(name, size, "Thread %zu", i); return;
    }
}

static void write_locations(struct otter_archive_being_written *archive)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    for (size_t i = 0; i < definitions->n_locations; i++) {
        char name[48];
        location_name(definitions, i, name, sizeof(name));
        OTF2_GlobalDefWriter_WriteLocation(archive->writer, i, otter_archive_text(archive, name),
                                           OTF2_LOCATION_TYPE_CPU_THREAD,
                                           otter_archive_n_events(archive, i), 0);
        OTF2_AttributeValue kind = {
            .stringRef = otter_archive_text(
                archive, otter_thread_kind_name(definitions->locations[i].kind))};
        OTF2_GlobalDefWriter_WriteLocationProperty(
            archive->writer, i, otter_archive_text(archive, "OTTER::THREAD_KIND"), OTF2_TYPE_STRING,
            kind);
        OTF2_AttributeValue thread = {.uint64 = definitions->locations[i].os_thread};
        OTF2_GlobalDefWriter_WriteLocationProperty(archive->writer, i,
                                                   otter_archive_text(archive, "OTTER::TID"),
                                                   OTF2_TYPE_UINT64, thread);
    }
}

// LLVM loads code for a device that is the host from a file that has another name in each run; a region's name shall not.
static int steady_length(const char *file)
{
    static const char random[] = "tmpfile_XXXXXX";
    const int prefix = (int)strlen("tmpfile_"), length = (int)strlen(file);
    return length == (int)strlen(random) && strncmp(file, random, (size_t)prefix) == 0 ? prefix
                                                                                       : length;
}

// "!$omp task @fib+0x1234": the convention of Score-P with the module's offset until lines are resolved.
static char *region_name(const struct otter_archive_being_written *archive,
                         const struct otter_region_definition *region)
{
    const char *canonical = otter_construct_name(region->construct);
    if (region->module) {
        const struct otter_module_definition *module =
            &archive->definitions->modules[region->module - 1];
        const char *file = otter_path_file(module->path);
        return otter_path("%s @%.*s+0x%" PRIx64, canonical, steady_length(file), file,
                          region->address - module->bias);
    }
    return region->address ? otter_path("%s @0x%" PRIx64, canonical, region->address)
                           : otter_path("%s", canonical);
}

// Score-P's convention again: the label is the name, the file of Kokkos' is "KOKKOS".
static void write_label(struct otter_archive_being_written *archive, uint32_t id,
                        const struct otter_region_definition *region)
{
    bool is_kokkos = otter_construct_is_kokkos(region->construct);
    const char *raw = *region->raw_label ? region->raw_label : region->label;
    char *description = otter_path("%s%s%s", otter_construct_name(region->construct),
                                   *region->qualifier ? ", " : "", region->qualifier);
    OTF2_GlobalDefWriter_WriteRegion(
        archive->writer, id, otter_archive_text(archive, region->label),
        otter_archive_text(archive, raw),
        otter_archive_text(archive, description ? description : ""),
        otter_construct_role(region->construct, 0),
        is_kokkos ? OTF2_PARADIGM_KOKKOS : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE,
        otter_archive_text(archive, is_kokkos ? "KOKKOS" : ""), 0, 0);
    if (!description) {
        archive->error = OTTER_NO_MEMORY;
    }
    free(description);
}

static void write_region(struct otter_archive_being_written *archive, uint32_t id,
                         const struct otter_region_definition *region)
{
    const char *canonical = otter_construct_name(region->construct);
    const char *path = region->module ? archive->definitions->modules[region->module - 1].path : "";
    char detail[128];
    char *name = region_name(archive, region);
    otter_construct_detail_text(region->construct, region->detail, detail, sizeof(detail));
    OTF2_GlobalDefWriter_WriteRegion(
        archive->writer, id, otter_archive_text(archive, name ? name : canonical),
        otter_archive_text(archive, canonical), otter_archive_text(archive, detail),
        otter_construct_role(region->construct, region->detail),
        region->construct ? OTF2_PARADIGM_OPENMP : OTF2_PARADIGM_UNKNOWN, OTF2_REGION_FLAG_NONE,
        otter_archive_text(archive, path), 0, 0);
    if (!name) {
        archive->error = OTTER_NO_MEMORY;
    }
    free(name);
}

// Ids are dense in the archive whatever the journal left out.
static void write_regions(struct otter_archive_being_written *archive)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    static const struct otter_region_definition unknown = {.construct = OTTER_CONSTRUCT_UNKNOWN};
    OTF2_GlobalDefWriter_WriteRegion(
        archive->writer, OTTER_REGION_NONE, otter_archive_text(archive, "none"),
        otter_archive_text(archive, "none"), otter_archive_text(archive, ""),
        OTF2_REGION_ROLE_UNKNOWN, OTF2_PARADIGM_UNKNOWN, OTF2_REGION_FLAG_NONE,
        otter_archive_text(archive, ""), 0, 0);
    size_t n =
        definitions->n_regions < OTTER_REGION_FIRST ? OTTER_REGION_FIRST : definitions->n_regions;
    for (size_t i = OTTER_REGION_UNKNOWN; i < n; i++) {
        const struct otter_region_definition *region = &unknown;
        if (i < definitions->n_regions && definitions->regions[i].is_defined) {
            region = &definitions->regions[i];
        }
        if (region->label) {
            write_label(archive, (uint32_t)i, region);
        } else {
            write_region(archive, (uint32_t)i, region);
        }
    }
}

static size_t team_members(const struct otter_journal_definitions *definitions,
                           const struct otter_team_definition *team, uint64_t *members)
{
    size_t n = 0;
    for (uint32_t i = 0; i < team->size; i++) {
        if (team->members[i] < definitions->n_locations) {
            members[n++] = team->members[i];
        }
    }
    return n;
}

void otter_archive_write_group(struct otter_archive_being_written *archive, uint32_t id,
                               const char *name, OTF2_GroupType type, size_t n,
                               const uint64_t *members)
{
    OTF2_GlobalDefWriter_WriteGroup(archive->writer, id, otter_archive_text(archive, name), type,
                                    OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, (uint32_t)n,
                                    members);
}

// Members of the locations group are locations; those of the others are positions in it, which is the same.
static void write_groups(struct otter_archive_being_written *archive, uint64_t *members)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    size_t n = otter_definitions_n_locations(definitions);
    for (size_t i = 0; i < n; i++) {
        members[i] = i;
    }
    otter_archive_write_group(archive, OTTER_GROUP_LOCATIONS, "OpenMP",
                              OTF2_GROUP_TYPE_COMM_LOCATIONS, n, members);
    otter_archive_write_group(archive, OTTER_GROUP_ALL_THREADS, "All threads",
                              OTF2_GROUP_TYPE_COMM_GROUP, definitions->n_locations, members);
    for (size_t i = 0; i < definitions->n_teams; i++) {
        n = team_members(definitions, &definitions->teams[i], members);
        otter_archive_write_group(archive, (uint32_t)(OTTER_GROUP_FIRST_TEAM + i), "",
                                  OTF2_GROUP_TYPE_COMM_GROUP, n, members);
    }
}

static enum otter_status write_teams(struct otter_archive_being_written *archive)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    size_t room = otter_definitions_n_locations(definitions) + 1;
    for (size_t i = 0; i < definitions->n_teams; i++) {
        room = definitions->teams[i].size > room ? definitions->teams[i].size : room;
    }
    uint64_t *members = malloc(room * sizeof(*members));
    if (!members) {
        return OTTER_NO_MEMORY;
    }
    write_groups(archive, members);
    OTF2_GlobalDefWriter_WriteComm(archive->writer, 0, otter_archive_text(archive, "All threads"),
                                   OTTER_GROUP_ALL_THREADS, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
    for (size_t i = 0; i < definitions->n_teams; i++) {
        OTF2_GlobalDefWriter_WriteComm(archive->writer, (uint32_t)(i + 1),
                                       otter_archive_text(archive, ""),
                                       (uint32_t)(OTTER_GROUP_FIRST_TEAM + i),
                                       definitions->teams[i].parent, OTF2_COMM_FLAG_NONE);
    }
    otter_archive_write_windows(archive, members);
    free(members);
    return OTTER_OK;
}

static void write_parameters(struct otter_archive_being_written *archive)
{
    for (uint32_t i = 0; i < OTTER_N_PARAMETERS; i++) {
        OTF2_GlobalDefWriter_WriteParameter(
            archive->writer, i,
            otter_archive_text(archive, otter_parameter_name((enum otter_parameter)i)),
            OTF2_PARAMETER_TYPE_UINT64);
    }
}

// Class i: the memory of space i, in use now and at most.
static void write_memory_metrics(struct otter_archive_being_written *archive)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    static const char *const names[] = {"memory in use", "memory high water"};
    for (uint32_t i = 0; i < definitions->n_spaces; i++) {
        OTF2_MetricMemberRef members[2] = {2 * i, 2 * i + 1};
        for (unsigned k = 0; k < 2; k++) {
            char *name = otter_path("%s: %s", names[k], definitions->spaces[i]);
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

static enum otter_status write_global_definitions(struct otter_archive_being_written *archive)
{
    archive->writer = OTF2_Archive_GetGlobalDefWriter(archive->handle);
    archive->strings = otter_strings_create();
    if (!archive->writer || !archive->strings) {
        return OTTER_NO_MEMORY;
    }
    otter_archive_text(archive, "");
    write_clock(archive);
    write_paradigm(archive);
    if (strstr(otter_definitions_described(archive->definitions, "CONNECTORS"), "kokkos")) {
        write_kokkos_paradigm(archive);
    }
    write_system_tree(archive);
    write_locations(archive);
    otter_archive_write_devices(archive);
    write_regions(archive);
    write_parameters(archive);
    write_memory_metrics(archive);
    return write_teams(archive);
}

// Readers complain about each location without a definition file of its own, some refuse the archive.
static enum otter_status write_local_definitions(struct otter_archive_being_written *archive)
{
    if (OTF2_Archive_OpenDefFiles(archive->handle)) {
        return OTTER_IO;
    }
    for (size_t i = 0; i < otter_definitions_n_locations(archive->definitions); i++) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive->handle, i);
        if (!writer || OTF2_Archive_CloseDefWriter(archive->handle, writer)) {
            return OTTER_IO;
        }
    }
    return OTF2_Archive_CloseDefFiles(archive->handle) ? OTTER_IO : OTTER_OK;
}

static enum otter_status write_silent_file(const struct otter_archive_being_written *archive,
                                           size_t location)
{
    char *path = otter_path("%s/traces/%zu.evt", archive->folder, location);
    enum otter_status status =
        path ? otter_silent_write(path, archive->definitions->start.ticks) : OTTER_NO_MEMORY;
    free(path);
    return status;
}

// A thread that ended before its first event was whole has no event file; readers want one for each location, with an event.
static enum otter_status write_silent_files(const struct otter_archive_being_written *archive)
{
    if (OTF2_Archive_OpenEvtFiles(archive->handle)) {
        return OTTER_IO;
    }
    enum otter_status status = OTTER_OK;
    size_t n = otter_definitions_n_locations(archive->definitions);
    for (size_t i = 0; i < n && !status; i++) {
        status = archive->n_events[i] == 0 ? write_silent_file(archive, i) : OTTER_OK;
    }
    return OTF2_Archive_CloseEvtFiles(archive->handle) && !status ? OTTER_IO : status;
}

// ---- properties

static void set_property(const struct otter_archive_being_written *archive, const char *name,
                         const char *value)
{
    char full[256];
    snprintf(full, sizeof(full), "OTTER::%s", name);
    OTF2_Archive_SetProperty(archive->handle, full, value, true);
}

static void set_number(const struct otter_archive_being_written *archive, const char *name,
                       uint64_t number)
{
    char value[32];
    snprintf(value, sizeof(value), "%" PRIu64, number);
    set_property(archive, name, value);
}

static void set_modules(struct otter_archive_being_written *archive)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    for (size_t i = 0; i < definitions->n_modules; i++) {
        const struct otter_module_definition *module = &definitions->modules[i];
        char name[48];
        snprintf(name, sizeof(name), "MODULE::%zu", i);
        char *value =
            otter_path("%" PRIx64 " %" PRIx64 " %" PRIx64 " %s %s", module->begin, module->end,
                       module->bias, *module->build_id ? module->build_id : "-", module->path);
        if (!value) {
            otter_archive_note_error(archive, OTTER_NO_MEMORY);
            return;
        }
        set_property(archive, name, value);
        free(value);
    }
}

static void set_properties(struct otter_archive_being_written *archive)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    static const char *const complete[] = {"OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE",
                                           "OTF2::THREAD_LOCK_EVENT_COMPLETE"};
    for (size_t i = 0; i < sizeof(complete) / sizeof(complete[0]); i++) {
        OTF2_Archive_SetProperty(archive->handle, complete[i],
                                 otter_definitions_are_complete(definitions) ? "true" : "false",
                                 true);
    }
    for (size_t i = 0; i < definitions->n_descriptions; i++) {
        set_property(archive, definitions->descriptions[i].name,
                     definitions->descriptions[i].value);
    }
    set_modules(archive);
    otter_archive_set_totals(archive);
    set_number(archive, "SCHEMA", definitions->schema);
    set_property(archive, "CUT_OFF", definitions->has_end ? "false" : "true");
    set_number(archive, "LOST", definitions->n_lost);
    set_number(archive, "REPAIRED", definitions->n_repaired);
    set_number(archive, "UNFINISHED", definitions->n_unfinished);
    set_number(archive, "UNRECORDED", definitions->n_unrecorded);
    OTF2_Archive_SetCreator(archive->handle, "Otter " OTTER_VERSION);
    OTF2_Archive_SetMachineName(archive->handle, otter_definitions_described(definitions, "HOST"));
    OTF2_Archive_SetDescription(archive->handle,
                                otter_definitions_described(definitions, "COMMAND_LINE"));
}

// ---- the archive

static OTF2_FlushType flush_definitions(void *user, OTF2_FileType type, OTF2_LocationRef id,
                                        void *caller, bool final)
{
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = flush_definitions};

static size_t definition_chunk_size(const struct otter_journal_definitions *definitions)
{
    size_t size = otter_definitions_n_locations(definitions) * DEFINITION_BYTES_A_LOCATION;
    if (size < MIN_DEFINITION_CHUNK) {
        return MIN_DEFINITION_CHUNK;
    }
    return size > MAX_DEFINITION_CHUNK ? MAX_DEFINITION_CHUNK : size;
}

static enum otter_status write_all(struct otter_archive_being_written *archive)
{
    if (OTF2_Archive_SetFlushCallbacks(archive->handle, &flush_callbacks, NULL) ||
        OTF2_Archive_SetSerialCollectiveCallbacks(archive->handle)) {
        return OTTER_IO;
    }
    set_properties(archive);
    enum otter_status status = write_global_definitions(archive);
    if (!status) {
        status = write_local_definitions(archive);
    }
    if (!status) {
        status = write_silent_files(archive);
    }
    return status ? status
                  : otter_findings_write(archive->handle, archive->definitions, archive->last_time);
}

// OTF2 says nothing on success, and does not return each of its failures: those of closing files are told here only.
static OTF2_ErrorCode note_error(void *user, const char *file, uint64_t line, const char *function,
                                 OTF2_ErrorCode code, const char *format, va_list arguments)
{
    struct otter_archive_being_written *archive = user;
    // errno is the system's, not OTF2's: it may be an older one, of a file that is not there or is there already.
    enum otter_status status = otter_status_from_errno(errno);
    bool is_told = status && status != OTTER_NOT_FOUND && status != OTTER_EXISTS;
    otter_archive_note_error(archive, is_told ? status : OTTER_IO);
    return code;
}

// OTF2 3.0.2 crashes where it gets none, and takes us with it. (Volatile, or compilers leave the question out.)
static bool has_memory(const struct otter_journal_definitions *definitions)
{
    void *volatile memory = malloc(MIN_FREE_MEMORY + 2 * definition_chunk_size(definitions));
    bool has = memory != NULL;
    free(memory);
    return has;
}

enum otter_status otter_archive_write(const char *folder,
                                      const struct otter_journal_definitions *definitions,
                                      const uint64_t *n_events, uint64_t last_time)
{
    if (!has_memory(definitions)) {
        return OTTER_NO_MEMORY;
    }
    struct otter_archive_being_written archive = {
        .folder = folder, .definitions = definitions, .n_events = n_events, .last_time = last_time};
    OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(note_error, &archive);
    errno = 0;
    archive.handle = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE,
                                       definitions->chunk_size, definition_chunk_size(definitions),
                                       OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    enum otter_status status = archive.handle ? write_all(&archive) : OTTER_IO;
    otter_strings_destroy(archive.strings);
    if (archive.handle && OTF2_Archive_Close(archive.handle) && !status) {
        status = OTTER_IO;
    }
    OTF2_Error_RegisterCallback(before, NULL);
    return archive.error ? archive.error : status;
}
