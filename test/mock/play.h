// Playing one line of a script on the thread that calls.
#pragma once

#include "runtime.h"
#include "script.h"

// Calls back what the line says, or does it. Ends the process when the line makes no sense.
void play_line(const struct line *line);

// ---- what the files of players share

typedef void play_function(const struct line *line);

struct play {
    const char *name; // the first word of a line
    play_function *function;
};

// By who plays them; ended by a name NULL.
extern const struct play play_tasks[]; // play_tasks.c: threads, parallel regions, tasks
extern const struct play
    play_constructs[]; // play_constructs.c: work, synchronisation, mutual exclusion, points in time

extern const struct play play_targets[]; // play_target.c: target constructs, omp_control_tool
extern const struct play play_devices[]; // play_device.c

// The data named by KEY=..., of the current task (its region) when there is none, NULL for "null".
ompt_data_t *play_task_data(const struct line *line, const char *key);
ompt_data_t *play_parallel_data(const struct line *line, const char *key);

// The data named by a word; the line fails when it is missing.
ompt_data_t *play_data(const struct line *line, size_t index);

// code=NAME, a place in the program; code=rt:NAME, one in the runtime; NULL without.
const void *play_code(const struct line *line);

// The places of the program that codes name: of name I, from play_places() + I * PLAY_PLACE_SIZE on.
enum { PLAY_PLACE_SIZE = 16, PLAY_MAX_PLACES = 1024 };
const char *play_places(void);

// What the tool has registered for the event, as a function of its type; NULL: nothing.
#define PLAY_CALLBACK(event) ((event##_t)mock_callback(event))
