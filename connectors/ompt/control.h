// What the program says to its tool.
#pragma once

#include <stdint.h>

int control_on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *code);

// What else is started, paused, flushed and ended with recording, as the traces of devices. Each is called after the core has done the same,
// but for `end`, which comes before; on the thread that said it.
struct control_follower {
    void (*start)(void);
    void (*pause)(void);
    void (*flush)(void);
    void (*end)(void);
};

// One for all; not changed afterwards.
void control_set_follower(const struct control_follower *follower);
