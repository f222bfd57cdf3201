// Makes calls of Otter's libraries to the C library fail. It is preloaded. Calls of the program and
// of other libraries are unchanged.
//
//     FAULT_CALL=pwrite  the kind of call (see `names`)
//     FAULT_AT=3         the first failing call, counted from 1 over all threads
//     FAULT_LASTING=1    later calls fail as well
//     FAULT_ERROR=28     with this value of errno; "short": the call does half of its work
//     FAULT_KILL_AT=3    kills the process at this call of any kind, counted from the mkdir of the
//                        recording's folder
//     FAULT_FILE=otter   calls of this file also count as Otter's
//     FAULT_COUNTS=FILE  receives the number of calls of each kind, 8 bytes each, as in `names`
// FAULT_KILL_AT does not count allocations.
#undef _FILE_OFFSET_BITS // this file defines both variants of a call
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum call {
    CALL_OPEN,
    CALL_MKDIR,
    CALL_FALLOCATE,
    CALL_MMAP,
    CALL_MREMAP,
    CALL_MADVISE,
    CALL_MPROTECT,
    CALL_WRITE,
    CALL_PWRITE,
    CALL_PREAD,
    CALL_FTRUNCATE,
    CALL_RENAME,
    CALL_LINK,
    CALL_UNLINK,
    CALL_RMDIR,
    CALL_CLOSE,
    CALL_FOPEN,
    CALL_FWRITE,
    CALL_FCLOSE,
    CALL_MEMBARRIER,
    CALL_MALLOC,
    CALL_CALLOC,
    CALL_REALLOC,
    CALL_STRDUP,
    N_CALLS,
};

static const char *const names[N_CALLS] = {
    "open",   "mkdir",  "fallocate", "mmap",       "mremap", "madvise", "mprotect", "write",
    "pwrite", "pread",  "ftruncate", "rename",     "link",   "unlink",  "rmdir",    "close",
    "fopen",  "fwrite", "fclose",    "membarrier", "malloc", "calloc",  "realloc",  "strdup",
};

enum { N_CALLERS = 1 << 14 };

static _Atomic uint64_t own_counts[N_CALLS];
static _Atomic uint64_t *counts = own_counts;
static enum call chosen = N_CALLS;
static uint64_t first_to_fail, kill_at;
static _Atomic uint64_t n_since_mkdir;
static bool is_lasting, is_short;
static int error;
static const char *file_of_otter;

// ---- the caller

// The return addresses seen so far, in a hash table; bit 63 means that the address is in Otter's
// code.
static _Atomic uint64_t callers[N_CALLERS];

static bool look_up(const void *address)
{
    Dl_info about;
    if (!dladdr(address, &about) || !about.dli_fname) {
        return false;
    }
    const char *slash = strrchr(about.dli_fname, '/');
    const char *name = slash ? slash + 1 : about.dli_fname;
    return strncmp(name, "libotter-", 9) == 0 || strncmp(name, "libotf2", 7) == 0 ||
           (file_of_otter && strcmp(name, file_of_otter) == 0);
}

static bool is_ours(const void *address)
{
    const uint64_t ours = UINT64_C(1) << 63;
    uint64_t number = (uint64_t)(uintptr_t)address;
    _Atomic uint64_t *seen = &callers[(number * UINT64_C(0x9e3779b97f4a7c15)) >> 50];
    uint64_t known = atomic_load(seen);
    if ((known & ~ours) != number) {
        known = number | (look_up(address) ? ours : 0);
        atomic_store(seen, known);
    }
    return known & ours;
}

// ---- failing calls

__attribute__((constructor)) static void take_environment(void)
{
    const char *call = getenv("FAULT_CALL"), *at = getenv("FAULT_AT");
    const char *with = getenv("FAULT_ERROR"), *file = getenv("FAULT_COUNTS");
    for (unsigned i = 0; call && at && with && i < N_CALLS; i++) {
        chosen = strcmp(call, names[i]) == 0 ? (enum call)i : chosen;
    }
    const char *kills = getenv("FAULT_KILL_AT");
    file_of_otter = getenv("FAULT_FILE");
    kill_at = kills ? strtoull(kills, NULL, 10) : 0;
    first_to_fail = at ? strtoull(at, NULL, 10) : 0;
    is_short = with && strcmp(with, "short") == 0;
    error = is_short ? ENOSPC : with ? atoi(with) : 0;
    is_lasting = getenv("FAULT_LASTING") != NULL;
    int descriptor = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        void *shared =
            mmap(NULL, sizeof(own_counts), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        counts = shared == MAP_FAILED ? counts : shared;
        close(descriptor);
    }
}

