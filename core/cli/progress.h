// A line on the terminal that shows how many of the events have been read, and how long it takes to
// read the others.
#pragma once

struct otter_archive;

// Shows the line after the first second, if stderr is a terminal and TERM is not "dumb".
// `n_passes`: how often the command reads all events. *Thread*: one archive at a time; several
// threads may read its ranks.
void otter_progress_begin(struct otter_archive *archive, unsigned n_passes);

// Shows the line for each archive that is opened from now on, one after the other. `n_passes`: how
// often the command reads the archive of a process; it reads a job's archive one more time.
void otter_progress_begin_several(unsigned n_passes);

// Adds an archive of the command line to the names that the line shows. Ranks that are opened count
// as parts of their archive. `path` must be valid until otter_progress_end.
void otter_progress_add(const char *path);

// Shows the next step of the work, such as "writing the page", instead of the part read so far.
void otter_progress_step(const char *step);

// Clears the line, if there is one, until more events have been read. Must be called before results
// are printed; messages call it themselves.
void otter_progress_hide(void);

// Clears the line, if there is one. Must be called before the results are printed; may be called
// again. `archive`: NULL after several archives, which are closed.
void otter_progress_end(struct otter_archive *archive);
