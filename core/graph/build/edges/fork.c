// Finds the fork of each member of a team, after the last location.
#include "graph/build/edges/fork.h"

#include "base/order.h"

// The forks of a location are contiguous and ordered by time: n[location] forks from
// first[location].
struct ranges {
    uint32_t *first, *n;
};

static void find_ranges(const struct otter_teams *teams, struct ranges *ranges)
{
    for (uint32_t i = 0; i < teams->forks.n; i++) {
        uint32_t location = teams->forks.items[i].location;
        if (ranges->n[location]++ == 0) {
            ranges->first[location] = i;
        }
    }
}

// When a team starts, the recorder does not yet know all of its members. So the members may have
// different communicators, some of which are incomplete.
static bool may_be_same_team(const struct otter_definitions *definitions, uint32_t a, uint32_t b)
{
    if (a >= definitions->n_comms || b >= definitions->n_comms) {
        return a == b;
    }
    const struct otter_comm *left = &definitions->comms[a], *right = &definitions->comms[b];
    return left->parent == right->parent && left->n_members > 0 && right->n_members > 0 &&
           left->members[0] == right->members[0];
}

// Finds a fork by its number. Numbers increase with time.
static uint32_t find_numbered(const struct otter_teams *teams, const struct otter_store *store,
                              const struct ranges *ranges, uint64_t region)
{
    uint32_t location = (uint32_t)(region >> 32), number = (uint32_t)region;
    if (location >= store->definitions->n_locations) {
        return OTTER_NONE;
    }
    uint32_t low = ranges->first[location], high = low + ranges->n[location];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (teams->forks.items[middle].number == number) {
            return middle;
        }
        if (teams->forks.items[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return OTTER_NONE;
}

// *Returns* whether the member may belong to the fork. A fork has no communicator if its own
// thread's part was not recorded, because of a pause or the end of the recording. Members of the
// enclosing region do not belong to such a fork.
static bool may_be_of(const struct otter_teams *teams, const struct otter_store *store,
                      const struct otter_fork *fork, const struct otter_member *member)
{
    bool has_comm = fork->has_comm;
    const struct otter_fork *known = fork;
    while (!known->has_comm && known->enclosing != OTTER_NONE) {
        known = &teams->forks.items[known->enclosing];
    }
    return !known->has_comm ||
           may_be_same_team(store->definitions, known->comm, member->comm) == has_comm;
}

static uint32_t find_fork(const struct otter_teams *teams, const struct otter_store *store,
                          const struct ranges *ranges, const struct otter_member *member)
{
    if (member->region) {
        return find_numbered(teams, store, ranges, member->region);
    }
    const struct otter_definitions *definitions = store->definitions;
    if (member->comm >= definitions->n_comms || definitions->comms[member->comm].n_members == 0) {
        return OTTER_NONE;
    }
    uint32_t forker = definitions->comms[member->comm].members[0];
    if (forker >= definitions->n_locations || ranges->n[forker] == 0) {
        return OTTER_NONE;
    }
    uint32_t low = ranges->first[forker], high = low + ranges->n[forker];
    // Finds the first fork later than the member.
    OTTER_SEARCH(low, high, middle, teams->forks.items[middle].time <= member->time)
    uint32_t fork = low > ranges->first[forker] ? low - 1 : OTTER_NONE;
    while (fork != OTTER_NONE) {
        const struct otter_fork *candidate = &teams->forks.items[fork];
        if (candidate->end_time >= member->time && !candidate->is_late &&
            may_be_of(teams, store, candidate, member)) {
            return fork;
        }
        fork = candidate->enclosing;
    }
    return OTTER_NONE;
}

bool otter_forks_find(struct otter_teams *teams, struct otter_store *store)
{
    size_t n = store->definitions->n_locations + 1;
    struct ranges ranges = {calloc(n, sizeof *ranges.first), calloc(n, sizeof *ranges.n)};
    bool is_good = ranges.first && ranges.n;
    if (is_good) {
        find_ranges(teams, &ranges);
    }
    for (uint32_t i = 0; is_good && i < teams->members.n; i++) {
        struct otter_member *member = &teams->members.items[i];
        if (member->fork == OTTER_NONE) {
            member->fork = find_fork(teams, store, &ranges, member);
        }
        store->findings.n_unknown_forks += member->fork == OTTER_NONE;
    }
    free(ranges.first);
    free(ranges.n);
    return is_good;
}
