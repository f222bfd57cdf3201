// Collects the operations of devices from events, and adds them up by device and construct.
#include "analysis/detail/devices.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "analysis/detail/events.h"
#include "graph/numbers.h"

struct operation {
    uint64_t begin, end, bytes, waiting;
    uint32_t device; // first stream of the device
    uint32_t region;
};

struct walk {
    const struct otter_analysis *analysis;
    uint32_t *device_of; // of each location; OTTER_NONE: a thread
    struct {
        OTTER_VECTOR(struct operation);
    } operations;
    uint32_t location, device;
    bool is_open; // the last operation has not ended
    bool is_short_of_memory;
};

// ---- events

// Returns the first stream of the device; OTTER_NONE for a thread.
static uint32_t find_device(const struct otter_definitions *definitions, uint32_t location)
{
    const struct otter_location *own = &definitions->locations[location];
    if (own->kind != OTTER_LOCATION_ACCELERATOR) {
        return OTTER_NONE;
    }
    for (uint32_t i = 0; i < location; i++) {
        if (definitions->locations[i].kind == OTTER_LOCATION_ACCELERATOR &&
            strcmp(definitions->locations[i].group, own->group) == 0) {
            return i;
        }
    }
    return location;
}

static bool begin_operation(struct walk *walk, uint32_t region, uint64_t time)
{
    if (!OTTER_VECTOR_ADD(&walk->operations, (struct operation){.begin = time,
                                                                .end = time,
                                                                .device = walk->device,
                                                                .region = region})) {
        return false;
    }
    walk->is_open = true;
    return true;
}

static bool is_bytes(const struct otter_definitions *definitions, uint32_t definition)
{
    return definition < definitions->n_parameters &&
           definitions->parameters[definition].kind == OTTER_PARAMETER_BYTES;
}

// Operations of a stream do not overlap.
static bool apply(struct walk *walk, const struct otter_event *event)
{
    struct operation *last = walk->is_open ? &walk->operations.items[walk->operations.n - 1] : NULL;
    switch (event->kind) {
    case OTTER_RECORD_ENTER: return begin_operation(walk, event->region, event->time);
    case OTTER_RECORD_LEAVE:
        if (last) {
            last->end = event->time > last->begin ? event->time : last->begin;
        }
        walk->is_open = false;
        return true;
    case OTTER_RECORD_PARAMETER:
        if (last && is_bytes(walk->analysis->definitions, event->parameter.definition)) {
            last->bytes += event->parameter.value;
        }
        return true;
    default: return true;
    }
}

static bool add_event(void *user, const struct otter_event *event)
{
    struct walk *walk = user;
    if (walk->location != event->location) {
        walk->location = event->location;
        walk->device = walk->device_of[event->location];
        walk->is_open = false;
    }
    walk->is_short_of_memory |= walk->device != OTTER_NONE && !apply(walk, event);
    return !walk->is_short_of_memory;
}

// ---- the host

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_device(const void *a, const void *b)
{
    const struct operation *x = a, *y = b;
    return OTTER_BY_4(x, y, device, begin, region, end);
}

// A thread of the host waits for a device's node as long as the node that joins it is open.
static uint64_t wait_for(const struct otter_graph *graph, uint32_t node)
{
    uint64_t longest = 0;
    const struct otter_node *own = &graph->nodes[node];
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        const struct otter_node *to = &graph->nodes[graph->edge_to[e]];
        uint64_t begin = to->start > own->start ? to->start : own->start;
        uint64_t end = to->end < own->end ? to->end : own->end;
        if (graph->edge_kind[e] == OTTER_EDGE_JOIN && end > begin && end - begin > longest) {
            longest = end - begin;
        }
    }
    return longest;
}

static struct operation *find_operation(const struct walk *walk, const struct operation *key)
{
    return bsearch(key, walk->operations.items, walk->operations.n, sizeof *key, by_device);
}

