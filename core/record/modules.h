// The load map: which object of the process a code address belongs to.
#pragma once

#include <stdint.h>

// Makes sure that the object at `address` is in the journal, if there is one. Called under the lock of regions.
void otter_modules_note(uintptr_t address);
