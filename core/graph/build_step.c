// Steps of one task -> its chain. One function for each kind of step and of construct.
#include <string.h>

#include "graph/build_internal.h"

// ---- the chain

static struct otter_graph_task *task_of(struct otter_builder *builder,
                                        const struct otter_context *context)
{
    return &builder->tasks.items[context->task];
}

static void join(struct otter_builder *builder, uint32_t task, uint32_t node)
{
    otter_build_edge(builder, task, node, OTTER_EDGE_JOIN | OTTER_FROM_TASK);
    builder->tasks.items[task].flags |= OTTER_BUILD_JOINED;
}

// The undeferred child has ended before its creator goes on with `node`. What joins it does so all the same, so that the rest of the
// graph is as if it had been deferred.
static void add_return(struct otter_builder *builder, const struct otter_context *context,
                       uint32_t node)
{
    if (context->returning != OTTER_NONE) {
        otter_build_edge(builder, context->returning, node, OTTER_EDGE_RETURN | OTTER_FROM_TASK);
    }
}

// `node` is the next of the chain; not ordered by an edge where the chain goes through other tasks.
static void append(struct otter_builder *builder, struct otter_context *context, uint32_t node,
                   bool is_ordered)
{
    if (is_ordered) {
        otter_build_edge(builder, context->position, node, OTTER_EDGE_ORDER);
    }
    add_return(builder, context, node);
    context->returning = OTTER_NONE;
    context->position = node;
    task_of(builder, context)->last_node = node;
}

static uint32_t make_node(struct otter_builder *builder, const struct otter_context *context,
                          enum otter_node_kind kind, uint32_t region, uint64_t start, uint64_t end)
{
    return otter_build_node(builder, &(struct otter_node){.start = start,
                                                          .end = end > start ? end : start,
                                                          .task = context->task,
                                                          .scope = context->scope,
                                                          .region = region,
                                                          .location = context->location,
                                                          .kind = (uint8_t)kind,
                                                          .flags = builder->closing_flags});
}

static uint32_t append_node(struct otter_builder *builder, struct otter_context *context,
                            enum otter_node_kind kind, uint32_t region, uint64_t start,
                            uint64_t end)
{
    uint32_t node = make_node(builder, context, kind, region, start, end);
    append(builder, context, node, true);
    return node;
}

// ---- execution: what makes fragments

static void run(struct otter_builder *builder, struct otter_context *context, uint64_t time)
{
    if (otter_is_structure(builder) || context->running == OTTER_RUNNING || context->n_waits > 0) {
        return;
    }
    struct otter_node *node = &builder->nodes.items[context->position];
    if (context->running == OTTER_READY) {
        node->start = node->end = time;
        node->location = context->location;
        add_return(builder, context, context->position);
        context->returning = OTTER_NONE;
    } else {
        append_node(builder, context, OTTER_NODE_FRAGMENT,
                    builder->nodes.items[task_of(builder, context)->first_node].region, time, time);
    }
    context->running = OTTER_RUNNING;
}

// The fragment ends here. An empty one is kept for when the task goes on.
static void pause(struct otter_builder *builder, struct otter_context *context, uint64_t time)
{
    if (context->running != OTTER_RUNNING) {
        return;
    }
    struct otter_node *node = &builder->nodes.items[context->position];
    bool is_empty = node->start == time;
    node->end = time > node->start ? time : node->start;
    context->running = is_empty ? OTTER_READY : OTTER_IDLE;
}

// The fragment ends here, and something leaves from it.
static void cut(struct otter_builder *builder, struct otter_context *context, uint64_t time)
{
    pause(builder, context, time);
    context->running = OTTER_IDLE;
}

static void begin_wait(struct otter_builder *builder, struct otter_context *context, uint64_t time)
{
    cut(builder, context, time);
    context->n_waits++;
}

static void end_wait(struct otter_builder *builder, struct otter_context *context, uint64_t time)
{
    context->n_waits -= context->n_waits > 0;
    if (!builder->closing_flags) {
        run(builder, context, time);
    }
}

// ---- join scopes

static uint32_t make_scope(struct otter_builder *builder, const struct otter_join_scope *scope)
{
    if (!OTTER_VECTOR_RESERVE(&builder->scopes)) {
        builder->has_failed = true;
        return 0;
    }
    builder->scopes.items[builder->scopes.n] = *scope;
    return builder->scopes.n++;
}

