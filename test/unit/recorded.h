// Stories: functions that make recording calls. Each is played in a process of its own, and its
// archive is listed.
#pragma once

#include <stddef.h>

// Plays `story` and closes its recording. *Returns* the path of the archive, which exists if an
// event was recorded. A failing story may end its process with a status other than 0. Each story
// replaces the archive of the previous story.
const char *archive_of(void (*story)(void));

// Expect the events of a location in the last story's archive, as list_location() returns them, and
// a property of this archive.
void expect_location(size_t location, const char *expected);
void expect_property(const char *name, const char *expected);

// Plays `story`. *Returns* the events of its first location. The test fails if an event was lost.
void expect_story(void (*story)(void), const char *expected);
