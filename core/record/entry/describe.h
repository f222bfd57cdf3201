// The descriptions of the run in the journal: connectors, settings, host.
#pragma once

// Notes a connector. Caller holds the session's lock.
void otter_describe_connector(const char *connector);

// Begins the journal with the lines that every archive needs, since a copy of it may end early.
// Caller holds the session's lock.
void otter_describe_head(void);
