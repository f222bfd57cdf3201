// The descriptions of the run in the journal: connectors, settings, host.
#pragma once

// Notes a connector. Caller holds the session's lock.
void otter_describe_connector(const char *connector);

// Begins the journal with the lines that every archive needs, since a copy of the journal may be
// cut off.
// Caller holds the session's lock.
void otter_describe_head(void);
