// The program whose recording is disturbed. It has several thousand tasks and more than a chunk of
// events for each thread, so that files grow during the run.
//
// usage: program [TASKS [DISTURBANCE [FOLDER]]]
//
// The disturbance happens in the middle:
// - lost: FOLDER, which contains the recording, is removed
// - files: all descriptors are used up
// - filled: the disk of FOLDER is full
// - rights: the program drops root's rights
// - killed: the program kills itself at its end
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_ROUNDS = 4, NOBODY = 65534 };

static int n_tasks = 1300;

static long work(int round)
{
    long sum = 0;
#pragma omp parallel for
    for (int i = 0; i < n_tasks; i++) {
#pragma omp task firstprivate(i) shared(sum)
        {
#pragma omp critical
            sum += i % (round + 2);
        }
    }
    return sum;
}

static void fill(const char *folder)
{
    static char bytes[1 << 20];
    char path[512];
    snprintf(path, sizeof(path), "%s/filling", folder);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (char)rand(); // incompressible
    }
    sync(); // assigns disk blocks to all data
    for (size_t size = sizeof(bytes); size >= 512; size /= 2) {
        while (write(file, bytes, size) > 0) {
        }
    }
    fsync(file);
    close(file);
}

static void disturb(const char *how, const char *folder)
{
    char command[512];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    if (strcmp(how, "lost") == 0 && system(command)) {
        exit(1);
    }
    if (strcmp(how, "filled") == 0) {
        fill(folder);
    }
    if (strcmp(how, "rights") == 0 && setuid(NOBODY)) {
        exit(1);
    }
    while (strcmp(how, "files") == 0 && open("/dev/null", O_RDONLY) >= 0) {
    }
}

int main(int n_arguments, char **arguments)
{
    n_tasks = n_arguments > 1 ? atoi(arguments[1]) : n_tasks;
    const char *how = n_arguments > 2 ? arguments[2] : "";
    for (int round = 0; round < N_ROUNDS; round++) {
        if (round == N_ROUNDS / 2) {
            disturb(how, n_arguments > 3 ? arguments[3] : "");
        }
        printf("round %d: %ld\n", round, work(round));
    }
    if (strcmp(how, "killed") == 0) {
        fflush(stdout);
        raise(SIGKILL);
    }
    return 7;
}
