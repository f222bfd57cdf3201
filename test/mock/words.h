// The words that scripts use for OMPT's enums.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum words {
    WORDS_CALLBACK,
    WORDS_RESULT, // results of ompt_set_callback
    WORDS_ENDPOINT,
    WORDS_THREAD,
    WORDS_PARALLEL_FLAG,
    WORDS_TASK_FLAG,
    WORDS_STATUS,
    WORDS_SYNC,
    WORDS_WORK,
    WORDS_DISPATCH,
    WORDS_MUTEX,
    WORDS_DEPENDENCE,
    WORDS_CANCEL,
    WORDS_SEVERITY,
    WORDS_TARGET,
    WORDS_DATA_OP,
    WORDS_MAP_FLAG,
    WORDS_RECORD,  // records of a trace
    WORDS_COMMAND, // commands of omp_control_tool
    WORDS_N_GROUPS
};

// Finds the number of `text`: words of the group or numbers, joined by '|'. *Returns* false if a
// word is unknown.
bool words_find(enum words group, const char *text, uint64_t *number);

// Returns the words of a group by index; NULL after the last.
const char *words_at(enum words group, size_t index);

// Returns the name of the group: "sync".
const char *words_group(enum words group);
