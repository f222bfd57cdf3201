// Keys by position, in blocks of 16, and a tournament tree over the blocks.
#include "analysis/replay/replay_pool.h"

#include <stdlib.h>
#include <string.h>

#include "trace/read/reader.h"

enum { BLOCK = 16 };

enum otter_status otter_pool_init(struct otter_pool *pool, uint32_t n_positions)
{
    size_t n_blocks = n_positions / BLOCK + (size_t)1;
    *pool = (struct otter_pool){.n_leaves = 1};
    while (pool->n_leaves < n_blocks) {
        pool->n_leaves *= 2;
    }
    size_t n_keys = n_blocks * BLOCK + 2 * (size_t)pool->n_leaves;
    size_t size = n_keys * sizeof *pool->keys;
    pool->keys = malloc(size);
    if (!pool->keys) {
        return OTTER_NO_MEMORY;
    }
    pool->least = pool->keys + n_blocks * BLOCK;
    memset(pool->keys, 0xff, size);
    return OTTER_OK;
}

void otter_pool_finish(struct otter_pool *pool)
{
    free(pool->keys);
    *pool = (struct otter_pool){0};
}

bool otter_pool_has(const struct otter_pool *pool, uint32_t position)
{
    return pool->keys[position] != UINT64_MAX;
}

// Returns the first position with the smallest key in a range that is not empty.
static uint32_t least_in(const struct otter_pool *pool, uint32_t first, uint32_t end)
{
    uint32_t best = first;
    for (uint32_t i = first + 1; i < end; i++) {
        best = pool->keys[i] < pool->keys[best] ? i : best;
    }
    return best;
}

static uint32_t least_of_block(const struct otter_pool *pool, uint32_t block)
{
    return least_in(pool, block * BLOCK, (block + 1) * BLOCK);
}

static void set(struct otter_pool *pool, uint32_t position, uint64_t key)
{
    uint32_t block = position / BLOCK, at = pool->n_leaves + block;
    pool->keys[position] = key;
    uint64_t least = pool->keys[least_of_block(pool, block)];
    while (at > 0 && pool->least[at] != least) {
        pool->least[at] = least;
        uint64_t other = pool->least[at ^ 1U];
        least = other < least ? other : least;
        at /= 2;
    }
}

void otter_pool_put(struct otter_pool *pool, uint32_t position, uint64_t key)
{
    set(pool, position, key);
    pool->n++;
}

// Returns the first block with the smallest key in a range that is not empty.
static uint32_t least_block(const struct otter_pool *pool, uint32_t first, uint32_t end)
{
    const uint64_t *keys = pool->least;
    uint32_t left = 0, right = 0; // the best places in the left and right parts; place 0 has no key
    uint32_t low = pool->n_leaves + first, high = pool->n_leaves + end;
    for (; low < high; low /= 2, high /= 2) {
        if (low & 1U) {
            left = keys[low] < keys[left] ? low : left;
            low++;
        }
        if (high & 1U) {
            high--;
            right = keys[high] <= keys[right] ? high : right;
        }
    }
    uint32_t best = keys[right] < keys[left] ? right : left;
    uint64_t key = keys[best];
    if (key == UINT64_MAX) {
        return first;
    }
    while (best < pool->n_leaves) {
        best = keys[2 * best] == key ? 2 * best : 2 * best + 1;
    }
    return best - pool->n_leaves;
}

static uint32_t find(const struct otter_pool *pool, uint32_t first, uint32_t end)
{
    uint32_t low = (first + BLOCK - 1) / BLOCK, high = end / BLOCK; // the whole blocks
    if (low >= high) {
        return least_in(pool, first, end);
    }
    uint32_t best = least_of_block(pool, least_block(pool, low, high));
    uint32_t left = first < low * BLOCK ? least_in(pool, first, low * BLOCK) : best;
    uint32_t right = high * BLOCK < end ? least_in(pool, high * BLOCK, end) : best;
    best = pool->keys[left] <= pool->keys[best] ? left : best;
    return pool->keys[right] < pool->keys[best] ? right : best;
}

uint32_t otter_pool_take(struct otter_pool *pool, uint32_t first, uint32_t end)
{
    uint32_t best = first < end ? find(pool, first, end) : OTTER_NONE;
    if (best == OTTER_NONE || !otter_pool_has(pool, best)) {
        return OTTER_NONE;
    }
    set(pool, best, UINT64_MAX);
    pool->n--;
    return best;
}
