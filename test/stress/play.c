// The plays: threads that make recording calls in a runtime's order.
#include "play.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "otter/record.h"

static struct shared *shared;

// ---- parts of plays

static const char sites[64 * 1024]; // stands for the program's code

static const void *site(unsigned i)
{
    return &sites[i % sizeof(sites)];
}

static void remark(unsigned player)
{
    uint64_t n = ++shared->players[player].n_begun;
    otter_remark(OTTER_PARAMETER_ITERATION, (uint64_t)player << PLAYER_SHIFT | n);
    shared->players[player].n_done = n;
}

struct team {
    otter_parallel parallel;
    unsigned size, depth;
    void (*work)(const struct team *team, unsigned thread_num);
    unsigned rounds;
};

struct member {
    const struct team *team;
    unsigned thread_num;
    pthread_t thread;
};

static void be_member(const struct team *team, unsigned thread_num)
{
    otter_implicit_task_begin(team->parallel, team->size, thread_num);
    team->work(team, thread_num);
    otter_enter(OTTER_CONSTRUCT_BARRIER_PARALLEL, 0, NULL);
    otter_leave(OTTER_CONSTRUCT_BARRIER_PARALLEL);
    otter_implicit_task_end();
}

static void *start_member(void *user)
{
    const struct member *member = user;
    otter_thread_begin(OTTER_THREAD_WORKER);
    be_member(member->team, member->thread_num);
    otter_thread_end();
    return NULL;
}

// Forks a region on new threads, and joins the region.
static void fork_region(unsigned size, unsigned depth, unsigned rounds,
                        void (*work)(const struct team *team, unsigned thread_num))
{
    struct member members[MAX_PLAYERS];
    struct team team = {.size = size, .depth = depth, .work = work, .rounds = rounds};
    team.parallel = otter_parallel_begin(OTTER_CONSTRUCT_PARALLEL, size, site(depth));
    for (unsigned i = 1; i < size; i++) {
        members[i] = (struct member){.team = &team, .thread_num = i};
        if (pthread_create(&members[i].thread, NULL, start_member, &members[i])) {
            abort();
        }
    }
    be_member(&team, 0);
    for (unsigned i = 1; i < size; i++) {
        pthread_join(members[i].thread, NULL);
    }
    otter_parallel_end(team.parallel);
    shared->n_regions++;
}

static otter_task create_task(const otter_task *creator, unsigned flags, unsigned i)
{
    shared->n_tasks++;
    return otter_task_create(creator, flags, site(1000 + i % 300));
}

// A task with two children, each of which creates a task, down to `depth`. Each task waits for its
// children.
static void run_tree(otter_task *self, unsigned depth)
{
    if (depth == 0) {
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        otter_task child = create_task(self, i ? OTTER_TASK_UNDEFERRED : 0, depth * 2 + i);
        otter_parameter(OTTER_PARAMETER_DEPEND_IN, i);
        otter_task_switch(self, &child);
        run_tree(&child, depth - 1);
        otter_task_end(&child, OTTER_TASK_END_COMPLETE, self);
    }
    otter_enter(OTTER_CONSTRUCT_TASKWAIT, 0, site(depth));
    otter_leave(OTTER_CONSTRUCT_TASKWAIT);
}

// ---- plays

static void work_tasks(const struct team *team, unsigned thread_num)
{
    for (unsigned i = 0; i < team->rounds; i++) {
        remark(thread_num);
        run_tree(NULL, 4);
    }
}

static void play_tasks(unsigned n_threads, unsigned size)
{
    for (unsigned i = 0; i < 4; i++) {
        fork_region(n_threads, 0, size, work_tasks);
    }
}

static void work_nested(const struct team *team, unsigned thread_num)
{
    for (unsigned i = 0; i < team->rounds; i++) {
        if (team->depth > 0) {
            fork_region(2, team->depth - 1, 1, work_nested);
        }
        run_tree(NULL, 1);
    }
}

