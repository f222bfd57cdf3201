// Reads the ranks of a merged archive with several threads, and uses the results in order.
#include "analysis/job/each_rank.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/large/large.h"
#include "base/log.h"

bool otter_has_ranks(const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    return definitions->n_ranks > 0 && definitions->rank == OTTER_NONE;
}

const struct otter_rank *otter_selected_rank(const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    return &definitions->ranks[definitions->rank];
}

enum { MAX_THREADS = 256 };
enum { MAX_EVENTS = 1 << 30 }; // limit for damaged definitions, so that sums do not overflow

// ---- threads

// Ranks are not read with OpenMP: if OMP_PROC_BIND is set, its runtime binds this command as soon
// as it is loaded. The program that `otter record` starts would then have only one processor.
static uint32_t wanted_threads; // 0: as many as an OpenMP program has

void otter_ranks_set_threads(uint32_t n)
{
    wanted_threads = n;
}

// A rank that is being read has a few open files.
static uint32_t max_by_files(void)
{
    enum { FILES = 16 };
    struct rlimit limit;
    bool has_limit = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < UINT32_MAX;
    return !has_limit ? UINT32_MAX : limit.rlim_cur < FILES ? 1 : (uint32_t)limit.rlim_cur / FILES;
}

// Returns the first number in OMP_NUM_THREADS, otherwise the number of processors in the affinity
// mask.
static uint32_t usual_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    long n = text ? strtol(text, NULL, 10) : 0;
    cpu_set_t mask;
    if (n <= 0) {
        n = sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask)
                                                          : sysconf(_SC_NPROCESSORS_ONLN);
    }
    return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (uint32_t)n;
}

static uint32_t count_threads(uint32_t n_ranks)
{
    uint32_t n = wanted_threads > 0 ? wanted_threads : usual_threads();
    uint32_t most = max_by_files();
    n = n < MAX_THREADS ? n : MAX_THREADS;
    most = most < n_ranks ? most : n_ranks;
    return n < most ? n : most;
}

// ---- memory

uint64_t otter_ranks_most_events(const struct otter_archive *archive)
{
    size_t n_ranks = otter_archive_definitions(archive)->n_ranks;
    uint64_t most = 0, *n_events = calloc(n_ranks + 1, sizeof *n_events);
    if (n_events) {
        otter_archive_count_events(archive, n_events);
    }
    for (size_t i = 0; i < n_ranks && n_events; i++) {
        most = n_events[i] > most ? n_events[i] : most;
    }
    free(n_events);
    return most;
}

bool otter_ranks_fit(const struct otter_archive *archive, unsigned bytes_of_event)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    enum { KIB_OF_RANK = 256 };
    const uint64_t most = UINT64_C(1) << 30;
    uint64_t quarter = otter_large_memory() / 4, room = quarter < most ? quarter : most;
    uint64_t n_events = 0, of_ranks = definitions->n_ranks * (uint64_t)KIB_OF_RANK << 10;
    for (size_t i = 0; i < definitions->n_locations; i++) {
        uint64_t n_own = definitions->locations[i].n_events;
        n_events += n_own < MAX_EVENTS ? n_own : MAX_EVENTS;
    }
    return of_ranks <= room && n_events <= (room - of_ranks) / bytes_of_event;
}

// ---- turns

// The turn of a rank, which is read and then used.
struct turn {
    uint32_t place;
    bool is_read;
    uint64_t n_events;
    struct otter_archive *archive; // NULL: the rank cannot be read
    void *result;
    struct otter_held_messages messages;
};

struct ranks {
    struct otter_archive *archive;
    const struct otter_rank_steps *steps;
    void *user;
    struct turn *turns;
    uint32_t n_failed; // written by the thread that uses a result
    pthread_mutex_t lock;
    pthread_cond_t changed;
    // The lock protects the members below, and the turns' `is_read`.
    uint32_t n, n_begun, n_used; // turns
    uint32_t most;               // turns between their start and their use
    uint64_t n_events, room;     // events of these turns, and their limit
    bool is_used;                // a thread uses a result
};

