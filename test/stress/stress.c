// Plays a connector in a child and verifies the archive that remains.
//
// usage: stress PLAY THREADS SIZE [ROUNDS]
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "play.h"
#include "recording/finish/finish.h"
#include "verify.h"

// Disables leak detection: a recorder's memory is in use as long as the process exists, and a
// forked child loses its address. Leak detection during recording takes minutes.
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static char folder[] = "/tmp/otter-stress-XXXXXX";
static char archive[64], recording[80];

static void remove_all(void)
{
    char command[128];
    snprintf(command, sizeof(command), "rm -rf '%s'/*", folder);
    if (system(command)) {
        perror(folder);
    }
}

static bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

static void be_player(const struct play *play, struct shared *shared, unsigned n_threads,
                      unsigned size)
{
    setenv("OTTER_FOLDER", archive, 1);
    setenv("OTTER_QUIET", "on", 1);
    if (play->when_full) {
        setenv("OTTER_MAX_SIZE", "1500K", 1);
        setenv("OTTER_WHEN_FULL", play->when_full, 1);
    }
    run_play(play, shared, n_threads, size);
    exit(0);
}

// Kills the child after `size` remarks of one player, a little later in each round, so that threads
// are at different places.
static void kill_player(pid_t child, const struct shared *shared, unsigned n_threads, unsigned size)
{
    for (unsigned i = 0; i < n_threads; i++) {
        while (shared->players[i].n_done < (i == 0 ? 1 : size)) {
            sched_yield();
        }
    }
    kill(child, SIGKILL);
}

static bool ended_as_it_must(int status, const struct play *play)
{
    if (play->is_killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
                        : WIFEXITED(status) && WEXITSTATUS(status) == play->exit_status) {
        return true;
    }
    fprintf(stderr, "the player ended with status %#x\n", (unsigned)status);
    return false;
}

static bool finish_killed(void)
{
    struct otter_finish_result result;
    enum otter_status status = otter_finish(recording, archive, &result);
    if (status) {
        fprintf(stderr, "otter_finish: %s\n", otter_status_text(status));
    }
    return status == OTTER_OK;
}

static bool others_can_read_it(void)
{
    char command[256];
    if (system("command -v otf2-print >/dev/null 2>&1")) {
        return true;
    }
    snprintf(command, sizeof(command), "otf2-print --silent -Werror '%s/traces.otf2' >/dev/null",
             archive);
    if (system(command) == 0) {
        return true;
    }
    fprintf(stderr, "otf2-print -Werror refuses the archive\n");
    return false;
}

static bool play_once(const struct play *play, struct shared *shared, unsigned n_threads,
                      unsigned size)
{
    memset(shared, 0, sizeof(*shared));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        be_player(play, shared, n_threads, size);
    }
    if (play->is_killed) {
        kill_player(child, shared, n_threads, size);
    }
    int status = -1;
    waitpid(child, &status, 0);
    if (!ended_as_it_must(status, play)) {
        return false;
    }
    if (play->is_killed && !finish_killed()) {
        return false;
    }
    if (exists(recording)) {
        fprintf(stderr, "the recording was not removed\n");
        return false;
    }
    return others_can_read_it() && verify_archive(archive, play, shared);
}

int main(int n_arguments, char **arguments)
{
    const struct play *play = n_arguments >= 4 ? find_play(arguments[1]) : NULL;
    unsigned n_threads = play ? (unsigned)atoi(arguments[2]) : 0;
    if (n_threads < 2 || n_threads >= MAX_PLAYERS - 1) {
        fprintf(stderr, "usage: stress PLAY THREADS SIZE [ROUNDS]\n");
        return 2;
    }
    unsigned size = (unsigned)atoi(arguments[3]),
             n_rounds = n_arguments > 4 ? (unsigned)atoi(arguments[4]) : 1;
    struct shared *shared =
        mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    snprintf(archive, sizeof(archive), "%s/trace", folder);
    snprintf(recording, sizeof(recording), "%s.recording", archive);
    bool is_good = true;
    for (unsigned i = 0; i < n_rounds && is_good; i++) {
        is_good = play_once(play, shared, n_threads, size + i * (size / 7 + 1));
        if (is_good) {
            remove_all();
        }
    }
    if (is_good) {
        rmdir(folder);
    } else {
        fprintf(stderr, "what remains lies in %s\n", folder);
    }
    return is_good ? 0 : 1;
}
