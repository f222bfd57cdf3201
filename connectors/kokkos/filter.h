// Regions and profile sections as switches: recording is on inside those of setting `only`, and off inside those of `skip`, on whatever
// thread they are. The region itself is recorded. Any thread may call these, a forked child too: nothing here waits.
#pragma once

enum filter_match { FILTER_NONE = 0, FILTER_ONLY = 1 << 0, FILTER_SKIP = 1 << 1 };

// Bits of enum filter_match. The first call reads the settings, which do not change any more: it is followed by the first event.
unsigned filter_match(const char *name);

// At the end, if this process is recorded: a warning for each entry of the settings that has named nothing. Once.
void filter_warn(void);

// Before and after the beginning, and the end, of a region or section with these bits is recorded.
void filter_before_begin(unsigned match);
void filter_after_begin(unsigned match);
void filter_before_end(unsigned match);
void filter_after_end(unsigned match);

// Regions nest on their thread, and their end has no name. Those below the 64th are no switches.
// Returns the bits that count.
unsigned filter_push(unsigned match);
unsigned filter_pop(void);
