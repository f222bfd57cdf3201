// One call of MPI by the program: what the generated wrappers (wrappers.py) call around it.
//
// Calls inside of a call are not recorded: MPI makes them, or a callback of the program. The depth
// of calls is a variable of the thread. *Thread*: any.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "otter/record.h"
#include "weak.h"

// Begins a call. *Returns* 0 for a call that is not recorded; call_end() must follow either.
uint64_t call_begin(enum otter_construct kind, const char *name);
void call_end(uint64_t call);

// Lets all later calls pass without a record: the session refuses the connector (setting mpi=off).
void call_switch_off(void);
bool call_is_off(void);

// *Returns* whether the program made the call that has begun last on this thread, and calls are
// recorded.
bool call_is_outermost(void);
