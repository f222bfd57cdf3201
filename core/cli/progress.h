// A line on the terminal that shows what part of the events is read.
#pragma once

struct otter_archive;

// Shows the line from the second second on, if stderr is a terminal and TERM is not "dumb".
// `n_passes`: how often the command reads all events. One archive at a time.
void otter_progress_begin(struct otter_archive *archive, unsigned n_passes);

// Shows the next step of the work, such as "writing the page", instead of the part that is read.
void otter_progress_step(const char *step);

// Clears the line, if there is one. Must be called before anything else is printed; may be called
// again.
void otter_progress_end(struct otter_archive *archive);