static void play_nested(unsigned n_threads, unsigned size)
{
    fork_region(n_threads, 2, size, work_nested);
}

// Plays untied tasks that begin on one thread and continue on another, with an open wait.
static struct {
    pthread_mutex_t lock;
    otter_task tasks[256];
    unsigned n;
} suspended = {.lock = PTHREAD_MUTEX_INITIALIZER};

static otter_task take_suspended(void)
{
    pthread_mutex_lock(&suspended.lock);
    otter_task task = suspended.n ? suspended.tasks[--suspended.n] : 0;
    pthread_mutex_unlock(&suspended.lock);
    return task;
}

static bool put_suspended(otter_task task)
{
    pthread_mutex_lock(&suspended.lock);
    bool has_room = suspended.n < sizeof(suspended.tasks) / sizeof(suspended.tasks[0]);
    if (has_room) {
        suspended.tasks[suspended.n++] = task;
    }
    pthread_mutex_unlock(&suspended.lock);
    return has_room;
}

static void finish_untied(otter_task task)
{
    otter_leave(OTTER_CONSTRUCT_TASKWAIT);
    otter_task_end(&task, OTTER_TASK_END_COMPLETE, NULL);
}

static void work_untied(const struct team *team, unsigned thread_num)
{
    for (unsigned i = 0; i < team->rounds * 100; i++) {
        otter_task task = create_task(NULL, OTTER_TASK_UNTIED, i);
        otter_task_switch(NULL, &task);
        otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, site(i));
        otter_leave(OTTER_CONSTRUCT_TASKGROUP);
        otter_enter(OTTER_CONSTRUCT_TASKWAIT, 0, site(i + 1));
        otter_task_switch(
            &task, NULL); // the task leaves this thread before another thread resumes the task
        if (!put_suspended(task)) {
            otter_task_switch(NULL, &task);
            finish_untied(task);
        }
        otter_task other = take_suspended();
        if (other) {
            otter_task_switch(NULL, &other);
            finish_untied(other);
        }
    }
    for (otter_task task; (task = take_suspended());) {
        otter_task_switch(NULL, &task);
        finish_untied(task);
    }
}

static void play_untied(unsigned n_threads, unsigned size)
{
    fork_region(n_threads, 0, size, work_untied);
}

// Like LLVM's runtime, this reports the release of a mutex after the release: another thread may
// own the mutex by then.
static pthread_mutex_t mutexes[5] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER};

static void work_locks(const struct team *team, unsigned thread_num)
{
    for (unsigned i = 0; i < team->rounds * 100; i++) {
        pthread_mutex_t *mutex = &mutexes[(i + thread_num) % 5];
        uint64_t id = (uintptr_t)mutex;
        enum otter_construct kind = i % 2 ? OTTER_CONSTRUCT_CRITICAL : OTTER_CONSTRUCT_SET_LOCK;
        otter_mutex_acquire(kind, 0, id, site(i % 50));
        pthread_mutex_lock(mutex);
        otter_mutex_acquired(kind, 0, id, site(i % 50));
        shared->n_acquired++;
        if (i % 7 == 0) {
            run_tree(NULL, 1);
        }
        pthread_mutex_unlock(mutex);
        otter_mutex_released(kind, 0, id, site(i % 50));
        otter_mutex_acquire(OTTER_CONSTRUCT_TEST_LOCK, 0, id, site(51)); // fails
        remark(thread_num);
    }
}

static void play_locks(unsigned n_threads, unsigned size)
{
    fork_region(n_threads, 0, size, work_locks);
}

static void work_once(const struct team *team, unsigned thread_num)
{
    remark(thread_num);
    run_tree(0, 2);
}

static void play_churn(unsigned n_threads, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        fork_region(n_threads, 0, 1, work_once);
    }
}

// ---- plays that end while threads are active

