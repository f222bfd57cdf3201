// Adds and removes values of a hash table.
#include "base/table.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

static void store(struct otter_table_slots *slots, uint64_t key, void *value)
{
    size_t i = otter_table_home(slots, key);
    while (atomic_load_explicit(&slots->slots[i].value, memory_order_relaxed)) {
        i = (i + 1) & (slots->room - 1);
    }
    atomic_store_explicit(&slots->slots[i].key, key, memory_order_relaxed);
    atomic_store_explicit(&slots->slots[i].value, value, memory_order_release);
}

static struct otter_table_slots *grow(struct otter_table *table, struct otter_table_slots *old)
{
    size_t room = old ? old->room * 2 : FIRST_ROOM;
    struct otter_table_slots *slots = calloc(1, sizeof(*slots) + room * sizeof(slots->slots[0]));
    if (!slots) {
        return NULL;
    }
    slots->room = room;
    slots->outgrown = old; // so that tools do not report the memory as a leak
    for (size_t i = 0; old && i < old->room; i++) {
        void *value = atomic_load(&old->slots[i].value);
        if (value) {
            store(slots, atomic_load(&old->slots[i].key), value);
        }
    }
    atomic_store_explicit(&table->slots, slots, memory_order_release);
    return slots;
}

bool otter_table_add(struct otter_table *table, uint64_t key, void *value)
{
    struct otter_table_slots *slots = atomic_load(&table->slots);
    if (!slots || 2 * table->n >= slots->room) {
        slots = grow(table, slots);
    }
    if (!slots) {
        return false;
    }
    store(slots, key, value);
    table->n++;
    return true;
}

// Moves values into the free slot at `hole` so that lookups still find them.
static void close_hole(struct otter_table_slots *slots, size_t hole)
{
    size_t mask = slots->room - 1;
    void *value;
    for (size_t i = (hole + 1) & mask; (value = atomic_load(&slots->slots[i].value));
         i = (i + 1) & mask) {
        uint64_t key = atomic_load(&slots->slots[i].key);
        if (((i - otter_table_home(slots, key)) & mask) >= ((i - hole) & mask)) {
            atomic_store(&slots->slots[hole].key, key);
            atomic_store(&slots->slots[hole].value, value);
            hole = i;
        }
    }
    atomic_store(&slots->slots[hole].value, NULL);
}

void *otter_table_remove(struct otter_table *table, uint64_t key)
{
    struct otter_table_slots *slots = atomic_load(&table->slots);
    void *value;
    if (!slots) {
        return NULL;
    }
    for (size_t i = otter_table_home(slots, key); (value = atomic_load(&slots->slots[i].value));
         i = (i + 1) & (slots->room - 1)) {
        if (atomic_load(&slots->slots[i].key) == key) {
            close_hole(slots, i);
            table->n--;
            return value;
        }
    }
    return NULL;
}
