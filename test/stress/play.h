// Plays a connector: calls include/otter/record.h from many threads, in a runtime's order of calls.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { MAX_PLAYERS = 64, PLAYER_SHIFT = 32 };

// Results of a play, in memory that the parent can still read after the child's death. A player is
// a thread that numbers its remarks: remark n of player p is the parameter "iteration" with the
// value p << PLAYER_SHIFT | n.
struct shared {
    _Atomic uint64_t n_tasks, n_regions, n_acquired;
    _Atomic uint64_t n_calls, n_visits; // of plays whose archive has a limit
    struct {
        _Atomic uint64_t n_begun, n_done;
    } players[MAX_PLAYERS];
    uint64_t n_done_before_close[MAX_PLAYERS];
    _Atomic bool is_over; // players must end
};

struct play {
    const char *name;
    void (*run)(unsigned n_threads, unsigned size);
    bool is_clean;  // each start has an end
    bool is_killed; // the parent kills it, at any moment
    int exit_status;
    const char *when_full; // NULL: the archive has no limit
};

// *Returns* NULL: there is no play of this name.
const struct play *find_play(const char *name);

// Attaches, plays and detaches.
void run_play(const struct play *play, struct shared *shared, unsigned n_threads, unsigned size);
