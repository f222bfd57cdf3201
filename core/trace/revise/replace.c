// Replaces the global definitions of an archive with a copy that has new names and places of
// regions.
#include "trace/revise/revise.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output/new_folder.h"
#include "base/path.h"
#include "trace/complaint.h"
#include "trace/revise/copy.h"

static void set_properties(const struct otter_copier *copier)
{
    const struct otter_definitions *definitions = otter_archive_definitions(copier->source);
    OTF2_Archive *archive = copier->archive.handle;
    char *description = NULL;
    for (size_t i = 0; i < definitions->n_properties; i++) {
        OTF2_Archive_SetProperty(archive, definitions->properties[i].name,
                                 definitions->properties[i].value, true);
    }
    for (size_t i = 0; i < definitions->n_regions; i++) {
        char name[48];
        if (copier->regions[i].code) {
            snprintf(name, sizeof name, "OTTER::CODE::%zu", i);
            OTF2_Archive_SetProperty(archive, name, copier->regions[i].code, true);
        }
    }
    OTF2_Archive_SetCreator(archive, definitions->creator);
    OTF2_Archive_SetMachineName(archive, definitions->machine);
    if (OTF2_Reader_GetDescription(copier->source->reader, &description) == OTF2_SUCCESS) {
        OTF2_Archive_SetDescription(archive, description);
        free(description);
    }
}

static enum otter_status write_copy(struct otter_copier *copier)
{
    const struct otter_archive *source = copier->source;
    enum otter_status status = otter_archive_begin(&copier->archive, source->event_chunk_size,
                                                   source->definition_chunk_size);
    if (!status) {
        copier->archive.strings = otter_strings_create();
        copier->archive.writer = OTF2_Archive_GetGlobalDefWriter(copier->archive.handle);
        status = !copier->archive.strings  ? OTTER_NO_MEMORY
                 : !copier->archive.writer ? OTTER_IO
                                           : OTTER_OK;
    }
    if (!status) {
        set_properties(copier);
        status = otter_definitions_copy(copier);
    }
    return otter_archive_end(&copier->archive, status);
}

// Moves a file over the archive's file and preserves that file's modification time.
static enum otter_status replace_file(const char *from, const char *to)
{
    struct stat about;
    if (stat(to, &about) == 0) {
        const struct timespec times[] = {about.st_atim, about.st_mtim};
        utimensat(AT_FDCWD, from, times, 0);
        if (chmod(from, about.st_mode & 0777) < 0) {
            return otter_status_from_errno(errno);
        }
    }
    return rename(from, to) < 0 ? otter_status_from_errno(errno) : OTTER_OK;
}

// The anchor file is replaced first: its properties contain the addresses that the new definitions
// lack.
static enum otter_status publish(const struct otter_archive *archive, const char *copy)
{
    static const char *const parts[] = {"traces.otf2", "traces.def"};
    enum otter_status status = OTTER_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !status; i++) {
        char *from = otter_path("%s/%s", copy, parts[i]);
        char *to = otter_path("%s/%s", archive->folder, parts[i]);
        status = from && to ? replace_file(from, to) : OTTER_NO_MEMORY;
        free(from);
        free(to);
    }
    return status;
}

static bool replace_nothing(const char *path)
{
    return false;
}

static enum otter_status revise(struct otter_copier *copier, struct otter_new_folder *folder)
{
    char *beside = otter_path("%s/lines", copier->source->folder);
    int error = beside ? otter_new_folder_create(folder, beside, replace_nothing) : ENOMEM;
    free(beside);
    if (error) {
        return otter_status_from_errno(error);
    }
    char *copy = otter_path("%s/archive", folder->temporary);
    copier->archive.folder = copy;
    enum otter_status status = copy ? write_copy(copier) : OTTER_NO_MEMORY;
    OTTER_THEN(status, publish(copier->source, copy));
    free(copy);
    return status;
}

enum otter_status otter_archive_revise(const struct otter_archive *archive,
                                       const struct otter_revised_region *regions,
                                       struct otter_complaint *complaint)
{
    struct otter_copier copier = {.source = archive, .regions = regions};
    struct otter_new_folder folder = {.path = NULL};
    enum otter_status status = revise(&copier, &folder);
    otter_new_folder_finish(&folder);
    return status ? otter_complain(complaint, status, "cannot write into '%s': %s", archive->folder,
                                   otter_status_text(status))
                  : OTTER_OK;
}
