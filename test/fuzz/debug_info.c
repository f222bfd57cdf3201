// Fuzzes the search for lines in a code file that an archive names. Faults inside elfutils do not
// concern Otter.
//
// The first four bytes are an address, the others the file.
#include "source/debug_info.h"

#include <unistd.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    uint64_t address = fuzz_number(&bytes, 4);
    const char *path = fuzz_path("code");
    struct otter_debug_info *info;
    fuzz_write(path, bytes.at, bytes.n);
    if (!otter_debug_info_open(&info, path, "-", 0)) {
        otter_debug_info_find(info, address);
        for (uint64_t at = 0x180; at < 0x280; at++) {
            otter_debug_info_find(info, at);
        }
        otter_debug_info_close(info);
    }
    unlink(path);
    return 0;
}
