// Reads one line of a journal into definitions.
#pragma once

#include "recording/finish/definitions.h"

struct otter_definitions_reader { // initially zero, except `to`
    struct otter_journal_definitions *to;
    size_t room_descriptions, room_modules, room_locations, room_regions, room_teams, room_marks,
        room_begun;
    uint64_t n_members; // members of all teams together
    bool is_short_of_memory;
};

// Reads the line `text` and changes it; definitions point into it.
// *Returns* false if the line makes no sense, or if memory runs out.
bool otter_definitions_read_line(struct otter_definitions_reader *reader, char *text);
