// OpenMP and Kokkos at work, on several threads, counted as it goes.
#pragma once

#include <stdbool.h>

#include "tally.h"

struct play {
    bool has_openmp, has_kokkos;
    unsigned n_threads;
    struct tally *tally;
};

extern struct play play;

// As Kokkos::initialize and finalize: without a tool in KOKKOS_TOOLS_LIBS, or without Kokkos in this play, nothing happens.
void begin_kokkos(void);
void end_kokkos(void);
void close_kokkos(void); // and the tool's library

// Each thread plays `n_steps` (0: without end); `act`, if any, is called by the last of them after its first 50, inside a task and a kernel.
void play_on_all_threads(unsigned n_steps, void (*act)(void));

// One step of a thread that is no member of any team.
void play_step(unsigned player);
