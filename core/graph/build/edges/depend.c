// Derives the dependences of siblings from their depend clauses, in order of creation (OpenMP 5.1,
// 2.19.11).
//
// Each address has a sequence of groups. A writer (out, inout) is a group of its own. Adjacent
// readers form a group; so do adjacent mutexinoutset and adjacent inoutset tasks. Every member of a
// group depends on every member of the previous group.
#include "graph/build/edges/depend.h"

#define HASH_NONFATAL_OOM 1
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored                                                                     \
    "-Wuse-after-free" // gcc 12 misjudges uthash's handling of failed allocations
#endif
#include <uthash.h>

#include "base/free.h"

// Marks a group's member as a node; other members are tasks.
#define IS_NODE UINT32_C(0x80000000)

struct group {
    OTTER_VECTOR(uint32_t);
};

struct address {
    uint64_t value;
    struct group last, before;
    uint32_t kind; // enum otter_parameter of `last`
    UT_hash_handle hh;
};

struct otter_depend_table {
    struct address *addresses;
    uint32_t all; // the newest writer of `omp_all_memory`, or OTTER_NONE
};

static void forget_addresses(struct otter_depend_table *table)
{
    struct address *address = table->addresses;
    HASH_CLEAR(hh, table->addresses); // the items remain linked
    while (address) {
        struct address *next = address->hh.next;
        OTTER_FREE(address->last.items, address->before.items, address);
        address = next;
    }
}

void otter_depend_clear(struct otter_context *context)
{
    if (context->table) {
        forget_addresses(context->table);
        free(context->table);
        context->table = NULL;
    }
}

static void add_predecessors(struct otter_dependences *dependences, struct otter_store *store,
                             const struct group *group)
{
    for (uint32_t i = 0; i < group->n; i++) {
        OTTER_APPEND(store, &dependences->predecessors, group->items[i]);
    }
}

static struct address *find_address(struct otter_store *store, struct otter_depend_table *table,
                                    uint64_t value)
{
    struct address *address;
    HASH_FIND(hh, table->addresses, &value, sizeof value, address);
    if (address) {
        return address;
    }
    address = calloc(1, sizeof *address);
    if (!address) {
        store->has_failed = true;
        return NULL;
    }
    address->value = value;
    address->kind = OTTER_PARAMETER_DEPEND_OUT;
    HASH_ADD(hh, table->addresses, value, sizeof value, address);
    if (!address->hh.tbl) { // out of memory
        free(address);
        store->has_failed = true;
        return NULL;
    }
    if (table->all != OTTER_NONE) {
        OTTER_APPEND(store, &address->last, table->all);
    }
    return address;
}

static bool is_set(uint32_t kind)
{
    return kind == OTTER_PARAMETER_DEPEND_IN || kind == OTTER_PARAMETER_DEPEND_MUTEXINOUTSET ||
           kind == OTTER_PARAMETER_DEPEND_INOUTSET;
}

static void add_entry(struct otter_dependences *dependences, struct otter_store *store,
                      struct otter_depend_table *table, const struct otter_entry *entry,
                      uint32_t newest)
{
    struct address *address = find_address(store, table, entry->value);
    if (!address) {
        return;
    }
    if (!is_set(entry->kind) || entry->kind != address->kind || address->last.n == 0) {
        struct group empty = address->before;
        empty.n = 0;
        address->before = address->last;
        address->last = empty;
        address->kind = entry->kind;
    }
    add_predecessors(dependences, store, &address->before);
    OTTER_APPEND(store, &address->last, newest);
}

static void add_all_memory(struct otter_dependences *dependences, struct otter_store *store,
                           struct otter_depend_table *table, uint32_t newest)
{
    struct address *address = NULL, *next;
    HASH_ITER(hh, table->addresses, address, next)
    {
        add_predecessors(dependences, store, &address->last);
    }
    if (table->all != OTTER_NONE) {
        OTTER_APPEND(store, &dependences->predecessors, table->all);
    }
    forget_addresses(table);
    table->addresses = NULL;
    table->all = newest;
}

static int compare_entries(const void *a, const void *b)
{
    const struct otter_entry *left = a, *right = b;
    return otter_compare(left->value, right->value);
}

