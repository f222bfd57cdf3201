// Writes an archive for the tests of the command line: make_archive FOLDER [TASKS [foreign | ours |
// kokkos | damaged | attribute | window [PROPERTY VALUE]...]]. With the property "text", VALUE
// replaces every name that users choose.
#include <stdlib.h>
#include <string.h>

#include "write_archive.h"

int main(int argc, char **argv)
{
    const char *what = argc > 3 ? argv[3] : "";
    bool is_foreign = strcmp(what, "foreign") == 0;
    bool has_text = argc > 5 && strcmp(argv[4], "text") == 0;
    struct archive_options options = {
        .n_tasks = argc > 2 ? strtoull(argv[2], NULL, 10) : 0,
        .is_foreign = is_foreign,
        .has_kokkos = strcmp(what, "kokkos") == 0,
        .has_unknown_position = strcmp(what, "damaged") == 0,
        .has_sparse_attribute = strcmp(what, "attribute") == 0,
        .has_sparse_window = strcmp(what, "window") == 0,
        .text = has_text ? argv[5] : NULL,
        .properties = argc > 4 ? argv + (has_text ? 6 : 4) : NULL,
        .first_location = is_foreign ? UINT64_C(1) << 32 : 0,
    };
    return argc > 1 && write_archive(argv[1], &options) ? 0 : 1;
}
