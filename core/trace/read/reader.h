// Reads an archive: its definitions as plain structs, its events one by one, without OTF2's types.
//
// Files are checked before OTF2 reads them, because OTF2 loops forever on an event file without an
// end. Archives of other tools are readable; kinds of records without a name here are "other".
// Everything returned belongs to the archive and is valid until it is closed. OTF2's own messages
// are switched off for the whole process.
// *Thread*: one at a time for each archive; several archives may be open, even of one folder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "otter/event.h"
#include "trace/complaint.h"
#include "trace/lists.h"

struct otter_archive;

// ---- definitions

struct otter_property {
    const char *name;
    const char *value;
};

enum otter_location_kind {
    OTTER_LOCATION_UNKNOWN = 0,
    OTTER_LOCATION_CPU_THREAD,
    OTTER_LOCATION_ACCELERATOR,
    OTTER_LOCATION_METRIC,
};

// "thread", "device", ...; never NULL.
const char *otter_location_kind_name(enum otter_location_kind kind);

struct otter_location {
    uint64_t id;   // the location's number in its process
    uint64_t file; // the location's number in the archive, which is the name of its files
    const char *name;
    const char *group; // name of the location's process
    enum otter_location_kind kind;
    // number of events according to the definition; 0 for a silent location (core/trace/silent.h)
    uint64_t n_events;
    uint64_t n_held;    // number of events in the file before the first damage
    const char *damage; // why the events cannot be read to their end, or NULL
    const struct otter_property *properties;
    size_t n_properties;
};

// The source line of a region's code that was added to an archive (OTTER::CODE).
struct otter_region_source {
    const char *where;    // "fib.c:12", "" if the address belongs to another construct
    const char *function; // "" if unknown
    const char *file;     // "/src/fib.c", "" if unknown
    uint32_t line;        // 0: unknown
};

// Names and files are as the recorder wrote them, even if source lines were added to the archive.
struct otter_region {
    uint32_t shared;  // index in the whole archive, where identical regions of all ranks are one
    const char *name; // !$omp task @fib+0x1234
    const char *canonical_name; // !$omp task
    const char *description;
    enum otter_construct construct; // UNKNOWN in archives of other tools
    const char *role;               // "task", "barrier", ...
    const char *paradigm;           // "OpenMP", ...
    const char *file;
    uint32_t begin_line, end_line;            // 0: not known
    const struct otter_region_source *source; // NULL: the archive has none
};

struct otter_comm {
    // index in the whole archive, where identical communicators of all ranks are one
    uint32_t shared;
    const char *name;
    uint32_t parent;         // index of the parent communicator, or OTTER_NONE
    const uint32_t *members; // indexes of locations; OTTER_NONE: not defined
    size_t n_members;
    // The members' ranks in the world; NULL: a communicator of threads. `identity` is equal in all
    // archives of the job; "" for threads and in archives of other tools.
    const uint64_t *ranks;
    const char *identity;
};

struct otter_parameter_definition {
    const char *name;
    enum otter_parameter kind; // UNKNOWN in archives of other tools
};

// The values of one metric record.
struct otter_metric {
    // Kokkos memory space, if the values are its bytes in use and their maximum; otherwise ""
    const char *space;
    const char *name; // name of the first value: "memory in use: Host"
    const char *unit; // unit of the first value: "B"
    size_t n_values;
};

// Code that was called from other code, in call chains of samples.
struct otter_calling_context {
    uint32_t shared; // index in the whole archive
    uint32_t region; // index of the code's region, or OTTER_NONE
    uint32_t parent; // a smaller index; OTTER_NONE: the root
};

enum otter_severity {
    OTTER_SEVERITY_NONE = 0,
    OTTER_SEVERITY_LOW,
    OTTER_SEVERITY_MEDIUM,
    OTTER_SEVERITY_HIGH
};

// Returns "none", "low", "medium" or "high".
const char *otter_severity_name(enum otter_severity severity);

