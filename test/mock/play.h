// Plays one line of a script on the calling thread.
#pragma once

#include "runtime.h"
#include "script.h"

// Calls the callback of the line, or does what the line says. Ends the process if the line is
// invalid.
void play_line(const struct line *line);

// ---- shared by the play_*.c files

typedef void play_function(const struct line *line);

struct play {
    const char *name; // the first word of a line
    play_function *function;
};

// The tables of the play_*.c files. A NULL name ends a table.
extern const struct play play_tasks[]; // threads, parallel regions, tasks
extern const struct play
    play_constructs[]; // worksharing, synchronisation, mutual exclusion, events of one instant

extern const struct play play_targets[]; // target constructs, omp_control_tool
extern const struct play play_devices[];

// Returns the data that KEY=... names; without KEY, the current task or its region; NULL for
// "null".
ompt_data_t *play_task_data(const struct line *line, const char *key);
ompt_data_t *play_parallel_data(const struct line *line, const char *key);

// Returns the data that a word names. A missing word is an error of the script.
ompt_data_t *play_data(const struct line *line, size_t index);

// Returns the place of code=NAME in the program, or of code=rt:NAME in the runtime; NULL without
// `code`.
const void *play_code(const struct line *line);

// The address range of named places. Name I is at play_places() + I * PLAY_PLACE_SIZE.
enum { PLAY_PLACE_SIZE = 16, PLAY_MAX_PLACES = 1 << 14 };
const char *play_places(void);

// Returns the tool's callback for an event, as a function of its type; NULL: none.
#define PLAY_CALLBACK(event) ((event##_t)mock_callback(event))
