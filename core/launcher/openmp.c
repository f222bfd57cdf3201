// Determines a program's OpenMP runtime, and finds an LLVM runtime for a program that GCC compiled.
#include "launcher/openmp.h"

#include <errno.h>
#include <glob.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "launcher/coverage.h"
#include "launcher/elf_file.h"
#include "launcher/libraries.h"

static const char libomp_name[] = "libomp.so.5";

// The file names of LLVM's runtime and of runtimes derived from it.
static const char *const llvm_names[] = {"libomp.so", "libomp-", "libiomp5"};

enum { N_LLVM_NAMES = sizeof llvm_names / sizeof *llvm_names };

static const char *llvm_library(const struct otter_program *program)
{
    for (size_t i = 0; i < N_LLVM_NAMES; i++) {
        const char *library = otter_program_library(program, llvm_names[i]);
        if (library) {
            return library;
        }
    }
    return NULL;
}

// Returns whether `libgomp` is a link to libomp, by which some users run GCC's programs on libomp.
static bool is_llvm_in_disguise(const char *libgomp)
{
    char *real = realpath(libgomp, NULL);
    bool is_llvm = false;
    for (size_t i = 0; real && i < N_LLVM_NAMES; i++) {
        is_llvm |= strncmp(otter_path_file(real), llvm_names[i], strlen(llvm_names[i])) == 0;
    }
    free(real);
    return is_llvm;
}

static enum otter_openmp_kind runtime_of(const struct otter_program *program, const char **library)
{
    *library = llvm_library(program);
    if (*library) {
        return OTTER_OPENMP_LLVM;
    }
    *library = otter_program_library(program, "libgomp.so");
    if (*library) {
        return is_llvm_in_disguise(*library) ? OTTER_OPENMP_LLVM : OTTER_OPENMP_GNU;
    }
    bool may_contain_it =
        program->kind == OTTER_PROGRAM_STATIC || program->kind == OTTER_PROGRAM_DYNAMIC;
    if (may_contain_it && otter_program_definer(program, "__kmpc_fork_call", NULL, 0)) {
        return OTTER_OPENMP_LLVM;
    }
    return OTTER_OPENMP_NONE;
}

static bool has_runtime(const struct otter_program *program)
{
    const char *library;
    return runtime_of(program, &library) != OTTER_OPENMP_NONE;
}

bool otter_openmp_find_launched(struct otter_program *launched,
                                const struct otter_program *launcher, char *const *arguments)
{
    return !has_runtime(launcher) && otter_program_init_launched(launched, arguments, has_runtime);
}

// GCC calls these functions for scans, conditional lastprivates of sections and task reductions.
// Libomp supports only task reductions, and only task reductions call a function to unregister
// (quirk 'gcc scan').
static bool has_scan(const struct otter_program *program)
{
    static const char *const starts[] = {"GOMP_loop_start", "GOMP_loop_ull_start",
                                         "GOMP_sections2_start"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (otter_program_importer(program, starts[i], "libgomp.so")) {
            return !otter_program_importer(program, "GOMP_workshare_task_reduction_unregister",
                                           "libgomp.so");
        }
    }
    return false;
}

// In a team of one thread, libomp allocates no data for a doacross loop, but GCC's entry points
// read such data (quirk 'gcc doacross').
static bool has_doacross(const struct otter_program *program)
{
    return otter_program_importer(program, "GOMP_doacross_post", "libgomp.so") ||
           otter_program_importer(program, "GOMP_doacross_ull_post", "libgomp.so");
}

// Returns whether, according to the environment, the program will have only one thread.
static bool is_for_one_thread(void)
{
    const char *limit = getenv("OMP_THREAD_LIMIT");
    if (limit && atoi(limit) == 1) {
        return true;
    }
    const char *threads = getenv("OMP_NUM_THREADS");
    if (threads && atoi(threads) > 0) {
        return atoi(threads) == 1;
    }
    cpu_set_t cpus;
    return sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) == 1;
}

