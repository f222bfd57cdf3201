// Stores the depend clauses of tasks, and compares the clauses of two tasks.
#include "analysis/path/addresses.h"

#include "base/free.h"
#include "graph/numbers.h"

#include "base/order.h"

enum otter_status otter_addresses_begin(struct otter_addresses *addresses,
                                        const struct otter_definitions *definitions)
{
    *addresses = (struct otter_addresses){.definitions = definitions,
                                          .first = otter_numbers_create(definitions->n_locations),
                                          .last = OTTER_NONE};
    return addresses->first ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_addresses_finish(struct otter_addresses *addresses)
{
    OTTER_FREE(addresses->uses.items, addresses->tasks.items, addresses->first);
    *addresses = (struct otter_addresses){0};
}

static bool is_all_memory(enum otter_parameter kind)
{
    return kind == OTTER_PARAMETER_DEPEND_OUT_ALL_MEMORY ||
           kind == OTTER_PARAMETER_DEPEND_INOUT_ALL_MEMORY;
}

static bool is_dependence(enum otter_parameter kind)
{
    return is_all_memory(kind) || kind == OTTER_PARAMETER_DEPEND_IN ||
           kind == OTTER_PARAMETER_DEPEND_OUT || kind == OTTER_PARAMETER_DEPEND_INOUT ||
           kind == OTTER_PARAMETER_DEPEND_MUTEXINOUTSET ||
           kind == OTTER_PARAMETER_DEPEND_INOUTSET || kind == OTTER_PARAMETER_DEPEND_UNKNOWN;
}

static bool add_use(struct otter_addresses *addresses, const struct otter_event *event,
                    enum otter_parameter kind)
{
    uint32_t n = addresses->tasks.n;
    const struct otter_address_task *last = n ? &addresses->tasks.items[n - 1] : NULL;
    if (!last || last->location != event->location || last->number != addresses->last) {
        if (!OTTER_VECTOR_ADD(
                &addresses->tasks,
                (struct otter_address_task){event->location, addresses->last, addresses->uses.n})) {
            return false;
        }
        if (addresses->first[event->location] == OTTER_NONE) {
            addresses->first[event->location] = n;
        }
    }
    return OTTER_VECTOR_ADD(
        &addresses->uses,
        (struct otter_address_use){is_all_memory(kind) ? OTTER_ALL_MEMORY : event->parameter.value,
                                   kind == OTTER_PARAMETER_DEPEND_IN,
                                   kind == OTTER_PARAMETER_DEPEND_MUTEXINOUTSET});
}

bool otter_addresses_add(struct otter_addresses *addresses, const struct otter_event *event)
{
    if (event->kind == OTTER_RECORD_TASK_CREATE) {
        addresses->last = event->task.number;
        addresses->last_location = event->location;
        return true;
    }
    if (event->kind != OTTER_RECORD_PARAMETER || addresses->last == OTTER_NONE ||
        addresses->last_location != event->location ||
        event->location >= addresses->definitions->n_locations ||
        event->parameter.definition >= addresses->definitions->n_parameters) {
        addresses->last = event->kind == OTTER_RECORD_PARAMETER ? addresses->last : OTTER_NONE;
        return true;
    }
    enum otter_parameter kind =
        addresses->definitions->parameters[event->parameter.definition].kind;
    addresses->has_exclusive |= kind == OTTER_PARAMETER_DEPEND_MUTEXINOUTSET;
    return !is_dependence(kind) || add_use(addresses, event, kind);
}

const struct otter_address_use *otter_addresses_of(const struct otter_addresses *addresses,
                                                   const struct otter_graph_task *task, uint32_t *n)
{
    *n = 0;
    uint32_t low = addresses->first[task->location], high = addresses->tasks.n;
    const struct otter_address_task *tasks = addresses->tasks.items;
    OTTER_SEARCH(low, high, middle,
                 tasks[middle].location == task->location && tasks[middle].number < task->number)
    if (low >= addresses->tasks.n || tasks[low].location != task->location ||
        tasks[low].number != task->number) {
        return NULL;
    }
    uint32_t end = low + 1 < addresses->tasks.n ? tasks[low + 1].first : addresses->uses.n;
    *n = end - tasks[low].first;
    return &addresses->uses.items[tasks[low].first];
}

static bool has_all_memory(const struct otter_address_use *uses, uint32_t n)
{
    bool has = false;
    for (uint32_t i = 0; i < n; i++) {
        has = has || uses[i].address == OTTER_ALL_MEMORY;
    }
    return has;
}

uint32_t otter_addresses_common(const struct otter_addresses *addresses,
                                const struct otter_graph_task *a, const struct otter_graph_task *b,
                                uint64_t preferred, uint64_t *one)
{
    uint32_t n_a, n_b, n = 0;
    const struct otter_address_use *of_a = otter_addresses_of(addresses, a, &n_a);
    const struct otter_address_use *of_b = otter_addresses_of(addresses, b, &n_b);
    if (n_a > 0 && n_b > 0 && (has_all_memory(of_a, n_a) || has_all_memory(of_b, n_b))) {
        *one = OTTER_ALL_MEMORY;
        return 1;
    }
    for (uint32_t i = 0; i < n_a; i++) {
        for (uint32_t k = 0; k < n_b; k++) {
            if (of_a[i].address != of_b[k].address || (of_a[i].is_read && of_b[k].is_read)) {
                continue;
            }
            *one = n == 0 || of_a[i].address == preferred ? of_a[i].address : *one;
            n++;
        }
    }
    return n;
}
