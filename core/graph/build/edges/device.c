// Turns the events of devices into nodes, and joins them to the operations that tasks requested.
#include "graph/build/edges/device.h"

// ---- requests of the host

uint32_t otter_operations_request(struct otter_operations *operations, struct otter_store *store,
                                  uint64_t id, uint32_t location, uint64_t time)
{
    if (!operations->has_devices) {
        return OTTER_NONE;
    }
    if (!OTTER_VECTOR_RESERVE(&operations->requests)) {
        store->has_failed = true;
        return OTTER_NONE;
    }
    uint32_t operation = operations->requests.n++;
    operations->operation_time = time;
    operations->operation_location = location;
    operations->requests.items[operation] = (struct otter_operation){
        .id = id, .from = OTTER_NONE, .target = OTTER_NONE, .node = OTTER_NONE};
    return operation;
}

void otter_operations_set_target(struct otter_operations *operations, uint64_t id,
                                 uint32_t location, uint64_t time)
{
    if (operations->requests.n > 0 && operations->operation_location == location &&
        operations->operation_time == time) {
        operations->requests.items[operations->requests.n - 1].target_id = id;
    }
}

// ---- events of a device: one piece after another

static void begin_piece(struct otter_operations *operations, struct otter_store *store,
                        const struct otter_event *event)
{
    OTTER_APPEND(store, &operations->pieces,
                 (struct otter_device_piece){.start = event->time,
                                             .end = event->time,
                                             .region = event->region,
                                             .location = event->location});
    operations->is_in_piece = !store->has_failed;
}

static void describe_piece(struct otter_operations *operations, struct otter_store *store,
                           uint32_t definition, uint64_t value)
{
    const struct otter_definitions *definitions = store->definitions;
    if (operations->is_in_piece && definition < definitions->n_parameters &&
        definitions->parameters[definition].kind == OTTER_PARAMETER_OPERATION) {
        operations->pieces.items[operations->pieces.n - 1].id = value;
    }
}

void otter_operations_event(struct otter_operations *operations, struct otter_store *store,
                            const struct otter_event *event)
{
    switch (event->kind) {
    case OTTER_RECORD_ENTER:
        if (event->region < store->definitions->n_regions) {
            begin_piece(operations, store, event);
        }
        break;
    case OTTER_RECORD_LEAVE:
        if (operations->is_in_piece) {
            struct otter_device_piece *piece = &operations->pieces.items[operations->pieces.n - 1];
            piece->end = event->time > piece->start ? event->time : piece->start;
        }
        operations->is_in_piece = false;
        break;
    case OTTER_RECORD_PARAMETER:
        describe_piece(operations, store, event->parameter.definition, event->parameter.value);
        break;
    default: break;
    }
}

// ---- after the last location

// Some runtimes number target constructs and operations separately, so both may have the same id.
static bool is_construct(const struct otter_operation *operation)
{
    return operation->from == OTTER_NONE;
}

static int compare_operations(const void *a, const void *b)
{
    const struct otter_operation *left = a, *right = b;
    int order = otter_compare(left->id, right->id);
    return order ? order : otter_compare(is_construct(left), is_construct(right));
}

// *Returns* the operation with `id`, or the target construct with `id` when `from` is OTTER_NONE.
// NULL if the host recorded none.
static const struct otter_operation *find_id(const struct otter_operations *operations, uint64_t id,
                                             uint32_t from)
{
    const struct otter_operation key = {.id = id, .from = from};
    return id && operations->requests.n > 0
               ? bsearch(&key, operations->requests.items, operations->requests.n, sizeof key,
                         compare_operations)
               : NULL;
}

static const struct otter_operation *find_operation(const struct otter_operations *operations,
                                                    uint64_t id)
{
    return find_id(operations, id, 0);
}

static const struct otter_operation *find_target(const struct otter_operations *operations,
                                                 uint64_t id)
{
    return find_id(operations, id, OTTER_NONE);
}

// Finds the target constructs of operations that another thread executed.
static void find_targets(struct otter_operations *operations)
{
    for (uint32_t i = 0; i < operations->requests.n; i++) {
        struct otter_operation *operation = &operations->requests.items[i];
        const struct otter_operation *target =
            operation->target == OTTER_NONE ? find_target(operations, operation->target_id) : NULL;
        if (target) {
            operation->target = target->target;
            operation->scope = target->scope;
        }
    }
}

