// make_archive FOLDER [TASKS [foreign]]: an archive for the tests of the command line.
#include <stdlib.h>
#include <string.h>

#include "write_archive.h"

int main(int argc, char **argv)
{
    struct archive_options options = {
        .n_tasks = argc > 2 ? strtoull(argv[2], NULL, 10) : 0,
        .is_foreign = argc > 3 && strcmp(argv[3], "foreign") == 0,
        .first_location = argc > 3 ? UINT64_C(1) << 32 : 0,
    };
    return argc > 1 && write_archive(argv[1], &options) ? 0 : 1;
}
