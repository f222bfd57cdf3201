// Outputs that are not complete yet. A command ended by a signal removes them.
#pragma once

#include <stdbool.h>

// Remembers a file or folder until otter_unfinished_forget; copies the path. Returns its number, or
// 0 if the list is full.
unsigned otter_unfinished_add(const char *path);
void otter_unfinished_forget(unsigned number);

// Removes all remembered files and folders. Async-signal-safe.
void otter_unfinished_remove(void);

// Blocks the signals that end a command while an output is moved into place. Calls do not nest.
void otter_unfinished_hold(void);
void otter_unfinished_release(void);

// The signals that end a command: SIGINT, SIGTERM, ... `use` is called for each.
void otter_unfinished_each_signal(void (*use)(int signal));

// Removes a file, or a folder with its contents. Does not follow links. Async-signal-safe.
void otter_tree_remove(const char *path);

// Locks a new file or folder until the returned descriptor is closed. Returns -1 if the file system
// has no locks. Sets *is_lost to whether another process has removed the file or folder.
int otter_unfinished_lock(const char *path, bool *is_lost);

// Removes the leftovers of killed commands: "path.NUMBER.part", if this user owns it and no process
// has locked it.
void otter_unfinished_remove_leftovers(const char *path);
