// Finds the program that a command line names, its kind and its libraries.
#include "launcher/program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/path.h"
#include "launcher/elf_file.h"

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

// ---- finding the program

bool otter_program_is_executable(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

static char *search_path(const char *name)
{
    const char *folders = getenv("PATH");
    folders = folders ? folders : "/bin:/usr/bin"; // execvp's default
    for (const char *end;; folders = end + 1) {
        end = strchrnul(folders, ':');
        int length = (int)(end - folders);
        char path[PATH_MAX];
        int written = snprintf(path, sizeof path, "%.*s/%s", length ? length : 1,
                               length ? folders : ".", name);
        if (written < (int)sizeof path && otter_program_is_executable(path)) {
            return strdup(path);
        }
        if (*end == '\0') {
            return NULL;
        }
    }
}

static char *find_program(const char *name)
{
    if (*name == '\0') {
        return NULL;
    }
    if (strchr(name, '/')) {
        return otter_program_is_executable(name) ? strdup(name) : NULL;
    }
    return search_path(name);
}

// ---- its libraries

// Returns whether the loader knows the option `--list`. Another loader might run the program
// instead.
static bool can_list(const char *interpreter)
{
    const char *name = otter_path_file(interpreter);
    return begins_with(name, "ld-linux") || begins_with(name, "ld-musl") ||
           begins_with(name, "ld64.so") || begins_with(name, "ld.so") || begins_with(name, "ld-2.");
}

// Starts the loader, which lists the program's libraries on *output. Returns its process id, or -1.
static pid_t start_listing(const struct otter_program *program, char **environment, FILE **output)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return -1;
    }
    char list[] = "--list";
    char *arguments[] = {program->interpreter, list, program->path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t pid;
    int error = posix_spawn(&pid, program->interpreter, &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *output = error ? NULL : fdopen(ends[0], "r");
    if (!*output) {
        close(ends[0]);
    }
    return error ? -1 : pid;
}

// Returns the path in a line such as "\tlibc.so.6 => /lib/libc.so.6 (0x00007f...)", or NULL.
// Changes the line.
static char *path_of_line(char *line)
{
    char *arrow = strstr(line, " => ");
    char *path = arrow ? arrow + strlen(" => ") : line + strspn(line, " \t");
    char *address = strrchr(path, '(');
    if (*path != '/' || !address || address == path) {
        return NULL; // the library was not found, or is the kernel's virtual library
    }
    address[-1] = '\0';
    return path;
}

static void add_library(struct otter_program *program, const char *path)
{
    char **libraries =
        reallocarray(program->libraries, program->n_libraries + 1, sizeof *libraries);
    char *copy = strdup(path);
    if (!libraries || !copy) {
        program->libraries = libraries ? libraries : program->libraries;
        free(copy);
        return;
    }
    libraries[program->n_libraries++] = copy;
    program->libraries = libraries;
}

// Fills `program->libraries` with the paths that the loader finds in `environment`.
static void list_libraries(struct otter_program *program, char **environment)
{
    FILE *output = NULL;
    pid_t pid = start_listing(program, environment, &output);
    char *line = NULL;
    size_t room = 0;
    while (output && getline(&line, &room, output) > 0) {
        const char *path = path_of_line(line);
        if (path) {
            add_library(program, path);
        }
    }
    free(line);
    if (output) {
        fclose(output);
    }
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

static bool is_privileged(const char *path)
{
    struct stat info;
    bool is_set =
        stat(path, &info) == 0 && (((info.st_mode & S_ISUID) && info.st_uid != geteuid()) ||
                                   ((info.st_mode & S_ISGID) && info.st_gid != getegid()));
    struct statvfs system;
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
        (statvfs(path, &system) == 0 && (system.f_flag & ST_NOSUID))) {
        return false;
    }
    return is_set || (geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

static void inspect(struct otter_program *program)
{
    program->is_privileged = is_privileged(program->path);
    struct otter_elf *elf = otter_elf_open(program->path);
    if (!elf) {
        program->kind = OTTER_PROGRAM_SCRIPT;
        return;
    }
    const char *interpreter = otter_elf_interpreter(elf);
    if (!otter_elf_is_native(elf)) {
        program->kind = OTTER_PROGRAM_FOREIGN;
    } else if (!interpreter) {
        program->kind = OTTER_PROGRAM_STATIC;
    } else {
        program->kind = OTTER_PROGRAM_DYNAMIC;
        program->interpreter = strdup(interpreter);
    }
    otter_elf_close(elf);
    if (program->interpreter && can_list(program->interpreter)) {
        list_libraries(program, environ);
    }
}

void otter_program_init(struct otter_program *program, const char *name)
{
    *program = (struct otter_program){0};
    program->path = find_program(name);
    if (program->path) {
        inspect(program);
    }
}

static void free_libraries(struct otter_program *program)
{
    for (size_t i = 0; i < program->n_libraries; i++) {
        free(program->libraries[i]);
    }
    free(program->libraries);
    program->libraries = NULL;
    program->n_libraries = 0;
}

void otter_program_finish(struct otter_program *program)
{
    free_libraries(program);
    free(program->interpreter);
    free(program->path);
    *program = (struct otter_program){0};
}

bool otter_program_init_launched(struct otter_program *found, char *const *arguments,
                                 bool (*is_wanted)(const struct otter_program *program))
{
    enum { N_ARGUMENTS = 64 }; // a launcher's program is among its first arguments
    for (int i = 1; *arguments && i < N_ARGUMENTS && arguments[i]; i++) {
        otter_program_init(found, arguments[i]);
        if (is_wanted(found)) {
            return true;
        }
        otter_program_finish(found);
    }
    return false;
}

const char *otter_program_library(const struct otter_program *program, const char *beginning)
{
    for (size_t i = 0; i < program->n_libraries; i++) {
        if (begins_with(otter_path_file(program->libraries[i]), beginning)) {
            return program->libraries[i];
        }
    }
    return NULL;
}

// Returns a copy of the environment's array with `preload` as LD_PRELOAD; the caller frees
// only the array.
static char **environment_with(char *preload)
{
    size_t n = 0;
    while (environ[n]) {
        n++;
    }
    char **changed = calloc(n + 2, sizeof *changed);
    size_t at = 0;
    for (size_t i = 0; changed && i < n; i++) {
        if (!begins_with(environ[i], "LD_PRELOAD=")) {
            changed[at++] = environ[i];
        }
    }
    if (changed) {
        changed[at] = preload;
    }
    return changed;
}

char *otter_program_resolve(const struct otter_program *program, const char *library)
{
    if (program->kind != OTTER_PROGRAM_DYNAMIC || !can_list(program->interpreter)) {
        return NULL;
    }
    struct otter_program preloaded = {.path = program->path, .interpreter = program->interpreter};
    char *preload, *found = NULL;
    if (asprintf(&preload, "LD_PRELOAD=%s", library) < 0) {
        return NULL;
    }
    char **environment = environment_with(preload);
    if (environment) {
        list_libraries(&preloaded, environment);
        const char *path = otter_program_library(&preloaded, otter_path_file(library));
        found = path ? strdup(path) : NULL;
    }
    free_libraries(&preloaded);
    free(environment);
    free(preload);
    return found;
}

static bool is_excepted(const char *path, const char *const *except, size_t n_except)
{
    for (size_t i = 0; i < n_except; i++) {
        if (begins_with(otter_path_file(path), except[i])) {
            return true;
        }
    }
    return false;
}

static bool file_has(const char *path, const char *symbol,
                     bool (*has)(const struct otter_elf *, const char *))
{
    struct otter_elf *elf = otter_elf_open(path);
    bool found = elf && has(elf, symbol);
    otter_elf_close(elf);
    return found;
}

static const char *find_symbol(const struct otter_program *program, const char *symbol,
                               bool (*has)(const struct otter_elf *, const char *),
                               const char *const *except, size_t n_except)
{
    if (program->path && file_has(program->path, symbol, has)) {
        return program->path;
    }
    for (size_t i = 0; i < program->n_libraries; i++) {
        if (!is_excepted(program->libraries[i], except, n_except) &&
            file_has(program->libraries[i], symbol, has)) {
            return program->libraries[i];
        }
    }
    return NULL;
}

const char *otter_program_importer(const struct otter_program *program, const char *symbol,
                                   const char *except)
{
    return find_symbol(program, symbol, otter_elf_imports, &except, 1);
}

const char *otter_program_definer(const struct otter_program *program, const char *symbol,
                                  const char *const *except, size_t n_except)
{
    return find_symbol(program, symbol, otter_elf_defines, except, n_except);
}

static bool file_mentions(const char *path, const char *text)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool is_there = file >= 0 && fstat(file, &about) == 0 && about.st_size > 0;
    void *bytes =
        is_there ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    bool found = false;
    if (bytes != MAP_FAILED) {
        found = memmem(bytes, (size_t)about.st_size, text, strlen(text)) != NULL;
        munmap(bytes, (size_t)about.st_size);
    }
    if (file >= 0) {
        close(file);
    }
    return found;
}

bool otter_program_mentions(const struct otter_program *program, const char *text,
                            const char *library)
{
    bool found = program->path && file_mentions(program->path, text);
    for (size_t i = 0; !found && i < program->n_libraries; i++) {
        found = strstr(otter_path_file(program->libraries[i]), library) &&
                file_mentions(program->libraries[i], text);
    }
    return found;
}