static uint32_t make_piece(struct otter_store *store, const struct otter_device_piece *piece,
                           uint32_t task, uint32_t scope)
{
    return otter_store_node(store, &(struct otter_node){.start = piece->start,
                                                        .end = piece->end,
                                                        .task = task,
                                                        .scope = scope,
                                                        .region = piece->region,
                                                        .location = (uint16_t)piece->location,
                                                        .kind = OTTER_NODE_DEVICE});
}

static bool waits_for(const struct otter_store *store, uint32_t node,
                      const struct otter_device_piece *piece)
{
    return node != OTTER_NONE && store->nodes.items[node].end >= piece->end;
}

// *Returns* the node in which the host waits for the piece, or OTTER_NONE. For a synchronous
// operation, the node is the operation itself, otherwise the end of its target construct. In the
// fragments view, the node must not end before the piece.
static uint32_t waiting_node(const struct otter_operations *operations,
                             const struct otter_store *store,
                             const struct otter_operation *operation,
                             const struct otter_device_piece *piece)
{
    uint32_t end = operation->target == OTTER_NONE
                       ? OTTER_NONE
                       : operations->targets.items[operation->target].end;
    if (otter_is_structure(store)) {
        return operation->node == OTTER_NONE || (operation->is_async && end != OTTER_NONE)
                   ? end
                   : operation->node;
    }
    if (waits_for(store, operation->node, piece)) {
        return operation->node;
    }
    return waits_for(store, end, piece) ? end : OTTER_NONE;
}

static void add_known(struct otter_operations *operations, struct otter_store *store,
                      const struct otter_device_piece *piece,
                      const struct otter_operation *operation)
{
    uint32_t wait = waiting_node(operations, store, operation, piece);
    uint32_t scope =
        // A piece without a waiting node has no scope.
        wait == OTTER_NONE ? OTTER_NONE : operation->scope;
    uint32_t node = make_piece(store, piece, operation->task, scope);
    otter_store_edge(store, operation->from, node, OTTER_EDGE_CREATION);
    store->nodes.items[operation->from].flags |= OTTER_BUILD_CREATED;
    if (wait != OTTER_NONE) {
        otter_store_edge(store, node, wait, OTTER_EDGE_JOIN);
    }
    store->findings.n_late_operations += !waits_for(store, wait, piece);
}

// Adds a piece without a host operation to an initial task of the device.
static void add_unknown(struct otter_store *store, const struct otter_device_piece *piece,
                        uint32_t *task)
{
    if (*task == OTTER_NONE) {
        *task = otter_store_task(store, OTTER_TASK_KIND_INITIAL, piece->location, 0);
        if (store->has_failed) {
            return; // out of memory: `*task` is not valid
        }
        struct otter_node *first = &store->nodes.items[store->tasks.items[*task].first_node];
        first->start = first->end = piece->start;
    }
    const struct otter_graph_task *own = &store->tasks.items[*task];
    uint32_t node = make_piece(store, piece, *task, OTTER_OF_TASK);
    otter_store_edge(store, own->first_node, node, OTTER_EDGE_CREATION);
    store->nodes.items[own->first_node].flags |= OTTER_BUILD_CREATED;
    store->findings.n_unknown_operations++;
}

void otter_operations_build(struct otter_operations *operations, struct otter_store *store)
{
    uint32_t own_task = OTTER_NONE;
    if (operations->requests.n > 0) {
        qsort(operations->requests.items, operations->requests.n,
              sizeof *operations->requests.items, compare_operations);
        find_targets(operations);
    }
    for (uint32_t i = 0; i < operations->pieces.n && !store->has_failed; i++) {
        const struct otter_device_piece *piece = &operations->pieces.items[i];
        const struct otter_operation *operation = find_operation(operations, piece->id);
        if (i > 0 && piece[-1].location != piece->location) {
            own_task = OTTER_NONE;
        }
        if (operation) {
            add_known(operations, store, piece, operation);
        } else {
            add_unknown(store, piece, &own_task);
        }
    }
}
