// Runs a program under a filter that refuses a system call, as containers do.
//
// usage: refuse CALL PROGRAM [ARGUMENT...]
//
// CALL is madvise, membarrier, mremap, fallocate, or "shared": shared mappings of files.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int number_of(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } calls[] = {
        {"madvise", SYS_madvise},     {"membarrier", SYS_membarrier}, {"mremap", SYS_mremap},
        {"fallocate", SYS_fallocate}, {"shared", SYS_mmap},
    };
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (strcmp(calls[i].name, name) == 0) {
            return calls[i].number;
        }
    }
    return -1;
}

// Refuses the call with any arguments, or mmap with these flags (argument 3).
static int refuse(const char *name, int number)
{
    unsigned flags = strcmp(name, "shared") == 0 ? MAP_SHARED : 0;
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[3])),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, flags),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, flags, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof(code) / sizeof(code[0]), .filter = code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int n_arguments, char **arguments)
{
    int number = n_arguments > 2 ? number_of(arguments[1]) : -1;
    if (number < 0) {
        fprintf(stderr, "usage: refuse CALL PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    if (refuse(arguments[1], number)) {
        perror("seccomp");
        return 77;
    }
    execv(arguments[2], arguments + 2);
    perror(arguments[2]);
    return 2;
}