// Adds the events that a thread has read to the progress of the whole archive.
static void note_events(void *user, uint64_t n_events)
{
    struct ranks *ranks = user;
    pthread_mutex_lock(&ranks->lock);
    otter_archive_note_events(ranks->archive, OTTER_WATCH_EVERY);
    pthread_mutex_unlock(&ranks->lock);
}

static void open_rank(struct ranks *ranks, struct turn *turn)
{
    struct otter_complaint complaint;
    if (otter_archive_open_shared(ranks->archive, turn->place, &turn->archive, &complaint)) {
        otter_error("%s", complaint.text);
    }
}

static void read_turn(struct ranks *ranks, struct turn *turn)
{
    const struct otter_rank_steps *steps = ranks->steps;
    otter_log_hold(&turn->messages);
    turn->result = calloc(1, steps->size);
    if (!turn->result) {
        otter_error("not enough memory");
    } else if (steps->find) {
        turn->archive = steps->find(ranks->user, turn->place);
    } else {
        open_rank(ranks, turn);
    }
    if (turn->archive) {
        otter_large_take(turn->archive);
        otter_archive_watch(turn->archive, note_events, ranks);
        steps->read(ranks->user, turn->archive, turn->result);
    }
    otter_log_hold(NULL);
    otter_large_give(turn->archive);
}

// The large arrays of a kept rank stay with its archive, because a later reader writes to them.
static void take_turn(const struct ranks *ranks, const struct turn *turn)
{
    otter_large_take(NULL);
    if (!ranks->steps->keeps) {
        otter_large_take(turn->archive);
    } else if (turn->archive) {
        otter_archive_watch(turn->archive, NULL, NULL);
    }
}

// Returns whether further ranks are needed.
static bool use_turn(struct ranks *ranks, struct turn *turn)
{
    const struct otter_rank_steps *steps = ranks->steps;
    take_turn(ranks, turn);
    otter_log_print_held(&turn->messages);
    bool is_good = turn->archive && steps->use(ranks->user, turn->archive, turn->result);
    ranks->n_failed += !is_good;
    bool is_enough = steps->is_enough && steps->is_enough(ranks->user);
    otter_large_give(NULL);
    return !is_enough;
}

static void finish_turn(const struct ranks *ranks, struct turn *turn, bool is_used)
{
    if (turn->archive && is_used && ranks->steps->keeps) {
        return;
    }
    if (turn->archive && ranks->steps->finish) {
        ranks->steps->finish(turn->result);
    }
    free(turn->messages.text);
    free(turn->result);
    if (!ranks->steps->find) {
        otter_archive_close(turn->archive);
    } else if (turn->archive) {
        otter_archive_watch(turn->archive, NULL, NULL);
    }
}

// ---- the work of a thread; the caller holds the lock

static bool can_use(const struct ranks *ranks)
{
    return !ranks->is_used && ranks->n_used < ranks->n_begun && ranks->turns[ranks->n_used].is_read;
}

// The first rank is read even if it needs more memory than there is.
static bool can_read(const struct ranks *ranks)
{
    uint32_t n = ranks->n_begun - ranks->n_used;
    return ranks->n_begun < ranks->n && n < ranks->most &&
           (n == 0 || ranks->n_events + ranks->turns[ranks->n_begun].n_events <= ranks->room);
}

static void use_next(struct ranks *ranks)
{
    struct turn *turn = &ranks->turns[ranks->n_used];
    ranks->is_used = true;
    pthread_mutex_unlock(&ranks->lock);
    bool needs_more = use_turn(ranks, turn);
    pthread_mutex_lock(&ranks->lock);
    ranks->is_used = false;
    ranks->n_used++;
    ranks->n = needs_more ? ranks->n : ranks->n_used;
    pthread_mutex_unlock(&ranks->lock);
    finish_turn(ranks, turn, true);
    pthread_mutex_lock(&ranks->lock);
    ranks->n_events -= turn->n_events;
    pthread_cond_broadcast(&ranks->changed);
}

