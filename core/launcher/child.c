// Starts the recorded program, passes signals on to it and waits for its end.
#include "launcher/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recording/command_line.h"

// The signals that otter forwards to the program. The terminal sends its own signals to the whole
// process group, except for SIGHUP: perhaps only the session leader gets it.
static const int forwarded[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1,
                                SIGUSR2, SIGALRM, SIGXCPU, SIGTSTP};

// The signal state with which otter was started; the program starts with the same state.
struct inheritance {
    pid_t otter;
    sigset_t mask;
    struct sigaction on_child;
    // the parent writes how it observes the child; -1: the child does not wait
    int start[2];
};

enum observation { UNOBSERVED = 0, OBSERVED, OBSERVED_WITHOUT_SAMPLES };

// The parent's message to the child, which is short enough to be written to a pipe at once.
struct start {
    char observation;
    char counters[OTTER_COUNTERS_SIZE];
};

static void block_signals(sigset_t *waited_for, struct inheritance *inheritance)
{
    sigemptyset(waited_for);
    sigaddset(waited_for, SIGCHLD);
    sigaddset(waited_for, SIGCONT);
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++) {
        sigaddset(waited_for, forwarded[i]);
    }
    // A process that ignores SIGCHLD cannot wait for a child.
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &by_default, &inheritance->on_child);
    sigprocmask(SIG_BLOCK, waited_for, &inheritance->mask);
}

// Makes the kernel kill this process if otter is killed. The setting survives exec, except into a
// set-user-ID program; children of this process do not inherit it. If otter has ended already, this
// process ends immediately.
static void end_with(pid_t otter)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != otter) {
        raise(SIGKILL);
    }
}

// Waits until the parent observes this process or has given up.
static void wait_for_observer(const struct inheritance *inheritance)
{
    struct start start = {.observation = UNOBSERVED};
    while (inheritance->start[0] >= 0 && read(inheritance->start[0], &start, sizeof start) < 0 &&
           errno == EINTR) {
    }
    if (start.observation == UNOBSERVED) {
        setenv("OTTER_SWITCHES", "off", 1); // so that the recorder does not wait for switches
    }
    if (start.observation != OBSERVED) {
        setenv("OTTER_SAMPLE", "0", 1);
    }
    if (getenv("OTTER_COUNTERS")) {
        setenv("OTTER_COUNTERS", start.counters, 1);
    }
}

// Runs in the child. Writes the errno of a failed exec to the pipe; a successful exec closes the
// pipe.
static void become_program(char **argv, const struct inheritance *inheritance, int report)
{
    sigaction(SIGCHLD, &inheritance->on_child, NULL);
    sigprocmask(SIG_SETMASK, &inheritance->mask, NULL);
    end_with(inheritance->otter);
    wait_for_observer(inheritance);
    otter_command_line_pass(argv);
    execvp(argv[0], argv);
    int error = errno;
    while (write(report, &error, sizeof error) < 0 && errno == EINTR) {
    }
    _exit(127);
}

// The events of each processor need a descriptor. libdw needs more stack than the program may have.
static void raise_own_limits(void)
{
    static const int raised[] = {RLIMIT_NOFILE, RLIMIT_STACK};
    struct rlimit limit;
    for (size_t i = 0; i < sizeof raised / sizeof *raised; i++) {
        if (getrlimit(raised[i], &limit) == 0) {
            limit.rlim_cur = limit.rlim_max;
            setrlimit(raised[i], &limit);
        }
    }
}

static int read_error(int report)
{
    int error = 0;
    ssize_t n;
    do {
        n = read(report, &error, sizeof error);
    } while (n < 0 && errno == EINTR);
    return n == sizeof error ? error : 0;
}

static bool is_job_control(int number)
{
    return number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

// Stops otter too when the terminal has stopped the program, so that the shell notices. WNOWAIT
// leaves the program's stop for continue_program, which then knows whether the program is still
// stopped.
static void stop_with_program(pid_t pid)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG | WNOWAIT) != 0 || info.si_pid != pid) {
        return;
    }
    if (is_job_control(info.si_status)) {
        kill(getpid(), SIGSTOP);
    } else {
        waitid(P_PID, (id_t)pid, &info,
               WSTOPPED | WNOHANG); // the SIGSTOP reached only the program
    }
}

static void continue_program(pid_t pid)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid == pid) {
        kill(pid, SIGCONT);
    }
}

static bool has_ended(pid_t pid, struct otter_child *child)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG) != 0) {
        return errno != EINTR;
    }
    if (info.si_pid != pid) {
        return false;
    }
    if (info.si_code == CLD_EXITED) {
        child->exit_status = info.si_status;
    } else {
        child->signal = info.si_status;
    }
    return true;
}

static void forward(pid_t pid, const siginfo_t *info)
{
    bool from_terminal = info->si_code == SI_KERNEL && info->si_signo != SIGHUP;
    if (!from_terminal) {
        kill(pid, info->si_signo);
    }
}

static void wait_for_end(const sigset_t *waited_for, struct otter_child *child,
                         struct otter_observer *observer)
{
    while (!has_ended(child->pid, child)) {
        siginfo_t info;
        if (observer) {
            otter_observer_wait(observer, waited_for);
        }
        int number = sigwaitinfo(waited_for, &info);
        if (number == SIGCHLD) {
            stop_with_program(child->pid);
        } else if (number == SIGCONT) {
            continue_program(child->pid);
        } else if (number > 0) {
            forward(child->pid, &info);
        }
    }
}

// Starts observing the child, which waits for the result.
static void begin_to_observe(struct otter_observer *observer, struct otter_child *child,
                             const struct inheritance *inheritance)
{
    struct start start = {0};
    child->observer_error =
        otter_observer_begin(observer, child->pid, &child->sample_error, start.counters);
    start.observation = child->observer_error ? UNOBSERVED
                        : child->sample_error ? OBSERVED_WITHOUT_SAMPLES
                                              : OBSERVED;
    while (write(inheritance->start[1], &start, sizeof start) < 0 && errno == EINTR) {
    }
}

static void close_start(const struct inheritance *inheritance)
{
    if (inheritance->start[0] >= 0) {
        close(inheritance->start[0]);
        close(inheritance->start[1]);
    }
}

bool otter_child_run(char **argv, struct otter_observer *observer, struct otter_child *child)
{
    *child = (struct otter_child){0};
    sigset_t waited_for;
    struct inheritance inheritance = {.otter = getpid(), .start = {-1, -1}};
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) {
        child->error = errno;
        return false;
    }
    if (observer && pipe2(inheritance.start, O_CLOEXEC) != 0) {
        observer = NULL;
    }
    block_signals(&waited_for, &inheritance);
    child->pid = fork();
    if (child->pid == 0) {
        become_program(argv, &inheritance, report[1]);
    }
    int error = errno;
    raise_own_limits();
    close(report[1]);
    if (child->pid < 0) {
        child->error = error;
        close(report[0]);
        close_start(&inheritance);
        return false;
    }
    if (observer) {
        begin_to_observe(observer, child, &inheritance);
    }
    close_start(&inheritance);
    child->error = read_error(report[0]);
    close(report[0]);
    child->is_started = child->error == 0;
    wait_for_end(&waited_for, child, observer);
    return true;
}
