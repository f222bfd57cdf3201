// The state of a recording that is being finished.
#pragma once

#include <stdint.h>

#include "recording/finish/definitions.h"
#include "recording/finish/finish.h"

struct otter_finish_state {
    const char *recording;
    char *events;         // folder of the recording's event files
    char *archive_folder; // folder in which the archive is written, then published
    char *journal;
    struct otter_journal_definitions definitions;
    uint64_t *n_events; // number of events of each location
    uint64_t last_time; // time of the last event, in ticks
    struct otter_finish_result *result;
};
