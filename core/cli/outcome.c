#include "cli/outcome.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/settings.h"
#include "cli/libraries.h"

static const char variable[] = "OTTER_REPORT_FILE";

char *otter_report_create(void)
{
    const char *folder = getenv("TMPDIR");
    char *path;
    if (asprintf(&path, "%s/otter-report-XXXXXX", folder && *folder ? folder : "/tmp") < 0) {
        return NULL;
    }
    int fd = mkstemp(path);
    if (fd < 0 || setenv(variable, path, 1) != 0) {
        unsetenv(variable); // one that we inherited is not for us
        free(path);
        return NULL;
    }
    close(fd);
    return path;
}

void otter_report_read(char *path, struct otter_outcome *outcome)
{
    *outcome = (struct otter_outcome){0};
    FILE *file = path ? fopen(path, "re") : NULL;
    char *line = NULL;
    size_t room = 0;
    while (file && getline(&line, &room, file) > 0) {
        outcome->n_attached += strncmp(line, "attached ", 9) == 0;
        outcome->n_archives += strncmp(line, "archive ", 8) == 0;
        outcome->n_empty += strncmp(line, "empty ", 6) == 0;
        outcome->n_failed += strncmp(line, "failed ", 7) == 0;
    }
    free(line);
    if (file) {
        fclose(file);
    }
    if (path) {
        unlink(path);
        free(path);
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t text_length = strlen(text), end_length = strlen(end);
    return text_length >= end_length && strcmp(text + text_length - end_length, end) == 0;
}

// The folder that an unfinished recording of process `pid` has left, or false.
static bool find_recording(pid_t pid, char path[PATH_MAX])
{
    const char *exact = otter_settings_get("folder");
    if (*exact && snprintf(path, PATH_MAX, "%s.recording", exact) < PATH_MAX &&
        access(path, F_OK) == 0) {
        return true;
    }
    char ending[64];
    snprintf(ending, sizeof ending, "%d.recording", (int)pid);
    const char *folder = otter_settings_get("trace-path");
    DIR *entries = opendir(*folder ? folder : ".");
    bool found = false;
    for (struct dirent *entry; entries && !found && (entry = readdir(entries));) {
        found = ends_with(entry->d_name, ending);
        if (found) {
            bool is_here = !*folder || strcmp(folder, ".") == 0;
            snprintf(path, PATH_MAX, "%s%s%s", is_here ? "" : folder, is_here ? "" : "/",
                     entry->d_name);
        }
    }
    if (entries) {
        closedir(entries);
    }
    return found;
}

// A connector was loaded, and said nothing more.
static void explain_interruption(const struct otter_child *child)
{
    char recording[PATH_MAX];
    bool is_left = find_recording(child->pid, recording);
    if (child->signal) {
        otter_warning(
            "the program was killed by signal %d (%s) before its archive was complete%s%s",
            child->signal, strsignal(child->signal),
            is_left ? "; what was recorded is in " : ", and nothing was recorded",
            is_left ? recording : "");
    } else if (is_left) {
        otter_warning(
            "the program ended in a way that left no chance to complete its archive; what was "
            "recorded is in %s",
            recording);
    } else {
        otter_note("nothing was recorded: the program ended before any OpenMP construct");
    }
}

// The tools interface is off, or somebody else has it. Returns whether that was so.
static bool explain_competition(const struct otter_program *program)
{
    const char *omp_tool = getenv("OMP_TOOL");
    if (!otter_settings_get_bool("enabled")) {
        otter_note("nothing was recorded: the setting enabled=off is in force");
        return true;
    }
    if (omp_tool && strcasecmp(omp_tool, "disabled") == 0) {
        otter_note(
            "nothing was recorded: OMP_TOOL=disabled is in the environment, which forbids tools "
            "(unset OMP_TOOL)");
        return true;
    }
    const char *other = otter_openmp_other_tool(program);
    if (other) {
        otter_note(
            "nothing was recorded: '%s' brings an OpenMP tool of its own (ompt_start_tool), and a "
            "runtime takes only one",
            other);
        return true;
    }
    return false;
}

static void explain_without_openmp(const struct otter_program *program)
{
    const char *name = otter_file_name(program->path ? program->path : "the program");
    switch (program->kind) {
    case OTTER_PROGRAM_SCRIPT:
        otter_note(
            "nothing was recorded: no program that the script '%s' started used an OpenMP runtime "
            "that can be traced (LLVM's or Intel's)",
            name);
        return;
    case OTTER_PROGRAM_FOREIGN:
        otter_note("nothing was recorded: '%s' is built for another machine than Otter", name);
        return;
    case OTTER_PROGRAM_STATIC:
        otter_note(
            "nothing was recorded: '%s' is linked statically and contains no OpenMP runtime that can be "
            "traced",
            name);
        return;
    case OTTER_PROGRAM_DYNAMIC:
    case OTTER_PROGRAM_UNKNOWN: break;
    }
    otter_note(
        "nothing was recorded: '%s' uses no OpenMP: none of its %zu libraries is an OpenMP runtime "
        "(was it compiled with -fopenmp?)",
        name, program->n_libraries);
}

// The runtime does not say why it passes over a library that cannot be loaded. Returns whether ours cannot.
static bool explain_library(void)
{
    char *path = otter_library_find("ompt");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    bool is_broken = path && !library;
    if (is_broken) {
        otter_warning("nothing was recorded: Otter's own library cannot be loaded: %s", dlerror());
    }
    free(path);
    return is_broken; // and it stays loaded: that is how it is built
}

static void explain_silence(const struct otter_program *program, const struct otter_openmp *openmp)
{
    if (openmp->kind == OTTER_OPENMP_GNU && !openmp->preload) {
        otter_note(
            "nothing was recorded: the program uses GCC's OpenMP runtime (libgomp), which has no tools "
            "interface; %s",
            otter_openmp_obstacle_text(openmp->obstacle));
    } else if (openmp->kind == OTTER_OPENMP_NONE) {
        explain_without_openmp(program);
    } else if (!otter_openmp_takes_tools(openmp)) {
        otter_note(
            "nothing was recorded: the program's OpenMP runtime was built without a tools interface: %s",
            openmp->library);
    } else if (!explain_library()) {
        otter_note(
            "nothing was recorded: the program has an OpenMP runtime but never entered OpenMP");
    }
}

void otter_outcome_explain(const struct otter_outcome *outcome, const struct otter_program *program,
                           const struct otter_openmp *openmp, const struct otter_child *child)
{
    if (outcome->n_failed > 0 || outcome->n_archives > 0) {
        return; // the recorder has said what there is to say
    }
    if (outcome->n_empty > 0) {
        otter_note("nothing was recorded: the program never entered OpenMP");
    } else if (outcome->n_attached > 0) {
        explain_interruption(child);
    } else if (!explain_competition(program)) {
        explain_silence(program, openmp);
    }
}
