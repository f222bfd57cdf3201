// Opens archives, and ranks of merged archives.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "trace/complaint.h"
#include "trace/read/event_files.h"
#include "trace/read/reader.h"
#include "trace/schema.h"

static enum otter_status complain_of_rank(const struct otter_definitions *definitions,
                                          uint32_t number, struct otter_complaint *complaint)
{
    if (definitions->n_ranks == 0) {
        return otter_complain(complaint, OTTER_NOT_FOUND,
                              "'%s' is the archive of one process: leave the rank out",
                              definitions->folder);
    }
    return otter_complain(
        complaint, OTTER_NOT_FOUND,
        "'%s' has no rank %" PRIu32 ": it has %zu ranks, from %" PRIu32 " to %" PRIu32,
        definitions->folder, number, definitions->n_ranks, definitions->ranks[0].number,
        definitions->ranks[definitions->n_ranks - 1].number);
}

static enum otter_status select_number(struct otter_archive *archive, uint32_t number,
                                       struct otter_complaint *complaint)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    for (uint32_t i = 0; i < definitions->n_ranks; i++) {
        if (definitions->ranks[i].number == number) {
            return otter_archive_select_rank(archive, i, complaint);
        }
    }
    return complain_of_rank(definitions, number, complaint);
}

enum otter_status otter_archive_open_rank(const char *path, uint32_t number,
                                          struct otter_archive **archive,
                                          struct otter_complaint *complaint)
{
    enum otter_status status = otter_archive_open_definitions(path, archive, complaint);
    OTTER_THEN(status, select_number(*archive, number, complaint));
    if (status) {
        otter_archive_close(*archive);
        *archive = NULL;
    }
    return status;
}

// Returns whether `path` names a rank in a folder, and is not a folder itself: "job/rank-0003".
static bool names_rank(const char *path, uint32_t *number)
{
    struct stat about;
    const char *name = otter_path_file(path);
    size_t n = strlen(OTTER_RANK_PREFIX);
    if (name == path || strncmp(name, OTTER_RANK_PREFIX, n) != 0 || stat(path, &about) == 0) {
        return false;
    }
    return otter_rank_from_text(name + n, number);
}

// The events of a merged archive are read rank by rank.
static enum otter_status open_whole(const char *path, struct otter_archive **archive,
                                    struct otter_complaint *complaint)
{
    enum otter_status status = otter_archive_open_definitions(path, archive, complaint);
    if (!status && otter_archive_definitions(*archive)->n_ranks == 0) {
        status = otter_event_files_open_all(*archive, complaint);
    }
    if (status) {
        otter_archive_close(*archive);
        *archive = NULL;
    }
    return status;
}

static enum otter_status open_any(const char *path, struct otter_archive **archive,
                                  struct otter_complaint *complaint)
{
    uint32_t number;
    *archive = NULL;
    if (!names_rank(path, &number)) {
        return open_whole(path, archive, complaint);
    }
    char *folder = otter_path_folder(path);
    enum otter_status status = folder ? otter_archive_open_rank(folder, number, archive, complaint)
                                      : otter_complain(complaint, OTTER_NO_MEMORY, "out of memory");
    free(folder);
    return status;
}

static otter_opened_function *watch_opening;

void otter_archive_watch_opening(otter_opened_function *opened)
{
    watch_opening = opened;
}

enum otter_status otter_archive_open(const char *path, struct otter_archive **archive,
                                     struct otter_complaint *complaint)
{
    enum otter_status status = open_any(path, archive, complaint);
    if (!status && watch_opening) {
        watch_opening(*archive);
    }
    return status;
}