// A remark by the tool that wrote the archive.
struct otter_marker {
    const char *group, *category; // "Otter", "lost events"
    enum otter_severity severity;
    uint64_t time;
    const char *text;
};

// A process of a merged archive (core/merge).
struct otter_rank {
    uint32_t number;                         // rank of the process in its job
    const char *name;                        // name of the process: "MPI Rank 3"
    const char *host;                        // "" if unknown
    const char *program;                     // path of the program; "" if unknown
    const struct otter_property *properties; // properties of the rank's own archive
    size_t n_properties;
    uint64_t clock_deviation_ns; // standard deviation of the rank's clock from the archive's clock
};

struct otter_clock {
    uint64_t resolution; // ticks in a second; 0: the archive has no clock
    uint64_t offset;     // the first tick
    uint64_t length;     // ticks
    uint64_t realtime;   // nanoseconds since 1970 at `offset`; 0: unknown
};

// Events contain indexes of these arrays. Strings are never NULL; "" means none.
//
// A merged archive has the definitions of all ranks here, until a rank is selected.
struct otter_definitions {
    const struct otter_rank *ranks; // sorted by number
    size_t n_ranks;                 // 0: the archive of one process, or of another tool
    uint32_t rank;                  // index of the selected rank, or OTTER_NONE
    const char *folder; // folder of the archive, or "<folder>/rank-0003" of the selected rank
    const char *anchor; // path of the archive's .otf2 file
    const char *creator;
    const char *machine;
    const char *host; // name of the first node of the system tree
    struct otter_clock clock;
    const struct otter_property *properties;
    size_t n_properties;
    uint64_t n_unrecorded; // tasks with a number but no recorded creation: recording was paused
    const struct otter_location *locations;
    size_t n_locations;
    const struct otter_region *regions;
    size_t n_regions;
    const struct otter_comm *comms;
    size_t n_comms;
    const struct otter_parameter_definition *parameters;
    size_t n_parameters;
    const struct otter_metric *metrics;
    size_t n_metrics;
    const struct otter_calling_context *contexts;
    size_t n_contexts;
    const struct otter_marker *markers;
    size_t n_markers;
    const char *marker_damage; // why markers cannot be read, or NULL
};

// Returns OTTER_CONSTRUCT_UNKNOWN for an index without a definition, such as OTTER_NONE.
static inline enum otter_construct
otter_definitions_construct(const struct otter_definitions *definitions, uint32_t region)
{
    return region < definitions->n_regions ? definitions->regions[region].construct
                                           : OTTER_CONSTRUCT_UNKNOWN;
}

// ---- events

enum otter_record {
    OTTER_RECORD_OTHER = 0, // unknown to this OTF2 version
    OTTER_RECORD_ENTER,
    OTTER_RECORD_LEAVE,
    OTTER_RECORD_FORK,
    OTTER_RECORD_JOIN,
    OTTER_RECORD_TEAM_BEGIN,
    OTTER_RECORD_TEAM_END,
    OTTER_RECORD_TASK_CREATE,
    OTTER_RECORD_TASK_SWITCH,
    OTTER_RECORD_TASK_COMPLETE,
    OTTER_RECORD_ACQUIRE_LOCK,
    OTTER_RECORD_RELEASE_LOCK,
    OTTER_RECORD_PARAMETER,
    OTTER_RECORD_METRIC,
    OTTER_RECORD_RMA_PUT,
    OTTER_RECORD_RMA_GET,
    OTTER_RECORD_RMA_COMPLETE,
    OTTER_RECORD_RMA_WINDOW, // created or destroyed
    OTTER_RECORD_MEASUREMENT,
    OTTER_RECORD_BUFFER_FLUSH,
    // a message is sent; RECORD_SEND to RECORD_CANCELLED are for messages between processes
    OTTER_RECORD_SEND,
    OTTER_RECORD_ISEND,       // a send begins
    OTTER_RECORD_SENT,        // the send has ended
    OTTER_RECORD_RECV_POSTED, // a receive begins
    OTTER_RECORD_RECV,
    OTTER_RECORD_IRECV, // completes a receive that was posted before
    OTTER_RECORD_CANCELLED,
    OTTER_RECORD_COLLECTIVE_BEGIN, // without a request: the operation blocks
    OTTER_RECORD_COLLECTIVE_END,
    OTTER_RECORD_SAMPLE, // the code that a thread was executing, in its location of samples
    OTTER_N_RECORDS
};