// A recording ends with a membarrier. Then OTF2 writes definitions. OTF2 3.0.2 does not survive
// failing allocations there (otf2_archive_set_property), so memory fails only before.
static bool is_memory_of_otf2(enum call call)
{
    return call >= CALL_MALLOC && atomic_load(&counts[CALL_MEMBARRIER]) > 0;
}

static void kill_when_due(enum call call)
{
    bool counts_memory = !file_of_otter;
    if (kill_at == 0 || (call != CALL_MKDIR && atomic_load(&n_since_mkdir) == 0) ||
        (call >= CALL_MALLOC && !counts_memory)) {
        return;
    }
    if (atomic_fetch_add(&n_since_mkdir, 1) + 1 == kill_at) {
        raise(SIGKILL);
    }
}

static bool is_due(enum call call, const void *caller)
{
    if (!is_ours(caller) || is_memory_of_otf2(call)) {
        return false;
    }
    kill_when_due(call);
    uint64_t n = atomic_fetch_add(&counts[call], 1) + 1;
    return call == chosen && (n == first_to_fail || (is_lasting && n > first_to_fail));
}

static bool fails(enum call call, const void *caller)
{
    if (!is_due(call, caller)) {
        return false;
    }
    errno = error;
    return true;
}

// Returns the part of `size` that a short call processes; SIZE_MAX: the call fails.
static size_t allowed(enum call call, const void *caller, size_t size)
{
    if (!is_due(call, caller)) {
        return size;
    }
    errno = error;
    return is_short ? (size + 1) / 2 : SIZE_MAX;
}

// ---- the calls

#define EXPORTED __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPENS(name)                                                                                \
    EXPORTED int name(const char *path, int flags, ...)                                            \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;                             \
        va_end(arguments);                                                                         \
        return fails(CALL_OPEN, CALLER) ? -1 : REAL(name)(path, flags, mode);                      \
    }
OPENS(open)
OPENS(open64)

EXPORTED int mkdir(const char *path, mode_t mode)
{
    return fails(CALL_MKDIR, CALLER) ? -1 : REAL(mkdir)(path, mode);
}

EXPORTED char *mkdtemp(char *path)
{
    return fails(CALL_MKDIR, CALLER) ? NULL : REAL(mkdtemp)(path);
}

#define FALLOCATES(name, type)                                                                     \
    EXPORTED int name(int file, type offset, type size)                                            \
    {                                                                                              \
        return fails(CALL_FALLOCATE, CALLER) ? error : REAL(name)(file, offset, size);             \
    }
FALLOCATES(posix_fallocate, off_t)
FALLOCATES(posix_fallocate64, off64_t)

#define MAPS(name, type)                                                                           \
    EXPORTED void *name(void *at, size_t size, int protection, int flags, int file, type offset)   \
    {                                                                                              \
        return fails(CALL_MMAP, CALLER) ? MAP_FAILED                                               \
                                        : REAL(name)(at, size, protection, flags, file, offset);   \
    }
MAPS(mmap, off_t)
MAPS(mmap64, off64_t)

EXPORTED void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    void *wanted = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
    va_end(arguments);
    return fails(CALL_MREMAP, CALLER) ? MAP_FAILED
                                      : REAL(mremap)(old, old_size, size, flags, wanted);
}

EXPORTED int madvise(void *at, size_t size, int advice)
{
    return fails(CALL_MADVISE, CALLER) ? -1 : REAL(madvise)(at, size, advice);
}

EXPORTED int mprotect(void *begin, size_t size, int protection)
{
    return fails(CALL_MPROTECT, CALLER) ? -1 : REAL(mprotect)(begin, size, protection);
}

EXPORTED ssize_t write(int file, const void *data, size_t size)
{
    size_t n = allowed(CALL_WRITE, CALLER, size);
    return n == SIZE_MAX ? -1 : REAL(write)(file, data, n);
}

