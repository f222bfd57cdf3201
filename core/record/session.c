// The session: connectors attach and detach, the output opens, the last connector closes it.
#include "record/session.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/arguments.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/print.h"
#include "base/settings.h"
#include "record/control.h"
#include "record/host.h"
#include "record/launcher.h"
#include "record/output.h"
#include "record/thread.h"
#include "record/region_totals.h"
#include "recording/journal.h"
#include "trace/schema.h"

enum { MAX_TEXT = 8000 };

enum state {
    STATE_UNUSED = 0, // no connector has attached
    STATE_ATTACHED,   // nothing is recorded
    STATE_OPEN,
    STATE_FAILED, // no output can be made
    STATE_CLOSED,
};

struct description {
    char *name, *value;
    struct description *next;
};

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; // protects all below, and the opening of locations
static pthread_mutex_t closing = PTHREAD_MUTEX_INITIALIZER;
static _Atomic enum state state;
static unsigned n_attached;
static char connectors[128];
static struct description *descriptions; // described before the output was open
static struct otter_clock_reading start;
static _Atomic uint32_t n_locations;
static bool has_warned_of_locations; // that there are too many
static _Atomic uint64_t n_lost;
static struct otter_counts ended; // of threads that have ended
static bool is_archive_complete;  // or in progress, or failed
static atomic_bool is_over;       // closed, and no thread works on it any more
static pid_t owner;               // the process that records

bool otter_session_is_live(void)
{
    enum state now = atomic_load(&state);
    return now == STATE_ATTACHED || now == STATE_OPEN;
}

void otter_session_count_lost(uint64_t n)
{
    atomic_fetch_add(&n_lost, n);
}

// ---- descriptions of the run

// Caller holds `lock`.
static void journal_description(const char *name, const char *value)
{
    static char encoded[MAX_TEXT];
    otter_output_define("describe %s %s", name,
                        otter_journal_encode(value, encoded, sizeof(encoded)));
}

// Caller holds `lock`.
static void describe(const char *name, const char *value)
{
    if (otter_output_journal()) {
        journal_description(name, value);
        return;
    }
    for (struct description *at = descriptions; at; at = at->next) {
        if (strcmp(at->name, name) == 0) {
            char *later = strdup(value);
            if (later) {
                free(at->value);
                at->value = later;
            }
            return;
        }
    }
    struct description *description = calloc(1, sizeof(*description));
    char *name_copy = strdup(name), *value_copy = strdup(value);
    if (!description || !name_copy || !value_copy) {
        free(description);
        free(name_copy);
        free(value_copy);
        return;
    }
    *description =
        (struct description){.name = name_copy, .value = value_copy, .next = descriptions};
    descriptions = description;
}

void otter_describe(const char *name, const char *value)
{
    if (atomic_load(&state) == STATE_CLOSED) {
        return;
    }
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    describe(name, value);
    otter_unlock(&lock, &held);
}

static void upper_case(char *to, size_t size, const char *prefix, const char *name)
{
    size_t n = (size_t)snprintf(to, size, "%s", prefix);
    for (; *name && n + 1 < size; name++) {
        char c = *name;
        to[n++] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c == '-' ? '_' : c;
    }
    to[n] = '\0';
}

void otter_describe_callback(const char *callback, const char *granted)
{
    char name[96];
    upper_case(name, sizeof(name), "CALLBACK::", callback);
    otter_describe(name, granted);
}

static void describe_settings(void)
{
    size_t n;
    const struct otter_setting *table = otter_settings_table(&n);
    for (size_t i = 0; i < n; i++) {
        char name[96];
        upper_case(name, sizeof(name), "SETTING::", table[i].name);
        describe(name, otter_settings_get(table[i].name));
    }
}

const char *otter_setting(const char *name)
{
    return otter_settings_get(name);
}

