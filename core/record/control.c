// Starts, pauses, flushes and ends the recording. One number holds the wanted state for all
// threads. `stop`, which each thread reads anyway, reports a change.
#include "record/control.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/lock.h"
#include "base/settings.h"
#include "record/output.h"
#include "record/pause.h"
#include "record/region.h"
#include "record/session.h"
#include "record/region_totals.h"

static _Atomic uint32_t wanted; // enum otter_control_state; 0: not decided yet
static _Atomic uint32_t n_flushes;
static int taken; // the signal that toggles; 0: none. Under the session's lock

static enum otter_control_state initial_state(void)
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
    return now ? (enum otter_control_state)now : initial_state();
}

// A thread that is opening its location looks for changes afterwards.
void otter_threads_request_change(void)
{
    for (struct otter_thread *thread = otter_thread_first(); thread; thread = thread->next) {
        uint32_t go = OTTER_STOP_NONE;
        atomic_compare_exchange_strong(&thread->stop, &go, OTTER_STOP_CHANGE);
    }
}

// Applies the change to the calling thread at once.
static void apply_now(void)
{
    if (atomic_load(&otter_current_thread->stop) == OTTER_STOP_CHANGE) {
        struct otter_thread *thread = otter_record_begin();
        if (thread) {
            otter_record_end(thread);
        }
    }
}

static bool want(enum otter_control_state state)
{
    if (!otter_session_is_live()) {
        return false;
    }
    if (atomic_exchange(&wanted, state) != (uint32_t)state) {
        otter_threads_request_change();
    }
    apply_now();
    return true;
}

bool otter_control_start(void)
{
    return want(OTTER_CONTROL_RECORDING);
}

bool otter_control_pause(void)
{
    return want(OTTER_CONTROL_PAUSED);
}

void otter_control_toggle(void)
{
    if (!otter_session_is_live()) {
        return;
    }
    uint32_t before = atomic_load(&wanted);
    uint32_t after;
    do {
        uint32_t now = before ? before : (uint32_t)initial_state();
        after = now == OTTER_CONTROL_PAUSED ? OTTER_CONTROL_RECORDING : OTTER_CONTROL_PAUSED;
    } while (!atomic_compare_exchange_weak(&wanted, &before, after));
    otter_threads_request_change();
}

bool otter_control_flush(void)
{
    if (!otter_session_is_live()) {
        return false;
    }
    atomic_fetch_add(&n_flushes, 1);
    otter_threads_request_change();
    apply_now();
    return true;
}

bool otter_control_end(void)
{
    bool was_live = otter_session_is_live();
    otter_session_close();
    return was_live;
}

// ---- threads

static void flush(struct otter_thread *thread)
{
    const struct otter_location_writer *writer = thread->writer;
    uint64_t begin = otter_clock_now();
    bool has_written = otter_writer_flush_location(otter_output_writer(), thread->location);
    if (has_written && writer && !thread->is_paused) {
        otter_thread_note_flush(thread, begin, otter_clock_now());
    }
}

void otter_control_apply(struct otter_thread *thread)
{
    uint32_t n = atomic_load(&n_flushes);
    if (thread->n_flushes != n) {
        thread->n_flushes = n;
        flush(thread);
    }
    otter_region_refresh(thread);
    otter_region_totals_begin(thread);
    bool shall_pause = atomic_load(&wanted) == OTTER_CONTROL_PAUSED;
    if (shall_pause && !thread->is_paused) {
        otter_pause_begin(thread);
    } else if (!shall_pause && thread->is_paused) {
        otter_pause_end(thread);
    }
}

// ---- the toggle signal

static void on_signal(int number)
{
    otter_control_toggle();
}

// *Returns* the number of the signal `name`; 0: not a signal that a program may use freely.
static int signal_number(const char *name)
{
    if (strncmp(name, "SIG", 3) == 0) {
        name += 3;
    }
    if (strcmp(name, "USR1") == 0 || strcmp(name, "USR2") == 0) {
        return strcmp(name, "USR1") == 0 ? SIGUSR1 : SIGUSR2;
    }
    char *end = NULL;
    long number = strtol(name, &end, 10);
    return *name && *end == '\0' && number >= SIGRTMIN && number <= SIGRTMAX ? (int)number : 0;
}

// *Returns* false if the program itself uses the signal.
static bool install_signal(int number)
{
    struct sigaction before, ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    if (sigaction(number, NULL, &before) != 0 ||
        (before.sa_handler != SIG_DFL && before.sa_handler != on_signal)) {
        return false;
    }
    sigemptyset(&ours.sa_mask);
    sigaction(number, &ours, NULL);
    taken = number;
    return true;
}

void otter_control_attach(void)
{
    int number = signal_number(otter_settings_get("toggle-signal"));
    if (number != 0) {
        install_signal(number);
    }
}

// Releases a signal that a later setting has replaced.
static void release_signal(void)
{
    struct sigaction now;
    if (sigaction(taken, NULL, &now) == 0 && now.sa_handler == on_signal) {
        signal(taken, SIG_DFL);
    }
}

static void choose_signal(const char *name)
{
    int number = signal_number(name);
    if (taken && taken != number) {
        release_signal();
    }
    if (number == 0 && *name) {
        otter_warn(
            "setting toggle-signal='%s' ignored: it takes USR1, USR2 or a number from %d to %d",
            name, SIGRTMIN, SIGRTMAX);
    } else if (number != 0 && !install_signal(number)) {
        otter_warn("setting toggle-signal='%s' ignored: the program uses this signal itself", name);
    }
}

void otter_control_open(void)
{
    uint32_t nobody = 0;
    atomic_compare_exchange_strong(&wanted, &nobody, initial_state());
    choose_signal(otter_settings_get("toggle-signal"));
}
