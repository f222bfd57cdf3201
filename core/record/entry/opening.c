// Opens the output and the locations of threads.
#include "record/entry/opening.h"

#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/settings.h"
#include "record/control/limits.h"
#include "record/control/region_totals.h"
#include "record/control/toggle_signal.h"
#include "record/control/wanted.h"
#include "record/entry/counts.h"
#include "record/entry/describe.h"
#include "record/process/launcher.h"
#include "record/process/output.h"
#include "record/process/state.h"
#include "record/thread/thread.h"
#include "trace/schema.h"
#include "trace/write/layout_probe.h"

static _Atomic uint32_t n_locations;
static bool has_warned_of_locations; // a warning of too many locations was printed
static struct otter_counts ended;    // sums over the threads that have ended

void otter_session_forget(void)
{
    otter_session_set_state(OTTER_SESSION_CLOSED);
    otter_output_forget();
    otter_file_forget();
    otter_thread_ignore_current();
    otter_session_forget_locks();
}

// A child made without the C library (_Fork, clone) is detected here.
bool otter_session_is_other_process(void)
{
    if (otter_session_is_ours()) {
        return false;
    }
    otter_session_forget();
    return true;
}

static void complain_of_otf2(void)
{
    otter_warning("cannot record with this OTF2: its layout of events is not that of "
                  "OTF2 " OTTER_KNOWN_OTF2
                  ", the only one that Otter knows (Otter was built with OTF2 %s); "
                  "the program continues, unrecorded (build Otter with OTF2 " OTTER_KNOWN_OTF2
                  ": meson setup -Dotf2=bundled)",
                  otter_layout_otf2_version());
    otter_launcher_report("failed", "%s", otter_status_text(OTTER_UNKNOWN_OTF2));
}

static void complain_of_output(enum otter_status status)
{
    const char *setting = *otter_settings_get("folder") ? "--output" : "trace-path";
    if (status == OTTER_NAME_TOO_LONG && strlen(otter_settings_get("trace-name")) > NAME_MAX / 2) {
        setting = "trace-name";
    }
    const char *advice = "choose another folder with ";
    switch (status) {
    case OTTER_NAME_TOO_LONG: advice = "choose a shorter name with "; break;
    case OTTER_MASKED: advice = "umask 022 leaves all rights to the owner"; break;
    case OTTER_NO_FILES: advice = "raise ulimit -n"; break;
    case OTTER_NO_MEMORY: advice = "raise ulimit -v, if it is set"; break;
    default: break;
    }
    bool names_setting = advice[strlen(advice) - 1] == ' ';
    otter_warning("cannot make the archive '%s': %s; the program continues, unrecorded (%s%s)",
                  otter_output_folder(), otter_status_text(status), advice,
                  names_setting ? setting : "");
    otter_launcher_report("failed", "%s: %s", otter_output_folder(), otter_status_text(status));
}

static enum otter_status ensure_output(void)
{
    if (otter_session_state() == OTTER_SESSION_OPEN) {
        return OTTER_OK;
    }
    if (otter_session_state() != OTTER_SESSION_ATTACHED) {
        return OTTER_UNSUPPORTED;
    }
    struct otter_writer_options calls = otter_limits_calls();
    enum otter_status status = otter_output_open(otter_describe_head, &calls);
    if (status) {
        if (status == OTTER_UNKNOWN_OTF2) {
            complain_of_otf2();
        } else {
            complain_of_output(status);
        }
        otter_session_set_state(OTTER_SESSION_FAILED);
        return OTTER_UNSUPPORTED;
    }
    otter_launcher_report("opened", "%s", otter_output_recording());
    otter_wanted_open();
    otter_toggle_signal_open();
    otter_session_set_state(OTTER_SESSION_OPEN);
    return OTTER_OK;
}

static enum otter_status open_location(struct otter_thread *thread)
{
    enum otter_status status = ensure_output();
    if (status) {
        return status;
    }
    if (n_locations >= OTTER_MAX_LOCATIONS) {
        if (!has_warned_of_locations) {
            otter_warning(
                "more than %d threads have begun; events of further threads count as lost",
                OTTER_MAX_LOCATIONS);
        }
        has_warned_of_locations = true;
        return OTTER_NO_SPACE;
    }
    uint32_t id = n_locations;
    status = otter_output_define("location %" PRIu32 " %d %" PRIu64, id, (int)thread->kind,
                                 thread->os_thread);
    if (status) {
        return status;
    }
    n_locations++;
    thread->location = id;
    status = otter_writer_open_location(otter_output_writer(), id, &thread->writer);
    if (status == OTTER_FULL && otter_region_totals_are_enabled()) {
        status = OTTER_OK;
    }
    if (!status) {
        atomic_store(&thread->stop, OTTER_STOP_NONE);
    }
    return status;
}

// Ends a thread. If the thread's file cannot be sealed now, the end of the session tries again.
// Caller holds `lock`.
static bool end_thread(const struct otter_thread *thread)
{
    struct otter_writer *writer = otter_output_writer();
    bool has_file = thread->writer && otter_writer_end_writing(writer, thread->location);
    if (thread->writer && !has_file) {
        return false;
    }
    otter_counts_add(&ended, thread);
    otter_counts_add_thread(&ended, thread);
    if (has_file) {
        otter_writer_seal_location(writer, thread->location);
    }
    return true;
}

bool otter_session_end_thread(const struct otter_thread *thread)
{
    struct otter_held_signals held;
    otter_session_lock(&held);
    bool is_ended = end_thread(thread);
    otter_session_unlock(&held);
    return is_ended;
}

enum otter_status otter_session_abandon(const struct otter_thread *thread)
{
    struct otter_held_signals held;
    otter_session_lock(&held);
    enum otter_status status =
        thread->writer ? otter_writer_abandon_location(otter_output_writer(), thread->location)
                       : OTTER_NOT_FOUND;
    otter_session_unlock(&held);
    return status;
}

enum otter_status otter_session_open_location(struct otter_thread *thread)
{
    if (otter_session_is_other_process()) {
        return OTTER_UNSUPPORTED;
    }
    struct otter_held_signals held;
    otter_session_lock(&held);
    // A signal handler that interrupted the thread before it took the lock may have opened its
    // location.
    bool is_unopened = atomic_load(&thread->stop) == OTTER_STOP_UNOPENED;
    enum otter_status status = is_unopened ? open_location(thread) : OTTER_OK;
    otter_session_unlock(&held);
    return status;
}

enum otter_status otter_session_open_output(void)
{
    if (otter_session_is_other_process()) {
        return OTTER_UNSUPPORTED;
    }
    struct otter_held_signals held;
    otter_session_lock(&held);
    enum otter_status status = ensure_output();
    otter_session_unlock(&held);
    return status;
}

uint32_t otter_session_n_locations(void)
{
    return atomic_load(&n_locations);
}

const struct otter_counts *otter_session_ended(void)
{
    return &ended;
}