#define WRITES_AT(name, type)                                                                      \
    EXPORTED ssize_t name(int file, const void *data, size_t size, type offset)                    \
    {                                                                                              \
        size_t n = allowed(CALL_PWRITE, CALLER, size);                                             \
        return n == SIZE_MAX ? -1 : REAL(name)(file, data, n, offset);                             \
    }
WRITES_AT(pwrite, off_t)
WRITES_AT(pwrite64, off64_t)

#define READS_AT(name, type)                                                                       \
    EXPORTED ssize_t name(int file, void *data, size_t size, type offset)                          \
    {                                                                                              \
        size_t n = allowed(CALL_PREAD, CALLER, size);                                              \
        return n == SIZE_MAX ? -1 : REAL(name)(file, data, n, offset);                             \
    }
READS_AT(pread, off_t)
READS_AT(pread64, off64_t)

#define TRUNCATES(name, type)                                                                      \
    EXPORTED int name(int file, type size)                                                         \
    {                                                                                              \
        return fails(CALL_FTRUNCATE, CALLER) ? -1 : REAL(name)(file, size);                        \
    }
TRUNCATES(ftruncate, off_t)
TRUNCATES(ftruncate64, off64_t)

EXPORTED int rename(const char *from, const char *to)
{
    return fails(CALL_RENAME, CALLER) ? -1 : REAL(rename)(from, to);
}

EXPORTED int link(const char *from, const char *to)
{
    return fails(CALL_LINK, CALLER) ? -1 : REAL(link)(from, to);
}

EXPORTED int unlinkat(int folder, const char *path, int flags)
{
    return fails(CALL_UNLINK, CALLER) ? -1 : REAL(unlinkat)(folder, path, flags);
}

EXPORTED int unlink(const char *path)
{
    return fails(CALL_UNLINK, CALLER) ? -1 : REAL(unlink)(path);
}

EXPORTED int rmdir(const char *path)
{
    return fails(CALL_RMDIR, CALLER) ? -1 : REAL(rmdir)(path);
}

// Closes the file although it fails, as Linux does.
EXPORTED int close(int file)
{
    int status = REAL(close)(file);
    return fails(CALL_CLOSE, CALLER) ? -1 : status;
}

#define OPENS_STREAM(name)                                                                         \
    EXPORTED FILE *name(const char *path, const char *mode)                                        \
    {                                                                                              \
        return fails(CALL_FOPEN, CALLER) ? NULL : REAL(name)(path, mode);                          \
    }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

// A short call: the disk becomes full in the middle of the data.
#define WRITES_STREAM(name)                                                                        \
    EXPORTED size_t name(const void *data, size_t size, size_t n, FILE *stream)                    \
    {                                                                                              \
        if (!is_due(CALL_FWRITE, CALLER)) {                                                        \
            return REAL(name)(data, size, n, stream);                                              \
        }                                                                                          \
        size_t n_written = is_short ? REAL(name)(data, 1, size * n / 2, stream) : 0;               \
        errno = error;                                                                             \
        return size ? n_written / size : 0;                                                        \
    }
WRITES_STREAM(fwrite)
#undef fwrite_unlocked // also a macro
WRITES_STREAM(fwrite_unlocked)

EXPORTED int fclose(FILE *stream)
{
    int status = REAL(fclose)(stream);
    return fails(CALL_FCLOSE, CALLER) ? EOF : status;
}

EXPORTED long syscall(long number, ...)
{
    long values[6];
    va_list arguments;
    va_start(arguments, number);
    for (unsigned i = 0; i < 6; i++) {
        values[i] = va_arg(arguments, long);
    }
    va_end(arguments);
    if (number == SYS_membarrier && fails(CALL_MEMBARRIER, CALLER)) {
        return -1;
    }
    return REAL(syscall)(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

// ---- memory: dlsym itself may allocate

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);

EXPORTED void *malloc(size_t size)
{
    return fails(CALL_MALLOC, CALLER) ? NULL : __libc_malloc(size);
}

EXPORTED void *calloc(size_t n, size_t size)
{
    return fails(CALL_CALLOC, CALLER) ? NULL : __libc_calloc(n, size);
}

EXPORTED void *realloc(void *memory, size_t size)
{
    return fails(CALL_REALLOC, CALLER) ? NULL : __libc_realloc(memory, size);
}

EXPORTED char *strdup(const char *text)
{
    return fails(CALL_STRDUP, CALLER) ? NULL : REAL(strdup)(text);
}
