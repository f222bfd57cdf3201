// Digests of 128 bits. The halves are independent: two digests are equal only if both halves are.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// If all bytes are zero, this is the digest of nothing.
struct otter_hash {
    uint64_t high, low;
};

enum { OTTER_HASH_TEXT = 33 };

// The finaliser of MurmurHash3 (Austin Appleby).
static inline uint64_t otter_hash_murmur(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdU;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53U;
    return x ^ x >> 33;
}

// MurmurHash3's finaliser with the constants of SplitMix64 (David Stafford's variant 13).
static inline uint64_t otter_hash_splitmix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

// Appends `value` to the sequence that `hash` represents: the order counts.
static inline struct otter_hash otter_hash_mix(struct otter_hash hash, struct otter_hash value)
{
    return (struct otter_hash){otter_hash_murmur(hash.high * 3 + value.high + 0x2545f4914f6cdd1dU),
                               otter_hash_splitmix(hash.low * 5 + value.low)};
}

static inline struct otter_hash otter_hash_mix_number(struct otter_hash hash, uint64_t value)
{
    return otter_hash_mix(
        hash, (struct otter_hash){otter_hash_splitmix(value), otter_hash_murmur(value + 1)});
}

struct otter_hash otter_hash_mix_text(struct otter_hash hash, const char *text);

// Adds `value` to the multiset that `hash` represents: the order of additions does not count, only
// their number.
static inline struct otter_hash otter_hash_add(struct otter_hash hash, struct otter_hash value)
{
    return (struct otter_hash){hash.high + otter_hash_murmur(value.high + 1),
                               hash.low + otter_hash_splitmix(value.low)};
}

static inline bool otter_hash_is_equal(struct otter_hash a, struct otter_hash b)
{
    return a.high == b.high && a.low == b.low;
}

// Writes 32 hexadecimal digits to `text`, which has OTTER_HASH_TEXT bytes. Returns `text`.
char *otter_hash_text(struct otter_hash hash, char *text);
