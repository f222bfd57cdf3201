// The blocks of memory that a program was seen to allocate and has not given back: their sizes, by address. Any thread that records: its signals
// are not held, but a handler that comes back to us records nothing, and neither does a forked child.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Remembers the block; false: memory is short, it is not. One that is there already has the new size: its old one goes into `replaced`,
// which is 0 otherwise.
bool otter_blocks_add(uint64_t address, uint64_t bytes, uint64_t *replaced);

// Forgets the block; false: it was never seen, and nothing is known of its size.
bool otter_blocks_take(uint64_t address, uint64_t *bytes);