// The join scope of what is created outside of the task's own taskgroups.
static uint32_t task_scope(struct otter_builder *builder, struct otter_context *context)
{
    if (!context->is_base) {
        return OTTER_OF_TASK;
    }
    if (context->phase == OTTER_NONE) {
        context->phase = make_scope(builder, &(struct otter_join_scope){.parent = OTTER_NONE,
                                                                        .begin = OTTER_OF_TASK,
                                                                        .end = OTTER_NONE,
                                                                        .owner = context->task,
                                                                        .member = context->member});
    }
    return context->phase;
}

// The join scope of what `context` creates now.
static uint32_t scope_of(struct otter_builder *builder, struct otter_context *context)
{
    return context->group == OTTER_NONE ? task_scope(builder, context)
                                        : builder->open.items[context->group].scope;
}

static uint32_t make_group_scope(struct otter_builder *builder, struct otter_context *context,
                                 uint32_t begin)
{
    return make_scope(
        builder, &(struct otter_join_scope){.parent = scope_of(builder, context),
                                            .begin = begin == OTTER_NONE ? OTTER_OF_TASK : begin,
                                            .end = OTTER_NONE,
                                            .owner = context->task,
                                            .member = OTTER_NONE});
}

// ---- joins

static void forget_unjoined(struct otter_builder *builder, struct otter_context *context)
{
    context->unjoined = OTTER_NONE;
    for (uint32_t i = context->group; i != OTTER_NONE; i = builder->open.items[i].group) {
        builder->open.items[i].unjoined = OTTER_NONE;
    }
}

static void join_children(struct otter_builder *builder, struct otter_context *context,
                          uint32_t node)
{
    for (uint32_t child = context->unjoined; child != OTTER_NONE;
         child = builder->task_next.items[child]) {
        join(builder, child, node);
    }
    forget_unjoined(builder, context);
}

static void add_barrier(struct otter_builder *builder, struct otter_context *context, uint32_t node,
                        bool is_join)
{
    if (!OTTER_VECTOR_RESERVE(&builder->barriers)) {
        builder->has_failed = true;
        return;
    }
    uint32_t barrier = builder->barriers.n++;
    struct otter_member *member = &builder->members.items[context->member];
    builder->barriers.items[barrier] = (struct otter_barrier){
        .node = node, .next = OTTER_NONE, .ordinal = member->n_barriers++, .is_join = is_join};
    if (member->first_barrier == OTTER_NONE) {
        member->first_barrier = barrier;
    } else {
        builder->barriers.items[member->last_barrier].next = barrier;
    }
    member->last_barrier = barrier;
}

static void pass_barrier(struct otter_builder *builder, struct otter_context *context,
                         uint32_t node, enum otter_construct construct)
{
    if (!context->is_base) {
        return;
    }
    if (context->phase != OTTER_NONE) {
        builder->scopes.items[context->phase].end = node;
        context->phase = OTTER_NONE;
    }
    context->phase_begin = node;
    forget_unjoined(builder, context);
    otter_depend_clear(context);
    if (context->member != OTTER_NONE) {
        add_barrier(builder, context, node,
                    construct == OTTER_CONSTRUCT_BARRIER_PARALLEL ||
                        construct == OTTER_CONSTRUCT_BARRIER_TEAMS);
    }
}

// ---- constructs

static enum otter_construct construct_of(const struct otter_builder *builder, uint32_t region)
{
    return builder->definitions->regions[region].construct;
}

static bool is_wait(uint8_t class)
{
    return class >= OTTER_CLASS_TASKGROUP_WAIT;
}

// Each scope of an explicit task also hangs on the task itself.
static void nest(struct otter_builder *builder, const struct otter_context *context, uint32_t node,
                 uint32_t before)
{
    const struct otter_graph_task *task = task_of(builder, context);
    if (!context->is_base && before != task->first_node) {
        otter_build_edge(builder, task->first_node, node, OTTER_EDGE_NESTING);
    }
}

static void begin_scope(struct otter_builder *builder, struct otter_context *context,
                        struct otter_open_construct *open)
{
    uint32_t before = context->position;
    open->begin =
        append_node(builder, context, OTTER_NODE_BEGIN, open->region, open->start, open->start);
    nest(builder, context, open->begin, before);
    context->scope = open->begin;
}

