// A program for the tests of `otter record`. Its first argument selects its behaviour.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static int print_environment(void)
{
    for (char **entry = environ; *entry; entry++) {
        puts(*entry);
    }
    return 0;
}

static int copy_input(void)
{
    char buffer[4096];
    for (ssize_t n; (n = read(STDIN_FILENO, buffer, sizeof buffer)) > 0;) {
        if (write(STDOUT_FILENO, buffer, (size_t)n) != n) {
            return 1;
        }
    }
    fputs("said on standard error\n", stderr);
    return 0;
}

// Prints the signals' state at the start: "blocked 10", "ignored 13", ...
static int print_signals(void)
{
    sigset_t mask;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    for (int number = 1; number < 32; number++) {
        struct sigaction action;
        if (sigismember(&mask, number) == 1) {
            printf("blocked %d\n", number);
        }
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN) {
            printf("ignored %d\n", number);
        }
    }
    return 0;
}

// Prints "ready", then the number of each signal that arrives. Ends after SIGTERM with status 42.
static int wait_for_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGTSTP);
    sigprocmask(SIG_SETMASK, &all, NULL);
    printf("ready %d\n", (int)getpid());
    for (;;) {
        fflush(stdout);
        siginfo_t info;
        int number = sigwaitinfo(&all, &info);
        if (number > 0) {
            printf("signal %d\n", number);
        }
        if (number == SIGTERM) {
            return 42;
        }
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "exit";
    int number = argc > 2 ? atoi(argv[2]) : 0;
    if (strcmp(what, "exit") == 0) {
        return number;
    }
    if (strcmp(what, "raise") == 0) {
        raise(number);
        return 99;
    }
    if (strcmp(what, "arguments") == 0) {
        for (int i = 2; i < argc; i++) {
            puts(argv[i]);
        }
        return 0;
    }
    return strcmp(what, "environment") == 0 ? print_environment()
           : strcmp(what, "copy") == 0      ? copy_input()
           : strcmp(what, "signals") == 0   ? print_signals()
           : strcmp(what, "wait") == 0      ? wait_for_signals()
                                            : 98;
}
