// Sets the environment in which the recorded program runs.
#include "launcher/environment.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/exit_status.h"
#include "base/log.h"
#include "base/path.h"
#include "launcher/libraries.h"
#include "launcher/mpi.h"
#include "launcher/observe/counters.h"
#include "recording/paths.h"
#include "recording/rank.h"
#include "trace/schema.h"

int otter_environment_apply_setting(const struct otter_setting *setting, const char *value)
{
    char wanted[OTTER_SETTING_WANTED_SIZE];
    value = value ? value : "on";
    if (otter_settings_set(setting->name, value) == OTTER_BAD_VALUE) {
        otter_error("--%s cannot be '%s': it takes %s (otter info --settings)", setting->name,
                    value, otter_setting_wanted(setting, wanted));
        return OTTER_EXIT_USAGE;
    }
    if (strcmp(setting->name, "counters") == 0 && !otter_counters_check(value)) {
        return OTTER_EXIT_USAGE;
    }
    if (setenv(setting->environment, value, 1) != 0) {
        otter_error("cannot set %s: %s", setting->environment, strerror(errno));
        return OTTER_EXIT_FAILED;
    }
    return OTTER_EXIT_OK;
}

// Prepends `first` to the variable's value. Returns false if out of memory.
static bool prepend(const char *variable, const char *first, char separator)
{
    const char *rest = getenv(variable);
    if (!rest || !*rest) {
        return setenv(variable, first, 1) == 0;
    }
    char *joined;
    if (asprintf(&joined, "%s%c%s", first, separator, rest) < 0) {
        return false;
    }
    bool is_set = setenv(variable, joined, 1) == 0;
    free(joined);
    return is_set;
}

// Reports that the tools in the user's variable will not run because `ours` precedes them.
static void note_displaced(const char *variable, const char *ours)
{
    const char *users = getenv(variable);
    if (users && *users && !strstr(users, ours) && otter_settings_get_bool("enabled")) {
        otter_note("%s names '%s', which will not run: a runtime loads only one tool, and Otter "
                   "comes first (to run yours, run the program without otter record)",
                   variable, users);
    }
}

static int set_ompt(void)
{
    char *library = otter_library_find("ompt");
    if (!library) {
        otter_error(
            "cannot find libotter-ompt.so in the build tree or in the library folder beside this "
            "command: "
            "is Otter installed completely?");
        return OTTER_EXIT_FAILED;
    }
    if (strchr(library, ':')) {
        otter_error(
            "cannot put '%s' into OMP_TOOL_LIBRARIES, where a colon ends a name: move Otter to a "
            "folder without a colon",
            library);
        free(library);
        return OTTER_EXIT_FAILED;
    }
    note_displaced("OMP_TOOL_LIBRARIES", library);
    bool is_set = prepend("OMP_TOOL_LIBRARIES", library, ':');
    free(library);
    const char *ban = otter_openmp_ban();
    if (ban) {
        otter_warning("OMP_TOOL=%s is in the environment: OpenMP will not be recorded (unset it, "
                      "or set OMP_TOOL=enabled)",
                      ban);
    }
    return is_set ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

// Returns the argument that names a Kokkos tool, or NULL. Kokkos prefers it to the variables, or
// reports a conflict.
static const char *find_tool_argument(char *const *arguments)
{
    static const char *const names[] = {"--kokkos-tools-library=", "--kokkos-tools-libs="};
    for (; *arguments; arguments++) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (strncmp(*arguments, names[i], strlen(names[i])) == 0) {
                return *arguments;
            }
        }
    }
    return NULL;
}

// Returns whether the program, or one that its arguments name (mpirun ./app), contains a Kokkos
// that reads `variable`.
static bool is_known(const char *variable, const struct otter_program *program,
                     char *const *arguments)
{
    enum { N_ARGUMENTS = 32 }; // a launcher's program is among its first arguments
    bool is_found = otter_program_mentions(program, variable, "kokkos") ||
                    otter_program_mentions(program, variable, "");
    for (int i = 1; !is_found && i < N_ARGUMENTS && arguments[i]; i++) {
        struct otter_program other;
        otter_program_init(&other, arguments[i]);
        is_found = otter_program_mentions(&other, variable, "kokkos");
        otter_program_finish(&other);
    }
    return is_found;
}

static const char newer_variable[] = "KOKKOS_TOOLS_LIBS";
static const char older_variable[] = "KOKKOS_PROFILE_LIBRARY";

// Kokkos before 3.7 reads only the older variable. Later versions read both, warn of the older one,
// and require equal values. If a program loads Kokkos later, a newer version is assumed unless the
// user has set the older variable. A script may start a program with any version (quirk 'old
// variable').
static bool wants_older_variable(const struct otter_program *program, char *const *arguments)
{
    if (is_known(newer_variable, program, arguments)) {
        return false;
    }
    const char *users = getenv(older_variable);
    return (users && *users) || program->kind == OTTER_PROGRAM_SCRIPT ||
           is_known(older_variable, program, arguments);
}

