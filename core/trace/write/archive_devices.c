// Writes each device: a group of locations and an RMA window.
#include "trace/write/archive_devices.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"

enum { FIRST_DEVICE_GROUP = 1 }; // location group of the first device; group 0 is the process

static void write_device(struct otter_archive_writer *archive, uint32_t id,
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

static void write_stream(struct otter_archive_writer *archive, size_t stream)
{
    const struct otter_archive_content *content = archive->content;
    uint32_t device = content->streams[stream];
    size_t id = content->n_locations + stream;
    char name[64];
    snprintf(name, sizeof(name), "Device %d, stream %zu", content->devices[device].number, stream);
    OTF2_GlobalDefWriter_WriteLocation(archive->writer, id, otter_archive_text(archive, name),
                                       OTF2_LOCATION_TYPE_ACCELERATOR_STREAM,
                                       otter_archive_n_events(archive, id),
                                       FIRST_DEVICE_GROUP + device);
    OTF2_AttributeValue number = {.uint64 = (uint64_t)content->devices[device].number};
    OTF2_GlobalDefWriter_WriteLocationProperty(archive->writer, id,
                                               otter_archive_text(archive, "OTTER::DEVICE"),
                                               OTF2_TYPE_UINT64, number);
}

void otter_archive_write_devices(struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    for (uint32_t i = 0; i < content->n_devices; i++) {
        write_device(archive, i, &content->devices[i]);
    }
    for (size_t i = 0; i < content->n_streams; i++) {
        write_stream(archive, i);
    }
}

// Stores the members of a device's window sorted by ranks: its first stream, then the threads.
static size_t window_members(const struct otter_archive_content *content, uint32_t device,
                             uint64_t *members)
{
    size_t n = 0;
    for (size_t i = 0; n == OTTER_RANK_DEVICE && i < content->n_streams; i++) {
        if (content->streams[i] == device) {
            members[n++] = content->n_locations + i;
        }
    }
    for (size_t i = 0; i < content->n_locations; i++) {
        members[n++] = i;
    }
    return n;
}

void otter_archive_write_windows(struct otter_archive_writer *archive, uint64_t *members)
{
    const struct otter_archive_content *content = archive->content;
    for (uint32_t i = 0; i < content->n_devices; i++) {
        char name[48];
        snprintf(name, sizeof(name), "Device %d", content->devices[i].number);
        OTF2_StringRef text = otter_archive_text(archive, name);
        uint32_t group = archive->first_team + (uint32_t)content->n_teams + i;
        uint32_t comm = 1 + (uint32_t)content->n_teams + i;
        size_t n = window_members(content, i, members);
        otter_archive_write_group(archive, group, name, OTF2_GROUP_TYPE_COMM_GROUP,
                                  OTF2_PARADIGM_OPENMP, n, members);
        OTF2_GlobalDefWriter_WriteComm(archive->writer, comm, text, group, OTF2_UNDEFINED_COMM,
                                       OTF2_COMM_FLAG_NONE);
        OTF2_GlobalDefWriter_WriteRmaWin(archive->writer, i, text, comm, OTF2_RMA_WIN_FLAG_NONE);
    }
}
