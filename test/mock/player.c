// Plays a script to a tool as an OpenMP runtime does: player TOOL[:TOOL]... SCRIPT
//
// Each line is played on its own thread, and ends before the next line begins. Only `together`
// plays all threads at once. Prints which tool was accepted, where the named places are in the
// program, and the tool's calls to devices.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "play.h"
#include "runtime.h"
#include "script.h"

enum { MAX_THREADS = 256 };

// The part that a thread plays next: its lines in [first, end), `times` times.
struct part {
    size_t first, end;
    uint64_t times;
};

static struct player {
    const struct script *script;
    const char *tools;
    int started; // number of the started tool; 0: none
    bool was_started;
} player;

static struct thread {
    pthread_t id;
    int number;
    bool is_alive, is_over; // is_over: the thread must end
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool has_part;
    struct part part;
} threads[MAX_THREADS];

// ---- threads

// *Returns* true when the line ends the thread.
static bool play_part(int number, struct part part)
{
    for (uint64_t time = 0; time < part.times; time++) {
        for (size_t i = part.first; i < part.end; i++) {
            const struct line *line = &player.script->lines[i];
            if (line->thread != number) {
                continue;
            }
            if (strcmp(line->words[0], "exit") == 0) {
                return true;
            }
            play_line(line);
        }
    }
    return false;
}

static void *run_thread(void *user)
{
    struct thread *thread = user;
    struct mock_thread own = {.n_frames = 0};
    mock_thread_enter(&own);
    pthread_mutex_lock(&thread->lock);
    for (bool ends = false; !ends;) {
        while (!thread->has_part && !thread->is_over) {
            pthread_cond_wait(&thread->changed, &thread->lock);
        }
        if (!thread->has_part) {
            break;
        }
        struct part part = thread->part;
        pthread_mutex_unlock(&thread->lock);
        ends = play_part(thread->number, part);
        pthread_mutex_lock(&thread->lock);
        thread->has_part = false;
        pthread_cond_signal(&thread->changed);
    }
    pthread_mutex_unlock(&thread->lock);
    return NULL;
}

static struct thread *thread_of(const struct line *line)
{
    if (line->thread >= MAX_THREADS) {
        line_fail(line, "more than %d threads", MAX_THREADS);
    }
    struct thread *thread = &threads[line->thread];
    if (!thread->is_alive) {
        *thread = (struct thread){.number = line->thread,
                                  .is_alive = true,
                                  .lock = PTHREAD_MUTEX_INITIALIZER,
                                  .changed = PTHREAD_COND_INITIALIZER};
        if (pthread_create(&thread->id, NULL, run_thread, thread)) {
            line_fail(line, "no thread can be made");
        }
    }
    return thread;
}

static void give(struct thread *thread, struct part part)
{
    pthread_mutex_lock(&thread->lock);
    thread->part = part;
    thread->has_part = true;
    pthread_cond_signal(&thread->changed);
    pthread_mutex_unlock(&thread->lock);
}

static void await(struct thread *thread)
{
    pthread_mutex_lock(&thread->lock);
    while (thread->has_part) {
        pthread_cond_wait(&thread->changed, &thread->lock);
    }
    pthread_mutex_unlock(&thread->lock);
}

static void end_thread(struct thread *thread)
{
    pthread_mutex_lock(&thread->lock);
    thread->is_over = true;
    pthread_cond_signal(&thread->changed);
    pthread_mutex_unlock(&thread->lock);
    pthread_join(thread->id, NULL);
    thread->is_alive = false;
}

// ---- the script

static void start(void)
{
    if (!player.was_started) {
        player.was_started = true;
        player.started = mock_start(player.tools);
        printf("tool %d\ninitialized %d\n", player.started, mock_initialized());
        fflush(stdout);
    }
}

static void play_alone(size_t i)
{
    const struct line *line = &player.script->lines[i];
    struct part part = {.first = i, .end = i + 1, .times = 1};
    bool ends = strcmp(line->words[0], "exit") == 0;
    start();
    if (line->thread == 0) {
        play_part(0, part);
        return;
    }
    struct thread *thread = thread_of(line);
    give(thread, part);
    if (ends) {
        end_thread(thread);
    } else {
        await(thread);
    }
}

// Plays the lines from after `together` to `end`. *Returns* the index of `end`.
static size_t play_together(size_t first, uint64_t times)
{
    const struct script *script = player.script;
    size_t end = first;
    start();
    while (end < script->n_lines && script->lines[end].thread != SCRIPT_NO_THREAD) {
        if (script->lines[end].thread > 0) {
            thread_of(&script->lines[end]);
        }
        end++;
    }
    struct part part = {.first = first, .end = end, .times = times};
    for (int i = 1; i < MAX_THREADS; i++) {
        if (threads[i].is_alive) {
            give(&threads[i], part);
        }
    }
    play_part(0, part);
    for (int i = 1; i < MAX_THREADS; i++) {
        if (threads[i].is_alive) {
            await(&threads[i]);
        }
    }
    return end;
}