// Kokkos loads only the first tool of its list. Otter becomes the first, and the user's first tool
// becomes the next tool (the setting `chain`), unless the user has set `chain`.
static bool forward_to_first(const char *variable, const char *list, const char *ours)
{
    if (*otter_settings_get("chain") || !otter_settings_get_bool("enabled")) {
        note_displaced(variable, ours);
        return true;
    }
    char *first = strndup(list, strcspn(list, ";"));
    if (!first) {
        return false;
    }
    bool is_set = !*first || otter_environment_apply_setting(otter_settings_find("chain"), first) ==
                                 OTTER_EXIT_OK;
    if (*first) {
        otter_note("%s names '%s': Otter runs first and forwards the Kokkos calls to it "
                   "(--chain)",
                   variable, first);
    }
    free(first);
    return is_set;
}

// Puts the connector first in Kokkos's list of tools. Kokkos loads only the first, so a disabled
// Otter must not be in the list.
static bool set_kokkos(const struct otter_program *program, char *const *arguments)
{
    bool is_used = otter_settings_get_bool("enabled") || *otter_settings_get("chain");
    char *library = is_used ? otter_library_find("kokkos") : NULL;
    const char *other = library ? find_tool_argument(arguments) : NULL;
    if (other) {
        otter_warning(
            "'%s' names another tool: Kokkos will not be recorded (leave the argument out; "
            "--chain=LIBRARY runs both)",
            other);
        free(library);
        return true;
    }
    if (!library) {
        return true;
    }
    bool wants_older = wants_older_variable(program, arguments);
    const char *users = getenv(newer_variable);
    const char *name = users && *users ? newer_variable : older_variable;
    const char *list = getenv(name);
    bool is_there = list && strstr(list, otter_path_file(library));
    bool is_set = is_there || !list || !*list || forward_to_first(name, list, library);
    is_set = is_set && (is_there || prepend(name, library, ';')) &&
             setenv(newer_variable, getenv(name), 1) == 0 &&
             setenv(older_variable, getenv(name), 1) == 0;
    free(library);
    return is_set && (wants_older || unsetenv(older_variable) == 0);
}

// Refuses a folder that cannot be made in the nearest folder above it that exists.
static int check_parent(const char *path, const char *folder)
{
    char parent[2 * PATH_MAX];
    struct stat found;
    snprintf(parent, sizeof parent, "%s", path);
    do {
        char *end = strrchr(parent, '/');
        end[end == parent ? 1 : 0] = '\0'; // keeps the "/" of the root
    } while (parent[1] && stat(parent, &found) != 0 && errno == ENOENT);
    int problem = stat(parent, &found) != 0 ? errno : S_ISDIR(found.st_mode) ? 0 : ENOTDIR;
    if (problem == 0 && access(parent, W_OK | X_OK) != 0) {
        problem = errno;
    }
    if (problem) {
        otter_error("the archive's folder '%s' cannot be made: '%s': %s", folder, parent,
                    strerror(problem));
    }
    return problem ? OTTER_EXIT_FAILED : OTTER_EXIT_OK;
}

// Refuses the name of an unfinished recording.
static int check_name(const char *path, const char *folder)
{
    if (otter_paths_is_recording(path)) {
        otter_error("'%s' cannot be the archive's folder: names that end in " OTTER_RECORDING_SUFFIX
                    " are reserved for unfinished recordings; name another folder",
                    folder);
        return OTTER_EXIT_USAGE;
    }
    return OTTER_EXIT_OK;
}

// Refuses a folder whose name another archive or recording has.
static int check_unused(const char *path, const char *folder)
{
    if (access(path, F_OK) == 0 || otter_paths_is_link(path)) {
        otter_error(
            "the archive's folder '%s' exists already: name another folder, or remove this folder",
            folder);
        return OTTER_EXIT_FAILED;
    }
    if (otter_paths_exists(otter_path("%s" OTTER_RECORDING_SUFFIX, path))) {
        otter_error("'%s" OTTER_RECORDING_SUFFIX "' exists already: a program is being recorded "
                    "there, or was killed (then otter recover makes its archive); name another "
                    "folder",
                    folder);
        return OTTER_EXIT_FAILED;
    }
    return OTTER_EXIT_OK;
}