// Caller holds `lock`.
static void read_arguments(size_t n, char *const *tokens)
{
    bool is_open = atomic_load(&state) == STATE_OPEN;
    bool is_changed = otter_arguments_take(
        n, tokens, is_open ? OTTER_SETTING_UNTIL_END : OTTER_SETTING_UNTIL_OPEN);
    otter_log_set_quiet(otter_settings_get_bool("quiet"));
    otter_arguments_doubt(n, tokens);
    if (is_open && is_changed) {
        describe_settings();
    }
}

void otter_arguments(size_t n, char *const *tokens)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    if (otter_session_is_live()) {
        read_arguments(n, tokens);
    }
    otter_unlock(&lock, &held);
}

void otter_print_settings(void)
{
    size_t n;
    const struct otter_setting *table = otter_settings_table(&n);
    otter_print(stdout,
                "Otter settings, as name=value or --name=value (default in parentheses):\n");
    for (size_t i = 0; i < n; i++) {
        otter_print(stdout, "  %-20s %s (%s)\n", table[i].name, table[i].help,
                    table[i].default_value);
    }
}

void otter_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    otter_vwarning(format, arguments);
    va_end(arguments);
}

// A forked child records nothing and changes no file of its parent.
static void in_child(void)
{
    atomic_store(&state, STATE_CLOSED);
    otter_output_forget();
    otter_file_forget();
    otter_thread_ignore_current();
    pthread_mutex_init(&lock, NULL); // another thread of the parent may have held them
    pthread_mutex_init(&closing, NULL);
}

// A child made without the C library (_Fork, clone) is detected here.
static bool is_other_process(void)
{
    if (getpid() == owner) {
        return false;
    }
    in_child();
    return true;
}

// *Returns* true if nothing was begun, all is over, or the session is a parent's.
static bool has_nothing_to_end(void)
{
    return atomic_load(&is_over) || atomic_load(&state) == STATE_UNUSED || is_other_process();
}

// ---- opening. Caller holds `lock`

// Begins with the lines that every archive needs: a copy of the journal may end early.
static void write_head(void)
{
    otter_output_define("otter %d", OTTER_SCHEMA_VERSION);
    otter_output_define("clock %s", otter_clock_uses_counter() ? "tsc" : "monotonic");
    otter_output_define("start %" PRIu64 " %" PRIu64 " %" PRIu64, start.ticks, start.monotonic_ns,
                        start.realtime_ns);
    otter_output_define_files();
    otter_host_describe(describe);
    for (const struct description *at = descriptions; at; at = at->next) {
        journal_description(at->name, at->value);
    }
    describe("CONNECTORS", connectors);
    describe_settings();
}

static void complain_of_otf2(void)
{
    otter_warning(
        "cannot record with this OTF2: it writes events in another layout than "
        "OTF2 " OTTER_KNOWN_OTF2 ", which alone Otter knows (Otter was built with "
        "OTF2 %s); the program runs on, nothing is recorded (build Otter with OTF2 " OTTER_KNOWN_OTF2
        ": meson setup -Dotf2=bundled)",
        otter_writer_otf2_version());
    otter_launcher_report("failed", "%s", otter_status_text(OTTER_UNKNOWN_OTF2));
}

static void complain_of_output(enum otter_status status)
{
    const char *setting = *otter_settings_get("folder") ? "folder" : "trace-path";
    if (status == OTTER_NAME_TOO_LONG && strlen(otter_settings_get("trace-name")) > NAME_MAX / 2) {
        setting = "trace-name";
    }
    const char *advice = "choose another folder with ";
    switch (status) {
    case OTTER_NAME_TOO_LONG: advice = "choose a shorter name with "; break;
    case OTTER_MASKED: advice = "umask 022 leaves the owner all rights"; break;
    case OTTER_NO_FILES: advice = "ulimit -n allows more"; break;
    case OTTER_NO_MEMORY: advice = "ulimit -v may allow more"; break;
    default: break;
    }
    bool names_setting = advice[strlen(advice) - 1] == ' ';
    otter_warning(
        "cannot make the archive '%s': %s; the program runs on, nothing is recorded (%s%s)",
        otter_output_folder(), otter_status_text(status), advice, names_setting ? setting : "");
    otter_launcher_report("failed", "%s: %s", otter_output_folder(), otter_status_text(status));
}