static void grant(const struct line *line)
{
    for (size_t i = 1; i < line->n_words; i++) {
        char name[64];
        uint64_t callback, result;
        size_t length = strcspn(line->words[i], "=");
        snprintf(name, sizeof(name), "%.*s", (int)length, line->words[i]);
        bool is_known = words_find(WORDS_CALLBACK, name, &callback) && line->words[i][length];
        if (!is_known || !words_find(WORDS_RESULT, line->words[i] + length + 1, &result)) {
            line_fail(line, "grants nothing: %s", line->words[i]);
        }
        mock_grant((ompt_callbacks_t)callback, (ompt_set_result_t)result);
    }
}

//     device NUMBER rate=HZ drift=PARTS offset=TICKS ompt=RESULT kernels=RESULT native=RESULT
//     starts=0 slow=MS translates=FACTOR skew=US monotonic still newer held cursor=0
static void set_device(const struct line *line)
{
    struct mock_device_options options = {
        .rate = (double)line_number(line, "rate", 1000000000),
        .drift = atof(line_value(line, "drift", "0")),
        .offset = line_number(line, "offset", 0),
        .ompt = (ompt_set_result_t)line_flags(line, "ompt", WORDS_RESULT, ompt_set_always),
        .kernels = (ompt_set_result_t)line_flags(
            line, "kernels", WORDS_RESULT, line_flags(line, "ompt", WORDS_RESULT, ompt_set_always)),
        .native = (ompt_set_result_t)line_flags(line, "native", WORDS_RESULT, ompt_set_always),
        .starts = (int)line_number(line, "starts", 1),
        .slow = (long)line_number(line, "slow", 0),
        .translates = atof(line_value(line, "translates", "1")),
        .skew = atof(line_value(line, "skew", "0")),
        .means_monotonic = line_has(line, "monotonic"),
        .stands_still = line_has(line, "still"),
        .has_newer_forms = line_has(line, "newer"),
        .is_held = line_has(line, "held"),
        .cursor = line_number(line, "cursor", 1),
    };
    if (!line_word(line, 1)) {
        line_fail(line, "which device?");
    }
    mock_device_set(atoi(line_word(line, 1)), options);
}

// Returns whether mock.py reads the directive.
static bool is_for_driver(const struct line *line)
{
    static const char *const words[] = {"broken", "covers", "expect", "setting"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(line->words[0], words[i]) == 0) {
            return true;
        }
    }
    return false;
}

// *Returns* the index of the last played line.
static size_t play_directive(size_t i)
{
    const struct line *line = &player.script->lines[i];
    const char *what = line->words[0];
    if (strcmp(what, "together") == 0) {
        return play_together(i + 1, line_number(line, "times", 1));
    }
    if (strcmp(what, "grant") == 0) {
        grant(line);
    } else if (strcmp(what, "device") == 0) {
        set_device(line);
    } else if (strcmp(what, "lacks") == 0 && line->n_words == 2) {
        mock_lacks(line->words[1]);
    } else if (strcmp(what, "runtime") == 0) {
        mock_describe((unsigned)line_number(line, "omp", 201611),
                      line_has(line, "no_version") ? NULL : line_value(line, "version", "mock"),
                      (int)line_number(line, "initial_device", 1));
        if (line_value(line, "wtime", NULL)) {
            mock_set_wtime(atof(line_value(line, "wtime", NULL)));
        }
    } else if (strcmp(what, "end") != 0 && !is_for_driver(line)) {
        line_fail(line, "there is no %s", what);
    }
    return i;
}

// Prints the places that `code=` names.
static void print_places(const struct script *script)
{
    Dl_info info;
    dladdr(play_places(), &info);
    for (size_t i = 0; i < script->n_lines; i++) {
        const char *name = line_value(&script->lines[i], "code", "null");
        if (strcmp(name, "null") != 0 && strncmp(name, "rt:", 3) != 0) {
            size_t offset = script_name_index(script, name) * PLAY_PLACE_SIZE;
            printf("place %s 0x%tx\n", name, play_places() + offset - (const char *)info.dli_fbase);
        }
    }
}

// Prints the words of scripts for coverage.py.
static void print_words(void)
{
    for (int group = 0; group < WORDS_N_GROUPS; group++) {
        for (size_t i = 0; words_at((enum words)group, i); i++) {
            printf("%s %s\n", words_group((enum words)group), words_at((enum words)group, i));
        }
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--words") == 0) {
        print_words();
        return 0;
    }
    if (argc != 3) {
        fprintf(stderr, "usage: player TOOL[:TOOL]... SCRIPT, or player --words\n");
        return 2;
    }
    static struct mock_thread own;
    static struct script script;
    mock_thread_enter(&own);
    script_read(&script, argv[2]);
    player = (struct player){.script = &script, .tools = argv[1]};
    print_places(&script);
    for (size_t i = 0; i < script.n_lines; i++) {
        if (script.lines[i].thread == SCRIPT_NO_THREAD) {
            i = play_directive(i);
        } else {
            play_alone(i);
        }
    }
    start(); // even a script without events starts the runtime
    for (int i = 1; i < MAX_THREADS; i++) {
        if (threads[i].is_alive) {
            end_thread(&threads[i]);
        }
    }
    return 0;
}
