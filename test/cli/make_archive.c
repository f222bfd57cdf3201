// make_archive FOLDER [TASKS [foreign | ours | kokkos [PROPERTY VALUE]...]]: an archive for the tests of the command line.
#include <stdlib.h>
#include <string.h>

#include "write_archive.h"

int main(int argc, char **argv)
{
    const char *what = argc > 3 ? argv[3] : "";
    bool is_foreign = strcmp(what, "foreign") == 0;
    struct archive_options options = {
        .n_tasks = argc > 2 ? strtoull(argv[2], NULL, 10) : 0,
        .is_foreign = is_foreign,
        .has_kokkos = strcmp(what, "kokkos") == 0,
        .properties = argc > 4 ? argv + 4 : NULL,
        .first_location = is_foreign ? UINT64_C(1) << 32 : 0,
    };
    return argc > 1 && write_archive(argv[1], &options) ? 0 : 1;
}
