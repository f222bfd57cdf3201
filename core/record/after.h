// What is done with an archive once it is complete: in core/end, which record does not know. Where it is not linked in (tests of
// record alone), nothing is.
#pragma once

// Called by the one thread that closes the session, signals held. Not when the archive could not be completed.
void otter_after_archive(const char *folder);
