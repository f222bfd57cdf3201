// Names the file of a command after its archive, and keeps binary output off a terminal.
#include "cli/request/output_name.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/path.h"
#include "graph/graph.h"

char *otter_output_name(const struct otter_archive *archive, const char *ending)
{
    char *folder = realpath(otter_archive_definitions(archive)->folder, NULL);
    const char *slash = folder ? strrchr(folder, '/') : NULL;
    char *name = otter_path("%s%s", slash && slash[1] ? slash + 1 : "otter", ending);
    free(folder);
    return name;
}

bool otter_output_is_terminal(const char *path, const char *what, const char *command)
{
    if (!path || strcmp(path, "-") != 0 || !isatty(STDOUT_FILENO)) {
        return false;
    }
    otter_error(
        "a terminal cannot show %s: name a file, or redirect standard output to one (otter help "
        "%s)",
        what, command);
    return true;
}
