// What the files that write an archive share.
#pragma once

#include <stdint.h>

#include <otf2/otf2.h>

#include "base/status.h"
#include "recording/definitions.h"
#include "trace/write/strings.h"

enum {
    OTTER_GROUP_LOCATIONS = 0,
    OTTER_GROUP_ALL_THREADS = 1,
    OTTER_GROUP_FIRST_TEAM = 2, // then those of the devices' windows
};

struct otter_archive_being_written {
    const char *folder;
    const struct otter_journal_definitions *definitions;
    const uint64_t *n_events; // recorded, of each location
    uint64_t last_time;
    struct otter_strings *strings;
    OTF2_Archive *handle;
    OTF2_GlobalDefWriter *writer;
    enum otter_status error; // the first: of OTF2, or of memory
};

// Notes a failure, unless one has been noted before it: what follows goes on, and the archive is given up at the end.
void otter_archive_note_error(struct otter_archive_being_written *archive, enum otter_status error);

// The events that the archive has of a location: those that were recorded, or one in their place (core/trace/write/silent.h).
uint64_t otter_archive_n_events(const struct otter_archive_being_written *archive, size_t location);

// The archive's number of a string, which is written when it is new.
OTF2_StringRef otter_archive_text(struct otter_archive_being_written *archive, const char *string);

// A group of `n` locations, or of their positions among the first group's.
void otter_archive_write_group(struct otter_archive_being_written *archive, uint32_t id,
                               const char *name, OTF2_GroupType type, size_t n,
                               const uint64_t *members);

// All definitions: the global ones, and a file of local ones for each location.
enum otter_status otter_archive_write_definitions(struct otter_archive_being_written *archive);

// The regions, and a plain one for each number that has none.
void otter_archive_write_regions(struct otter_archive_being_written *archive);

// What was kept when no more events were, as properties.
void otter_archive_set_totals(const struct otter_archive_being_written *archive);

// Devices as groups of locations, and their streams.
void otter_archive_write_devices(struct otter_archive_being_written *archive);

// The RMA window of each device, with its communicator, behind those of teams. `members`: room for one more than all locations.
void otter_archive_write_windows(struct otter_archive_being_written *archive, uint64_t *members);
