// Translates OTF2's event records to struct otter_event.
#pragma once

#include <otf2/otf2.h>

// Creates callbacks that pass the events of `archive->location` to `archive->function`. The user
// data of the callbacks is the archive. *Returns* NULL if out of memory.
OTF2_EvtReaderCallbacks *otter_reader_event_callbacks(void);
