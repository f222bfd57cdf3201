// Temporary folders of merges that were killed.
#pragma once

// Removes the temporary folders in `parent` that no process has locked. A folder with other files
// remains. A folder with an event file that no other archive has also remains, with a warning.
void otter_merge_leftovers_remove(const char *parent);
