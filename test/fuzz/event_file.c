// Fuzzes the recovery of a thread's events: of an event file, a chunk, or both.
//
// The first byte determines the size of chunks and the existing files. Two bytes are the length of
// the event file; the event file and the chunk follow.
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"
#include "recording/finish/event_balance.h"
#include "recording/event_seal.h"

enum { HAS_FILE = 0x10, HAS_CHUNK = 0x20 };

static const size_t chunk_sizes[] = {64, 128, 256, 512, 20, 300, 4096, 1024};

static void seal_twice(const char *folder, size_t chunk_size)
{
    uint64_t n_events, n_again, last_time;
    if (otter_event_file_seal(folder, 0, chunk_size, &n_events, &last_time, NULL)) {
        return;
    }
    fuzz_expect(!otter_event_file_seal(folder, 0, chunk_size, &n_again, &last_time, NULL),
                "what was sealed can be sealed again");
    fuzz_expect(n_events == n_again, "sealing again finds the same events");
    if (!otter_event_file_balance(folder, 0, chunk_size, NULL, &n_events)) {
        fuzz_expect(!otter_event_file_balance(folder, 0, chunk_size, NULL, &n_again),
                    "what was balanced can be balanced again");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    uint8_t kind = fuzz_byte(&bytes);
    struct fuzz_bytes events = fuzz_take(&bytes, fuzz_number(&bytes, 2));
    const char *event_path = fuzz_path("0.evt"), *chunk_path = fuzz_path("0.chunk");
    if (kind & HAS_FILE) {
        fuzz_write(event_path, events.at, events.n);
    }
    if (kind & HAS_CHUNK) {
        fuzz_write(chunk_path, bytes.at, bytes.n);
    }
    seal_twice(fuzz_folder(), chunk_sizes[kind & 7]);
    unlink(event_path);
    unlink(chunk_path);
    return 0;
}
