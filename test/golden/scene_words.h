// The words of a text of events.
#pragma once

#include <stdint.h>

#include "otter/event.h"

// Each table ends with a NULL word.
struct construct_word {
    const char *word;
    enum otter_construct construct;
};
extern const struct construct_word construct_words[];

struct parameter_word {
    const char *word;
    enum otter_parameter parameter;
    enum value { VALUE_NONE, VALUE_NUMBER, VALUE_ADDRESS, VALUE_TASK, VALUE_REGION } value;
};
extern const struct parameter_word parameter_words[];

struct flag_word {
    const char *word;
    uint32_t bit; // enum otter_task_flag; of a loop: enum otter_loop_schedule
};
extern const struct flag_word flag_words[];
