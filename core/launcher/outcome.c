// Reads the recorder's report, and explains why nothing or only a part was recorded.
#include "launcher/outcome.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/free.h"
#include "base/log.h"
#include "base/path.h"
#include "base/text/number.h"
#include "base/text/print.h"
#include "base/settings.h"
#include "base/text/visible.h"
#include "launcher/libraries.h"
#include "launcher/mpi.h"
#include "recording/rank.h"
#include "source/stored_lines.h"
#include "trace/schema.h"

struct otter_left {
    pid_t pid;
    char *folder;
};

static const char variable[] = "OTTER_REPORT_FILE";

enum { REPORT_ROOM = 1 << 14 }; // bytes

// Creates the file in `folder`, with space reserved for its lines, so that recorders can report
// even on a full disk. Returns its path, or NULL and errno.
static char *create_in(const char *folder)
{
    char *path;
    if (asprintf(&path, "%s/otter-report-XXXXXX", folder) < 0) {
        return NULL;
    }
    int fd = mkstemp(path);
    bool is_made = fd >= 0 && fchmod(fd, 0600) == 0; // independent of the umask
    if (is_made && fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, REPORT_ROOM) != 0) {
        is_made = errno == EOPNOTSUPP || errno == ENOSYS;
    }
    int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    if (!is_made) {
        if (fd >= 0) {
            unlink(path);
        }
        free(path);
        path = NULL;
    }
    errno = error;
    return path;
}

char *otter_report_create(void)
{
    const char *folder = getenv("TMPDIR");
    char *path = create_in(folder && *folder ? folder : "/tmp");
    int error = errno;
    path = path ? path : create_in("/tmp");
    if (path && setenv(variable, path, 1) == 0) {
        return path;
    }
    otter_warning("cannot create a file in '%s': %s; if nothing is recorded, Otter cannot say "
                  "why (set TMPDIR to another folder)",
                  folder && *folder ? folder : "/tmp", strerror(error));
    unsetenv(variable); // an inherited value belongs to another command
    free(path);
    return NULL;
}

static size_t find_unfinished(const struct otter_outcome *outcome, pid_t pid)
{
    size_t i = 0;
    while (i < outcome->n_unfinished && outcome->unfinished[i] != pid) {
        i++;
    }
    return i;
}

static void add_attached(struct otter_outcome *outcome, pid_t pid)
{
    outcome->n_attached++;
    if (find_unfinished(outcome, pid) < outcome->n_unfinished) {
        return;
    }
    pid_t *longer = reallocarray(outcome->unfinished, outcome->n_unfinished + 1, sizeof *longer);
    if (longer) {
        longer[outcome->n_unfinished++] = pid;
        outcome->unfinished = longer;
    }
}

static void add_opened(struct otter_outcome *outcome, pid_t pid, const char *folder)
{
    struct otter_left *longer = reallocarray(outcome->left, outcome->n_left + 1, sizeof *longer);
    if (!longer) {
        return;
    }
    outcome->left = longer;
    char *copy = strdup(folder);
    if (copy) {
        longer[outcome->n_left++] = (struct otter_left){.pid = pid, .folder = copy};
    }
}

static void add_finished(struct otter_outcome *outcome, pid_t pid)
{
    size_t i = find_unfinished(outcome, pid);
    if (i < outcome->n_unfinished) {
        outcome->unfinished[i] = outcome->unfinished[--outcome->n_unfinished];
    }
}

// Adds the folder of an archive and, for a rank, its counts to the job.
static void add_archive(struct otter_outcome *outcome, const char *text)
{
    struct otter_job *job = &outcome->job;
    uint64_t n_events, n_tasks, n_lost;
    int at = 0;
    if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %n", &n_events, &n_tasks, &n_lost, &at) !=
        3) {
        return;
    }
    const char *folder = text + at;
    char **longer = reallocarray(outcome->archives, outcome->n_folders + 1, sizeof *longer);
    if (longer) {
        outcome->archives = longer;
        longer[outcome->n_folders] = strdup(folder);
        outcome->n_folders += longer[outcome->n_folders] != NULL;
    }
    if (strncmp(otter_path_file(folder), OTTER_RANK_PREFIX, strlen(OTTER_RANK_PREFIX)) != 0) {
        return;
    }
    job->folder = job->folder ? job->folder : otter_path_folder(folder);
    // the name of another archive of the rank: rank-0000.2
    if (!job->spawned && strchr(otter_path_file(folder), '.')) {
        job->spawned = strdup(folder);
    }
    job->n_ranks++;
    job->n_events += n_events;
    job->n_tasks += n_tasks;
    job->n_lost += n_lost;
}