static void begin_target(struct otter_builder *builder, struct otter_context *context,
                         struct otter_open_construct *open)
{
    if (otter_is_structure(builder)) {
        begin_scope(builder, context, open);
    }
    if (!OTTER_VECTOR_RESERVE(&builder->targets)) {
        builder->has_failed = true;
        return;
    }
    open->scope = builder->targets.n;
    builder->targets.items[builder->targets.n++] = (struct otter_target){.end = OTTER_NONE};
}

static void enter(struct otter_builder *builder, struct otter_context *context,
                  const struct otter_step *step)
{
    uint8_t class = builder->region_class[step->index];
    struct otter_open_construct open = {.start = step->time,
                                        .region = step->index,
                                        .begin = OTTER_NONE,
                                        .outer = context->scope,
                                        .unjoined = context->unjoined,
                                        .scope = OTTER_NONE,
                                        .group = context->group,
                                        .class = class};
    if (!OTTER_VECTOR_RESERVE(&builder->open)) {
        builder->has_failed = true;
        return;
    }
    if (is_wait(class)) {
        begin_wait(builder, context, step->time);
    } else if (class == OTTER_CLASS_TARGET) {
        begin_target(builder, context, &open);
    } else if (otter_is_structure(builder)) {
        begin_scope(builder, context, &open);
    }
    if (class == OTTER_CLASS_TASKGROUP) {
        open.scope = make_group_scope(builder, context, open.begin);
        context->group = builder->open.n;
    } else if (class == OTTER_CLASS_TASKGROUP_WAIT && context->group != OTTER_NONE) {
        struct otter_open_construct *group = &builder->open.items[context->group];
        group->wait_start = step->time;
        group->has_waited = true;
    }
    context->n_loops += construct_of(builder, step->index) == OTTER_CONSTRUCT_LOOP;
    builder->open.items[builder->open.n++] = open;
}

static void end_group(struct otter_builder *builder, struct otter_context *context,
                      struct otter_open_construct *group, uint32_t node)
{
    builder->scopes.items[group->scope].end = node;
    context->unjoined = group->unjoined;
}

// In the fragments view: where what a device did is waited for.
static void end_target(struct otter_builder *builder, struct otter_context *context,
                       const struct otter_open_construct *open, uint64_t time)
{
    struct otter_target *target = &builder->targets.items[open->scope];
    if (target->has_operations) {
        cut(builder, context, time);
        target->end = append_node(builder, context, OTTER_NODE_SYNC, open->region, time, time);
        run(builder, context, time);
    }
}

static void end_scope(struct otter_builder *builder, struct otter_context *context,
                      struct otter_open_construct *open, uint64_t time)
{
    if (otter_is_structure(builder)) {
        uint64_t start = open->has_waited ? open->wait_start : time;
        uint32_t node = append_node(builder, context, OTTER_NODE_END, open->region, start, time);
        builder->nodes.items[node].scope = open->begin;
        context->scope = open->outer;
        if (open->class == OTTER_CLASS_TASKGROUP) {
            end_group(builder, context, open, node);
        } else if (open->class == OTTER_CLASS_TARGET) {
            builder->targets.items[open->scope].end = node;
        }
    } else if (open->class == OTTER_CLASS_TARGET) {
        end_target(builder, context, open, time);
    } else if (open->class == OTTER_CLASS_TASKGROUP && !open->has_waited) {
        cut(builder, context, time);
        end_group(builder, context, open,
                  append_node(builder, context, OTTER_NODE_SYNC, open->region, time, time));
        run(builder, context, time);
    }
    context->group = open->group;
}

// In the fragments view the wait that ends a taskgroup is its end.
static void end_group_wait(struct otter_builder *builder, struct otter_context *context,
                           uint64_t start, uint64_t time)
{
    if (otter_is_structure(builder) || context->group == OTTER_NONE) {
        return;
    }
    struct otter_open_construct *group = &builder->open.items[context->group];
    end_group(builder, context, group,
              append_node(builder, context, OTTER_NODE_SYNC, group->region, start, time));
}

static void end_operation(struct otter_builder *builder, struct otter_context *context,
                          const struct otter_open_construct *open, uint64_t time)
{
    uint32_t node =
        append_node(builder, context, OTTER_NODE_OPERATION, open->region, open->start, time);
    if (open->scope != OTTER_NONE) {
        builder->operations.items[open->scope].node = node;
    }
}

