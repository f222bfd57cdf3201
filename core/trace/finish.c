#include "trace/finish.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <otf2/otf2.h>

#include "trace/definitions.h"
#include "trace/event_file.h"
#include "trace/schema.h"
#include "trace/strings.h"

enum {
    MIN_DEFINITION_CHUNK = 256 * 1024,
    MAX_DEFINITION_CHUNK = 16 * 1024 * 1024,
    DEFINITION_BYTES_A_LOCATION = 64,
    GROUP_LOCATIONS = 0,
    GROUP_ALL_THREADS = 1,
    GROUP_FIRST_TEAM = 2,
};

struct finish {
    const char *recording;
    char archive_folder[PATH_MAX];
    struct otter_definitions definitions;
    uint64_t *n_events; // of each location
    uint64_t last_time;
    struct otter_strings *strings;
    OTF2_Archive *archive;
    OTF2_GlobalDefWriter *writer;
    struct otter_finish_result *result;
};

static bool join(char *path, size_t size, const char *folder, const char *name)
{
    return (size_t)snprintf(path, size, "%s/%s", folder, name) < size;
}

static bool event_path(char *path, const char *folder, size_t location)
{
    return (size_t)snprintf(path, PATH_MAX, "%s/%zu.evt", folder, location) < PATH_MAX;
}

// ---- event files

static enum otter_status seal_events(struct finish *finish)
{
    char events[PATH_MAX];
    if (!join(events, sizeof(events), finish->recording, "events")) {
        return OTTER_BAD_VALUE;
    }
    for (size_t i = 0; i < finish->definitions.n_locations; i++) {
        uint64_t last_time = 0;
        enum otter_status status = otter_event_file_seal(events, (uint32_t)i, finish->definitions.chunk_size,
                                                         &finish->n_events[i], &last_time);
        if (status && status != OTTER_NOT_FOUND) {
            return status;
        }
        finish->last_time = last_time > finish->last_time ? last_time : finish->last_time;
        finish->result->n_events += finish->n_events[i];
    }
    return finish->result->n_events > 0 ? OTTER_OK : OTTER_NOT_FOUND;
}

static enum otter_status move_events(const struct finish *finish)
{
    char from_folder[PATH_MAX], to_folder[PATH_MAX], from[PATH_MAX], to[PATH_MAX];
    if (!join(from_folder, sizeof(from_folder), finish->recording, "events") ||
        !join(to_folder, sizeof(to_folder), finish->archive_folder, "traces")) {
        return OTTER_BAD_VALUE;
    }
    for (size_t i = 0; i < finish->definitions.n_locations; i++) {
        if (!event_path(from, from_folder, i) || !event_path(to, to_folder, i)) {
            return OTTER_BAD_VALUE;
        }
        if (rename(from, to) < 0 && errno != ENOENT) {
            return otter_status_from_errno(errno);
        }
    }
    return OTTER_OK;
}

// ---- definitions

static OTF2_StringRef text(struct finish *finish, const char *string)
{
    bool is_new;
    uint32_t ref = otter_strings_intern(finish->strings, string, &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteString(finish->writer, ref, string);
    }
    return ref;
}

static const char *described(const struct otter_definitions *definitions, const char *name)
{
    for (size_t i = 0; i < definitions->n_descriptions; i++) {
        if (strcmp(definitions->descriptions[i].name, name) == 0) {
            return definitions->descriptions[i].value;
        }
    }
    return "";
}

static void write_clock(struct finish *finish)
{
    const struct otter_definitions *definitions = &finish->definitions;
    uint64_t resolution = definitions->clock_is_counter
                              ? otter_clock_resolution(&definitions->start, &definitions->end)
                              : UINT64_C(1000000000);
    uint64_t offset = definitions->start.ticks;
    uint64_t end = definitions->end.ticks > finish->last_time ? definitions->end.ticks : finish->last_time;
    OTF2_GlobalDefWriter_WriteClockProperties(finish->writer, resolution, offset, end > offset ? end - offset : 0,
                                              definitions->start.realtime_ns);
}

