// One line of a journal.
#pragma once

#include "recording/definitions.h"

struct otter_definitions_reader { // begins as zero, but for `to`
    struct otter_journal_definitions *to;
    size_t room_descriptions, room_modules, room_locations, room_regions, room_teams, room_marks;
    uint64_t n_members;
    bool is_short_of_memory;
};

// Takes what the line says into what the reader reads to. False: it makes no sense, and is passed over. What is read points into `text`,
// which is changed.
bool otter_definitions_read_line(struct otter_definitions_reader *reader, char *text);
