// The operations on devices: requests of the host, and actions of devices.
#pragma once

#include "graph/build/edges/store.h"

// A target construct.
struct otter_target {
    uint32_t end;        // end node, or OTTER_NONE
    bool has_operations; // it has operations, or may have some
};

// A request of the host. A target construct has an entry of its own, without `from`.
struct otter_operation {
    uint64_t id;
    uint32_t task;
    uint32_t from;      // the task's node at the time of the request
    uint32_t scope;     // scope for nodes of the construct
    uint32_t target;    // index in `targets`, or OTTER_NONE
    uint32_t node;      // the operation's own node, or OTTER_NONE
    uint64_t target_id; // id of the target construct, if it is on another thread; otherwise 0
    bool is_async;
};

struct otter_device_piece {
    uint64_t id; // id of the operation; 0: unknown
    uint64_t start, end;
    uint32_t region;
    uint32_t location;
};

struct otter_operations {
    OTTER_LIST(struct otter_target) targets;
    OTTER_LIST(struct otter_operation) requests;
    OTTER_LIST(struct otter_device_piece) pieces;
    uint64_t operation_time; // time of the newest operation
    uint32_t operation_location;
    bool has_devices; // the archive has locations of devices
    bool is_in_piece; // the last piece has no end yet
};

// Adds a request. *Returns* its index, or OTTER_NONE if no device was recorded.
uint32_t otter_operations_request(struct otter_operations *operations, struct otter_store *store,
                                  uint64_t id, uint32_t location, uint64_t time);
// Sets the target construct of the newest request if it has this location and time.
void otter_operations_set_target(struct otter_operations *operations, uint64_t id,
                                 uint32_t location, uint64_t time);
// Adds an event of a device.
void otter_operations_event(struct otter_operations *operations, struct otter_store *store,
                            const struct otter_event *event);

// Makes the nodes of the devices' actions, after the last location.
void otter_operations_build(struct otter_operations *operations, struct otter_store *store);
