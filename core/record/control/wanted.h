// The wanted state of the recording: a single number, which each thread applies to itself.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "otter/record.h"

// *Returns* the state that the settings ask for, which applies until somebody calls
// otter_control_*.
enum otter_control_state otter_wanted_initial(void);

// Sets the wanted state and requests a change of all threads. *Returns* false if recording has
// ended.
bool otter_wanted_set(enum otter_control_state state);

// Makes the initial state final. Called when the output opens.
void otter_wanted_open(void);

// *Returns* whether a pause is wanted.
bool otter_wanted_is_paused(void);

// Requests a flush of all threads. *Returns* false if recording has ended.
bool otter_wanted_flush(void);

// *Returns* how many flushes were requested.
uint32_t otter_wanted_n_flushes(void);
