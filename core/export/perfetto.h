// The samples of a Perfetto trace.
#pragma once

#include "export/encode/packets.h"
#include "export/parts.h"

// Puts packets with all functions and call chains, then a packet for each sample. Returns
// OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_perfetto_put_samples(const struct otter_conversion *conversion,
                                             struct otter_packets *packets);
