// Shows on a terminal how many of the events have been read.
#include "cli/progress.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/job/each_rank.h"
#include "base/clock.h"
#include "base/free.h"
#include "base/log.h"
#include "base/path.h"
#include "base/text/print.h"
#include "base/text/visible.h"
#include "graph/graph.h"
#include "report/diff/diff_noise.h"

enum { WIDTH = 70, NAME_WIDTH = 30, FIRST_MS = 1000, NEXT_MS = 100 };
enum { MAX_SECONDS = 99, MAX_MINUTES = 9999, TIME_SIZE = 16 };
enum { MAX_ARGUMENTS = 2 * OTTER_DIFF_MOST_RUNS, MAX_BYTES = 4 }; // bytes of a shown column

// An archive of the command line; if it is a job's, the command may also open each of its ranks.
struct argument {
    const char *path;
    char name[MAX_BYTES * NAME_WIDTH + 1]; // as shown; empty: the only archive
    uint64_t n_events;                     // events of all passes; 0: not opened yet
    uint64_t n_before;                     // events of archives that have been opened before
};

static struct {
    uint64_t next_ns;
    uint64_t begun_ns;                        // when the open archive was opened
    struct argument arguments[MAX_ARGUMENTS]; // if the command reads several archives
    struct argument other;                    // an archive that belongs to none of `arguments`
    struct argument *current;
    uint64_t n_open; // events of all passes of the open archive
    uint32_t n_arguments;
    unsigned n_passes; // of each archive of a process
    bool is_watched;   // true between begin and end, on a terminal
    bool is_shown;
    bool has_step; // the line shows a step instead of the part read so far
} progress;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // protects `progress` and the line

static bool can_show(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

// Clears the rest of the line with spaces rather than an escape sequence.
static void show(const char *text)
{
    otter_print(stderr, "\r%-*s\r", WIDTH, text);
    fflush(stderr);
}

// Writes how long it takes to read the other `n_left` events at the same speed as `n_read` of them.
static void write_time_left(char text[static TIME_SIZE], uint64_t n_read, uint64_t n_left,
                            uint64_t now)
{
    double seconds = (double)(now - progress.begun_ns) * 1e-9 * (double)n_left / (double)n_read;
    bool is_long = seconds > MAX_SECONDS;
    double number = ceil(is_long ? seconds / 60 : seconds);
    snprintf(text, TIME_SIZE, "%.0f %s", fmin(number, MAX_MINUTES), is_long ? "min" : "s");
}

static void show_part(uint64_t n_read)
{
    const struct argument *current = progress.current;
    uint64_t now = otter_clock_monotonic_ns();
    uint64_t n = current->n_before + (n_read < progress.n_open ? n_read : progress.n_open);
    bool is_last = n + OTTER_WATCH_EVERY > current->n_events;
    if (progress.has_step || (now < progress.next_ns && !(is_last && progress.is_shown))) {
        return;
    }
    char text[MAX_BYTES * WIDTH + 1];
    const char *gap = *current->name ? " " : "";
    if (is_last) {
        snprintf(text, sizeof text, "otter: analysing%s%s", gap, current->name);
    } else {
        char left[TIME_SIZE];
        write_time_left(left, n - current->n_before, current->n_events - n, now);
        snprintf(text, sizeof text, "otter: reading%s%s, %u %%, %s left", gap, current->name,
                 (unsigned)(100.0 * (double)n / (double)current->n_events), left);
    }
    show(text);
    progress.is_shown = true;
    progress.next_ns = now + NEXT_MS * UINT64_C(1000000);
}

static void watch(void *unused, uint64_t n_read)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    show_part(n_read);
    pthread_mutex_unlock(&lock);
}

static uint64_t count_events(const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    uint64_t n = 0;
    for (size_t i = 0; i < definitions->n_locations; i++) {
        n += otter_has_ranks(archive) ? definitions->locations[i].n_events
                                      : definitions->locations[i].n_held;
    }
    return n;
}

// Caller holds the lock.
static void begin(struct otter_archive *archive)
{
    progress.begun_ns = otter_clock_monotonic_ns();
    if (!progress.is_watched) {
        progress.next_ns = progress.begun_ns + FIRST_MS * UINT64_C(1000000);
    }
    progress.is_watched = true;
    otter_archive_watch(archive, watch, NULL);
    otter_log_set_before(otter_progress_hide);
}

