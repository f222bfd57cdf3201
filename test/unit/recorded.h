// Stories: functions that make recording calls, each played in a process of its own, and what their archive must hold.
#pragma once

#include <stddef.h>

// Plays `story`, which may end its process with another status than 0 when something in it is wrong, and closes its recording. Returns
// the path of the archive, which is there if an event was recorded; each story takes the place of the one before.
const char *archive_of(void (*story)(void));

// The events of a location of the last story's archive, as list_location() gives them; a property of it.
void expect_location(size_t location, const char *expected);
void expect_property(const char *name, const char *expected);

// The same for the first location of what `story` records, of which nothing may be lost.
void expect_story(void (*story)(void), const char *expected);
