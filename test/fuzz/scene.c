// Fuzzes the graph with a text of events, as in test/golden.
//
// The first byte determines the view and the use of the graph; the rest is the text.
#include "../golden/scene.h"

#include <setjmp.h>
#include <stdio.h>

#include "fuzz.h"
#include "use.h"

static jmp_buf mistake;

void scene_give_up(void)
{
    longjmp(mistake, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct scene scene;
    struct fuzz_bytes bytes = {data, size};
    uint8_t how = fuzz_byte(&bytes);
    FILE *file = bytes.n > 0 ? fmemopen((void *)(uintptr_t)bytes.at, bytes.n, "r") : NULL;
    if (!file) {
        return 0;
    }
    if (setjmp(mistake) == 0) {
        scene_read(&scene, "text", file);
        fuzz_use_events(&scene.definitions, scene.events, scene.n_events, how);
    }
    fclose(file);
    return 0;
}