static void read_next(struct ranks *ranks)
{
    struct turn *turn = &ranks->turns[ranks->n_begun++];
    ranks->n_events += turn->n_events;
    pthread_mutex_unlock(&ranks->lock);
    read_turn(ranks, turn);
    pthread_mutex_lock(&ranks->lock);
    turn->is_read = true;
    pthread_cond_broadcast(&ranks->changed);
}

static void work(struct ranks *ranks)
{
    pthread_mutex_lock(&ranks->lock);
    while (ranks->n_used < ranks->n) {
        if (can_use(ranks)) {
            use_next(ranks);
        } else if (can_read(ranks)) {
            read_next(ranks);
        } else {
            pthread_cond_wait(&ranks->changed, &ranks->lock);
        }
    }
    pthread_mutex_unlock(&ranks->lock);
}

static void *work_on(void *ranks)
{
    work(ranks);
    return NULL;
}

// Lets `n` threads work, or fewer if the system refuses to create more.
static void work_together(struct ranks *ranks, uint32_t n)
{
    pthread_t threads[MAX_THREADS];
    uint32_t n_started = 0;
    while (n_started + 1 < n && pthread_create(&threads[n_started], NULL, work_on, ranks) == 0) {
        n_started++;
    }
    work(ranks);
    for (uint32_t i = 0; i < n_started; i++) {
        pthread_join(threads[i], NULL);
    }
}

// ---- all ranks

static bool create_turns(struct ranks *ranks)
{
    uint32_t n_ranks = (uint32_t)otter_archive_definitions(ranks->archive)->n_ranks;
    const uint32_t *places = ranks->steps->places;
    uint64_t *n_events = calloc(n_ranks + (size_t)1, sizeof *n_events);
    ranks->n = places ? ranks->steps->n_places : n_ranks;
    ranks->turns = calloc(ranks->n + (size_t)1, sizeof *ranks->turns);
    bool is_good = n_events && ranks->turns;
    if (is_good) {
        otter_archive_count_events(ranks->archive, n_events);
    }
    for (uint32_t i = 0; i < ranks->n && is_good; i++) {
        ranks->turns[i].place = places ? places[i] : i;
        uint64_t n_own = n_events[ranks->turns[i].place];
        ranks->turns[i].n_events = n_own < MAX_EVENTS ? n_own : MAX_EVENTS;
    }
    free(n_events);
    return is_good;
}

// With one thread, each rank is used before the next one is read. Turns that have begun when no
// further ranks are needed are finished at the end.
static void make_turns(struct ranks *ranks)
{
    uint32_t n_threads = count_threads(ranks->n);
    ranks->most = n_threads > 1 ? 2 * n_threads : 1;
    ranks->room = n_threads > 1 ? otter_large_memory() / 2 / OTTER_BYTES_OF_EVENT : 0;
    otter_large_give(NULL);
    work_together(ranks, n_threads);
    otter_large_take(NULL);
    for (uint32_t i = ranks->n_used; i < ranks->n_begun; i++) {
        finish_turn(ranks, &ranks->turns[i], false);
    }
}

uint32_t otter_each_rank(struct otter_archive *archive, const struct otter_rank_steps *steps,
                         void *user)
{
    struct ranks ranks = {.archive = archive, .steps = steps, .user = user};
    if (create_turns(&ranks)) {
        pthread_mutex_init(&ranks.lock, NULL);
        pthread_cond_init(&ranks.changed, NULL);
        make_turns(&ranks);
        pthread_cond_destroy(&ranks.changed);
        pthread_mutex_destroy(&ranks.lock);
    } else {
        otter_error("not enough memory");
        ranks.n_failed = ranks.n + 1;
    }
    free(ranks.turns);
    return ranks.n_failed;
}