// Makes the path absolute, since the program may change its working folder before the recording
// begins.
static int set_folder(const char *folder)
{
    char here[PATH_MAX] = "";
    char path[2 * PATH_MAX];
    bool is_relative = *folder != '/';
    if (is_relative && !getcwd(here, sizeof here)) {
        otter_error("cannot determine the working folder: %s", strerror(errno));
        return OTTER_EXIT_FAILED;
    }
    int length = snprintf(path, sizeof path, "%s%s%s", here, is_relative ? "/" : "", folder);
    for (; length > 1 && path[length - 1] == '/'; length--) {
        path[length - 1] = '\0';
    }
    if (*folder == '\0' || length >= PATH_MAX) {
        otter_error("'%s' cannot be the archive's folder: %s", folder,
                    *folder ? "the path is too long (choose a shorter path)" : "the path is empty");
        return OTTER_EXIT_USAGE;
    }
    otter_rank_note();
    bool is_of_job = otter_rank()->is_of_job; // ranks of a job share a folder
    bool is_there = is_of_job && access(path, W_OK | X_OK) == 0;
    int status = check_name(path, folder);
    status = status || is_there ? status : check_parent(path, folder);
    status = status || is_of_job ? status : check_unused(path, folder);
    return status ? status : otter_environment_apply_setting(otter_settings_find("folder"), path);
}

// Exports the working folder of this command, in which archives are created, since the program may
// change its own.
static bool set_working_folder(void)
{
    static const char variable[] = "OTTER_WORKING_FOLDER";
    char here[PATH_MAX];
    return getcwd(here, sizeof here) ? setenv(variable, here, 1) == 0 : unsetenv(variable) == 0;
}

static bool set_if_unset(const char *variable, const char *value)
{
    return setenv(variable, value, 0) == 0;
}

// Hides a variable until libotter-gomp.so restores it (connectors/gomp/binding.c). GCC's runtime,
// which is loaded too, would bind the initial thread (quirk 'gcc binding').
static bool hide(const char *variable)
{
    char hidden[64];
    const char *value = getenv(variable);
    snprintf(hidden, sizeof hidden, "OTTER_HIDDEN_%s", variable);
    return !value || (setenv(hidden, value, 1) == 0 && unsetenv(variable) == 0);
}

// Prepends the library to LD_PRELOAD, but after the address sanitizer, which ends the program if
// another library precedes it.
static bool preload(const char *library, const struct otter_program *program)
{
    const char *sanitizer = otter_program_library(program, "libasan.so");
    return prepend("LD_PRELOAD", library, ':') &&
           (!sanitizer || prepend("LD_PRELOAD", sanitizer, ':'));
}

// Preloads the runtime and, before it, the shim that corrects LLVM's runtime for GCC's code. LLVM's
// runtime creates at most as many teams as the machine has processors, and warns of routines that
// GCC's accepts; two variables change this.
static bool set_preload(const struct otter_openmp *openmp, const struct otter_program *program)
{
    return prepend("LD_PRELOAD", openmp->preload, ':') && preload(openmp->shim, program) &&
           set_if_unset("KMP_TEAMS_THREAD_LIMIT", "32768") && set_if_unset("KMP_WARNINGS", "off") &&
           hide("OMP_PROC_BIND") && hide("OMP_PLACES") && hide("GOMP_CPU_AFFINITY");
}

static int set_runtime(const struct otter_environment *request, const struct otter_openmp *openmp,
                       const struct otter_program *program)
{
    if (!openmp->preload || program->is_privileged) {
        return OTTER_EXIT_OK;
    }
    const char *name = otter_path_file(program->path);
    const char *fault = otter_openmp_fault(openmp);
    if (fault) {
        otter_error("cannot run '%s' on --libomp=%s: %s (leave the option out, or name LLVM's "
                    "libomp.so.5; --libomp=none runs the program on GCC's, unrecorded)",
                    name, request->libomp ? request->libomp : openmp->preload, fault);
        return OTTER_EXIT_FAILED;
    }
    if (!openmp->shim || strpbrk(openmp->shim, " :")) {
        otter_error(
            "cannot run '%s' on LLVM's OpenMP runtime: libotter-gomp.so, which is preloaded, %s "
            "(--libomp=none runs the program on GCC's, unrecorded)",
            name,
            openmp->shim ? "is in a folder with a blank or a colon in its path"
                         : "is not found: is Otter installed completely?");
        return OTTER_EXIT_FAILED;
    }
    otter_note("'%s' uses GCC's OpenMP runtime, which cannot be traced: running it on LLVM's, %s "
               "(--libomp=none prevents this)",
               name, openmp->preload);
    return set_preload(openmp, program) ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

static bool set_mpi(const struct otter_program *program, char *const *arguments)
{
    char *connector = otter_mpi_connector(program, arguments);
    bool is_set = !connector || preload(connector, program);
    free(connector);
    return is_set;
}

int otter_environment_set(const struct otter_environment *request,
                          const struct otter_openmp *openmp, const struct otter_program *program)
{
    int status = request->folder ? set_folder(request->folder) : OTTER_EXIT_OK;
    OTTER_THEN(status, set_ompt());
    OTTER_THEN(status, set_runtime(request, openmp, program));
    if (!status && !(set_mpi(program, request->arguments) &&
                     set_kokkos(program, request->arguments) && set_working_folder())) {
        status = OTTER_EXIT_FAILED;
    }
    return status;
}
