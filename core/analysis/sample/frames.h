// The functions at the addresses of call chains.
#pragma once

#include "base/status.h"
#include "base/vector.h"
#include "graph/label.h"

// A function of a call chain. Both members are indexes of texts.
struct otter_frame {
    uint32_t function; // 0, the text "": code without a module
    // "fib.c:12"; 0: unknown, as for a function into which another was inlined
    uint32_t where;
};

struct otter_frames {
    const struct otter_definitions *definitions;
    // of region i: from items[first[i]] to before items[first[i + 1]], from the innermost out
    uint32_t *first;
    uint32_t recording; // number of the text "[recording]"; 0: no context is code of the recorder
    OTTER_VECTOR(struct otter_frame);
    struct {
        OTTER_VECTOR(char *);
    } texts;
};

struct otter_frame_chain {
    OTTER_VECTOR(struct otter_frame);
};

// Finds the functions at the addresses of all calling contexts. Memory: 4 bytes for each region, 8
// for each function at an address. The caller finishes *frames in any case; *definitions must
// outlive it. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_frames_init(struct otter_frames *frames,
                                    const struct otter_definitions *definitions,
                                    const struct otter_labels *labels);
void otter_frames_finish(struct otter_frames *frames);

// Fills *chain with the functions of a calling context, from the innermost out: the functions
// inlined at an address, the function that contains them, then those at the next address. A
// function that calls itself occurs several times. The recorder and all functions that it calls are
// one function, "[recording]". An unknown context has one function without a name. The caller
// frees the items. Returns false if out of memory.
bool otter_frames_chain(const struct otter_frames *frames, uint32_t context,
                        struct otter_frame_chain *chain);

static inline const char *otter_frames_text(const struct otter_frames *frames, uint32_t number)
{
    return number < frames->texts.n ? frames->texts.items[number] : "";
}
