// The session, to which connectors attach; the last one that detaches closes it.
#include "record/session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/log.h"
#include "base/settings.h"
#include "otter/record.h"
#include "record/close.h"
#include "record/control/toggle_signal.h"
#include "record/entry/describe.h"
#include "record/entry/opening.h"
#include "record/process/host.h"
#include "record/process/launcher.h"
#include "record/process/processor_time.h"
#include "record/process/state.h"
#include "record/thread/region.h"
#include "record/thread/thread.h"

static unsigned n_attached;
static bool is_archive_complete; // true as soon as it is being completed, even if that fails
static atomic_bool is_over;      // closed, and no thread works on it any longer

// *Returns* true if no session was begun, it is over, or it belongs to a parent process.
static bool has_nothing_to_end(void)
{
    return atomic_load(&is_over) || otter_session_state() == OTTER_SESSION_UNUSED ||
           otter_session_is_other_process();
}

// If the program exits while other threads run, the runtime shuts down although these threads still
// use it. They crash unless the process ends immediately. So the archive is completed before the
// exit continues (quirk 'exit beside').
static void at_exit(void)
{
    if (otter_thread_others_run()) {
        otter_session_close();
    }
}

static void choose_clock(void)
{
    const char *clock = otter_settings_get("clock");
    bool must_count = strcmp(clock, "tsc") == 0;
    otter_clock_use_counter(must_count ||
                            (strcmp(clock, "auto") == 0 && otter_clock_counter_is_trusted()));
    if (must_count && !otter_clock_uses_counter()) {
        otter_warning(
            "this processor has no timestamp counter with a constant rate; clock=monotonic is "
            "used instead of clock=tsc");
    }
}

static void start_session(void)
{
    otter_session_note_owner();
    otter_session_set_state(OTTER_SESSION_CLOSED);
    if (getauxval(AT_SECURE)) { // a setuid program must not trust its environment
        return;
    }
    otter_host_note_start();
    otter_settings_load();
    otter_launcher_read_arguments();
    otter_log_set_quiet(otter_settings_get_bool("quiet"));
    if (!otter_settings_get_bool("enabled")) {
        return;
    }
    choose_clock();
    otter_session_note_start();
    otter_processor_time_note();
    otter_thread_end_at_exit(otter_thread_end);
    pthread_atfork(NULL, NULL, otter_session_forget);
    atexit(at_exit);
    otter_session_set_state(OTTER_SESSION_ATTACHED);
    otter_toggle_signal_attach();
}

// A setting with the name of a connector switches the connector off.
static bool is_wanted(const char *connector)
{
    return !otter_settings_find(connector) || otter_settings_get_bool(connector);
}

// Counts a connector, which may have been attached before. Caller holds the session's lock.
static void add_connector(const char *connector)
{
    n_attached++;
    otter_describe_connector(connector);
    otter_launcher_report("attached", "%s", connector);
}

// Warns of a runtime that begins after all earlier ones have ended. Caller holds the session's
// lock.
static void warn_of_latecomer(const char *connector)
{
    static bool has_warned;
    if (is_archive_complete && !has_warned && otter_session_is_ours()) {
        otter_warning("the archive is complete; later events from connector '%s' are not recorded",
                      connector);
        has_warned = true;
    }
}

bool otter_attach(const char *connector)
{
    struct otter_held_signals held;
    otter_session_lock(&held);
    if (otter_session_state() == OTTER_SESSION_UNUSED) {
        start_session();
    }
    bool is_live = otter_session_is_live();
    bool is_attached = is_live && is_wanted(connector);
    if (is_attached) {
        add_connector(connector);
    } else if (!is_live) {
        warn_of_latecomer(connector);
    }
    otter_session_unlock(&held);
    return is_attached;
}

// Closes the session unless it is closed. In a forked child it counts as closed, so the child does
// not wait for a lock that a thread of its parent held.
static void close_once(void)
{
    struct otter_held_signals held;
    otter_session_lock(&held);
    enum otter_session_state was = otter_session_set_state(OTTER_SESSION_CLOSED);
    otter_session_unlock(&held);
    if (was == OTTER_SESSION_ATTACHED) {
        otter_close_unopened(otter_session_n_lost());
    }
    if (was != OTTER_SESSION_OPEN) {
        return;
    }
    if (otter_settings_get_size("sample") > 0) {
        otter_region_complete();
    }
    is_archive_complete = true;
    otter_close();
}

void otter_session_close(void)
{
    if (has_nothing_to_end()) {
        return;
    }
    struct otter_held_signals held;
    otter_session_lock_closing(&held); // a second caller waits: the process may end when it returns
    close_once();
    otter_session_unlock_closing(&held);
    atomic_store(&is_over, true);
}

void otter_begin_processor_time(void)
{
    struct otter_held_signals held;
    otter_session_lock(&held);
    if (otter_session_is_live()) {
        otter_processor_time_note();
    }
    otter_session_unlock(&held);
}

void otter_discard(void)
{
    if (has_nothing_to_end()) {
        return;
    }
    struct otter_held_signals held_close, held;
    otter_session_lock_closing(&held_close);
    otter_session_lock(&held);
    enum otter_session_state was = otter_session_set_state(OTTER_SESSION_CLOSED);
    otter_session_unlock(&held);
    if (was == OTTER_SESSION_OPEN) {
        otter_close_unwanted();
    }
    if (was == OTTER_SESSION_OPEN || was == OTTER_SESSION_ATTACHED) {
        otter_launcher_report("unwanted", "%s", "");
    }
    otter_session_unlock_closing(&held_close);
}

// Returns immediately if the session is over, since the calling runtime may have freed data that
// its threads still use.
void otter_detach(const char *connector)
{
    if (has_nothing_to_end()) {
        return;
    }
    struct otter_held_signals held;
    otter_session_lock(&held);
    bool is_last = n_attached > 0 && --n_attached == 0;
    otter_session_unlock(&held);
    if (is_last) {
        otter_session_close();
    }
}

// The last resort, for runtimes that never report their end and for exit() inside a region.
static void after_destructors(int status, void *unused)
{
    otter_session_close();
}

// glibc orders destructors by dependences and load order, but ignores dependences on a library that
// is never unloaded. So a runtime loaded later may end after this destructor. exit() calls
// functions registered here after all destructors.
__attribute__((destructor)) static void on_unload(void)
{
    if (!has_nothing_to_end() && on_exit(after_destructors, NULL) != 0) {
        otter_session_close();
    }
}
