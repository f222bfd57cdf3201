// A table of suspended untied tasks, in shards with a lock each.
#include "record/thread/suspended.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "record/thread/thread.h"

enum { N_SHARDS = 64 };

struct suspended {
    otter_task task;
    struct suspended *next;
    uint32_t n;
    struct otter_open open[OTTER_MAX_SUSPENDED_OPEN];
};

static struct shard {
    pthread_mutex_t lock;
    struct suspended *tasks, *free;
} shards[N_SHARDS] = {[0 ... N_SHARDS - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};

static _Atomic uint64_t n_buffered;

static struct shard *shard_of(otter_task task)
{
    return &shards[(otter_id_number(task) ^ otter_id_location(task)) % N_SHARDS];
}

// Caller holds the shard's lock.
static struct suspended *new_entry(struct shard *shard)
{
    struct suspended *entry = shard->free;
    if (entry) {
        shard->free = entry->next;
        return entry;
    }
    return malloc(sizeof(*entry));
}

void otter_suspended_store(otter_task task, const struct otter_open *open, uint32_t n)
{
    if (n < 2) {
        return;
    }
    n = n - 1 < OTTER_MAX_SUSPENDED_OPEN ? n - 1 : OTTER_MAX_SUSPENDED_OPEN;
    struct shard *shard = shard_of(task);
    pthread_mutex_lock(&shard->lock);
    struct suspended *entry = new_entry(shard);
    if (entry) {
        entry->task = task;
        entry->n = n;
        memcpy(entry->open, open + 1, n * sizeof(*open));
        entry->next = shard->tasks;
        shard->tasks = entry;
        atomic_fetch_add(&n_buffered, 1);
    }
    pthread_mutex_unlock(&shard->lock);
}

uint32_t otter_suspended_remove(otter_task task, struct otter_open *open)
{
    if (atomic_load(&n_buffered) == 0) {
        return 0;
    }
    uint32_t n = 0;
    struct shard *shard = shard_of(task);
    pthread_mutex_lock(&shard->lock);
    for (struct suspended **at = &shard->tasks; *at; at = &(*at)->next) {
        struct suspended *entry = *at;
        if (entry->task == task) {
            n = entry->n;
            memcpy(open, entry->open, n * sizeof(*open));
            *at = entry->next;
            entry->next = shard->free;
            shard->free = entry;
            atomic_fetch_sub(&n_buffered, 1);
            break;
        }
    }
    pthread_mutex_unlock(&shard->lock);
    return n;
}
