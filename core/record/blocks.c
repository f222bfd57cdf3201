// A table of memory blocks by address, in shards with a lock each.
#include "record/blocks.h"

#include <pthread.h>

#include "base/table.h"

enum { N_SHARDS = 64 };

struct shard {
    pthread_mutex_t lock;
    struct otter_table sizes; // key: address; value: the block's size + 1, as a pointer
};

static struct shard shards[N_SHARDS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init_locks(void)
{
    for (size_t i = 0; i < N_SHARDS; i++) {
        pthread_mutex_init(&shards[i].lock, NULL);
    }
}

static uint64_t hash_of(uint64_t address)
{
    return (address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 16;
}

static struct shard *lock_shard(uint64_t address)
{
    pthread_once(&once, init_locks);
    struct shard *shard = &shards[hash_of(address) % N_SHARDS];
    pthread_mutex_lock(&shard->lock);
    return shard;
}

bool otter_blocks_add(uint64_t address, uint64_t bytes, uint64_t *replaced)
{
    *replaced = 0;
    if (!address) {
        return true;
    }
    struct shard *shard = lock_shard(address);
    void *old = otter_table_remove(&shard->sizes, address);
    *replaced = old ? (uintptr_t)old - 1 : 0;
    bool is_added = otter_table_add(&shard->sizes, address, (void *)(uintptr_t)(bytes + 1));
    pthread_mutex_unlock(&shard->lock);
    return is_added;
}

bool otter_blocks_remove(uint64_t address, uint64_t *bytes)
{
    if (!address) {
        return false;
    }
    struct shard *shard = lock_shard(address);
    void *old = otter_table_remove(&shard->sizes, address);
    pthread_mutex_unlock(&shard->lock);
    if (old) {
        *bytes = (uintptr_t)old - 1;
    }
    return old;
}
