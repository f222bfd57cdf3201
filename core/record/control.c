// Starts, pauses, flushes and ends the recording on behalf of the program.
#include "record/control/wanted.h"
#include "record/entry/call.h"
#include "record/process/state.h"
#include "record/session.h"

// Applies the change to the calling thread immediately.
static void apply_now(bool is_live)
{
    if (is_live && atomic_load(&otter_current_thread->stop) == OTTER_STOP_CHANGE) {
        struct otter_thread *thread = otter_record_begin();
        if (thread) {
            otter_record_end(thread);
        }
    }
}

bool otter_control_start(void)
{
    bool is_live = otter_wanted_set(OTTER_CONTROL_RECORDING);
    apply_now(is_live);
    return is_live;
}

bool otter_control_pause(void)
{
    bool is_live = otter_wanted_set(OTTER_CONTROL_PAUSED);
    apply_now(is_live);
    return is_live;
}

bool otter_control_flush(void)
{
    bool is_live = otter_wanted_flush();
    apply_now(is_live);
    return is_live;
}

bool otter_control_end(void)
{
    bool was_live = otter_session_is_live();
    otter_session_close();
    return was_live;
}
