// The load map, which shows which object of the process contains a code address. *Thread*: the
// holder of the lock of regions, except for the last function.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Ensures that the object at `address`, if any, is in the journal. *Returns* true if this object
// has the addresses of an object that was unloaded.
bool otter_modules_note(uintptr_t address);

// Stores all objects that are loaded now.
void otter_modules_note_all(void);

// *Returns* the number of the object that contained `address` at the last call of
// otter_modules_note(); 0: unknown.
uint32_t otter_modules_at(uintptr_t address);

// *Returns* how often one object replaced another at the same addresses. A thread's caches by
// address may then be out of date. *Thread*: any.
uint32_t otter_modules_n_replaced(void);
