// Writes a small archive through OTF2's writer, for tests of the reader.
//
// Location 0 "initial thread" has several chunks, location 1 "worker" few events, location 2 "idle"
// none. All are members of comm 0. Comm 1 is the team {1, 0}.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { ARCHIVE_RESOLUTION = 1000000000, ARCHIVE_TASKS_BY_DEFAULT = 40000 };

struct archive_options {
    uint64_t n_tasks;        // tasks that location 0 creates and runs; 0: ARCHIVE_TASKS_BY_DEFAULT
    uint64_t first_location; // number of location 0, the others follow; 0 in Otter's archives
    bool is_foreign;         // without Otter's properties, but with records of files
    bool has_unknown_member; // the first member of the group of all locations is not defined
    // the first member of the team is not defined, and neither is a property's location
    bool has_unknown_position;
    bool has_kokkos;           // location 1 also has the events of write_kokkos()
    bool has_sparse_attribute; // the only attribute has number 5
    bool has_sparse_window;    // the only window has number 5
    uint32_t first_context;    // number of the first calling context
    uint32_t n_contexts;       // each called from the previous one
    const char
        *text; // replaces the names of threads, regions, labels, files, host and machine; or NULL
    char **properties; // additional properties: name, value, ..., NULL; or NULL
};

// Writes the archive <folder>/traces.otf2. `folder` must not exist. *Returns* false: something
// failed.
bool write_archive(const char *folder, const struct archive_options *options);

// Returns the number of events on location 0 of such an archive.
uint64_t events_of_first_location(const struct archive_options *options);