void otter_progress_begin(struct otter_archive *archive, unsigned n_passes)
{
    if (!can_show()) {
        return;
    }
    pthread_mutex_lock(&lock);
    progress.n_open = count_events(archive) * n_passes;
    progress.other = (struct argument){.n_events = progress.n_open};
    progress.current = &progress.other;
    begin(archive);
    pthread_mutex_unlock(&lock);
}

// ---- several archives

static size_t length_without_slashes(const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    return n;
}

// Returns whether `path` is `folder` or below it.
static bool is_in(const char *path, const char *folder)
{
    size_t n = length_without_slashes(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

// Returns the length of the longest start of `name` that has at most NAME_WIDTH columns when shown.
static size_t cut(const char *name)
{
    const char *at = name, *end = name + strlen(name);
    struct otter_visible visible;
    size_t n = 0;
    for (unsigned columns = 0; otter_visible_next(&at, end, &visible);) {
        columns += visible.n_columns;
        if (columns > NAME_WIDTH || (size_t)(at - name) > MAX_BYTES * NAME_WIDTH) {
            break;
        }
        n = (size_t)(at - name);
    }
    return n;
}

// The name is the path, or its last part if the path is too long. "." and ".." are resolved first.
static void set_name(struct argument *argument, const char *path)
{
    char *own = strndup(path, length_without_slashes(path));
    const char *file = own ? otter_path_file(own) : "";
    bool is_relative = strcmp(file, ".") == 0 || strcmp(file, "..") == 0;
    char *folder = is_relative ? realpath(path, NULL) : NULL;
    const char *name = folder ? otter_path_file(folder) : own ? own : "";
    name = name[cut(name)] ? otter_path_file(name) : name;
    memcpy(argument->name, name, cut(name));
    OTTER_FREE(own, folder);
}

void otter_progress_add(const char *path)
{
    pthread_mutex_lock(&lock);
    if (progress.n_arguments < MAX_ARGUMENTS) {
        struct argument *argument = &progress.arguments[progress.n_arguments++];
        *argument = (struct argument){.path = path};
        set_name(argument, path);
    }
    pthread_mutex_unlock(&lock);
}

// Returns the argument to which the archive belongs, preferably one that is not read yet.
static struct argument *find_argument(const char *folder)
{
    struct argument *found = NULL;
    for (uint32_t i = 0; i < progress.n_arguments; i++) {
        struct argument *argument = &progress.arguments[i];
        if (is_in(folder, argument->path) || is_in(argument->path, folder)) {
            found = argument;
            if (argument->n_events == 0 || argument->n_before < argument->n_events) {
                return argument;
            }
        }
    }
    return found;
}

// The ranks of a job are first read together, then each as an archive of its own.
static void begin_next(struct otter_archive *archive)
{
    bool is_job = otter_has_ranks(archive);
    uint64_t n = count_events(archive);
    if (!can_show()) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (progress.current) {
        progress.current->n_before += progress.n_open;
    }
    struct argument *argument = find_argument(otter_archive_definitions(archive)->folder);
    if (!argument) {
        progress.other = (struct argument){.n_events = 0};
        argument = &progress.other;
    }
    if (argument->n_events == 0) {
        argument->n_events = n * (progress.n_passes + is_job);
    }
    progress.n_open = n * (is_job ? 1 : progress.n_passes);
    progress.current = argument;
    begin(archive);
    pthread_mutex_unlock(&lock);
}

void otter_progress_begin_several(unsigned n_passes)
{
    progress.n_passes = n_passes;
    otter_archive_watch_opening(begin_next);
}

void otter_progress_step(const char *step)
{
    pthread_mutex_lock(&lock);
    progress.has_step = true;
    if (progress.is_watched &&
        (progress.is_shown || otter_clock_monotonic_ns() >= progress.next_ns)) {
        char text[WIDTH + 1];
        snprintf(text, sizeof text, "otter: %s", step);
        show(text);
        progress.is_shown = true;
    }
    pthread_mutex_unlock(&lock);
}

void otter_progress_hide(void)
{
    pthread_mutex_lock(&lock);
    if (progress.is_shown) {
        show("");
    }
    progress.is_shown = false;
    pthread_mutex_unlock(&lock);
}

void otter_progress_end(struct otter_archive *archive)
{
    if (archive) {
        otter_archive_watch(archive, NULL, NULL);
    }
    otter_archive_watch_opening(NULL);
    otter_log_set_before(NULL);
    otter_progress_hide();
    pthread_mutex_lock(&lock);
    progress.is_watched = progress.has_step = false;
    progress.current = NULL;
    progress.n_arguments = 0;
    progress.n_open = 0;
    pthread_mutex_unlock(&lock);
}