static void end_sync(struct otter_builder *builder, struct otter_context *context,
                     const struct otter_open_construct *open, uint64_t time)
{
    uint32_t node = append_node(builder, context, OTTER_NODE_SYNC, open->region, open->start, time);
    if (open->class == OTTER_CLASS_TASKWAIT) {
        join_children(builder, context, node);
    } else if (open->class == OTTER_CLASS_BARRIER) {
        pass_barrier(builder, context, node, construct_of(builder, open->region));
    }
}

// Whether a wait for dependences stands alone, or belongs to the task that is created next, is known with the next step.
static void keep_wait(struct otter_context *context, const struct otter_open_construct *open,
                      uint64_t time)
{
    context->has_wait = true;
    context->wait_region = open->region;
    context->wait_start = open->start;
    context->wait_end = time;
}

static void leave_top(struct otter_builder *builder, struct otter_context *context, uint64_t time)
{
    struct otter_open_construct open = builder->open.items[--builder->open.n];
    if (!is_wait(open.class)) {
        end_scope(builder, context, &open, time);
        return;
    }
    if (open.class == OTTER_CLASS_TASKGROUP_WAIT) {
        end_group_wait(builder, context, open.start, time);
    } else if (open.class == OTTER_CLASS_TASKWAIT_DEPEND) {
        keep_wait(context, &open, time);
        return;
    } else if (open.class == OTTER_CLASS_OPERATION) {
        end_operation(builder, context, &open, time);
    } else {
        end_sync(builder, context, &open, time);
    }
    end_wait(builder, context, time);
}

static void leave(struct otter_builder *builder, struct otter_context *context,
                  const struct otter_step *step)
{
    uint32_t i = builder->open.n;
    while (i > context->first_open && builder->open.items[i - 1].region != step->index) {
        i--;
    }
    builder->findings.n_unmatched_leaves += i != builder->open.n || i == context->first_open;
    while (i > context->first_open && builder->open.n >= i) {
        leave_top(builder, context, step->time);
    }
}

// The wait that was kept is one of its own.
static void settle_wait(struct otter_builder *builder, struct otter_context *context)
{
    if (!context->has_wait) {
        return;
    }
    context->has_wait = false;
    uint32_t node = append_node(builder, context, OTTER_NODE_SYNC, context->wait_region,
                                context->wait_start, context->wait_end);
    struct otter_dependent wait = {node, false, scope_of(builder, context)};
    otter_depend_add(builder, context, wait, context->wait_first, context->wait_n);
    context->wait_n = 0;
    end_wait(builder, context, context->wait_end);
}

// ---- tasks

static void adopt(struct otter_builder *builder, struct otter_context *context, uint32_t child)
{
    if (!OTTER_VECTOR_RESERVE(&builder->adoptions)) {
        builder->has_failed = true;
        return;
    }
    builder->adoptions.items[builder->adoptions.n++] =
        (struct otter_adoption){.task = child, .creator = context->task};
}

static void add_child(struct otter_builder *builder, struct otter_context *context,
                      const struct otter_step *step)
{
    uint32_t child = step->index;
    struct otter_graph_task *task = &builder->tasks.items[child];
    task->creator = context->task;
    builder->task_scope.items[child] = scope_of(builder, context);
    if (step->is_adopted) {
        adopt(builder, context, child);
    } else {
        builder->task_next.items[child] = context->unjoined;
        context->unjoined = child;
    }
    otter_build_edge(builder, context->position, task->first_node, OTTER_EDGE_CREATION);
    builder->nodes.items[context->position].flags |= OTTER_BUILD_CREATED;
    add_return(builder, context, task->first_node);
}

static void create(struct otter_builder *builder, struct otter_context *context,
                   const struct otter_step *step)
{
    uint32_t first = step->first_entry;
    uint32_t n = step->n_entries;
    if (context->has_wait && step->is_at_once && n == 0) {
        context->has_wait = false;
        first = context->wait_first;
        n = context->wait_n;
        context->wait_n = 0;
        end_wait(builder, context, context->wait_end);
    } else {
        settle_wait(builder, context);
    }
    bool was_running = context->running == OTTER_RUNNING;
    cut(builder, context, step->time);
    add_child(builder, context, step);
    struct otter_dependent newest = {step->index, true, builder->task_scope.items[step->index]};
    otter_depend_add(builder, context, newest, first, n);
    if (was_running) {
        run(builder, context, step->time);
    }
}

static void return_from(struct otter_builder *builder, struct otter_context *context,
                        const struct otter_step *step)
{
    if (!otter_is_structure(builder) || !context->is_serial) {
        context->returning = step->index;
    }
}

