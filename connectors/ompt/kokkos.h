// Kokkos beside OpenMP: whether it ran without Otter's connector for it, though the environment
// names that connector.
#pragma once

// Notes which tools the environment names for Kokkos. When the runtime starts its tool.
void kokkos_note_start(void);

// One warning if Kokkos was initialised in this process and Otter's connector for it never
// attached. When the runtime ends.
void kokkos_warn_of_absence(void);
