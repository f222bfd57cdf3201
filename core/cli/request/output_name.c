// Names the file of a command after its archive.
#include "cli/request/output_name.h"

#include <stdlib.h>
#include <string.h>

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
