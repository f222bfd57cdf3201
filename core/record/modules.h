// The load map: which object of the process a code address belongs to. But for the last function under the lock of regions.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Makes sure that the object at `address` is in the journal, if there is one. True: objects lie where others lay that were unloaded.
bool otter_modules_note(uintptr_t address);

// The object that lay at `address` when a new address was last noted, by a number that it keeps; 0: none that is known.
uint32_t otter_modules_at(uintptr_t address);

// How often an object was found where another had been: what a thread remembers by address may be of that.
uint32_t otter_modules_n_replaced(void);