static void write_paradigm(struct finish *finish)
{
    OTF2_GlobalDefWriter_WriteParadigm(finish->writer, OTF2_PARADIGM_OPENMP, text(finish, "OpenMP"),
                                       OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN);
    OTF2_AttributeValue value = {.stringRef = text(finish, "Thread team ${id}")};
    OTF2_GlobalDefWriter_WriteParadigmProperty(finish->writer, OTF2_PARADIGM_OPENMP,
                                               OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE, OTF2_TYPE_STRING, value);
}

static void write_system_tree(struct finish *finish)
{
    const char *host = described(&finish->definitions, "HOST");
    const char *rank = described(&finish->definitions, "RANK");
    char process[64] = "Process";
    if (*rank) {
        snprintf(process, sizeof(process), "MPI Rank %.32s", rank);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(finish->writer, 0, text(finish, host), text(finish, "machine"),
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(finish->writer, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(finish->writer, 1, text(finish, host), text(finish, "node"), 0);
    OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(finish->writer, 1, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
    OTF2_GlobalDefWriter_WriteLocationGroup(finish->writer, 0, text(finish, process),
                                            OTF2_LOCATION_GROUP_TYPE_PROCESS, 1, OTF2_UNDEFINED_LOCATION_GROUP);
}

static void location_name(const struct otter_definitions *definitions, size_t i, char *name, size_t size)
{
    switch (definitions->locations[i].kind) {
    case OTTER_THREAD_INITIAL:
        snprintf(name, size, i == 0 ? "Master thread" : "Initial thread %zu", i);
        return;
    case OTTER_THREAD_WORKER: snprintf(name, size, "OMP thread %zu", i); return;
    case OTTER_THREAD_OTHER:
    case OTTER_THREAD_UNKNOWN: snprintf(name, size, "Thread %zu", i); return;
    }
}

static void write_locations(struct finish *finish)
{
    const struct otter_definitions *definitions = &finish->definitions;
    for (size_t i = 0; i < definitions->n_locations; i++) {
        char name[48];
        location_name(definitions, i, name, sizeof(name));
        OTF2_GlobalDefWriter_WriteLocation(finish->writer, i, text(finish, name), OTF2_LOCATION_TYPE_CPU_THREAD,
                                           finish->n_events[i], 0);
        OTF2_AttributeValue kind = {
            .stringRef = text(finish, otter_thread_kind_name(definitions->locations[i].kind))};
        OTF2_GlobalDefWriter_WriteLocationProperty(finish->writer, i, text(finish, "OTTER::THREAD_KIND"),
                                                   OTF2_TYPE_STRING, kind);
        OTF2_AttributeValue thread = {.uint64 = definitions->locations[i].os_thread};
        OTF2_GlobalDefWriter_WriteLocationProperty(finish->writer, i, text(finish, "OTTER::TID"), OTF2_TYPE_UINT64,
                                                   thread);
    }
}

// "!$omp task @fib+0x1234": the convention of Score-P with the module's offset until lines are resolved.
static void write_region(struct finish *finish, uint32_t id, const struct otter_region_definition *region)
{
    const char *canonical = otter_construct_name(region->construct);
    const char *path = "";
    char name[PATH_MAX + 64], detail[128];
    snprintf(name, sizeof(name), "%s", canonical);
    if (region->module) {
        const struct otter_module_definition *module = &finish->definitions.modules[region->module - 1];
        const char *slash = strrchr(module->path, '/');
        path = module->path;
        snprintf(name, sizeof(name), "%s @%s+0x%" PRIx64, canonical, slash ? slash + 1 : path,
                 region->address - module->bias);
    } else if (region->address) {
        snprintf(name, sizeof(name), "%s @0x%" PRIx64, canonical, region->address);
    }
    otter_construct_detail_text(region->construct, region->detail, detail, sizeof(detail));
    OTF2_GlobalDefWriter_WriteRegion(finish->writer, id, text(finish, name), text(finish, canonical),
                                     text(finish, detail), otter_construct_role(region->construct, region->detail),
                                     region->construct ? OTF2_PARADIGM_OPENMP : OTF2_PARADIGM_UNKNOWN,
                                     OTF2_REGION_FLAG_NONE, text(finish, path), 0, 0);
}

// Ids are dense in the archive whatever the journal left out.
static void write_regions(struct finish *finish)
{
    const struct otter_definitions *definitions = &finish->definitions;
    static const struct otter_region_definition unknown = {.construct = OTTER_CONSTRUCT_UNKNOWN};
    OTF2_GlobalDefWriter_WriteRegion(finish->writer, OTTER_REGION_NONE, text(finish, "none"), text(finish, "none"),
                                     text(finish, ""), OTF2_REGION_ROLE_UNKNOWN, OTF2_PARADIGM_UNKNOWN,
                                     OTF2_REGION_FLAG_NONE, text(finish, ""), 0, 0);
    size_t n = definitions->n_regions < OTTER_REGION_FIRST ? OTTER_REGION_FIRST : definitions->n_regions;
    for (size_t i = OTTER_REGION_UNKNOWN; i < n; i++) {
        const struct otter_region_definition *region = &unknown;
        if (i < definitions->n_regions && definitions->regions[i].is_defined) {
            region = &definitions->regions[i];
        }
        write_region(finish, (uint32_t)i, region);
    }
}

static size_t team_members(const struct otter_definitions *definitions, const struct otter_team_definition *team,
                           uint64_t *members)
{
    size_t n = 0;
    for (uint32_t i = 0; i < team->size; i++) {
        if (team->members[i] < definitions->n_locations) {
            members[n++] = team->members[i];
        }
    }
    return n;
}

static enum otter_status write_teams(struct finish *finish)
{
    const struct otter_definitions *definitions = &finish->definitions;
    size_t room = definitions->n_locations;
    for (size_t i = 0; i < definitions->n_teams; i++) {
        room = definitions->teams[i].size > room ? definitions->teams[i].size : room;
    }
    uint64_t *members = malloc(room * sizeof(*members));
    if (!members) {
        return OTTER_NO_MEMORY;
    }
    for (size_t i = 0; i < definitions->n_locations; i++) {
        members[i] = i;
    }
    // Members of the locations group are locations; those of the others are positions in it, which is the same.
    OTF2_StringRef all = text(finish, "All threads");
    OTF2_GlobalDefWriter_WriteGroup(finish->writer, GROUP_LOCATIONS, text(finish, "OpenMP"),
                                    OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE,
                                    (uint32_t)definitions->n_locations, members);
    OTF2_GlobalDefWriter_WriteGroup(finish->writer, GROUP_ALL_THREADS, all, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, (uint32_t)definitions->n_locations,
                                    members);
    for (size_t i = 0; i < definitions->n_teams; i++) {
        size_t n = team_members(definitions, &definitions->teams[i], members);
        OTF2_GlobalDefWriter_WriteGroup(finish->writer, (uint32_t)(GROUP_FIRST_TEAM + i), text(finish, ""),
                                        OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE,
                                        (uint32_t)n, members);
    }
    OTF2_GlobalDefWriter_WriteComm(finish->writer, 0, all, GROUP_ALL_THREADS, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
    for (size_t i = 0; i < definitions->n_teams; i++) {
        OTF2_GlobalDefWriter_WriteComm(finish->writer, (uint32_t)(i + 1), text(finish, ""),
                                       (uint32_t)(GROUP_FIRST_TEAM + i), definitions->teams[i].parent,
                                       OTF2_COMM_FLAG_NONE);
    }
    free(members);
    return OTTER_OK;
}

static void write_parameters(struct finish *finish)
{
    for (uint32_t i = 0; i < OTTER_N_PARAMETERS; i++) {
        OTF2_GlobalDefWriter_WriteParameter(finish->writer, i,
                                            text(finish, otter_parameter_name((enum otter_parameter)i)),
                                            OTF2_PARAMETER_TYPE_UINT64);
    }
}

static enum otter_status write_global_definitions(struct finish *finish)
{
    finish->writer = OTF2_Archive_GetGlobalDefWriter(finish->archive);
    finish->strings = otter_strings_create();
    if (!finish->writer || !finish->strings) {
        return OTTER_NO_MEMORY;
    }
    text(finish, "");
    write_clock(finish);
    write_paradigm(finish);
    write_system_tree(finish);
    write_locations(finish);
    write_regions(finish);
    write_parameters(finish);
    return write_teams(finish);
}

// Readers complain about each location without a definition file of its own, some refuse the archive.
static enum otter_status write_local_definitions(struct finish *finish)
{
    if (OTF2_Archive_OpenDefFiles(finish->archive)) {
        return OTTER_IO;
    }
    for (size_t i = 0; i < finish->definitions.n_locations; i++) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(finish->archive, i);
        if (!writer || OTF2_Archive_CloseDefWriter(finish->archive, writer)) {
            return OTTER_IO;
        }
    }
    return OTF2_Archive_CloseDefFiles(finish->archive) ? OTTER_IO : OTTER_OK;
}

// ---- properties

static void set_property(const struct finish *finish, const char *name, const char *value)
{
    char full[256];
    snprintf(full, sizeof(full), "OTTER::%s", name);
    OTF2_Archive_SetProperty(finish->archive, full, value, true);
}

static void set_number(const struct finish *finish, const char *name, uint64_t number)
{
    char value[32];
    snprintf(value, sizeof(value), "%" PRIu64, number);
    set_property(finish, name, value);
}

static void set_modules(const struct finish *finish)
{
    const struct otter_definitions *definitions = &finish->definitions;
    for (size_t i = 0; i < definitions->n_modules; i++) {
        const struct otter_module_definition *module = &definitions->modules[i];
        char name[48], value[PATH_MAX + 256];
        snprintf(name, sizeof(name), "MODULE::%zu", i);
        snprintf(value, sizeof(value), "%" PRIx64 " %" PRIx64 " %" PRIx64 " %s %s", module->begin, module->end,
                 module->bias, *module->build_id ? module->build_id : "-", module->path);
        set_property(finish, name, value);
    }
}

static void set_properties(const struct finish *finish)
{
    const struct otter_definitions *definitions = &finish->definitions;
    static const char *const complete[] = {"OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE", "OTF2::THREAD_LOCK_EVENT_COMPLETE"};
    for (size_t i = 0; i < sizeof(complete) / sizeof(complete[0]); i++) {
        OTF2_Archive_SetProperty(finish->archive, complete[i], definitions->n_lost ? "false" : "true", true);
    }
    for (size_t i = 0; i < definitions->n_descriptions; i++) {
        set_property(finish, definitions->descriptions[i].name, definitions->descriptions[i].value);
    }
    set_modules(finish);
    set_number(finish, "SCHEMA", definitions->schema);
    set_number(finish, "LOST", definitions->n_lost);
    set_number(finish, "REPAIRED", definitions->n_repaired);
    set_number(finish, "UNFINISHED", definitions->n_unfinished);
    OTF2_Archive_SetCreator(finish->archive, "Otter " OTTER_VERSION);
    OTF2_Archive_SetMachineName(finish->archive, described(definitions, "HOST"));
    OTF2_Archive_SetDescription(finish->archive, described(definitions, "COMMAND_LINE"));
}

// ---- the archive

static OTF2_FlushType flush_definitions(void *user, OTF2_FileType type, OTF2_LocationRef id, void *caller, bool final)
{
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = flush_definitions};

static size_t definition_chunk_size(const struct otter_definitions *definitions)
{
    size_t size = definitions->n_locations * DEFINITION_BYTES_A_LOCATION;
    if (size < MIN_DEFINITION_CHUNK) {
        return MIN_DEFINITION_CHUNK;
    }
    return size > MAX_DEFINITION_CHUNK ? MAX_DEFINITION_CHUNK : size;
}

static enum otter_status write_archive(struct finish *finish)
{
    finish->archive = OTF2_Archive_Open(finish->archive_folder, "traces", OTF2_FILEMODE_WRITE,
                                        finish->definitions.chunk_size, definition_chunk_size(&finish->definitions),
                                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!finish->archive) {
        return OTTER_IO;
    }
    enum otter_status status = OTTER_IO;
    if (!OTF2_Archive_SetFlushCallbacks(finish->archive, &flush_callbacks, NULL) &&
        !OTF2_Archive_SetSerialCollectiveCallbacks(finish->archive)) {
        set_properties(finish);
        status = write_global_definitions(finish);
    }
    if (!status) {
        status = write_local_definitions(finish);
    }
    otter_strings_destroy(finish->strings);
    if (OTF2_Archive_Close(finish->archive) && !status) {
        status = OTTER_IO;
    }
    return status;
}

// ---- files

static uint64_t file_size(const char *folder, const char *name)
{
    char path[PATH_MAX];
    struct stat about;
    return join(path, sizeof(path), folder, name) && stat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
}

static void measure(const struct finish *finish, const char *folder)
{
    uint64_t n = file_size(folder, "traces.otf2") + file_size(folder, "traces.def");
    for (size_t i = 0; i < finish->definitions.n_locations; i++) {
        char name[64];
        snprintf(name, sizeof(name), "traces/%zu.evt", i);
        n += file_size(folder, name);
        snprintf(name, sizeof(name), "traces/%zu.def", i);
        n += file_size(folder, name);
    }
    finish->result->n_bytes = n;
    finish->result->n_locations = finish->definitions.n_locations;
}

static void remove_recording(const char *recording)
{
    char path[PATH_MAX];
    if (join(path, sizeof(path), recording, "journal")) {
        unlink(path);
    }
    if (join(path, sizeof(path), recording, "events")) {
        rmdir(path);
    }
    rmdir(recording);
}

// rename() would replace an empty folder of somebody else.
static enum otter_status publish(const struct finish *finish, const char *folder)
{
    struct stat about;
    if (lstat(folder, &about) == 0) {
        return OTTER_EXISTS;
    }
    return rename(finish->archive_folder, folder) < 0 ? otter_status_from_errno(errno) : OTTER_OK;
}

static enum otter_status finish_recording(struct finish *finish, const char *folder)
{
    finish->n_events = calloc(finish->definitions.n_locations + 1, sizeof(*finish->n_events));
    if (!finish->n_events) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = seal_events(finish);
    if (!status) {
        status = write_archive(finish);
    }
    if (!status) {
        status = move_events(finish);
    }
    if (!status) {
        status = publish(finish, folder);
    }
    free(finish->n_events);
    return status;
}

enum otter_status otter_finish(const char *recording, const char *folder, struct otter_finish_result *result)
{
    *result = (struct otter_finish_result){0};
    struct finish finish = {.recording = recording, .result = result};
    char journal[PATH_MAX];
    if (!join(journal, sizeof(journal), recording, "journal") ||
        !join(finish.archive_folder, sizeof(finish.archive_folder), recording, "archive")) {
        return OTTER_BAD_VALUE;
    }
    enum otter_status status = otter_definitions_read(journal, &finish.definitions);
    if (status) {
        return status;
    }
    status = finish_recording(&finish, folder);
    if (!status) {
        measure(&finish, folder);
        remove_recording(recording);
    }
    otter_definitions_free(&finish.definitions);
    return status;
}