static void *record_until_over(void *user)
{
    unsigned player = (unsigned)(uintptr_t)user;
    otter_thread_begin(OTTER_THREAD_OTHER);
    otter_initial_task_begin();
    for (unsigned i = 0; !shared->is_over; i++) {
        remark(player);
        otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, site(i));
        run_tree(0, 2);
        otter_leave(OTTER_CONSTRUCT_TASKGROUP);
        otter_implicit_task_begin(0, 1, 0); // events of the runtime's own threads are not recorded
        otter_enter(OTTER_CONSTRUCT_BARRIER, 0, NULL);
        otter_leave(OTTER_CONSTRUCT_BARRIER);
        otter_implicit_task_end();
        if (i % 16 == 0) {
            otter_mutex_acquire(OTTER_CONSTRUCT_TEST_LOCK, 0, i, site(i));
        }
    }
    otter_implicit_task_end();
    return NULL;
}

static void *come_and_go(void *user)
{
    remark((unsigned)(uintptr_t)user);
    return NULL;
}

// A player that uses a new thread for each round.
static void *record_in_ever_new_threads(void *user)
{
    while (!shared->is_over) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, come_and_go, user)) {
            abort();
        }
        pthread_join(thread, NULL);
    }
    return NULL;
}

static void start_players(pthread_t *threads, unsigned n_threads)
{
    for (unsigned i = 0; i < n_threads; i++) {
        if (pthread_create(&threads[i], NULL,
                           i == 0 ? record_in_ever_new_threads : record_until_over,
                           (void *)(uintptr_t)i)) {
            abort();
        }
    }
}

static uint64_t n_done_by_all(unsigned n_threads)
{
    uint64_t n = UINT64_MAX;
    for (unsigned i = 1; i < n_threads; i++) {
        uint64_t done = shared->players[i].n_done;
        n = done < n ? done : n;
    }
    return shared->players[0].n_done ? n : 0;
}

static void wait_for_players(unsigned n_threads, uint64_t n)
{
    while (n_done_by_all(n_threads) < n) {
        sched_yield();
    }
}

static void note_what_is_done(unsigned n_threads)
{
    for (unsigned i = 0; i < n_threads; i++) {
        shared->n_done_before_close[i] = shared->players[i].n_done;
    }
}

static void play_close(unsigned n_threads, unsigned size)
{
    pthread_t threads[MAX_PLAYERS];
    start_players(threads, n_threads);
    wait_for_players(n_threads, size);
    note_what_is_done(n_threads);
    otter_detach("stress");
    for (unsigned i = 0; i < 1000; i++) { // calls after the end are ignored
        otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, site(i));
    }
    shared->is_over = true;
    for (unsigned i = 0; i < n_threads; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void play_exit(unsigned n_threads, unsigned size)
{
    pthread_t threads[MAX_PLAYERS];
    start_players(threads, n_threads);
    wait_for_players(n_threads, size);
    note_what_is_done(n_threads);
    exit(7); // the others continue
}

static void play_kill(unsigned n_threads, unsigned size)
{
    pthread_t threads[MAX_PLAYERS];
    start_players(threads, n_threads);
    for (;;) {
        pause();
    }
}

static void *record_in_child(void *user)
{
    remark(MAX_PLAYERS - 1);
    return NULL;
}

#if defined(__SANITIZE_THREAD__) ||                                                                \
    defined(__SANITIZE_ADDRESS__) // the sanitizer's own locks do not survive the fork
enum { CHILD_MAY_BEGIN_THREADS = 0 };
#else
enum { CHILD_MAY_BEGIN_THREADS = 1 };
#endif

// A forked child may do everything that a program does, and none of it is recorded.
static void be_child(void)
{
    static struct shared unseen; // the test does not look for the child's actions
    shared = &unseen;
    alarm(100); // ends a child that waits for a lock without an owner
    pthread_t thread;
    remark(MAX_PLAYERS - 1);
    run_tree(0, 2);
    otter_describe("CHILD", "was here");
    if (CHILD_MAY_BEGIN_THREADS && pthread_create(&thread, NULL, record_in_child, NULL) == 0) {
        pthread_join(thread, NULL);
    }
    otter_detach("stress");
    exit(0);
}

static void play_fork(unsigned n_threads, unsigned size)
{
    pthread_t threads[MAX_PLAYERS];
    start_players(threads, n_threads);
    wait_for_players(n_threads, 1);
    for (unsigned i = 0; i < size; i++) {
        remark(n_threads);
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            be_child();
        }
        int status = -1;
        if (waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "child %u of %u ended with status %d\n", i, size, status);
            exit(9);
        }
    }
    shared->is_over = true;
    for (unsigned i = 0; i < n_threads; i++) {
        pthread_join(threads[i], NULL);
    }
}