// Who created a task in a pause is not known, but that it was done in the same part of the team's work, between two barriers.
void otter_build_orphan(struct otter_builder *builder, struct otter_context *base, uint32_t task)
{
    if (!OTTER_VECTOR_RESERVE(&builder->orphans)) {
        builder->has_failed = true;
        return;
    }
    if (base->running == OTTER_READY) {
        base->running = OTTER_IDLE; // something leaves from it
    }
    builder->orphans.items[builder->orphans.n++] =
        (struct otter_orphan){.task = task,
                              .creator = base->task,
                              .scope = task_scope(builder, base),
                              .begin = base->phase_begin};
}

void otter_build_adopt_orphans(struct otter_builder *builder)
{
    for (uint32_t i = 0; i < builder->orphans.n && !builder->has_failed; i++) {
        const struct otter_orphan *orphan = &builder->orphans.items[i];
        struct otter_graph_task *task = &builder->tasks.items[orphan->task];
        if (task->creator != OTTER_NONE) {
            continue; // its creation was read later
        }
        builder->findings.n_orphans++;
        task->creator = orphan->creator;
        if (task->kind == OTTER_TASK_KIND_UNKNOWN) {
            task->kind = OTTER_TASK_KIND_EXPLICIT;
        }
        builder->task_scope.items[orphan->task] = orphan->scope;
        builder->nodes.items[orphan->begin].flags |= OTTER_BUILD_CREATED;
        otter_build_edge(builder, orphan->begin, task->first_node, OTTER_EDGE_CREATION);
    }
}

// ---- teams

static void do_fork(struct otter_builder *builder, struct otter_context *context,
                    const struct otter_step *step)
{
    begin_wait(builder, context, step->time);
    uint32_t before = context->position;
    uint32_t node =
        append_node(builder, context, OTTER_NODE_BEGIN, OTTER_NONE, step->time, step->time);
    if (otter_is_structure(builder)) {
        nest(builder, context, node, before);
    }
    builder->forks.items[step->index].begin = node;
}

static void do_join(struct otter_builder *builder, struct otter_context *context,
                    const struct otter_step *step)
{
    struct otter_fork *fork = &builder->forks.items[step->index];
    uint32_t node = make_node(builder, context, OTTER_NODE_END, OTTER_NONE, step->time, step->time);
    builder->nodes.items[node].scope = fork->begin;
    builder->forks.items[step->index].end = node;
    append(builder, context, node, false); // build_team.c orders it
    end_wait(builder, context, step->time);
}

// ---- others

static uint64_t mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9); // splitmix64
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static void pass_iteration(struct otter_builder *builder, struct otter_context *context,
                           const struct otter_step *step)
{
    bool is_source = step->kind == OTTER_STEP_SOURCE;
    uint32_t region = builder->open.n > context->first_open
                          ? builder->open.items[builder->open.n - 1].region
                          : OTTER_NONE;
    cut(builder, context, step->time);
    uint32_t node = append_node(builder, context, is_source ? OTTER_NODE_SOURCE : OTTER_NODE_SINK,
                                region, step->time, step->time);
    run(builder, context, step->time);
    if (!OTTER_VECTOR_RESERVE(&builder->doacross)) {
        builder->has_failed = true;
        return;
    }
    uint64_t iteration = step->n_entries;
    for (uint32_t i = 0; i < step->n_entries; i++) {
        iteration = mix(iteration ^ builder->entries.items[step->first_entry + i].value) + i;
    }
    builder->doacross.items[builder->doacross.n++] =
        (struct otter_doacross){.iteration = iteration,
                                .node = node,
                                .member = context->member,
                                .loop = context->n_loops,
                                .is_source = is_source};
    otter_build_trim_entries(builder, step->first_entry, step->n_entries);
}

static void fulfil(struct otter_builder *builder, struct otter_context *context,
                   const struct otter_step *step)
{
    uint32_t by = context->task == step->index ? OTTER_NONE : context->position;
    if (context->running == OTTER_RUNNING) {
        cut(builder, context, step->time);
        run(builder, context, step->time);
    }
    if (!OTTER_VECTOR_RESERVE(&builder->fulfilments)) {
        builder->has_failed = true;
        return;
    }
    builder->fulfilments.items[builder->fulfilments.n++] =
        (struct otter_fulfilment){.time = step->time,
                                  .task = step->index,
                                  .by = by,
                                  .location = step->location,
                                  .is_by_nobody = context->position == OTTER_NONE};
}

