// Shows on a terminal how many of the events have been read.
#include "cli/progress.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/job/each_rank.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/path.h"
#include "base/text/print.h"
#include "graph/graph.h"

enum { WIDTH = 60, FIRST_MS = 1000, NEXT_MS = 100 };

static struct {
    uint64_t next_ns;
    uint64_t n_events; // events of all passes
    bool is_watched;   // true between begin and end, on a terminal
    bool is_shown;
    bool has_step;    // the line shows a step instead of the part read so far
    const char *name; // of the archive, if the command reads several; otherwise NULL
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

static void show_part(uint64_t n_read)
{
    uint64_t now = otter_clock_monotonic_ns();
    bool is_last = n_read + OTTER_WATCH_EVERY > progress.n_events;
    if (progress.has_step || (now < progress.next_ns && !(is_last && progress.is_shown))) {
        return;
    }
    char text[WIDTH + 1];
    const char *gap = progress.name ? " " : "", *name = progress.name ? progress.name : "";
    if (is_last) {
        snprintf(text, sizeof text, "otter: analysing%s%.30s", gap, name);
    } else {
        snprintf(text, sizeof text, "otter: reading%s%.30s, %u %%", gap, name,
                 (unsigned)(100.0 * (double)n_read / (double)progress.n_events));
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

void otter_progress_begin(struct otter_archive *archive, unsigned n_passes)
{
    if (!can_show()) {
        return;
    }
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    uint64_t n = 0;
    for (size_t i = 0; i < definitions->n_locations; i++) {
        n += otter_has_ranks(archive) ? definitions->locations[i].n_events
                                      : definitions->locations[i].n_held;
    }
    progress.n_events = n * n_passes;
    if (!progress.is_watched) {
        progress.next_ns = otter_clock_monotonic_ns() + FIRST_MS * UINT64_C(1000000);
    }
    progress.is_watched = true;
    otter_archive_watch(archive, watch, NULL);
    otter_log_set_before(otter_progress_hide);
}

static void begin_next(struct otter_archive *archive)
{
    progress.name = otter_path_file(otter_archive_definitions(archive)->folder);
    otter_progress_begin(archive, 1);
}

void otter_progress_begin_several(void)
{
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
    progress.is_watched = progress.has_step = false;
    progress.name = NULL;
}