// Returns a name for messages, such as "task create"; never NULL.
const char *otter_record_name(enum otter_record record);

struct otter_event {
    uint64_t time;     // ticks of the clock
    uint32_t location; // index of the location
    enum otter_record kind;
    union {
        uint32_t region;  // ENTER, LEAVE: index of the region
        uint32_t threads; // FORK: number of requested threads
        uint32_t comm;    // TEAM_BEGIN, TEAM_END: index of the communicator
        uint32_t context; // SAMPLE: index of the calling context; OTTER_NONE: not defined
        bool is_on;       // MEASUREMENT: recording continues
        uint64_t stop;    // BUFFER_FLUSH: time at which the flush ended
        struct {
            uint32_t comm;    // index of the communicator
            uint32_t creator; // the creator as a member of the communicator
            uint32_t number;  // task number; 0: the creator's implicit or initial task
        } task;               // TASK_...
        struct {
            uint32_t id;
            uint32_t order; // number of the acquisition
        } lock;             // ..._LOCK
        struct {
            uint32_t definition; // index of the parameter
            uint64_t value;      // for a text, the number of the string in the archive
        } parameter;             // PARAMETER
        struct {
            uint32_t definition; // index of the metric; OTTER_NONE: not defined
            uint32_t n_values;
            uint64_t values[2]; // the first two values, as bits of their types; 0: none
        } metric;               // METRIC
        struct {
            uint32_t window;
            uint32_t remote; // not used by RMA_COMPLETE and RMA_WINDOW
            uint64_t bytes;  // not used by RMA_COMPLETE and RMA_WINDOW
            uint64_t operation;
        } transfer; // RMA_...
        struct {
            uint32_t comm;    // index of the communicator
            uint32_t partner; // the receiver, or the sender, as a member of the communicator
            uint32_t tag;
            uint64_t bytes;
            uint64_t request; // the only member of SENT, RECV_POSTED and CANCELLED
        } message;            // SEND ... CANCELLED
        struct {
            enum otter_collective operation;
            uint32_t comm;           // index of the communicator
            uint32_t root;           // member of the communicator, or OTTER_NO_ROOT
            uint64_t sent, received; // bytes
            uint64_t request;        // 0: the operation blocks. The only member of COLLECTIVE_BEGIN
        } collective;                // COLLECTIVE_...
    };
};

// Returns false to stop reading. Must not read from the same archive.
typedef bool otter_event_function(void *user, const struct otter_event *event);

// ---- reading

// Called after each OTTER_WATCH_EVERY events, with the number of events since the function was set.
typedef void otter_watch_function(void *user, uint64_t n_events);
enum { OTTER_WATCH_EVERY = 1 << 16 };

// Opens the archive at `path`: its folder or its .otf2 file. A rank of a merged archive is selected
// by "<folder>/rank-<number>", as if each rank had a folder of its own. After a failure *archive is
// NULL and *complaint has the reason. A damaged event file is not a failure: see struct
// otter_location. *Errors*: OTTER_NOT_FOUND, OTTER_BAD_ARCHIVE, OTTER_UNSUPPORTED, OTTER_NO_MEMORY,
// otherwise from errno.
enum otter_status otter_archive_open(const char *path, struct otter_archive **archive,
                                     struct otter_complaint *complaint);
void otter_archive_close(struct otter_archive *archive);

