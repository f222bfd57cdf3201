// The communicators of all teams, and their lines of the journal.
#include "record/thread/team.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/lock.h"
#include "base/table.h"
#include "record/process/output.h"
#include "record/process/state.h"

enum { MAX_TEAMS_OF_SLOT = 64, NOBODY = -1 };

struct team {
    uint32_t comm;
    struct team *next;         // next team of the same slot
    _Atomic int32_t members[]; // location of each member, by thread number; NOBODY while unknown
};

struct otter_team_slot {
    struct otter_team_key key;
    struct team *teams;
    uint32_t n_teams;
    _Atomic(struct team *) current;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct otter_table slots; // struct otter_team_slot
static uint32_t n_comms = OTTER_COMM_ALL_THREADS + 1;

static bool same_key(const struct otter_team_key *a, const struct otter_team_key *b)
{
    return a->parent == b->parent && a->forker == b->forker && a->size == b->size;
}

// Caller holds `lock`, as for all functions before join_slowly().
static struct otter_team_slot *find_slot(const struct otter_team_key *key)
{
    uint64_t hash = ((uint64_t)key->parent << 32 | key->size) ^ (uint64_t)key->forker << 48;
    struct otter_team_slot *slot = otter_table_find(&slots, hash);
    while (slot && !same_key(&slot->key, key)) {
        slot = otter_table_next(&slots, hash, slot);
    }
    if (slot) {
        return slot;
    }
    slot = calloc(1, sizeof(*slot));
    if (!slot || !otter_table_add(&slots, hash, slot)) {
        free(slot);
        otter_session_count_lost(1);
        return NULL;
    }
    slot->key = *key;
    return slot;
}

// Counts a team as lost, since its members cannot be recorded.
static struct team *lose_team(struct team *team)
{
    free(team);
    otter_session_count_lost(1);
    return NULL;
}

static struct team *define_team(struct otter_team_slot *slot)
{
    if (slot->n_teams == MAX_TEAMS_OF_SLOT) {
        return NULL;
    }
    struct team *team = malloc(sizeof(*team) + slot->key.size * sizeof(team->members[0]));
    if (!team || otter_output_define("team %" PRIu32 " %" PRIu32 " %" PRIu32, n_comms,
                                     slot->key.parent, slot->key.size)) {
        return lose_team(team);
    }
    team->comm = n_comms++;
    for (uint32_t i = 0; i < slot->key.size; i++) {
        atomic_init(&team->members[i], NOBODY);
    }
    if (!otter_output_define("member %" PRIu32 " 0 %" PRIu32, team->comm, slot->key.forker)) {
        atomic_store(&team->members[0],
                     (int32_t)slot->key.forker); // the forker is the team leader
    }
    team->next = slot->teams;
    slot->teams = team;
    slot->n_teams++;
    return team;
}

static bool has_member(struct team *team, uint32_t thread_num, uint32_t location)
{
    return atomic_load_explicit(&team->members[thread_num], memory_order_acquire) ==
           (int32_t)location;
}

static struct team *find_team(struct otter_team_slot *slot, uint32_t thread_num, uint32_t location)
{
    struct team *current = atomic_load(&slot->current);
    if (current && atomic_load(&current->members[thread_num]) == NOBODY) {
        return current;
    }
    for (struct team *team = slot->teams; team; team = team->next) {
        if (has_member(team, thread_num, location)) {
            return team;
        }
    }
    return define_team(slot);
}

static struct team *join(struct otter_team_slot *slot, uint32_t thread_num, uint32_t location)
{
    struct team *team = find_team(slot, thread_num, location);
    if (!team) {
        return NULL;
    }
    if (atomic_load(&team->members[thread_num]) == NOBODY) {
        if (otter_output_define("member %" PRIu32 " %" PRIu32 " %" PRIu32, team->comm, thread_num,
                                location)) {
            return lose_team(NULL);
        }
        atomic_store_explicit(&team->members[thread_num], (int32_t)location, memory_order_release);
    }
    atomic_store_explicit(&slot->current, team, memory_order_release);
    return team;
}

OTTER_COLD static uint32_t join_slowly(struct otter_thread *thread,
                                       const struct otter_team_key *key, uint32_t thread_num)
{
    if (thread_num == 0 && thread->location != key->forker) {
        return OTTER_COMM_ALL_THREADS; // the runtime contradicts itself
    }
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    struct otter_team_slot *slot = find_slot(key);
    const struct team *team = slot ? join(slot, thread_num, thread->location) : NULL;
    otter_unlock(&lock, &held);
    if (!team) {
        return OTTER_COMM_ALL_THREADS;
    }
    thread->team_slot = slot;
    return team->comm;
}

uint32_t otter_team_join(struct otter_thread *thread, struct otter_team_key key,
                         uint32_t thread_num)
{
    if (thread_num >= key.size) {
        return OTTER_COMM_ALL_THREADS;
    }
    const struct otter_team_slot *slot = thread->team_slot;
    if (slot && same_key(&slot->key, &key)) {
        struct team *team = atomic_load_explicit(&slot->current, memory_order_acquire);
        if (has_member(team, thread_num, thread->location)) {
            return team->comm;
        }
    }
    return join_slowly(thread, &key, thread_num);
}

uint32_t otter_team_number(otter_team_definer *define, const void *user)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    uint32_t id = define(n_comms, user) ? n_comms++ : OTTER_COMM_ALL_THREADS;
    otter_unlock(&lock, &held);
    return id;
}
