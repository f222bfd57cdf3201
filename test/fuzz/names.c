// Fuzzes foreign names: Kokkos kernels, functions of C++, texts in a journal, texts on a
// terminal.
//
// The first byte determines the kind; the rest is the name.
#include <stdlib.h>
#include <string.h>

#include "../../connectors/kokkos/names.h"
#include "fuzz.h"
#include "source/demangle.h"
#include "report/form/plain.h"
#include "recording/journal.h"
#include "use.h"

static void show(const char *text, uint8_t how)
{
    char room[512];
    size_t size = how & 0x80 ? 32 : sizeof(room);
    names_set_version(how & 0x40 ? 20240906 : 20210225);
    const char *shown = names_show(OTTER_CONSTRUCT_KOKKOS_FOR, text, room, size);
    fuzz_expect(shown == text || (shown == room && memchr(room, '\0', size)),
                "a name is the raw one or ends in its room");
}

static void encode(const char *text, uint8_t how)
{
    size_t length = strlen(text), size = how & 0x80 ? 16 : 3 * length + 8;
    char *room = malloc(size);
    if (!room) {
        return;
    }
    otter_journal_encode(text, room, size);
    fuzz_expect(*room && !strpbrk(room, " \n\t"), "an encoded text is one field");
    otter_journal_decode(room);
    fuzz_expect(strncmp(room, text, strlen(room)) == 0, "a decoded text is the text's begin");
    fuzz_expect(how & 0x80 || strcmp(room, text) == 0, "where there is room, it is the text");
    free(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    uint8_t how = fuzz_byte(&bytes);
    char *text = calloc(1, bytes.n + 1);
    if (!text) {
        return 0;
    }
    memcpy(text, data + (size - bytes.n), bytes.n);
    switch (how & 3) {
    case 0: show(text, how); break;
    case 1: free(otter_demangle(text)); break;
    case 2: encode(text, how); break;
    default:
        otter_journal_decode(text);
        otter_plain_print(fuzz_nowhere(), text, how & 0x80 ? 20 : 0);
        break;
    }
    free(text);
    return 0;
}
