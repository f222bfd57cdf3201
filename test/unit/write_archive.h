// Writes a small archive through OTF2's own writer, for tests of the reader.
//
// Location 0 "initial thread": long enough for several chunks. Location 1 "worker": short. Location 2 "idle": no events. All are members of comm 0; comm 1 is the team {1, 0}.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { ARCHIVE_RESOLUTION = 1000000000, ARCHIVE_TASKS_BY_DEFAULT = 40000 };

struct archive_options {
    uint64_t n_tasks; // created, run and completed on location 0; 0: ARCHIVE_TASKS_BY_DEFAULT
    uint64_t
        first_location; // number of location 0 in the archive; the others follow. 0 in our own archives
    bool is_foreign;         // no property of ours; with records of MPI
    bool has_unknown_member; // the first member of the group of all locations is not defined
    bool has_kokkos;         // location 1 goes on with what write_kokkos() in write_archive.c says
    const char
        *text; // instead of the names of threads, regions, labels, files, host and machine; or NULL
    char **properties; // further ones: name, value, ..., NULL; or NULL
};

// Writes <folder>/traces.otf2 and what belongs to it; `folder` must not exist. False on any failure.
bool write_archive(const char *folder, const struct archive_options *options);

// The number of events that such an archive holds on location 0.
uint64_t events_of_first_location(const struct archive_options *options);
