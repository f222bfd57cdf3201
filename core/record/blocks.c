// A table of memory blocks by address, in shards that each have a lock.
#include "record/blocks.h"

#include <pthread.h>
#include <stdlib.h>

enum { N_SHARDS = 64, FIRST_ROOM = 64 };

struct block {
    uint64_t address; // 0: a free place
    uint64_t bytes;
};

// Open addressing, at most half full: a block is in the first free place from its hash on.
struct shard {
    pthread_mutex_t lock;
    struct block *blocks;
    uint32_t n, room; // `room` is a power of two
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

static uint32_t home_of(const struct shard *shard, uint64_t address)
{
    return (uint32_t)(hash_of(address) / N_SHARDS) & (shard->room - 1);
}

// *Returns* the place of `address`, or the free place for it. The table always has a free place.
static uint32_t find(const struct shard *shard, uint64_t address)
{
    uint32_t i = home_of(shard, address);
    while (shard->blocks[i].address && shard->blocks[i].address != address) {
        i = (i + 1) & (shard->room - 1);
    }
    return i;
}

static bool make_room(struct shard *shard)
{
    if (shard->n * 2 < shard->room) {
        return true;
    }
    struct shard larger = {.room = shard->room ? shard->room * 2 : FIRST_ROOM};
    larger.blocks = calloc(larger.room, sizeof(*larger.blocks));
    if (!larger.blocks) {
        return false;
    }
    for (uint32_t i = 0; i < shard->room; i++) {
        if (shard->blocks[i].address) {
            larger.blocks[find(&larger, shard->blocks[i].address)] = shard->blocks[i];
        }
    }
    free(shard->blocks);
    shard->blocks = larger.blocks;
    shard->room = larger.room;
    return true;
}

// Moves blocks forward that a free place at `hole` would hide.
static void close_hole(struct shard *shard, uint32_t hole)
{
    uint32_t mask = shard->room - 1;
    for (uint32_t i = (hole + 1) & mask; shard->blocks[i].address; i = (i + 1) & mask) {
        uint32_t home = home_of(shard, shard->blocks[i].address);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            shard->blocks[hole] = shard->blocks[i];
            hole = i;
        }
    }
    shard->blocks[hole].address = 0;
}

bool otter_blocks_add(uint64_t address, uint64_t bytes, uint64_t *replaced)
{
    *replaced = 0;
    if (!address) {
        return true;
    }
    struct shard *shard = lock_shard(address);
    bool has_room = make_room(shard);
    if (has_room) {
        uint32_t i = find(shard, address);
        bool is_there = shard->blocks[i].address;
        shard->n += !is_there;
        *replaced = is_there ? shard->blocks[i].bytes : 0;
        shard->blocks[i] = (struct block){address, bytes};
    }
    pthread_mutex_unlock(&shard->lock);
    return has_room;
}

bool otter_blocks_remove(uint64_t address, uint64_t *bytes)
{
    if (!address) {
        return false;
    }
    struct shard *shard = lock_shard(address);
    uint32_t i = shard->room ? find(shard, address) : 0;
    bool is_there = shard->room && shard->blocks[i].address;
    if (is_there) {
        *bytes = shard->blocks[i].bytes;
        close_hole(shard, i);
        shard->n--;
    }
    pthread_mutex_unlock(&shard->lock);
    return is_there;
}
