// What core/end does with a complete archive. The function is a weak symbol, so that tests can link
// core/record without core/end.
#pragma once

// Processes the complete archive in `folder`. Not called if the archive could not be completed.
// *Thread*: the thread that closes the session, with signals held.
void otter_after_archive(const char *folder);