// Operations are sorted by device.
static void find_waits(struct walk *walk)
{
    const struct otter_graph *graph = walk->analysis->graph;
    for (uint32_t i = 0; i < graph->n_nodes && walk->operations.n > 0; i++) {
        const struct otter_node *node = &graph->nodes[i];
        if (node->kind != OTTER_NODE_DEVICE) {
            continue;
        }
        struct operation key = {
            .begin = node->start,
            .end = node->end,
            .region = node->region,
            .device = walk->device_of[node->location],
        };
        struct operation *operation = find_operation(walk, &key);
        if (operation) {
            operation->waiting += wait_for(graph, i);
        }
    }
}

// ---- sums

static int by_construct(const void *a, const void *b)
{
    const struct operation *x = a, *y = b;
    return OTTER_BY_3(x, y, device, region, begin);
}

// The operations are sorted by start.
static struct otter_device_use summarise(const struct operation *items, uint32_t n, uint32_t region)
{
    struct otter_device_use use = {.region = region, .location = items[0].device, .n = n};
    uint64_t until = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t begin = items[i].begin > until ? items[i].begin : until;
        use.busy += items[i].end > begin ? items[i].end - begin : 0;
        until = items[i].end > until ? items[i].end : until;
        use.ticks += items[i].end - items[i].begin;
        use.bytes += items[i].bytes;
        use.waiting += items[i].waiting;
    }
    return use;
}

static int by_time(const void *a, const void *b)
{
    const struct otter_device_use *x = a, *y = b;
    int order = compare(x->location, y->location);
    order = order ? order : compare(y->region == OTTER_NONE, x->region == OTTER_NONE);
    order = order ? order : compare(y->ticks, x->ticks);
    return order ? order : compare(x->region, y->region);
}

static bool has_same_key(const struct operation *a, const struct operation *b, bool is_of_device)
{
    return a->device == b->device && (is_of_device || a->region == b->region);
}

static void add_runs(struct otter_devices *devices, const struct walk *walk, bool is_of_device)
{
    const struct operation *items = walk->operations.items;
    for (uint32_t i = 0, end; i < walk->operations.n; i = end) {
        end = i + 1;
        while (end < walk->operations.n && has_same_key(&items[i], &items[end], is_of_device)) {
            end++;
        }
        devices->items[devices->n++] =
            summarise(&items[i], end - i, is_of_device ? OTTER_NONE : items[i].region);
    }
}

static bool add_up(struct otter_devices *devices, struct walk *walk)
{
    struct operation *items = walk->operations.items;
    devices->items = calloc((size_t)walk->operations.n * 2 + 1, sizeof *devices->items);
    if (!devices->items) {
        return false;
    }
    if (walk->operations.n > 0) {
        qsort(items, walk->operations.n, sizeof *items, by_device);
        find_waits(walk);
        add_runs(devices, walk, true);
        qsort(items, walk->operations.n, sizeof *items, by_construct);
        add_runs(devices, walk, false);
        qsort(devices->items, devices->n, sizeof *devices->items, by_time);
    }
    return true;
}

// ---- all

// *Returns* whether there are devices. Their streams are locations of their own.
static bool find_devices(struct walk *walk)
{
    const struct otter_definitions *definitions = walk->analysis->definitions;
    bool has_devices = false;
    for (uint32_t i = 0; i < definitions->n_locations; i++) {
        walk->device_of[i] = find_device(definitions, i);
        has_devices |= walk->device_of[i] != OTTER_NONE;
    }
    return has_devices;
}

enum otter_status otter_devices_read(struct otter_devices *devices,
                                     const struct otter_analysis *analysis)
{
    struct walk walk = {.analysis = analysis,
                        .location = OTTER_NONE,
                        .device = OTTER_NONE,
                        .device_of = otter_numbers_create(analysis->definitions->n_locations)};
    *devices = (struct otter_devices){0};
    bool is_good = walk.device_of != NULL;
    if (is_good && find_devices(&walk)) {
        is_good = otter_events_read(analysis, NULL, add_event, &walk) && add_up(devices, &walk);
    }
    free(walk.operations.items);
    free(walk.device_of);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_devices_finish(struct otter_devices *devices)
{
    free(devices->items);
    *devices = (struct otter_devices){0};
}
