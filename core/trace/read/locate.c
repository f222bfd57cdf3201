// Finds the files of an archive.
#include "trace/read/locate.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "trace/complaint.h"
#include "trace/schema.h"

static bool ends_with(const char *text, const char *end)
{
    size_t text_length = strlen(text), end_length = strlen(end);
    return text_length >= end_length && strcmp(text + text_length - end_length, end) == 0;
}

static bool exists(const char *folder, const char *name)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path &&
           access(path, F_OK) == 0;
}

// Sets `anchor` to the only *.otf2 file of a folder.
static enum otter_status find_any_anchor(const char *folder, char **anchor,
                                         struct otter_complaint *complaint)
{
    DIR *entries = opendir(folder);
    if (!entries) {
        enum otter_status status = otter_status_from_errno(errno);
        return otter_complain(complaint, status, "cannot read folder '%s': %s", folder,
                              otter_status_text(status));
    }
    char found[NAME_MAX + 1] = "";
    size_t n = 0;
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (ends_with(entry->d_name, ".otf2")) {
            snprintf(found, sizeof found, "%s", entry->d_name);
            n++;
        }
    }
    closedir(entries);
    if (n != 1) {
        return otter_complain(complaint, n ? OTTER_BAD_ARCHIVE : OTTER_NOT_FOUND,
                              n ? "'%s' contains %zu archives: name one of its .otf2 files"
                                : "'%s' is not an archive: there is no .otf2 file in it",
                              folder, n);
    }
    *anchor = otter_path("%s/%s", folder, found);
    return *anchor ? OTTER_OK : OTTER_NO_MEMORY;
}

static enum otter_status complain_of_recording(const char *folder,
                                               struct otter_complaint *complaint)
{
    return otter_complain(
        complaint, OTTER_BAD_ARCHIVE,
        "'%s' is not a complete archive: its program is still running, was killed before Otter "
        "could complete it, or the disk was full ('otter recover %s' makes an archive of what was "
        "recorded)",
        folder, folder);
}

static enum otter_status complain_of_absence(const char *path, struct otter_complaint *complaint)
{
    int error = errno;
    char recording[PATH_MAX];
    int length = snprintf(recording, sizeof recording, "%s" OTTER_RECORDING_SUFFIX, path);
    if (error == ENOENT && length < (int)sizeof recording && access(recording, F_OK) == 0) {
        return complain_of_recording(recording, complaint);
    }
    enum otter_status status = otter_status_from_errno(error);
    return otter_complain(complaint, status, "cannot open archive '%s': %s", path, strerror(error));
}

static enum otter_status find_anchor(const char *path, char **anchor,
                                     struct otter_complaint *complaint)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        return complain_of_absence(path, complaint);
    }
    if (!S_ISDIR(info.st_mode)) {
        *anchor = strdup(path);
        return *anchor ? OTTER_OK : OTTER_NO_MEMORY;
    }
    if (exists(path, "traces.otf2")) {
        *anchor = otter_path("%s%straces.otf2", path, ends_with(path, "/") ? "" : "/");
        return *anchor ? OTTER_OK : OTTER_NO_MEMORY;
    }
    if (exists(path, "journal")) {
        return complain_of_recording(path, complaint);
    }
    return find_any_anchor(path, anchor, complaint);
}

int otter_reader_stem_length(const char *anchor)
{
    return (int)(strlen(anchor) - strlen(".otf2"));
}

enum otter_status otter_reader_set_paths(struct otter_archive *archive, const char *path,
                                         struct otter_complaint *complaint)
{
    enum otter_status status = find_anchor(path, &archive->anchor, complaint);
    if (status) {
        return status;
    }
    if (!ends_with(archive->anchor, ".otf2")) {
        return otter_complain(complaint, OTTER_BAD_ARCHIVE,
                              "'%s' is not an archive: neither a folder nor an .otf2 file", path);
    }
    const char *slash = strrchr(archive->anchor, '/');
    archive->folder =
        slash ? strndup(archive->anchor, (size_t)(slash - archive->anchor)) : strdup(".");
    if (!archive->folder) {
        return OTTER_NO_MEMORY;
    }
    archive->definitions.folder = archive->folder;
    archive->definitions.anchor = archive->anchor;
    return OTTER_OK;
}