static enum otter_status ensure_output(void)
{
    if (atomic_load(&state) == STATE_OPEN) {
        return OTTER_OK;
    }
    if (atomic_load(&state) != STATE_ATTACHED) {
        return OTTER_UNSUPPORTED;
    }
    enum otter_status status = otter_output_open(write_head);
    if (status) {
        if (status == OTTER_UNKNOWN_OTF2) {
            complain_of_otf2();
        } else {
            complain_of_output(status);
        }
        atomic_store(&state, STATE_FAILED);
        return OTTER_UNSUPPORTED;
    }
    otter_launcher_report("opened", "%s", otter_output_recording());
    otter_control_open();
    atomic_store(&state, STATE_OPEN);
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
            otter_warning("more than %d threads have come; what further ones do is counted as lost",
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

void otter_counts_add(struct otter_counts *to, const struct otter_thread *thread)
{
    to->n_tasks += otter_thread_n_created(thread);
    to->n_unrecorded += thread->n_unrecorded;
    // A failure is a loss even without a later event.
    bool has_failed = atomic_load(&thread->has_failed) && !otter_output_is_full();
    to->n_lost += thread->n_lost == 0 && has_failed ? 1 : thread->n_lost;
    to->n_lost += thread->n_lost_in_handlers;
    to->n_lost_in_handlers += thread->n_lost_in_handlers;
    to->n_repaired += thread->n_repaired;
    to->n_unbegun += thread->n_unbegun;
    to->n_unfinished += thread->n_unfinished;
}

// Ends a thread. A file that cannot be sealed now is tried again when the session ends. Caller
// holds `lock`.
static bool end_thread(const struct otter_thread *thread)
{
    struct otter_writer *writer = otter_output_writer();
    bool has_file = thread->writer && otter_writer_end_writing(writer, thread->location);
    if (thread->writer && !has_file) {
        return false;
    }
    otter_counts_add(&ended, thread);
    if (has_file) {
        otter_writer_seal_location(writer, thread->location);
    }
    return true;
}

bool otter_session_end_thread(const struct otter_thread *thread)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    bool is_ended = end_thread(thread);
    otter_unlock(&lock, &held);
    return is_ended;
}

enum otter_status otter_session_abandon(const struct otter_thread *thread)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    enum otter_status status =
        thread->writer ? otter_writer_abandon_location(otter_output_writer(), thread->location)
                       : OTTER_NOT_FOUND;
    otter_unlock(&lock, &held);
    return status;
}

enum otter_status otter_session_open_location(struct otter_thread *thread)
{
    if (is_other_process()) {
        return OTTER_UNSUPPORTED;
    }
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    // A signal handler that interrupted the thread before the lock may have opened its location.
    bool is_unopened = atomic_load(&thread->stop) == OTTER_STOP_UNOPENED;
    enum otter_status status = is_unopened ? open_location(thread) : OTTER_OK;
    otter_unlock(&lock, &held);
    return status;
}

enum otter_status otter_session_open_output(void)
{
    if (is_other_process()) {
        return OTTER_UNSUPPORTED;
    }
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    enum otter_status status = ensure_output();
    otter_unlock(&lock, &held);
    return status;
}

struct otter_clock_reading otter_session_start(void)
{
    return start;
}

bool otter_session_is_ours(void)
{
    return owner == getpid();
}

uint32_t otter_session_n_locations(void)
{
    return atomic_load(&n_locations);
}

// ---- attach, detach, close

// If the program exits while other threads run, a runtime shuts down beneath them. They crash if
// the process does not end at once. So the archive is completed before, without the rest of the
// exit.
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
            "this processor has no counter of constant rate; clock=monotonic is used instead of clock=tsc");
    }
}