static bool is_all_memory(uint32_t kind)
{
    return kind == OTTER_PARAMETER_DEPEND_OUT_ALL_MEMORY ||
           kind == OTTER_PARAMETER_DEPEND_INOUT_ALL_MEMORY;
}

// An address with two different dependence types is treated as read and written.
static uint32_t merge_entries(struct otter_entry *entries, uint32_t n)
{
    uint32_t kept = 0;
    qsort(entries, n, sizeof *entries, compare_entries);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t kind = entries[i].kind == OTTER_PARAMETER_DEPEND_INOUT ||
                                entries[i].kind == OTTER_PARAMETER_DEPEND_UNKNOWN
                            ? (uint32_t)OTTER_PARAMETER_DEPEND_OUT
                            : entries[i].kind;
        if (kept > 0 && entries[kept - 1].value == entries[i].value) {
            if (entries[kept - 1].kind != kind) {
                entries[kept - 1].kind = OTTER_PARAMETER_DEPEND_OUT;
            }
        } else {
            entries[kept++] = (struct otter_entry){entries[i].value, kind};
        }
    }
    return kept;
}

static int compare_members(const void *a, const void *b)
{
    return otter_compare(*(const uint32_t *)a, *(const uint32_t *)b);
}

// *Returns* whether `outer` joins its tasks at the same time as `inner` or later.
static bool is_inside(const struct otter_joins *joins, uint32_t inner, uint32_t outer)
{
    while (inner != outer && inner < joins->scopes.n) {
        inner = joins->scopes.items[inner].parent;
    }
    return inner == outer;
}

static void add_edges(struct otter_dependences *dependences, struct otter_store *store,
                      const struct otter_joins *joins, const struct otter_dependent *newest)
{
    uint32_t *members = dependences->predecessors.items;
    uint32_t n = dependences->predecessors.n;
    uint32_t self = newest->is_task ? newest->index : newest->index | IS_NODE;
    uint32_t to = newest->is_task ? store->tasks.items[newest->index].first_node : newest->index;
    if (n > 1) {
        qsort(members, n, sizeof *members, compare_members);
    }
    for (uint32_t i = 0; i < n; i++) {
        if ((i > 0 && members[i] == members[i - 1]) || members[i] == self) {
            continue;
        }
        if (members[i] & IS_NODE) {
            otter_store_edge(store, members[i] & ~IS_NODE, to, OTTER_EDGE_DEPENDENCE);
            continue;
        }
        otter_store_edge(store, members[i], to, OTTER_EDGE_DEPENDENCE | OTTER_FROM_TASK);
        if (is_inside(joins, newest->scope, store->task_scope.items[members[i]])) {
            store->tasks.items[members[i]].flags |= OTTER_BUILD_JOINED;
        }
    }
    dependences->predecessors.n = 0;
}

static bool make_table(struct otter_store *store, struct otter_context *context)
{
    if (!context->table) {
        context->table = calloc(1, sizeof *context->table);
        if (!context->table) {
            store->has_failed = true;
            return false;
        }
        context->table->all = OTTER_NONE;
    }
    return true;
}

void otter_depend_add(struct otter_dependences *dependences, struct otter_store *store,
                      const struct otter_joins *joins, struct otter_context *context,
                      struct otter_dependent newest, uint32_t first_entry, uint32_t n_entries)
{
    if (n_entries == 0 || store->has_failed || !make_table(store, context)) {
        return;
    }
    struct otter_entry *entries = dependences->entries.items + first_entry;
    uint32_t self = newest.is_task ? newest.index : newest.index | IS_NODE;
    bool writes_all = false;
    for (uint32_t i = 0; i < n_entries; i++) {
        writes_all |= is_all_memory(entries[i].kind);
    }
    if (writes_all) {
        add_all_memory(dependences, store, context->table, self);
    } else {
        uint32_t n = merge_entries(entries, n_entries);
        for (uint32_t i = 0; i < n; i++) {
            add_entry(dependences, store, context->table, &entries[i], self);
        }
    }
    add_edges(dependences, store, joins, &newest);
    otter_depend_trim(dependences, first_entry, n_entries);
}
