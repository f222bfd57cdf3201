// A tournament tree over the positions of tasks.
#include "analysis/replay/replay_pool.h"

#include <stdlib.h>
#include <string.h>

#include "trace/read/reader.h"

enum otter_status otter_pool_init(struct otter_pool *pool, uint32_t n_positions)
{
    *pool = (struct otter_pool){.n_leaves = 1};
    while (pool->n_leaves < n_positions) {
        pool->n_leaves *= 2;
    }
    size_t size = 2 * (size_t)pool->n_leaves * sizeof *pool->keys;
    pool->keys = malloc(size);
    if (!pool->keys) {
        return OTTER_NO_MEMORY;
    }
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
    return pool->keys[pool->n_leaves + position] != UINT64_MAX;
}

static void set(struct otter_pool *pool, uint32_t position, uint64_t key)
{
    uint32_t at = pool->n_leaves + position;
    pool->keys[at] = key;
    while (at > 1) {
        uint64_t left = pool->keys[at & ~1U], right = pool->keys[at | 1U];
        uint64_t least = left < right ? left : right;
        at /= 2;
        if (pool->keys[at] == least) {
            break;
        }
        pool->keys[at] = least;
    }
}

void otter_pool_put(struct otter_pool *pool, uint32_t position, uint64_t key)
{
    set(pool, position, key);
    pool->n++;
}

uint32_t otter_pool_take(struct otter_pool *pool, uint32_t first, uint32_t end)
{
    const uint64_t *keys = pool->keys;
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
        return OTTER_NONE;
    }
    while (best < pool->n_leaves) {
        best = pool->keys[2 * best] == key ? 2 * best : 2 * best + 1;
    }
    set(pool, best - pool->n_leaves, UINT64_MAX);
    pool->n--;
    return best - pool->n_leaves;
}
