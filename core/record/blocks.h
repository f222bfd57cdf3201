// The blocks of memory that a program was seen to allocate and has not given back: their sizes, by address. Any thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Remembers the block; false: memory is short, it is not. A block that is there already has the new size.
bool otter_blocks_add(uint64_t address, uint64_t bytes);

// Forgets the block; false: it was never seen, and nothing is known of its size.
bool otter_blocks_take(uint64_t address, uint64_t *bytes);
