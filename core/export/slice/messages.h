// Messages between ranks as flows: from the sending call to the call that completes the receive.
#pragma once

#include "trace/read/reader.h"

// An end of a flow, in the rank that sends or receives.
struct otter_message_end {
    uint64_t begin, end; // ticks of the call
    uint64_t flow;       // number, from 1
    uint32_t location;   // index in the rank
    // the flow leaves at the start of the call; otherwise it arrives at the end
    bool is_send;
};

// The ends in one rank, sorted by location and begin.
struct otter_message_ends {
    struct otter_message_end *items;
    uint32_t n;
};

struct otter_messages {
    struct otter_message_ends *ranks; // indexed by the place of the rank in the archive
    uint32_t n_ranks;
    uint64_t n_flows;
    uint64_t n_unmatched; // sends and receives without a partner
};

// Reads the MPI calls of all ranks, and matches their messages (analysis/job/job.h). Ranks that
// cannot be read have no messages. Leaves out messages that seem to be received before they were
// sent, because clocks differ. No rank is selected afterwards.
//
// Memory: 64 bytes per message, twice that while they are matched.
void otter_messages_read(struct otter_messages *messages, struct otter_archive *archive);
void otter_messages_finish(struct otter_messages *messages);
