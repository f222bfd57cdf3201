// Temporary folders of merges that were killed.
#pragma once

// Removes the temporary folders in `parent` that no process has locked. A folder with files of
// others remains. A folder with an event file that no other archive has remains, with a warning.
void otter_merge_leftovers_remove(const char *parent);