// More calls than the archive has room for: each call is recorded, or counted.
static void *be_counted(void *user)
{
    const struct member *member = user;
    otter_thread_begin(OTTER_THREAD_OTHER);
    for (unsigned i = 0; i < member->team->rounds; i++) {
        remark(member->thread_num);
        otter_task task = otter_task_create(NULL, 0, site(i % 300));
        otter_task_switch(NULL, &task);
        otter_mark(OTTER_CONSTRUCT_FLUSH, 0, site(1000 + i % 7));
        otter_task_end(&task, OTTER_TASK_END_COMPLETE, NULL);
    }
    shared->n_calls += 5 * (uint64_t)member->team->rounds;
    shared->n_visits += 2 * (uint64_t)member->team->rounds;
    otter_thread_end();
    return NULL;
}

// The last threads start when the archive is full.
static void play_limited(unsigned n_threads, unsigned size)
{
    struct member members[MAX_PLAYERS];
    const struct team team = {.rounds = size};
    n_threads = n_threads > MAX_PLAYERS / 3 ? MAX_PLAYERS / 3 : n_threads;
    for (unsigned i = 0; i < 3 * n_threads; i++) {
        members[i] = (struct member){.team = &team, .thread_num = i};
        if (pthread_create(&members[i].thread, NULL, be_counted, &members[i])) {
            abort();
        }
        for (unsigned k = i + 1 - n_threads; (i + 1) % n_threads == 0 && k <= i; k++) {
            pthread_join(members[k].thread, NULL);
        }
    }
}

static const struct play plays[] = {
    {.name = "tasks", .run = play_tasks, .is_clean = true},
    {.name = "nested", .run = play_nested, .is_clean = true},
    {.name = "untied", .run = play_untied, .is_clean = true},
    {.name = "locks", .run = play_locks, .is_clean = true},
    {.name = "churn", .run = play_churn, .is_clean = true},
    {.name = "fork", .run = play_fork, .is_clean = true},
    {.name = "close", .run = play_close},
    {.name = "exit", .run = play_exit, .exit_status = 7},
    {.name = "kill", .run = play_kill, .is_killed = true},
    {.name = "full", .run = play_limited, .when_full = "stop"},
    {.name = "totals", .run = play_limited, .when_full = "totals"},
};

const struct play *find_play(const char *name)
{
    for (size_t i = 0; i < sizeof(plays) / sizeof(plays[0]); i++) {
        if (strcmp(plays[i].name, name) == 0) {
            return &plays[i];
        }
    }
    return NULL;
}

void run_play(const struct play *play, struct shared *to, unsigned n_threads, unsigned size)
{
    shared = to;
    if (!otter_attach("stress")) {
        fprintf(stderr, "otter_attach declines\n");
        exit(8);
    }
    otter_thread_begin(OTTER_THREAD_INITIAL);
    otter_initial_task_begin();
    play->run(n_threads, size);
    otter_implicit_task_end();
    otter_detach("stress");
}
