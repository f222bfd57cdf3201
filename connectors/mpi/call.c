// Begins and ends the record of a call.
#include "call.h"

#include <stdatomic.h>

static _Thread_local uint32_t depth;
static atomic_bool is_off;

void call_switch_off(void)
{
    atomic_store(&is_off, true);
}

bool call_is_off(void)
{
    return atomic_load_explicit(&is_off, memory_order_relaxed);
}

uint64_t call_begin(enum otter_construct kind, const char *name)
{
    return depth++ == 0 && !call_is_off() ? otter_label_begin(kind, name, NULL) : 0;
}

bool call_is_outermost(void)
{
    return depth == 1 && !call_is_off();
}

void call_end(uint64_t call)
{
    depth--;
    if (call) {
        otter_label_end(call);
    }
}
