// Executes a program in a container that forbids perf events, or only memory for their buffers:
// no_perf [--buffers] PROGRAM [ARGUMENTS].
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int execute(char **argv, struct sock_filter *rules, size_t n)
{
    struct sock_fprog program = {.len = (unsigned short)n, .filter = rules};
    if (!argv[0] || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        return 3;
    }
    execv(argv[0], argv);
    return 3;
}

static int without_events(char **argv)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return execute(argv, rules, sizeof rules / sizeof *rules);
}

// Refuses shared mappings of a page and 16 to 128 KiB, the sizes of such buffers.
static int without_buffers(char **argv)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 8),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[3])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MAP_SHARED, 0, 6),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 4096 + 16 * 1024, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 4096 + 32 * 1024, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 4096 + 64 * 1024, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 4096 + 128 * 1024, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return execute(argv, rules, sizeof rules / sizeof *rules);
}

int main(int argc, char **argv)
{
    bool keeps_events = argc > 1 && strcmp(argv[1], "--buffers") == 0;
    return keeps_events ? without_buffers(argv + 2) : argc > 1 ? without_events(argv + 1) : 3;
}