// Sets the function that otter_archive_open calls for each archive that it opens; NULL: none.
// *Thread*: only while no other thread opens archives.
typedef void otter_opened_function(struct otter_archive *archive);
void otter_archive_watch_opening(otter_opened_function *opened);

// Parses a rank number: only digits, less than UINT32_MAX. *Returns* false and sets *rank to 0 for
// any other text.
bool otter_rank_from_text(const char *text, uint32_t *rank);

// Opens a merged archive, and selects the rank of this number. *Errors*: as otter_archive_open;
// OTTER_NOT_FOUND also if there is no such rank.
enum otter_status otter_archive_open_rank(const char *path, uint32_t number,
                                          struct otter_archive **archive,
                                          struct otter_complaint *complaint);
// Like otter_archive_open, but does not check event files; their events cannot be read.
enum otter_status otter_archive_open_definitions(const char *path, struct otter_archive **archive,
                                                 struct otter_complaint *complaint);

const struct otter_definitions *otter_archive_definitions(const struct otter_archive *archive);

// Selects a rank of a merged archive. From now on, definitions, properties, markers and events
// belong to this rank, with the indexes that they have in its own archive. Times are ticks of the
// merged archive's clock. Locations of a merged archive are checked and can be read only while
// their rank is selected. All earlier definitions except ranks become invalid. Frees the table of
// otter_archive_merge_regions. `rank`: an index; OTTER_NONE: no rank. *Errors*: OTTER_BAD_ARCHIVE:
// its definitions are damaged; then no rank is selected; OTTER_NO_MEMORY.
enum otter_status otter_archive_select_rank(struct otter_archive *archive, uint32_t rank,
                                            struct otter_complaint *complaint);

// Opens a rank of a merged archive once more, without reading the definitions again. *shared uses
// the definitions of `archive` and must be closed before it. *Thread*: any number at a time, while
// none selects a rank of `archive`. *Errors*: as otter_archive_select_rank; *shared is then NULL.
enum otter_status otter_archive_open_shared(const struct otter_archive *archive, uint32_t rank,
                                            struct otter_archive **shared,
                                            struct otter_complaint *complaint);

// Adds the defined number of events of each rank of a merged archive to n_events[rank].
void otter_archive_count_events(const struct otter_archive *archive, uint64_t *n_events);

// Sets the function that all later reads call; NULL: none.
void otter_archive_watch(struct otter_archive *archive, otter_watch_function *watch, void *user);

// Counts events that were read by other means, and calls the function of otter_archive_watch.
void otter_archive_note_events(struct otter_archive *archive, uint64_t n_events);

// Returns the value of an archive property ("OTTER::PROGRAM"), or NULL.
const char *otter_archive_property(const struct otter_archive *archive, const char *name);
const char *otter_definitions_property(const struct otter_definitions *definitions,
                                       const char *name);
// Returns the property's value as a number; 0 without the property.
uint64_t otter_definitions_number(const struct otter_definitions *definitions, const char *name);
uint64_t otter_archive_number(const struct otter_archive *archive, const char *name);

// From now on, Enter and Leave events of region i report region same[i]. `same` has a valid index
// for each region; NULL: regions stay as they are. The archive frees `same`.
void otter_archive_merge_regions(struct otter_archive *archive, uint32_t *same);

// Calls `function` for every event of one location, in order, up to the first damage. May be called
// again. Counts records of other kinds in *n_others, which may be NULL. *Returns* OTTER_OK if
// `function` stops the reading. *Errors*: OTTER_BAD_ARCHIVE: the events are damaged.
enum otter_status otter_archive_read(struct otter_archive *archive, size_t location,
                                     otter_event_function *function, void *user, uint64_t *n_others,
                                     struct otter_complaint *complaint);

// Calls otter_archive_read for every readable location in turn, up to the first failure.
enum otter_status otter_archive_read_all(struct otter_archive *archive,
                                         otter_event_function *function, void *user,
                                         uint64_t *n_others, struct otter_complaint *complaint);
