// The labels of all threads, and the definition of their regions.
#include "record/thread/label.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lock.h"
#include "base/table.h"
#include "record/thread/region.h"
#include "recording/journal.h"
#include "trace/schema.h"

enum { MAX_LABEL = 4096, MAX_QUALIFIER = 256 };

struct key {
    uint64_t hash;
    enum otter_construct construct;
    const char *text, *qualifier; // never NULL
    size_t length, qualifier_length;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct otter_table labels; // struct otter_label, by hash; labels are never removed
static _Atomic(otter_namer *) namer;
static _Atomic(otter_qualifier *) qualifier_of;
static atomic_bool is_full; // no more labels get a region

void otter_name_labels(otter_namer *function)
{
    atomic_store(&namer, function);
}

void otter_qualify_labels(otter_qualifier *function)
{
    atomic_store(&qualifier_of, function);
}

static uint64_t mix(uint64_t hash, uint64_t bytes)
{
    hash = (hash ^ bytes) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 32);
}

// Hashes eight bytes at a time, since labels are long and are hashed at each launch.
static uint64_t mix_text(uint64_t hash, const char *text, size_t length)
{
    uint64_t bytes = 0;
    for (; length >= sizeof(bytes); text += sizeof(bytes), length -= sizeof(bytes)) {
        memcpy(&bytes, text, sizeof(bytes));
        hash = mix(hash, bytes);
    }
    bytes = 0;
    memcpy(&bytes, text, length);
    return mix(hash, bytes);
}

static bool is_of(const struct otter_label *label, const struct key *key)
{
    return label->construct == key->construct && label->length == key->length &&
           label->qualifier_length == key->qualifier_length &&
           memcmp(label->text, key->text, key->length) == 0 &&
           memcmp(label->qualifier, key->qualifier, key->qualifier_length) == 0;
}

static const struct otter_label *find(const struct key *key)
{
    const struct otter_label *label = otter_table_find(&labels, key->hash);
    while (label && !is_of(label, key)) {
        label = otter_table_next(&labels, key->hash, label);
    }
    return label;
}

// The texts that the archive shows for a label.
struct shown {
    const char *label, *qualifier;
};

// Caller holds `lock`, as for define().
static uint32_t define_region(const struct key *key, struct shown shown)
{
    static char encoded[2 * MAX_LABEL], encoded_raw[MAX_LABEL], encoded_qualifier[MAX_QUALIFIER];
    static char line[sizeof(encoded) + sizeof(encoded_raw) + sizeof(encoded_qualifier) + 8];
    const char *raw = strcmp(shown.label, key->text) == 0 ? "" : key->text;
    snprintf(line, sizeof(line), "%s %s %s",
             otter_journal_encode(shown.label, encoded, sizeof(encoded)),
             otter_journal_encode(raw, encoded_raw, sizeof(encoded_raw)),
             otter_journal_encode(shown.qualifier, encoded_qualifier, sizeof(encoded_qualifier)));
    return otter_region_define_label(key->construct, line);
}

static const struct otter_label *define(const struct key *key, struct shown shown)
{
    struct otter_label *label = malloc(sizeof(*label) + key->length + key->qualifier_length + 2);
    if (!label) {
        return NULL;
    }
    memcpy(label->text, key->text, key->length + 1);
    memcpy(label->text + key->length + 1, key->qualifier, key->qualifier_length + 1);
    label->qualifier = label->text + key->length + 1;
    label->construct = key->construct;
    label->length = key->length;
    label->qualifier_length = key->qualifier_length;
    label->region = define_region(key, shown);
    if (label->region == OTTER_REGION_UNKNOWN) { // there are too many labels to store more
        atomic_store(&is_full, true);
        free(label);
        return NULL;
    }
    // if out of memory, the next lookup defines it again
    otter_table_add(&labels, key->hash, label);
    return label;
}

// Namer and qualifier are foreign code and may acquire locks of their own, such as the dynamic
// loader's. So they are called before `lock` is acquired. Signals are held, since a handler may
// call exit(), which would wait for the interrupted code.
OTTER_COLD static const struct otter_label *find_or_define(const struct key *key)
{
    char room[MAX_LABEL + 1], place[MAX_QUALIFIER];
    struct otter_held_signals held;
    otter_signals_hold(&held);
    struct shown shown = {key->text, key->qualifier};
    otter_namer *name = atomic_load(&namer);
    otter_qualifier *qualify = atomic_load(&qualifier_of);
    if (name) {
        shown.label = name(key->construct, key->text, room, sizeof(room));
    }
    if (qualify) {
        shown.qualifier = qualify(key->construct, key->text, key->qualifier, place, sizeof(place));
    }
    pthread_mutex_lock(&lock);
    const struct otter_label *label = find(key);
    if (!label) {
        label = define(key, shown);
    }
    pthread_mutex_unlock(&lock);
    otter_signals_release(&held);
    return label;
}

uint32_t otter_label_find(struct otter_label_cache_entry *entry, enum otter_construct construct,
                          const char *text, const char *qualifier)
{
    struct key key = {
        .construct = construct, .text = text, .qualifier = qualifier ? qualifier : ""};
    key.length = strlen(key.text);
    key.qualifier_length = strlen(key.qualifier);
    key.hash = mix_text(mix((uint64_t)construct, key.length), text, key.length);
    key.hash = mix_text(key.hash, key.qualifier, key.qualifier_length);
    const struct otter_label *label = find(&key);
    if (!label && !atomic_load_explicit(&is_full, memory_order_relaxed)) {
        label = find_or_define(&key);
    }
    *entry = (struct otter_label_cache_entry){.label = label, .qualifier = qualifier};
    return label ? label->region : otter_region_further(construct, key.hash);
}
