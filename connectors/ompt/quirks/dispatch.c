// Measures how long threads take to get each 17th chunk of worksharing loops. The others are not
// measured, to keep the overhead small. Quirk 'chunk time'.
#include "dispatch.h"

#include "otter/record.h"
#include "redirect.h"

enum { EACH = 17 }; // prime, so that it is not always the same chunk of a loop

typedef int next_chunk(void *location, int32_t thread, int32_t *is_last, void *first, void *last,
                       void *step);

static _Thread_local uint64_t called; // when the call began; 0: not measured
static _Thread_local unsigned n_chunks;

static int call(next_chunk *next, void *location, int32_t thread, int32_t *is_last, void *first,
                void *last, void *step)
{
    called = n_chunks % EACH == 0 ? otter_now() : 0;
    int has_chunk = next(location, thread, is_last, first, last, step);
    n_chunks += has_chunk != 0;
    called = 0; // the runtime has reported the chunk
    return has_chunk;
}

#define NEXT(type)                                                                                 \
    static next_chunk *runtime_next_##type;                                                        \
    static int on_next_##type(void *location, int32_t thread, int32_t *is_last, void *first,       \
                              void *last, void *step)                                              \
    {                                                                                              \
        return call(runtime_next_##type, location, thread, is_last, first, last, step);            \
    }

NEXT(4)
NEXT(4u)
NEXT(8)
NEXT(8u)

void dispatch_redirect(void)
{
    redirect_function("__kmpc_dispatch_next_4", (void *)on_next_4, (void **)&runtime_next_4);
    redirect_function("__kmpc_dispatch_next_4u", (void *)on_next_4u, (void **)&runtime_next_4u);
    redirect_function("__kmpc_dispatch_next_8", (void *)on_next_8, (void **)&runtime_next_8);
    redirect_function("__kmpc_dispatch_next_8u", (void *)on_next_8u, (void **)&runtime_next_8u);
}

uint64_t dispatch_ticks(void)
{
    return called ? otter_now() - called : 0;
}
