// Temporary folders of merges that were killed.
#pragma once

// Removes the temporary folders in `parent` that no process has locked. A folder with other files
// remains. A folder with the only copy of an event file remains too, with a warning.
void otter_merge_leftovers_remove(const char *parent);
