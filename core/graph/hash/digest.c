// Digests of 128 bits, from which hashes of graphs are made.
#include "graph/hash/digest.h"

#include <stdio.h>

struct otter_hash otter_hash_mix_text(struct otter_hash hash, const char *text)
{
    uint64_t n = 0;
    for (; text[n]; n++) {
        hash = otter_hash_mix_number(hash, (unsigned char)text[n]);
    }
    // the length is added so that moving bytes between adjacent texts changes the digest
    return otter_hash_mix_number(hash, n);
}

char *otter_hash_text(struct otter_hash hash, char *text)
{
    snprintf(text, OTTER_HASH_TEXT, "%016llx%016llx", (unsigned long long)hash.high,
             (unsigned long long)hash.low);
    return text;
}