static void read_line(struct otter_outcome *outcome, const char *line)
{
    char word[16];
    int pid, at;
    if (sscanf(line, "%15s %d %n", word, &pid, &at) != 2) {
        return;
    }
    if (strcmp(word, "attached") == 0) {
        outcome->has_kokkos = outcome->has_kokkos || strcmp(line + at, "kokkos") == 0;
        add_attached(outcome, pid);
        return;
    }
    if (strcmp(word, "closing") == 0) {
        return; // the line is for the observer
    }
    if (strcmp(word, "opened") == 0) {
        add_opened(outcome, pid, line + at);
        return;
    }
    if (strcmp(word, "archive") == 0) {
        outcome->n_archives++;
        add_archive(outcome, line + at);
    }
    if (strcmp(word, "libgomp") == 0) {
        outcome->n_gnu++;
        return;
    }
    outcome->n_empty += strcmp(word, "empty") == 0;
    outcome->n_unwanted += strcmp(word, "unwanted") == 0;
    outcome->n_failed += strcmp(word, "failed") == 0;
    add_finished(outcome, pid);
}

void otter_report_read(char *path, struct otter_outcome *outcome)
{
    *outcome = (struct otter_outcome){0};
    FILE *file = path ? fopen(path, "re") : NULL;
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; file && (length = getdelim(&line, &room, '\0', file)) > 0;) {
        read_line(outcome, line);
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

void otter_outcome_finish(struct otter_outcome *outcome)
{
    for (size_t i = 0; i < outcome->n_left; i++) {
        free(outcome->left[i].folder);
    }
    free(outcome->left);
    for (size_t i = 0; i < outcome->n_folders; i++) {
        free(outcome->archives[i]);
    }
    OTTER_FREE(outcome->archives, outcome->job.folder, outcome->job.spawned, outcome->unfinished);
    *outcome = (struct otter_outcome){0};
}

void otter_outcome_store_lines(const struct otter_outcome *outcome)
{
    struct otter_stored_lines all = {0};
    struct otter_complaint complaint;
    for (size_t i = 0; i < outcome->n_folders; i++) {
        struct otter_stored_lines one;
        if (otter_lines_store(outcome->archives[i], &one, &complaint)) {
            otter_warning("source lines are not stored: %s", complaint.text);
            continue;
        }
        all.n_with += one.n_with;
        all.n_without += one.n_without;
    }
    if (otter_rank_speaks()) {
        otter_stored_lines_note(&all);
    }
}

static bool is_there(const struct otter_left *left)
{
    return access(left->folder, F_OK) == 0; // a completed recording has another name
}

// Returns the last recording that a process did not complete, or NULL.
static const struct otter_left *last_left(const struct otter_outcome *outcome, pid_t pid)
{
    for (size_t i = outcome->n_left; i-- > 0;) {
        if (outcome->left[i].pid == pid && is_there(&outcome->left[i])) {
            return &outcome->left[i];
        }
    }
    return NULL;
}

// Returns the path relative to the working folder; if it is not below that folder, returns `path`.
static const char *short_path(const char *path)
{
    char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool is_below = length > 1 && strncmp(path, here, length) == 0 && path[length] == '/';
    return is_below ? path + length + 1 : path;
}

// Returns the folder as a word of a command line; the caller frees it.
static char *word_of(const struct otter_left *left)
{
    return left ? otter_visible_word(short_path(left->folder)) : NULL;
}

void otter_outcome_print_job(const struct otter_outcome *outcome)
{
    const struct otter_job *job = &outcome->job;
    if (!job->folder) {
        return;
    }
    char *word = otter_visible_word(short_path(job->spawned ? job->spawned : job->folder));
    char events[OTTER_MAX_NUMBER], tasks[OTTER_MAX_NUMBER], lost[OTTER_MAX_NUMBER];
    otter_note("%u rank%s: %s event%s, %s task%s, %s lost", job->n_ranks,
               otter_plural(job->n_ranks), otter_number_text(job->n_events, events),
               otter_plural(job->n_events), otter_number_text(job->n_tasks, tasks),
               otter_plural(job->n_tasks), otter_number_text(job->n_lost, lost));
    otter_note("next: otter report %s", word ? word : job->folder);
    otter_note_plain("OTTER_TRACE_FOLDER=%s", job->folder);
    free(word);
}

// Explains a process that attached but did not report its end: it was killed, or it ended without
// exit handlers.
static void explain_interruption(const struct otter_child *child, pid_t pid,
                                 const struct otter_left *left)
{
    char *word = word_of(left);
    if (pid == child->pid && child->signal) {
        otter_warning(
            "the program was killed by signal %d (%s) before its archive was complete%s%s",
            child->signal, strsignal(child->signal),
            left ? "; to make an archive: otter recover " : ", and nothing was recorded",
            left ? word : "");
    } else if (left) {
        otter_warning(
            "process %d ended without completing its archive; to make an archive: otter recover %s",
            (int)pid, word);
    } else {
        otter_note("nothing was recorded: process %d ended before any OpenMP construct", (int)pid);
    }
    free(word);
}

// Returns the folder of a job with several incomplete ranks, or NULL; the caller frees it.
static char *unfinished_job(const struct otter_outcome *outcome, unsigned *n)
{
    char *job = NULL;
    *n = 0;
    for (size_t i = 0; i < outcome->n_unfinished; i++) {
        const struct otter_left *left = last_left(outcome, outcome->unfinished[i]);
        size_t length = left ? (size_t)(otter_path_file(left->folder) - left->folder) : 0;
        if (length == 0 ||
            strncmp(left->folder + length, OTTER_RANK_PREFIX, strlen(OTTER_RANK_PREFIX)) != 0) {
            continue;
        }
        job = job ? job : otter_path_folder(left->folder);
        *n += job && strncmp(job, left->folder, strlen(job)) == 0;
    }
    if (*n < 2) {
        free(job);
        job = NULL;
    }
    return job;
}

// If ranks of a job were killed, explains this once for all of them. Returns whether any were
// killed.
static bool explain_killed_job(const struct otter_outcome *outcome)
{
    unsigned n;
    char *job = unfinished_job(outcome, &n);
    char *word = job ? otter_visible_word(short_path(job)) : NULL;
    bool is_killed = job && n == outcome->n_unfinished;
    if (is_killed) {
        otter_warning("%u ranks ended without completing their archives; to make archives: "
                      "otter recover %s",
                      n, word ? word : job);
    }
    free(word);
    free(job);
    return is_killed;
}

// Explains an incomplete recording of a process that has since executed another program.
static void explain_exec(const struct otter_outcome *outcome, const struct otter_left *left)
{
    bool is_unfinished = find_unfinished(outcome, left->pid) < outcome->n_unfinished;
    bool is_last = left == last_left(outcome, left->pid);
    if (is_there(left) && outcome->n_failed == 0 && !(is_unfinished && is_last)) {
        char *word = word_of(left);
        otter_warning("process %d executed another program (exec) during its recording; to make an "
                      "archive: otter recover %s",
                      (int)left->pid, word);
        free(word);
    }
}

// If the tools interface is off, or used by another tool, explains this and returns true.
static bool explain_competition(const struct otter_program *program)
{
    const char *ban = otter_openmp_ban();
    if (!otter_settings_get_bool("enabled")) {
        otter_note("nothing was recorded: the setting enabled=off is in force");
        return true;
    }
    if (ban) {
        otter_note(
            "nothing was recorded: OMP_TOOL=%s is in the environment, and any value but enabled "
            "forbids tools (unset OMP_TOOL)",
            ban);
        return true;
    }
    const char *other = otter_openmp_other_tool(program);
    if (other) {
        otter_note(
            "nothing was recorded: '%s' contains an OpenMP tool (ompt_start_tool), and a runtime "
            "loads only one",
            other);
        return true;
    }
    return false;
}

static void explain_without_openmp(const struct otter_program *program)
{
    static const char for_gcc[] = "name that program itself, or set LD_PRELOAD=libomp.so.5";
    const char *name = otter_path_file(program->path ? program->path : "the program");
    switch (program->kind) {
    case OTTER_PROGRAM_SCRIPT:
        otter_note(
            "nothing was recorded: no program that the script '%s' started used an OpenMP runtime "
            "that can be traced (LLVM's or Intel's); for one built with GCC, %s",
            program->path ? program->path : name, for_gcc);
        return;
    case OTTER_PROGRAM_FOREIGN:
        otter_note("nothing was recorded: '%s' is built for a different machine than Otter", name);
        return;
    case OTTER_PROGRAM_STATIC:
        otter_note(
            "nothing was recorded: '%s' is linked statically, so that no tool can be loaded (link "
            "it without -static)",
            name);
        return;
    case OTTER_PROGRAM_DYNAMIC:
    case OTTER_PROGRAM_UNKNOWN: break;
    }
    if (program->n_libraries == 0) {
        otter_note(
            "nothing was recorded: the libraries of '%s' cannot be listed: is a library missing? "
            "(ldd shows it)",
            name);
        return;
    }
    if (strncmp(name, "python", strlen("python")) == 0) {
        otter_note(
            "nothing was recorded: '%s' itself uses no OpenMP and no MPI (for a package that "
            "it loads: LD_PRELOAD=libomp.so.5 otter record %s ...; for mpi4py: "
            "LD_PRELOAD=libmpi.so.40 with Open MPI, libmpich.so.12 with MPICH)",
            name, name);
        return;
    }
    if (otter_mpi_is_launched(program)) {
        otter_note("nothing was recorded: '%s' executed no OpenMP that Otter can trace, and "
                   "called no MPI function through Otter (calls of functions that a program "
                   "looks up with dlsym are not recorded; for OpenMP of GCC, %s)",
                   name, for_gcc);
        return;
    }
    otter_note(
        "nothing was recorded: '%s' uses no OpenMP: no OpenMP runtime is among its %zu librar%s "
        "(was it compiled with -fopenmp? If it starts or loads a program built with GCC, %s)",
        name, program->n_libraries, program->n_libraries == 1 ? "y" : "ies", for_gcc);
}

// If Otter's library cannot be loaded, explains why, since the runtime gives no reason. Returns
// whether it did.
static bool explain_library(void)
{
    char *path = otter_library_find("ompt");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    bool is_broken = path && !library;
    if (is_broken) {
        otter_warning("nothing was recorded: Otter's own library cannot be loaded: %s", dlerror());
    }
    free(path);
    return is_broken; // dlclose would have no effect: the library is linked with -z nodelete
}

// Explains why OpenMP is missing in an archive that contains Kokkos or another program.
// --libomp=none needs no explanation.
static void explain_obstacle(const struct otter_outcome *outcome, const struct otter_openmp *openmp)
{
    bool is_said = openmp->obstacle == OTTER_OBSTACLE_FORBIDDEN || !openmp->obstacle_text;
    if (outcome->n_archives > 0 && !is_said) {
        otter_note(
            "OpenMP was not recorded: the program uses GCC's runtime (libgomp), which has no tools "
            "interface; %s",
            openmp->obstacle_text);
    }
}

// Explains why OpenMP is missing in archives of programs that this command did not start itself.
static void explain_libgomp(const struct otter_outcome *outcome, const struct otter_openmp *openmp)
{
    if (outcome->n_gnu > 0 && !openmp->obstacle) {
        otter_note(
            "OpenMP was not recorded in %u process%s with GCC's runtime (libgomp), which has "
            "no tools interface: name the program itself, as in 'mpirun -n 4 otter record "
            "./app', or set LD_PRELOAD=libomp.so.5",
            outcome->n_gnu, outcome->n_gnu == 1 ? "" : "es");
    }
}

static void explain_silence(const struct otter_program *program, const struct otter_openmp *openmp)
{
    if (openmp->kind == OTTER_OPENMP_GNU && !openmp->preload) {
        otter_note(
            "nothing was recorded: the program uses GCC's OpenMP runtime (libgomp), which has no "
            "tools "
            "interface; %s",
            openmp->obstacle_text ? openmp->obstacle_text : "");
    } else if (openmp->kind == OTTER_OPENMP_NONE) {
        explain_without_openmp(program);
    } else if (!otter_openmp_takes_tools(openmp)) {
        otter_note("nothing was recorded: the program's OpenMP runtime was built without a tools "
                   "interface: %s",
                   openmp->library);
    } else if (!explain_library()) {
        otter_note(
            "nothing was recorded: Otter's library was not loaded: did the program use OpenMP? "
            "(OMP_TOOL_VERBOSE_INIT=stderr shows what the runtime did)");
    }
}

// Names the replaced runtime as a possible reason for a crash.
static void explain_crash(const struct otter_program *program, const struct otter_openmp *openmp,
                          const struct otter_child *child)
{
    static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    for (size_t i = 0; openmp->preload && i < sizeof crashes / sizeof *crashes; i++) {
        if (child->signal == crashes[i]) {
            otter_note("'%s' ran on LLVM's OpenMP runtime instead of GCC's: if it does not crash "
                       "without that (--libomp=none), compile it with clang to record it",
                       otter_path_file(program->path));
        }
    }
}

// Explains the setting `only` for a program without Kokkos.
static void explain_labels(const struct otter_outcome *outcome)
{
    const char *only = otter_settings_get("only");
    if (*only && outcome->n_archives > 0 && !outcome->has_kokkos) {
        otter_warning("nothing was recorded: only=%s names Kokkos regions or sections, and the "
                      "program has used no Kokkos (leave the setting out)",
                      only);
    }
}

// Prints why no switches or samples were recorded. In a job, one rank prints it for all.
static void explain_observer(const struct otter_outcome *outcome, const struct otter_child *child)
{
    bool is_recorded = outcome->n_archives > 0 || outcome->n_unfinished > 0;
    char text[OTTER_REFUSAL_SIZE];
    if (child->observer_error && is_recorded && otter_rank_speaks()) {
        otter_note("the times of threads on processors%s were not recorded: %s (--switches=off "
                   "suppresses this note)",
                   child->sample_error ? ", and samples," : "",
                   otter_observer_refusal(child->observer_error, otter_observer_paranoid(), text));
    } else if (child->sample_error && is_recorded && otter_rank_speaks()) {
        otter_note("no samples were recorded: %s",
                   otter_observer_refusal(child->sample_error, otter_observer_paranoid(), text));
    }
}

void otter_outcome_explain(const struct otter_outcome *outcome, const struct otter_program *program,
                           const struct otter_openmp *openmp, const struct otter_child *child)
{
    bool is_said = explain_killed_job(outcome);
    for (size_t i = 0; i < outcome->n_unfinished && !is_said; i++) {
        pid_t pid = outcome->unfinished[i];
        explain_interruption(child, pid, last_left(outcome, pid));
    }
    for (size_t i = 0; i < outcome->n_left; i++) {
        explain_exec(outcome, &outcome->left[i]);
    }
    explain_crash(program, openmp, child);
    explain_labels(outcome);
    explain_obstacle(outcome, openmp);
    explain_libgomp(outcome, openmp);
    explain_observer(outcome, child);
    if (outcome->n_failed > 0 || outcome->n_archives > 0 || outcome->n_unfinished > 0 ||
        outcome->n_unwanted > 0) {
        return; // the recorder has printed the reason
    }
    if (child->signal) {
        otter_warning("the program was killed by signal %d (%s)", child->signal,
                      strsignal(child->signal));
    }
    if (outcome->n_empty > 0) {
        bool has_kokkos = otter_program_mentions(program, "KOKKOS_TOOLS_LIBS", "kokkos") ||
                          otter_program_mentions(program, "KOKKOS_PROFILE_LIBRARY", "kokkos");
        otter_note("nothing was recorded: the program never executed an OpenMP construct%s",
                   has_kokkos ? ", and launched, allocated, copied or named nothing in Kokkos"
                              : "");
    } else if (program->is_privileged) {
        otter_note(
            "'%s' is not recorded: it is setuid or setgid, or has capabilities, so it ignores "
            "the environment variables that load Otter (record it as its owner, or record a "
            "copy without these rights)",
            otter_path_file(program->path));
    } else if (!explain_competition(program)) {
        explain_silence(program, openmp);
    }
}