static enum otter_openmp_obstacle find_obstacle(const struct otter_program *program)
{
    // Libomp lacks some of these functions and defines others as empty (quirk 'gcc target').
    static const char *const target[] = {"GOMP_target",
                                         "GOMP_target_ext",
                                         "GOMP_target_data",
                                         "GOMP_target_data_ext",
                                         "GOMP_target_update",
                                         "GOMP_target_update_ext",
                                         "GOMP_target_enter_exit_data",
                                         "GOMP_teams"};
    for (size_t i = 0; i < sizeof target / sizeof *target; i++) {
        if (otter_program_importer(program, target[i], "libgomp.so")) {
            return OTTER_OBSTACLE_TARGET;
        }
    }
    // GCC's tasks with a detach clause crash on libomp (quirk 'gcc detach').
    if (otter_program_importer(program, "omp_fulfill_event", "libgomp.so") &&
        otter_program_importer(program, "GOMP_task", "libgomp.so")) {
        return OTTER_OBSTACLE_DETACH;
    }
    if (has_scan(program)) {
        return OTTER_OBSTACLE_SCAN;
    }
    if (has_doacross(program) && is_for_one_thread()) {
        return OTTER_OBSTACLE_DOACROSS;
    }
    return OTTER_OBSTACLE_NONE;
}

static int version_of(const char *path)
{
    const char *dash = strstr(path, "/llvm-");
    return dash ? atoi(dash + strlen("/llvm-")) : 0;
}

static const char *fault_of(const char *path)
{
    struct stat info;
    if (!strchr(path, '/')) {
        return "the loader does not find it (a file needs its path: ./NAME)";
    }
    if (stat(path, &info) != 0 || access(path, R_OK) != 0) {
        return strerror(errno);
    }
    if (strpbrk(path, " :")) {
        return "LD_PRELOAD takes no path with a blank or a colon";
    }
    struct otter_elf *elf = S_ISREG(info.st_mode) ? otter_elf_open(path) : NULL;
    const char *fault = NULL;
    if (!elf || !otter_elf_is_library(elf)) {
        fault = "it is not a shared library";
    } else if (!otter_elf_is_native(elf)) {
        fault = "it is built for a different machine";
    } else if (!otter_elf_defines(elf, "__kmpc_fork_call") ||
               !otter_elf_defines(elf, "GOMP_parallel")) {
        fault = "it is not LLVM's OpenMP runtime, which has __kmpc_fork_call and GOMP_parallel";
    }
    otter_elf_close(elf);
    return fault;
}

// Returns `path` if programs can run on that library; otherwise frees it and returns NULL.
static char *if_usable(char *path)
{
    if (path && fault_of(path)) {
        free(path);
        return NULL;
    }
    return path;
}

// Returns the newest /usr/lib/llvm-<version>/lib/libomp.so.5, or NULL. The caller frees it.
static char *newest_llvm(void)
{
    glob_t found;
    char *newest = NULL;
    if (glob("/usr/lib/llvm-*/lib/libomp.so.5", 0, NULL, &found) == 0) {
        const char *best = found.gl_pathv[0];
        for (size_t i = 1; i < found.gl_pathc; i++) {
            if (version_of(found.gl_pathv[i]) > version_of(best)) {
                best = found.gl_pathv[i];
            }
        }
        newest = strdup(best);
        globfree(&found);
    }
    return newest;
}

// Searches LD_LIBRARY_PATH first, then for the newest installed version, then where the loader
// searches.
static char *find_libomp(const struct otter_program *program)
{
    const char *folders = getenv("LD_LIBRARY_PATH");
    char *found = folders && *folders ? otter_program_resolve(program, libomp_name) : NULL;
    found = if_usable(found);
    found = found ? found : if_usable(newest_llvm());
    return found ? found : if_usable(otter_program_resolve(program, libomp_name));
}

// Returns the absolute path of the library that the user names by a path or a file name. The caller
// frees it.
static char *named_libomp(const struct otter_program *program, const char *libomp)
{
    char *found = NULL;
    if (!strchr(libomp, '/')) {
        found = otter_program_resolve(program, libomp);
    } else if (*libomp != '/') {
        found = realpath(libomp, NULL);
    }
    return found ? found : strdup(libomp);
}

