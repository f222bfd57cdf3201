// Installs and releases the signal that starts and pauses the recording.
#include "record/control/toggle_signal.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/settings.h"
#include "record/control/wanted.h"

static int taken; // the toggling signal; 0: none. Protected by the session's lock

static void on_signal(int number)
{
    otter_control_toggle();
}

// *Returns* the number of the signal `name`; 0: it is not a signal that programs may use freely.
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

void otter_toggle_signal_attach(void)
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

void otter_toggle_signal_open(void)
{
    const char *name = otter_settings_get("toggle-signal");
    int number = signal_number(name);
    if (taken && taken != number) {
        release_signal();
    }
    if (number == 0 && *name) {
        otter_warning(
            "setting toggle-signal='%s' ignored: it takes USR1, USR2 or a number from %d to %d",
            name, SIGRTMIN, SIGRTMAX);
    } else if (number != 0 && !install_signal(number)) {
        otter_warning("setting toggle-signal='%s' ignored: the program uses this signal itself",
                      name);
    }
}
