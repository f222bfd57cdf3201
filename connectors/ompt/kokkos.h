// Finds out whether Kokkos ran without Otter's connector, although the environment names it.
#pragma once

// Copies the list of tools from the environment. Runs when the runtime starts its tool.
void kokkos_note_start(void);

// Prints one warning if Kokkos was initialised in this process and its connector never attached.
// Runs when the runtime ends.
void kokkos_warn_of_absence(void);
