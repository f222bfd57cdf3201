// The words that scripts use for OMPT's enums.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum words {
    WORDS_CALLBACK,
    WORDS_RESULT, // of ompt_set_callback
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
    WORDS_RECORD,  // in a trace
    WORDS_COMMAND, // of omp_control_tool
    WORDS_N_GROUPS
};

// The number that `text` means: words of the group and numbers, joined by '|'. False when there is no such word.
bool words_find(enum words group, const char *text, uint64_t *number);

// The words of a group, one after the other; NULL behind the last.
const char *words_at(enum words group, size_t index);

// What the group is called: "sync".
const char *words_group(enum words group);
