// Devices in an archive: a group of locations and an RMA window each.
#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"
#include "trace/write/archive_internal.h"

enum { FIRST_DEVICE_GROUP = 1 }; // of locations, behind that of the process

static void write_device(struct otter_archive_being_written *archive, uint32_t id,
                         const struct otter_device_definition *device)
{
    char *name =
        otter_path("Device %d%s%s", device->number, *device->type ? ": " : "", device->type);
    if (!name) {
        otter_archive_note_error(archive, OTTER_NO_MEMORY);
        return;
    }
    OTF2_GlobalDefWriter_WriteLocationGroup(archive->writer, FIRST_DEVICE_GROUP + id,
                                            otter_archive_text(archive, name),
                                            OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 1, 0);
    free(name);
}

static void write_stream(struct otter_archive_being_written *archive, size_t stream)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    uint32_t device = definitions->streams[stream];
    size_t id = definitions->n_locations + stream;
    char name[64];
    snprintf(name, sizeof(name), "Device %d, stream %zu", definitions->devices[device].number,
             stream);
    OTF2_GlobalDefWriter_WriteLocation(archive->writer, id, otter_archive_text(archive, name),
                                       OTF2_LOCATION_TYPE_ACCELERATOR_STREAM,
                                       otter_archive_n_events(archive, id),
                                       FIRST_DEVICE_GROUP + device);
    OTF2_AttributeValue number = {.uint64 = (uint64_t)definitions->devices[device].number};
    OTF2_GlobalDefWriter_WriteLocationProperty(archive->writer, id,
                                               otter_archive_text(archive, "OTTER::DEVICE"),
                                               OTF2_TYPE_UINT64, number);
}

void otter_archive_write_devices(struct otter_archive_being_written *archive)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    for (uint32_t i = 0; i < definitions->n_devices; i++) {
        write_device(archive, i, &definitions->devices[i]);
    }
    for (size_t i = 0; i < definitions->n_streams; i++) {
        write_stream(archive, i);
    }
}

// The members of a device's window by their ranks: its first stream, then the threads.
static size_t window_members(const struct otter_journal_definitions *definitions, uint32_t device,
                             uint64_t *members)
{
    size_t n = 0;
    for (size_t i = 0; n == OTTER_RANK_DEVICE && i < definitions->n_streams; i++) {
        if (definitions->streams[i] == device) {
            members[n++] = definitions->n_locations + i;
        }
    }
    for (size_t i = 0; i < definitions->n_locations; i++) {
        members[n++] = i;
    }
    return n;
}

void otter_archive_write_windows(struct otter_archive_being_written *archive, uint64_t *members)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    for (uint32_t i = 0; i < definitions->n_devices; i++) {
        char name[48];
        snprintf(name, sizeof(name), "Device %d", definitions->devices[i].number);
        OTF2_StringRef text = otter_archive_text(archive, name);
        uint32_t group = OTTER_GROUP_FIRST_TEAM + (uint32_t)definitions->n_teams + i;
        uint32_t comm = 1 + (uint32_t)definitions->n_teams + i;
        size_t n = window_members(definitions, i, members);
        otter_archive_write_group(archive, group, name, OTF2_GROUP_TYPE_COMM_GROUP, n, members);
        OTF2_GlobalDefWriter_WriteComm(archive->writer, comm, text, group, OTF2_UNDEFINED_COMM,
                                       OTF2_COMM_FLAG_NONE);
        OTF2_GlobalDefWriter_WriteRmaWin(archive->writer, i, text, comm, OTF2_RMA_WIN_FLAG_NONE);
    }
}
