// Outputs that are not complete yet. A command that a signal ends removes them.
#pragma once

#include <stdbool.h>

// Remembers a file or folder until it is forgotten. The path is copied. Returns the number for
// otter_unfinished_forget, or 0: there is no room for it.
unsigned otter_unfinished_add(const char *path);
void otter_unfinished_forget(unsigned number);

// Removes all that are remembered. Async-signal-safe.
void otter_unfinished_remove(void);

// Lets the ending signals wait while an output is moved to its place. Calls do not nest.
void otter_unfinished_hold(void);
void otter_unfinished_release(void);

// The signals that end a command: SIGINT, SIGTERM, ... `use` is called for each.
void otter_unfinished_each_signal(void (*use)(int signal));

// Removes a file, or a folder with all that is in it. Does not follow links. Async-signal-safe.
void otter_tree_remove(const char *path);

// Locks a new file or folder until the returned descriptor is closed. Returns -1 where the file
// system has no locks. *is_lost: another process has removed it meanwhile.
int otter_unfinished_lock(const char *path, bool *is_lost);

// Removes what killed commands have left beside `path`: "path.NUMBER.part", if it is of this user
// and no process has locked it.
void otter_unfinished_remove_leftovers(const char *path);
