// The folder of a test program, and functions that capture output.
#include "folder.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

// Hides memory that is in use until the process ends from leak detection. Other code may still read
// former values of settings. The writer of a recorder is never closed.
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:base/settings.c\nleak:start_recording\nleak:begin_recording\nleak:open_limited_writer\n"
           "leak:open_bounded_writer\n";
}

enum { MIN_ROOM = 1 << 30 }; // bytes

static char folder[64];

// A disk needs most of the time for creating and deleting files.
static const char *quickest_place(void)
{
    struct statvfs about;
    bool has_room = access("/dev/shm", W_OK) == 0 && statvfs("/dev/shm", &about) == 0 &&
                    about.f_bavail * about.f_frsize >= MIN_ROOM;
    return has_room ? "/dev/shm" : "/tmp";
}

int make_test_folder(void **state)
{
    snprintf(folder, sizeof(folder), "%s/otter-unit-XXXXXX", quickest_place());
    return mkdtemp(folder) ? 0 : 1;
}

int remove_test_folder(void **state)
{
    char command[128];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    return system(command);
}

const char *in_test_folder(const char *format, ...)
{
    static char paths[8][PATH_MAX];
    static unsigned n;
    char *path = paths[n++ % 8];
    int length = snprintf(path, PATH_MAX, "%s/", folder);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path + length, PATH_MAX - (size_t)length, format, arguments);
    va_end(arguments);
    return path;
}

uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    struct stat about;
    fstat(fileno(file), &about);
    uint8_t *bytes = calloc(1, (size_t)about.st_size + 1);
    *size = bytes ? fread(bytes, 1, (size_t)about.st_size, file) : 0;
    fclose(file);
    return bytes;
}

void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) {
        perror(path);
        abort();
    }
}

bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

// A socket preserves message boundaries, so each write is visible.
const char *stderr_of(void (*function)(void))
{
    static char text[1 << 16];
    int ends[2], saved = dup(STDERR_FILENO);
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0 || dup2(ends[1], STDERR_FILENO) < 0) {
        abort();
    }
    function();
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    size_t n = 0;
    ssize_t got;
    while ((got = recv(ends[0], text + n, sizeof(text) - n - 2, MSG_DONTWAIT)) >= 0) {
        n += (size_t)got;
        text[n++] = '|';
    }
    text[n] = '\0';
    close(ends[0]);
    close(ends[1]);
    close(saved);
    return text;
}

int status_of_child(void (*function)(void))
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        function();
        _exit(0);
    }
    int status = -1;
    return waitpid(child, &status, 0) == child ? status : -1;
}
