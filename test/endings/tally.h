// What a program did, counted in a file that outlives it: test/endings/tally.py reads it.
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
    PHASE_RECORDING, // the first step is done
    PHASE_ENDING,    // what ends the program comes next
};

// `begun` before what is recorded, `done` after it: between the two it may be in the archive or not. `noted`: what was done when the
// program's end began. Of each player, a thread that counts.
struct tally {
    _Atomic uint64_t phase;
    struct {
        struct {
            _Atomic uint64_t begun, done, noted;
        } counts[N_HAPPENINGS];
    } players[MAX_PLAYERS];
};

// The tally in that file; a process that cannot have it ends.
struct tally *tally_open(const char *path);
void tally_note(struct tally *tally, enum phase phase);