static void start_session(void)
{
    owner = getpid();
    atomic_store(&state, STATE_CLOSED);
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
    start = otter_clock_read();
    pthread_atfork(NULL, NULL, in_child);
    atexit(at_exit);
    atomic_store(&state, STATE_ATTACHED);
    otter_control_attach();
}

// A connector may attach again. Caller holds `lock`.
static void add_connector(const char *connector)
{
    n_attached++;
    if (!strstr(connectors, connector)) {
        size_t n = strlen(connectors);
        snprintf(connectors + n, sizeof(connectors) - n, "%s%s", n ? " " : "", connector);
        describe("CONNECTORS", connectors);
    }
    otter_launcher_report("attached", "%s", connector);
}

// Warns of a runtime that begins after all earlier ones have ended. Caller holds `lock`.
static void warn_of_latecomer(const char *connector)
{
    static bool has_warned;
    if (is_archive_complete && !has_warned && getpid() == owner) {
        otter_warning(
            "the archive is complete; what the runtime of connector '%s' does from now on is not "
            "recorded",
            connector);
        has_warned = true;
    }
}

bool otter_attach(const char *connector)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    if (atomic_load(&state) == STATE_UNUSED) {
        start_session();
    }
    bool is_live = otter_session_is_live();
    if (is_live) {
        add_connector(connector);
    } else {
        warn_of_latecomer(connector);
    }
    otter_unlock(&lock, &held);
    return is_live;
}

bool otter_has_attached(const char *connector)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    bool is_known = strstr(connectors, connector) != NULL;
    otter_unlock(&lock, &held);
    return is_known;
}

// Closes the session unless it is closed. A forked child finds it closed as well, and does not wait
// for a lock of its parent's threads.
static void close_once(void)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    enum state was = atomic_exchange(&state, STATE_CLOSED);
    otter_unlock(&lock, &held);
    if (was == STATE_ATTACHED) {
        otter_close_unopened(atomic_load(&n_lost));
    }
    if (was != STATE_OPEN) {
        return;
    }
    is_archive_complete = true;
    otter_close(&ended, atomic_load(&n_lost));
}

void otter_session_close(void)
{
    if (has_nothing_to_end()) {
        return;
    }
    struct otter_held_signals held;
    otter_lock(&closing, &held); // a second caller waits: the process may end when it returns
    close_once();
    otter_unlock(&closing, &held);
    atomic_store(&is_over, true);
}

void otter_discard(void)
{
    if (has_nothing_to_end()) {
        return;
    }
    struct otter_held_signals held_close, held;
    otter_lock(&closing, &held_close);
    otter_lock(&lock, &held);
    enum state was = atomic_exchange(&state, STATE_CLOSED);
    otter_unlock(&lock, &held);
    if (was == STATE_OPEN) {
        otter_close_unwanted(n_locations);
    }
    if (was == STATE_OPEN || was == STATE_ATTACHED) {
        otter_launcher_report("unwanted", "%s", "");
    }
    otter_unlock(&closing, &held_close);
}

// Returns at once when all is over: the calling runtime may have freed data that its threads still
// use.
void otter_detach(const char *connector)
{
    if (has_nothing_to_end()) {
        return;
    }
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    bool is_last = n_attached > 0 && --n_attached == 0;
    otter_unlock(&lock, &held);
    if (is_last) {
        otter_session_close();
    }
}

// The last resort, for runtimes that never report their end and for exit() inside a region.
static void after_destructors(int status, void *unused)
{
    otter_session_close();
}

// glibc orders destructors by dependences and loads, and knows no dependence on a library that is
// never unloaded. So a runtime loaded later may end after this destructor. exit() calls functions
// registered here after all destructors.
__attribute__((destructor)) static void on_unload(void)
{
    if (!has_nothing_to_end() && on_exit(after_destructors, NULL) != 0) {
        otter_session_close();
    }
}
