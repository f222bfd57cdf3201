// Turns the events of devices into nodes, and joins them to the operations that tasks requested.
#include "graph/build/internal.h"

// ---- events of a device: one piece after the other

static void begin_piece(struct otter_builder *builder, uint32_t region)
{
    if (!OTTER_VECTOR_RESERVE(&builder->device_pieces)) {
        builder->has_failed = true;
        return;
    }
    builder->device_pieces.items[builder->device_pieces.n++] =
        (struct otter_device_piece){.start = builder->time,
                                    .end = builder->time,
                                    .region = region,
                                    .location = builder->location};
    builder->is_in_piece = true;
}

static void describe_piece(struct otter_builder *builder, uint32_t definition, uint64_t value)
{
    const struct otter_definitions *definitions = builder->definitions;
    if (builder->is_in_piece && definition < definitions->n_parameters &&
        definitions->parameters[definition].kind == OTTER_PARAMETER_OPERATION) {
        builder->device_pieces.items[builder->device_pieces.n - 1].id = value;
    }
}

void otter_device_event(struct otter_builder *builder, const struct otter_event *event)
{
    switch (event->kind) {
    case OTTER_RECORD_ENTER:
        if (event->region < builder->definitions->n_regions) {
            begin_piece(builder, event->region);
        }
        break;
    case OTTER_RECORD_LEAVE:
        if (builder->is_in_piece) {
            builder->device_pieces.items[builder->device_pieces.n - 1].end = event->time;
        }
        builder->is_in_piece = false;
        break;
    case OTTER_RECORD_PARAMETER:
        describe_piece(builder, event->parameter.definition, event->parameter.value);
        break;
    default: break;
    }
}

// ---- after the last location

// Some runtimes number target constructs and operations separately, so that both may have the same
// id.
static bool is_construct(const struct otter_operation *operation)
{
    return operation->from == OTTER_NONE;
}

static int compare_operations(const void *a, const void *b)
{
    const struct otter_operation *left = a, *right = b;
    if (left->id != right->id) {
        return left->id < right->id ? -1 : 1;
    }
    return is_construct(left) - is_construct(right);
}

// *Returns* the operation with `id`, or the target construct with `id` when `from` is OTTER_NONE.
// NULL if the host recorded none.
static const struct otter_operation *find_id(const struct otter_builder *builder, uint64_t id,
                                             uint32_t from)
{
    const struct otter_operation key = {.id = id, .from = from};
    return id && builder->operations.n > 0
               ? bsearch(&key, builder->operations.items, builder->operations.n, sizeof key,
                         compare_operations)
               : NULL;
}

static const struct otter_operation *find_operation(const struct otter_builder *builder,
                                                    uint64_t id)
{
    return find_id(builder, id, 0);
}

static const struct otter_operation *find_target(const struct otter_builder *builder, uint64_t id)
{
    return find_id(builder, id, OTTER_NONE);
}

// Finds the target constructs of operations that another thread executed.
static void find_targets(struct otter_builder *builder)
{
    for (uint32_t i = 0; i < builder->operations.n; i++) {
        struct otter_operation *operation = &builder->operations.items[i];
        const struct otter_operation *target =
            operation->target == OTTER_NONE ? find_target(builder, operation->target_id) : NULL;
        if (target) {
            operation->target = target->target;
            operation->scope = target->scope;
        }
    }
}

static uint32_t make_piece(struct otter_builder *builder, const struct otter_device_piece *piece,
                           uint32_t task, uint32_t scope)
{
    return otter_build_node(builder, &(struct otter_node){.start = piece->start,
                                                          .end = piece->end,
                                                          .task = task,
                                                          .scope = scope,
                                                          .region = piece->region,
                                                          .location = (uint16_t)piece->location,
                                                          .kind = OTTER_NODE_DEVICE});
}

static bool waits_for(const struct otter_builder *builder, uint32_t node,
                      const struct otter_device_piece *piece)
{
    return node != OTTER_NONE && builder->nodes.items[node].end >= piece->end;
}

// *Returns* the node in which the host waits for the piece, or OTTER_NONE. A synchronous operation
// is such a node; otherwise the end of its target construct is. The fragments view rejects a node
// that ends before the piece.
static uint32_t waiting_node(const struct otter_builder *builder,
                             const struct otter_operation *operation,
                             const struct otter_device_piece *piece)
{
    uint32_t end = operation->target == OTTER_NONE ? OTTER_NONE
                                                   : builder->targets.items[operation->target].end;
    if (otter_is_structure(builder)) {
        return operation->node == OTTER_NONE || (operation->is_async && end != OTTER_NONE)
                   ? end
                   : operation->node;
    }
    if (waits_for(builder, operation->node, piece)) {
        return operation->node;
    }
    return waits_for(builder, end, piece) ? end : OTTER_NONE;
}

static void add_known(struct otter_builder *builder, const struct otter_device_piece *piece,
                      const struct otter_operation *operation)
{
    uint32_t wait = waiting_node(builder, operation, piece);
    uint32_t scope =
        // A piece without a waiting node has no scope.
        wait == OTTER_NONE ? OTTER_NONE : operation->scope;
    uint32_t node = make_piece(builder, piece, operation->task, scope);
    otter_build_edge(builder, operation->from, node, OTTER_EDGE_CREATION);
    builder->nodes.items[operation->from].flags |= OTTER_BUILD_CREATED;
    if (wait != OTTER_NONE) {
        otter_build_edge(builder, node, wait, OTTER_EDGE_JOIN);
    }
    builder->findings.n_late_operations += !waits_for(builder, wait, piece);
}

// Adds a piece without a host operation to an initial task of the device.
static void add_unknown(struct otter_builder *builder, const struct otter_device_piece *piece,
                        uint32_t *task)
{
    if (*task == OTTER_NONE) {
        *task = otter_build_task(builder, OTTER_TASK_KIND_INITIAL, piece->location, 0);
        if (builder->has_failed) {
            return; // `own_task` is not valid
        }
        struct otter_node *first = &builder->nodes.items[builder->tasks.items[*task].first_node];
        first->start = first->end = piece->start;
    }
    const struct otter_graph_task *own = &builder->tasks.items[*task];
    uint32_t node = make_piece(builder, piece, *task, OTTER_OF_TASK);
    otter_build_edge(builder, own->first_node, node, OTTER_EDGE_CREATION);
    builder->nodes.items[own->first_node].flags |= OTTER_BUILD_CREATED;
    builder->findings.n_unknown_operations++;
}

void otter_build_devices(struct otter_builder *builder)
{
    uint32_t own_task = OTTER_NONE;
    if (builder->operations.n > 0) {
        qsort(builder->operations.items, builder->operations.n, sizeof *builder->operations.items,
              compare_operations);
        find_targets(builder);
    }
    for (uint32_t i = 0; i < builder->device_pieces.n && !builder->has_failed; i++) {
        const struct otter_device_piece *piece = &builder->device_pieces.items[i];
        const struct otter_operation *operation = find_operation(builder, piece->id);
        if (i > 0 && piece[-1].location != piece->location) {
            own_task = OTTER_NONE;
        }
        if (operation) {
            add_known(builder, piece, operation);
        } else {
            add_unknown(builder, piece, &own_task);
        }
    }
}
