// The sizes of the memory blocks that a program has allocated and not freed, by address.
// *Thread*: any that records. Signals need not be held: a handler that interrupts a call records
// nothing, and neither does a forked child.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Stores a block, and sets `replaced` to the size of an earlier block at the same address, or 0.
// *Returns* false if out of memory.
bool otter_blocks_add(uint64_t address, uint64_t bytes, uint64_t *replaced);

// Removes a block. *Returns* false if the block is unknown.
bool otter_blocks_remove(uint64_t address, uint64_t *bytes);
