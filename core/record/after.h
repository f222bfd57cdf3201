// The work of core/end on a complete archive. core/record does not depend on core/end: tests that
// link only core/record have no such function.
#pragma once

// Processes the complete archive in `folder`. *Thread*: the thread that closes the session, with
// signals held. It is not called if the archive could not be completed.
void otter_after_archive(const char *folder);