static const char *obstacle_text(enum otter_openmp_obstacle obstacle)
{
    switch (obstacle) {
    case OTTER_OBSTACLE_FORBIDDEN: return "--libomp=none forbids running it on LLVM's";
    case OTTER_OBSTACLE_NOT_FOUND:
        return "LLVM's, which has one, was not found (install libomp5, or name it: --libomp=PATH)";
    case OTTER_OBSTACLE_DETACH:
        return "it cannot run on LLVM's: tasks with a detach clause compiled by GCC crash there "
               "(compile it with clang)";
    case OTTER_OBSTACLE_TARGET:
        return "it cannot run on LLVM's: target regions compiled by GCC fail there (compile it "
               "with clang)";
    case OTTER_OBSTACLE_SCAN:
        return "it cannot run on LLVM's: a scan, or a conditional lastprivate of sections, "
               "compiled by GCC aborts there "
               "(compile it with clang)";
    case OTTER_OBSTACLE_DOACROSS:
        return "it cannot run on LLVM's with one thread: a loop with ordered dependences "
               "(doacross) compiled by GCC crashes "
               "there (set OMP_NUM_THREADS, or compile it with clang)";
    case OTTER_OBSTACLE_SYMBOL:
        return "it cannot run on LLVM's, which lacks %s (compile it with clang, or name a newer "
               "libomp: --libomp=PATH)";
    case OTTER_OBSTACLE_NONE: break;
    }
    return "";
}

static void set_obstacle(struct otter_openmp *openmp, enum otter_openmp_obstacle obstacle,
                         const char *symbol)
{
    openmp->obstacle = obstacle;
    const char *text = obstacle_text(obstacle);
    const char *mark = strstr(text, "%s");
    int length = mark ? (int)(mark - text) : (int)strlen(text);
    if (asprintf(&openmp->obstacle_text, "%.*s%s%s", length, text, mark ? symbol : "",
                 mark ? mark + 2 : "") < 0) {
        openmp->obstacle_text = NULL;
    }
}

// Runs the program on libgomp if libomp lacks a symbol that the program needs.
static void check_coverage(struct otter_openmp *openmp, const struct otter_program *program)
{
    char *gap = otter_coverage_gap(program, openmp->library, openmp->preload, openmp->shim);
    if (gap) {
        set_obstacle(openmp, OTTER_OBSTACLE_SYMBOL, gap);
        free(openmp->preload);
        openmp->preload = NULL;
    }
    free(gap);
}

void otter_openmp_init(struct otter_openmp *openmp, const struct otter_program *program,
                       const char *libomp)
{
    *openmp = (struct otter_openmp){0};
    openmp->kind = runtime_of(program, &openmp->library);
    if (openmp->kind != OTTER_OPENMP_GNU) {
        return;
    }
    bool is_forbidden = libomp && strcmp(libomp, "none") == 0;
    enum otter_openmp_obstacle obstacle =
        is_forbidden ? OTTER_OBSTACLE_FORBIDDEN : find_obstacle(program);
    if (obstacle) {
        set_obstacle(openmp, obstacle, NULL);
        return;
    }
    openmp->shim = otter_library_find("gomp");
    openmp->preload = libomp ? named_libomp(program, libomp) : find_libomp(program);
    if (!openmp->preload) {
        set_obstacle(openmp, OTTER_OBSTACLE_NOT_FOUND, NULL);
    } else if (!fault_of(openmp->preload)) { // the command reports a fault
        check_coverage(openmp, program);
    }
    openmp->library = openmp->preload ? openmp->preload : openmp->library;
}

void otter_openmp_finish(struct otter_openmp *openmp)
{
    free(openmp->preload);
    free(openmp->shim);
    free(openmp->obstacle_text);
    *openmp = (struct otter_openmp){0};
}

const char *otter_openmp_fault(const struct otter_openmp *openmp)
{
    return openmp->preload ? fault_of(openmp->preload) : NULL;
}

// Runtimes load no tool if the value is an unknown word.
const char *otter_openmp_ban(void)
{
    const char *value = getenv("OMP_TOOL");
    return value && *value && strcasecmp(value, "enabled") != 0 ? value : NULL;
}

bool otter_openmp_takes_tools(const struct otter_openmp *openmp)
{
    if (openmp->kind != OTTER_OPENMP_LLVM && !openmp->preload) {
        return false;
    }
    struct otter_elf *elf = openmp->library ? otter_elf_open(openmp->library) : NULL;
    bool takes_tools = !elf || otter_elf_defines(elf, "ompt_start_tool");
    otter_elf_close(elf);
    return takes_tools;
}

const char *otter_openmp_other_tool(const struct otter_program *program)
{
    // The runtime itself defines the function that asks for a tool.
    static const char *const runtimes[] = {"libomp.so", "libomp-", "libiomp5", "libotter-ompt",
                                           "libgomp.so"};
    if (program->kind != OTTER_PROGRAM_DYNAMIC) {
        return NULL;
    }
    return otter_program_definer(program, "ompt_start_tool", runtimes,
                                 sizeof runtimes / sizeof *runtimes);
}
