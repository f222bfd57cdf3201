#include "record/label.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/lock.h"
#include "record/region.h"
#include "trace/journal.h"
#include "trace/schema.h"

enum { N_BUCKETS = 4096, MAX_LABEL = 4096 };

struct otter_label {
    uint64_t hash;
    uint32_t region;
    enum otter_construct construct;
    size_t length;
    struct otter_label *next; // of the same bucket
    char text[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct otter_label *) buckets[N_BUCKETS]; // labels are never removed

static uint64_t mix(uint64_t hash, uint64_t bytes)
{
    hash = (hash ^ bytes) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 32);
}

// Eight bytes at a time: labels are long, and hashed at each launch.
static uint64_t hash_of(enum otter_construct construct, const char *text, size_t length)
{
    uint64_t hash = mix((uint64_t)construct, length), bytes = 0;
    for (; length >= sizeof(bytes); text += sizeof(bytes), length -= sizeof(bytes)) {
        memcpy(&bytes, text, sizeof(bytes));
        hash = mix(hash, bytes);
    }
    bytes = 0;
    memcpy(&bytes, text, length);
    return mix(hash, bytes);
}

static const struct otter_label *find_in(const struct otter_label *list, uint64_t hash,
                                         enum otter_construct construct, const char *text,
                                         size_t length)
{
    for (; list; list = list->next) {
        if (list->hash == hash && list->construct == construct && list->length == length &&
            memcmp(list->text, text, length) == 0) {
            return list;
        }
    }
    return NULL;
}

// Caller holds `lock`.
static const struct otter_label *define(_Atomic(struct otter_label *) *bucket, uint64_t hash,
                                        enum otter_construct construct, const char *text,
                                        size_t length)
{
    static char copy[MAX_LABEL + 1], encoded[3 * MAX_LABEL + 8];
    struct otter_label *label = malloc(sizeof(*label) + length);
    if (!label) {
        return NULL;
    }
    size_t n = length < MAX_LABEL ? length : MAX_LABEL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    memcpy(label->text, text, length);
    label->hash = hash;
    label->construct = construct;
    label->length = length;
    label->region =
        otter_region_define_label(construct, otter_journal_encode(copy, encoded, sizeof(encoded)));
    label->next = atomic_load(bucket);
    atomic_store_explicit(bucket, label, memory_order_release);
    return label;
}

OTTER_COLD static const struct otter_label *find_or_define(_Atomic(struct otter_label *) *bucket,
                                                           uint64_t hash,
                                                           enum otter_construct construct,
                                                           const char *text, size_t length)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    const struct otter_label *label = find_in(atomic_load(bucket), hash, construct, text, length);
    if (!label) {
        label = define(bucket, hash, construct, text, length);
    }
    otter_unlock(&lock, &held);
    return label;
}

uint32_t otter_label_region(struct otter_thread *thread, enum otter_construct construct,
                            const char *text)
{
    size_t length = strlen(text);
    uint64_t hash = hash_of(construct, text, length);
    _Atomic(struct otter_label *) *bucket = &buckets[hash % N_BUCKETS];
    const struct otter_label *label =
        find_in(atomic_load_explicit(bucket, memory_order_acquire), hash, construct, text, length);
    if (OTTER_UNLIKELY(!label)) {
        label = find_or_define(bucket, hash, construct, text, length);
    }
    return label ? label->region : OTTER_REGION_UNKNOWN;
}
