// Removes unfinished outputs when a signal ends the command.
#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "base/log.h"
#include "base/output/unfinished.h"

static void remove_outputs(int number)
{
    otter_unfinished_remove();
    signal(number, SIG_DFL);
    raise(number); // the signal is blocked here, and ends the command on return
}

// A command in the background ignores some signals and must keep ignoring them.
static void handle(int number)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_DFL) {
        action = (struct sigaction){.sa_handler = remove_outputs, .sa_flags = SA_RESTART};
        sigfillset(&action.sa_mask);
        sigaction(number, &action, NULL);
    }
}

// The mapped debug information of a module may become unreadable.
static void on_bus_error(int number)
{
    otter_unfinished_remove();
    otter_error_prepared();
    _exit(1);
}

void otter_signals_begin(void)
{
    otter_unfinished_each_signal(handle);
    otter_error_prepare("a file changed, or could no longer be read, while Otter was reading it");
    signal(SIGBUS, on_bus_error);
    signal(SIGXFSZ, SIG_IGN);
}
