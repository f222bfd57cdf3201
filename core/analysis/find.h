// The groups of findings, each in a file of its own. Private to core/analysis.
#pragma once

#include "analysis/search.h"

// In this order, since the first ones explain what the later ones would report again.
void otter_find_in_kokkos(struct otter_search *search);  // small kernels, fences, copies, memory
void otter_find_in_regions(struct otter_search *search); // serial code, imbalance, forks
void otter_find_in_waits(struct otter_search *search);   // processors, locks, barriers
void otter_find_order(struct otter_search *search);      // dependences on one address
void otter_find_grain(struct otter_search *search);      // small tasks, undeferred tasks
void otter_find_in_tasks(struct otter_search *search);   // creators, chains, delay
