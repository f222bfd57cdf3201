// The call that core/end implements for a complete archive. Record does not depend on core/end;
// tests of record alone link none.
#pragma once

// Processes the complete archive in `folder`. *Thread*: the thread that closes the session, signals
// held. Not called when the archive could not be completed.
void otter_after_archive(const char *folder);
