// The functions that the generated wrappers (wrappers.py) call around each MPI call of the program.
//
// A call nested in another one, made by MPI itself or by a callback of the program, is not
// recorded. Each thread counts the depth of its calls. *Thread*: any.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "otter/record.h"
#include "weak.h"

// Begins a call. *Returns* 0 for a call that is not recorded; call_end() must follow in both cases.
uint64_t call_begin(enum otter_construct kind, const char *name);
void call_end(uint64_t call);

// Stops recording calls, because the session refused the connector (setting mpi=off).
void call_switch_off(void);
bool call_is_off(void);

// *Returns* whether calls are recorded and the call last begun on this thread was made by the
// program itself.
bool call_is_outermost(void);
