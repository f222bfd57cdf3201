// The rare part of beginning a call: a thread's first record, a requested change, a stopped thread.
#include "record/entry/call.h"

#include "record/control/apply.h"
#include "record/entry/opening.h"
#include "record/thread/region.h"

// Applies the requested changes. Later changes set `stop` again.
static struct otter_thread *apply_change(void)
{
    struct otter_thread *thread = otter_record_begin();
    if (thread) {
        otter_control_apply(thread);
    } else {
        // the thread is writing a record, so the change is applied later
        otter_thread_stop(otter_current_thread, OTTER_STOP_CHANGE);
    }
    return thread;
}

// Opens the thread's location for its first record. Opening it and listing the modules may take a
// long time, since the system may delay access to each file. The initial task does not include this
// time.
static struct otter_thread *open_location(struct otter_thread *thread)
{
    uint64_t begin = otter_clock_now();
    enum otter_status status = otter_session_open_location(thread);
    if (status == OTTER_UNSUPPORTED) {
        atomic_store(&thread->stop, OTTER_STOP_CLOSED);
        return NULL;
    }
    if (status) {
        uint32_t unopened = OTTER_STOP_UNOPENED; // unless the session has been closed in between
        thread->n_lost++;
        atomic_store(&thread->has_failed, true);
        atomic_compare_exchange_strong(&thread->stop, &unopened, OTTER_STOP_FAILED);
        return NULL;
    }
    struct otter_thread *opened = apply_change();
    if (opened && (opened->pending & OTTER_PENDING_INITIAL)) {
        otter_region_prepare();
        opened->initial_time += otter_clock_now() - begin;
    }
    return opened;
}

struct otter_thread *otter_record_begin_stopped(void)
{
    struct otter_thread *thread = otter_thread_self();
    uint32_t change = OTTER_STOP_CHANGE;
    if (thread && atomic_compare_exchange_strong(&thread->stop, &change, OTTER_STOP_NONE)) {
        return apply_change();
    }
    if (thread && atomic_load(&thread->stop) == OTTER_STOP_UNOPENED) {
        return open_location(thread);
    }
    if (!thread) {
        otter_thread_count_lost();
        return NULL;
    }
    return otter_record_begin(); // a signal handler has opened the location, or applied the change
}

// Counts an event as lost, unless a pause omits it.
void otter_thread_count_lost(void)
{
    struct otter_thread *thread = otter_current_thread;
    if (atomic_load(&thread->stop) == OTTER_STOP_FAILED &&
        otter_control_query() == OTTER_CONTROL_RECORDING) {
        thread->n_lost++;
    }
}
