// The wanted state of the recording. A change is reported through `stop`, which each thread reads
// anyway.
#include "record/control/wanted.h"

#include <stdatomic.h>
#include <string.h>

#include "base/settings.h"
#include "record/process/state.h"
#include "record/thread/thread.h"

static _Atomic uint32_t wanted; // enum otter_control_state; 0: not decided yet
static _Atomic uint32_t n_flushes;

enum otter_control_state otter_wanted_initial(void)
{
    bool is_paused =
        strcmp(otter_settings_get("start"), "paused") == 0 || *otter_settings_get("only");
    return is_paused ? OTTER_CONTROL_PAUSED : OTTER_CONTROL_RECORDING;
}

enum otter_control_state otter_control_query(void)
{
    if (!otter_session_is_live()) {
        return OTTER_CONTROL_ENDED;
    }
    uint32_t now = atomic_load(&wanted);
    return now ? (enum otter_control_state)now : otter_wanted_initial();
}

bool otter_wanted_set(enum otter_control_state state)
{
    if (!otter_session_is_live()) {
        return false;
    }
    if (atomic_exchange(&wanted, state) != (uint32_t)state) {
        otter_threads_request_change();
    }
    return true;
}

void otter_control_toggle(void)
{
    if (!otter_session_is_live()) {
        return;
    }
    uint32_t before = atomic_load(&wanted);
    uint32_t after;
    do {
        uint32_t now = before ? before : (uint32_t)otter_wanted_initial();
        after = now == OTTER_CONTROL_PAUSED ? OTTER_CONTROL_RECORDING : OTTER_CONTROL_PAUSED;
    } while (!atomic_compare_exchange_weak(&wanted, &before, after));
    otter_threads_request_change();
}

bool otter_wanted_flush(void)
{
    if (!otter_session_is_live()) {
        return false;
    }
    atomic_fetch_add(&n_flushes, 1);
    otter_threads_request_change();
    return true;
}

void otter_wanted_open(void)
{
    uint32_t undecided = 0;
    atomic_compare_exchange_strong(&wanted, &undecided, otter_wanted_initial());
}

bool otter_wanted_is_paused(void)
{
    return atomic_load(&wanted) == OTTER_CONTROL_PAUSED;
}

uint32_t otter_wanted_n_flushes(void)
{
    return atomic_load(&n_flushes);
}
