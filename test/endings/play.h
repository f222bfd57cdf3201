// Plays OpenMP and Kokkos on several threads, and counts the actions.
#pragma once

#include <stdbool.h>

#include "tally.h"

struct play {
    bool has_openmp, has_kokkos;
    unsigned n_threads;
    struct tally *tally;
};

extern struct play play;

// Acts like Kokkos::initialize and finalize. Without a tool in KOKKOS_TOOLS_LIBS, or without Kokkos
// in this play, it does nothing.
void begin_kokkos(void);
void end_kokkos(void);
void close_kokkos(void); // also closes the tool's library

// Each thread plays `n_steps` (0: without end). After its first 50 steps, the last thread calls
// `act`, if any, inside a task and a kernel.
void play_on_all_threads(unsigned n_steps, void (*act)(void));

// Plays one step on a thread that is not a member of a team.
void play_step(unsigned player);
