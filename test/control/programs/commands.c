// Every command in every state. Prints `state command result`; also compiled as C++.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <omp.h>

#include "otter/control.h"

static const int commands[] = {1,  1, 2, 2,  1,  3,    64, 65,      66,
                               67, 0, 5, 63, 68, 1000, -1, INT_MAX, INT_MIN};

static void say(const char *state, int command, int modifier, void *arg)
{
    printf("%s %d %d\n", state, command, omp_control_tool(command, modifier, arg));
}

// All commands but `end`; the last one restores the state: recording or paused, as `state` says.
static void say_all(const char *state, int last)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        say(state, commands[i], 7, NULL);
    }
    say(state, last, 0, NULL);
}

int main(void)
{
    static char name[] = "a name", text[] = "a text";
    char path[4096];
    say_all("before", 67);
#pragma omp parallel
    {
    }
    say_all("recording", 1);
    say("recording", 64, 0, name);
    say("recording", 66, 0, text);
    say("recording", 65, 0, NULL);
    say("recording", 2, 12345,
        (void *)8); // only the number of a standard command matters
    say("recording", 1, -1, (void *)8);
    say("recording", 2, 0, NULL);
    say("paused", 2, 0, NULL);
    say("paused", 3, 0, NULL);
    say("paused", 64, 0, name);
    say("paused", 66, 0, text);
    say("paused", 65, 0, NULL);
    say("paused", 67, 0, NULL);
    say("paused", 68, 0, NULL);
    say("paused", 1, 0, NULL);
#pragma omp parallel
    otter_query();
    say("recording", 4, 99, (void *)8);
    snprintf(path, sizeof(path), "%s/traces.otf2",
             getenv("OTTER_FOLDER") ? getenv("OTTER_FOLDER") : ".");
    printf("complete %d\n", access(path, R_OK) == 0);
    say_all("ended", 4);
#pragma omp parallel
    say("ended", 67, 0, NULL);
    return 0;
}
