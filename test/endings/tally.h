// Counts a program's actions in a file that outlives the program. test/endings/tally.py reads the
// file.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

enum { MAX_PLAYERS = 8 };

enum happening {
    TASK_CREATED = 0,
    TASK_STARTED,
    TASK_ENDED,
    KERNEL_BEGUN,
    KERNEL_ENDED,
    N_HAPPENINGS,
};

enum phase {
    PHASE_STARTING = 0,
    PHASE_RECORDING, // the first step is over
    PHASE_ENDING,    // the action that ends the program is next
};

// Counts of a player, which is a counting thread. `begun` grows before each action and `done` after
// it: an action in between may be in the archive or not. `noted` is the value of `done` when the
// program's end began.
struct tally {
    _Atomic uint64_t phase;
    struct {
        struct {
            _Atomic uint64_t begun, done, noted;
        } counts[N_HAPPENINGS];
    } players[MAX_PLAYERS];
};

// The tally in this file. Failures end the process.
struct tally *tally_open(const char *path);
void tally_note(struct tally *tally, enum phase phase);