// The construct that was just entered asks a device for something.
static void begin_operation(struct otter_builder *builder, struct otter_context *context,
                            const struct otter_step *step)
{
    struct otter_operation *operation = &builder->operations.items[step->index];
    if (builder->open.n <= context->first_open ||
        builder->open.items[builder->open.n - 1].class == OTTER_CLASS_TARGET) {
        return; // the number of a target construct
    }
    bool was_running = context->running == OTTER_RUNNING;
    cut(builder, context, step->time);
    operation->from = context->position;
    if (was_running) { // a launch, which has no node in the fragments view
        run(builder, context, step->time);
    }
    operation->is_async =
        strcmp(builder->definitions->regions[builder->open.items[builder->open.n - 1].region]
                   .description,
               "nowait") == 0;
    operation->task = context->task;
    operation->scope = context->scope;
    for (uint32_t i = builder->open.n; i > context->first_open; i--) {
        struct otter_open_construct *open = &builder->open.items[i - 1];
        if (open->class == OTTER_CLASS_OPERATION) {
            open->scope = step->index;
        } else if (open->class == OTTER_CLASS_TARGET) {
            operation->target = open->scope;
            operation->scope = open->begin == OTTER_NONE ? OTTER_OF_TASK : open->begin;
            builder->targets.items[open->scope].has_operations = true;
            return;
        }
    }
}

// ---- steps

void otter_context_init(struct otter_context *context, uint32_t task, uint32_t position)
{
    *context = (struct otter_context){
        .task = task,
        .position = position,
        .phase_begin = position,
        .unjoined = OTTER_NONE,
        .returning = OTTER_NONE,
        .member = OTTER_NONE,
        .phase = OTTER_NONE,
        .scope = OTTER_OF_TASK,
        .group = OTTER_NONE,
        .running = OTTER_READY,
    };
}

void otter_step_do(struct otter_builder *builder, struct otter_context *context,
                   const struct otter_step *step)
{
    context->location = step->location;
    if (step->kind != OTTER_STEP_CREATE && step->kind != OTTER_STEP_LIST) {
        settle_wait(builder, context);
    }
    switch ((enum otter_step_kind)step->kind) {
    case OTTER_STEP_RUN:
    case OTTER_STEP_BACK: run(builder, context, step->time); break;
    case OTTER_STEP_PAUSE:
    case OTTER_STEP_AWAY: pause(builder, context, step->time); break;
    case OTTER_STEP_CREATE: create(builder, context, step); break;
    case OTTER_STEP_RETURN: return_from(builder, context, step); break;
    case OTTER_STEP_ENTER: enter(builder, context, step); break;
    case OTTER_STEP_LEAVE: leave(builder, context, step); break;
    case OTTER_STEP_LIST:
        context->wait_first = step->first_entry;
        context->wait_n = step->n_entries;
        break;
    case OTTER_STEP_FORK: do_fork(builder, context, step); break;
    case OTTER_STEP_JOIN: do_join(builder, context, step); break;
    case OTTER_STEP_SOURCE:
    case OTTER_STEP_SINK: pass_iteration(builder, context, step); break;
    case OTTER_STEP_FULFIL: fulfil(builder, context, step); break;
    case OTTER_STEP_OPERATION: begin_operation(builder, context, step); break;
    }
}

// Ends what is still open; what is made for that is marked.
static void close_open(struct otter_builder *builder, struct otter_context *context, uint64_t time)
{
    uint8_t flags = builder->closing_flags;
    builder->closing_flags = OTTER_NODE_UNFINISHED;
    while (builder->open.n > context->first_open) {
        leave_top(builder, context, time);
    }
    builder->closing_flags = flags;
}

// What its task does last is to wait for an undeferred child: whoever waits for the task waits for the child.
static void keep_tail(struct otter_builder *builder, struct otter_context *context)
{
    if (context->returning == OTTER_NONE) {
        return;
    }
    if (!OTTER_VECTOR_RESERVE(&builder->tails)) {
        builder->has_failed = true;
        return;
    }
    builder->tails.items[builder->tails.n++] =
        (struct otter_tail){.task = context->task, .child = context->returning};
}

void otter_context_finish(struct otter_builder *builder, struct otter_context *context,
                          uint64_t time)
{
    settle_wait(builder, context);
    close_open(builder, context, time);
    settle_wait(builder, context);
    pause(builder, context, time);
    keep_tail(builder, context);
    otter_depend_clear(context);
}
