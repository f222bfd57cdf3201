// Writes the communicators of an archive and their groups of locations.
#include "trace/write/archive_teams.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/schema.h"
#include "trace/write/archive_devices.h"

// Copies the members that the archive has. *Returns* their number.
static size_t team_members(const struct otter_archive_content *content,
                           const struct otter_team_definition *team, uint64_t *members)
{
    size_t n = 0;
    for (uint32_t i = 0; i < team->size; i++) {
        bool is_known = team->is_of_processes ? team->members[i] != UINT32_MAX
                                              : team->members[i] < content->n_locations;
        if (is_known) {
            members[n++] = team->members[i];
        }
    }
    return n;
}

// A communicator of processes has a group named after its identity in the job, by which readers
// that join archives match communicators.
static void write_team_group(struct otter_archive_writer *archive, uint32_t i, uint64_t *members)
{
    const struct otter_team_definition *team = &archive->content->teams[i];
    char name[64] = "";
    if (team->is_of_processes) {
        snprintf(name, sizeof(name), OTTER_COMMUNICATOR_PREFIX "%016" PRIx64, team->identity);
    }
    otter_archive_write_group(archive, archive->first_team + i, name, OTF2_GROUP_TYPE_COMM_GROUP,
                              team->is_of_processes ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_OPENMP,
                              team_members(archive->content, team, members), members);
}

// An archive of one process has no locations of other ranks: all positions are its first location.
static void write_ranks(struct otter_archive_writer *archive, uint32_t n_ranks, uint64_t *members)
{
    for (uint32_t i = 0; i < n_ranks; i++) {
        members[i] = 0;
    }
    otter_archive_write_group(archive, OTTER_GROUP_RANKS, "MPI", OTF2_GROUP_TYPE_COMM_LOCATIONS,
                              OTF2_PARADIGM_MPI, n_ranks, members);
}

// Members of the first group are locations. Members of the others are positions in the first group,
// which equal the locations; in groups of processes they are ranks.
static void write_groups(struct otter_archive_writer *archive, uint32_t n_ranks, uint64_t *members)
{
    const struct otter_archive_content *content = archive->content;
    size_t n = otter_content_n_executing(content);
    for (size_t i = 0; i < n; i++) {
        members[i] = i;
    }
    otter_archive_write_group(archive, OTTER_GROUP_LOCATIONS, "OpenMP",
                              OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, n, members);
    otter_archive_write_group(archive, OTTER_GROUP_ALL_THREADS, "All threads",
                              OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP,
                              content->n_locations, members);
    if (n_ranks > 0) {
        write_ranks(archive, n_ranks, members);
    }
    for (uint32_t i = 0; i < content->n_teams; i++) {
        write_team_group(archive, i, members);
    }
}

static void write_comm(struct otter_archive_writer *archive, uint32_t i)
{
    const struct otter_team_definition *team = &archive->content->teams[i];
    const char *text = !team->is_of_processes ? "" : *team->name ? team->name : "MPI communicator";
    OTF2_GlobalDefWriter_WriteComm(
        archive->writer, i + 1, otter_archive_text(archive, text), archive->first_team + i,
        team->is_of_processes ? OTF2_UNDEFINED_COMM : team->parent, OTF2_COMM_FLAG_NONE);
}

enum otter_status otter_archive_write_teams(struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    uint32_t n_ranks = otter_content_n_ranks(content);
    size_t room = otter_content_n_locations(content) + 1;
    room = n_ranks > room ? n_ranks : room;
    for (size_t i = 0; i < content->n_teams; i++) {
        room = content->teams[i].size > room ? content->teams[i].size : room;
    }
    uint64_t *members = malloc(room * sizeof(*members));
    if (!members) {
        return OTTER_NO_MEMORY;
    }
    archive->first_team = OTTER_GROUP_RANKS + (n_ranks > 0);
    write_groups(archive, n_ranks, members);
    OTF2_GlobalDefWriter_WriteComm(archive->writer, 0, otter_archive_text(archive, "All threads"),
                                   OTTER_GROUP_ALL_THREADS, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
    for (uint32_t i = 0; i < content->n_teams; i++) {
        write_comm(archive, i);
    }
    otter_archive_write_windows(archive, members);
    free(members);
    return OTTER_OK;
}
