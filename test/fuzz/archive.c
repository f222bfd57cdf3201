// Fuzzes the commands with a small archive, some of whose files are replaced.
//
// The first byte selects an archive of test/damage, the second the command. Each further part
// replaces a file: it has the file's number, the length in two bytes, and the content.
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"
#include "trace/read/reader.h"
#include "use.h"

enum { LARGEST = 1 << 16 };

static const char *const archives[] = {"fib",       "killed",    "kokkos", "dependences",
                                       "cancelled", "taskgroup", "sampled"};
static const char *const files[] = {"traces.otf2",  "traces.def",   "traces.marker", "traces/0.evt",
                                    "traces/1.evt", "traces/0.def", "traces/1.def",  "traces/2.evt",
                                    "traces/2.def", "traces/3.evt", "traces/3.def",  "traces/4.evt",
                                    "traces/4.def", "traces/5.evt", "traces/5.def"};

enum { N_ARCHIVES = sizeof archives / sizeof *archives, N_FILES = sizeof files / sizeof *files };

static void copy_file(const char *archive, const char *name)
{
    static char content[LARGEST];
    char path[PATH_MAX];
    snprintf(path, sizeof path, FUZZ_ARCHIVES "/%s/%s", archive, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    ssize_t n = read(file, content, sizeof content);
    close(file);
    fuzz_expect(n >= 0 && n < LARGEST, "the archives are small");
    fuzz_write(fuzz_path("archive/%s", name), content, (size_t)n);
}

static void copy_archive(const char *archive)
{
    mkdir(fuzz_path("archive"), 0777);
    mkdir(fuzz_path("archive/traces"), 0777);
    for (size_t i = 0; i < N_FILES; i++) {
        unlink(fuzz_path("archive/%s", files[i]));
        copy_file(archive, files[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    copy_archive(archives[fuzz_byte(&bytes) % N_ARCHIVES]);
    uint8_t how = fuzz_byte(&bytes);
    while (bytes.n > 0) {
        const char *name = files[fuzz_byte(&bytes) % N_FILES];
        size_t n = (size_t)fuzz_number(&bytes, 2);
        struct fuzz_bytes content = fuzz_take(&bytes, n);
        fuzz_write(fuzz_path("archive/%s", name), content.at, content.n);
    }
    struct otter_archive *archive;
    struct otter_complaint complaint;
    if (!otter_archive_open(fuzz_path("archive"), &archive, &complaint)) {
        fuzz_use_archive(archive, how);
        otter_archive_close(archive);
    }
    return 0;
}
