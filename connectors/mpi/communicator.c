// Gives each communicator an identity that is equal in all its processes.
#include "communicator.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "otter/record.h"

enum { N_BUCKETS = 256 };

// A communicator without its handle. Never freed. If the program frees the communicator and creates
// another with the same identity, the new one reuses this struct.
struct definition {
    struct definition *next;
    bool is_used;
    struct communicator about;
    uint64_t identity;
    uint32_t n_ranks;
    uint32_t ranks[]; // the members' ranks in MPI_COMM_WORLD
};

// Never freed; a later communicator in the same bucket reuses it.
struct slot {
    struct slot *next;
    _Atomic(MPI_Comm) handle; // MPI_COMM_NULL: unused
    const struct definition *definition;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // protects changes of all below
static _Atomic(struct slot *) buckets[N_BUCKETS];
static struct definition *definitions;
static MPI_Group world;
static bool world_is_known; // set before MPI_Init returns

static _Atomic(struct slot *) *bucket_of(MPI_Comm handle)
{
    uint64_t bits = 0;
    memcpy(&bits, &handle, sizeof(handle));
    return &buckets[(bits * UINT64_C(0x9e3779b97f4a7c15)) >> 56];
}

static struct slot *find_slot(MPI_Comm handle)
{
    struct slot *slot = atomic_load_explicit(bucket_of(handle), memory_order_acquire);
    while (slot && atomic_load_explicit(&slot->handle, memory_order_acquire) != handle) {
        slot = slot->next;
    }
    return slot;
}

struct communicator communicator_of(MPI_Comm handle)
{
    const struct slot *slot = find_slot(handle);
    return slot ? slot->definition->about : (struct communicator){.id = 0};
}

// ---- members

// Writes the ranks that the members of `group` have in MPI_COMM_WORLD to `ranks`. *Returns* false
// if a member is not in this process's MPI_COMM_WORLD, because it was spawned or has connected.
static bool translate(MPI_Group group, int n, uint32_t *ranks)
{
    for (int i = 0; i < n; i++) {
        int rank = MPI_UNDEFINED;
        if (PMPI_Group_translate_ranks(group, 1, &i, world, &rank) != MPI_SUCCESS || rank < 0) {
            return false;
        }
        ranks[i] = (uint32_t)rank;
    }
    return true;
}

static struct definition *make_definition(int n)
{
    struct definition *definition =
        calloc(1, sizeof(*definition) + (size_t)n * sizeof(definition->ranks[0]));
    if (definition) {
        definition->n_ranks = (uint32_t)n;
        definition->about.size = (uint32_t)n;
    }
    return definition;
}

// *Returns* false if a member is unknown; so do the next two functions.
static bool describe_intra(MPI_Comm handle, struct definition *definition)
{
    MPI_Group group;
    int rank = 0;
    PMPI_Comm_rank(handle, &rank);
    definition->about.rank = (uint32_t)rank;
    if (PMPI_Comm_group(handle, &group) != MPI_SUCCESS) {
        return false;
    }
    bool is_known = translate(group, (int)definition->n_ranks, definition->ranks);
    PMPI_Group_free(&group);
    return is_known;
}

// An intercommunicator has the members of both groups. The group whose first member has the smaller
// world rank comes first, so that both sides have the same list.
static bool order_groups(MPI_Group near, int n_near, MPI_Group far, int n_far,
                         struct definition *definition)
{
    uint32_t *ranks = definition->ranks;
    if (!translate(near, n_near, ranks) || !translate(far, n_far, ranks + n_near)) {
        return false;
    }
    definition->about.far = (uint32_t)n_near;
    if (ranks[n_near] < ranks[0]) {
        definition->about.far = 0;
        definition->about.rank += (uint32_t)n_far;
        return translate(far, n_far, ranks) && translate(near, n_near, ranks + n_far);
    }
    return true;
}

static bool describe_inter(MPI_Comm handle, int n_near, struct definition *definition)
{
    MPI_Group near, far;
    int rank = 0;
    PMPI_Comm_rank(handle, &rank);
    definition->about.rank = (uint32_t)rank;
    definition->about.is_inter = true;
    if (PMPI_Comm_group(handle, &near) != MPI_SUCCESS) {
        return false;
    }
    bool is_known = false;
    if (PMPI_Comm_remote_group(handle, &far) == MPI_SUCCESS) {
        is_known = order_groups(near, n_near, far, (int)definition->n_ranks - n_near, definition);
        PMPI_Group_free(&far);
    }
    PMPI_Group_free(&near);
    return is_known;
}

// *Returns* NULL if a member is unknown, or if memory has run out.
static struct definition *describe(MPI_Comm handle)
{
    int is_inter = 0, n_near = 0, n_far = 0;
    PMPI_Comm_test_inter(handle, &is_inter);
    PMPI_Comm_size(handle, &n_near);
    if (is_inter) {
        PMPI_Comm_remote_size(handle, &n_far);
    }
    struct definition *definition = make_definition(n_near + n_far);
    bool is_known = definition && (is_inter ? describe_inter(handle, n_near, definition)
                                            : describe_intra(handle, definition));
    if (!is_known) {
        free(definition);
        return NULL;
    }
    return definition;
}

// ---- the identity

static uint64_t mix(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t identity_of(const struct definition *definition, uint32_t n_before)
{
    uint64_t hash = mix(mix(definition->n_ranks, definition->about.is_inter), n_before);
    for (uint32_t i = 0; i < definition->n_ranks; i++) {
        hash = mix(hash, definition->ranks[i]);
    }
    return hash;
}

// Caller holds `lock`, as for define(), define_once() and add_slot().
static struct definition *find(uint64_t identity)
{
    struct definition *definition = definitions;
    while (definition && definition->identity != identity) {
        definition = definition->next;
    }
    return definition;
}

static void define(MPI_Comm handle, struct definition *definition)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    PMPI_Comm_get_name(handle, name, &length);
    const struct otter_communicator communicator = {.identity = definition->identity,
                                                    .name = name,
                                                    .ranks = definition->ranks,
                                                    .n_ranks = definition->n_ranks};
    definition->about.id = otter_communicator_define(&communicator);
    definition->next = definitions;
    definitions = definition;
}

// Finds the first identity of these members that is not in use. *Returns* the definition itself, or
// frees it and returns an earlier one that is equal.
static struct definition *define_once(MPI_Comm handle, struct definition *definition)
{
    struct definition *known;
    for (uint32_t n = 0;; n++) {
        definition->identity = identity_of(definition, n);
        known = find(definition->identity);
        if (!known || !known->is_used) {
            break;
        }
    }
    if (known) {
        free(definition);
    } else {
        define(handle, definition);
        known = definition;
    }
    known->is_used = true;
    return known;
}

// ---- the table

static void add_slot(MPI_Comm handle, const struct definition *definition)
{
    struct slot *slot = atomic_load(bucket_of(handle));
    while (slot && atomic_load(&slot->handle) != MPI_COMM_NULL) {
        slot = slot->next;
    }
    if (slot) {
        slot->definition = definition;
        atomic_store(&slot->handle, handle);
        return;
    }
    slot = calloc(1, sizeof(*slot));
    if (slot) { // otherwise the communicator's messages are not recorded
        slot->definition = definition;
        slot->next = atomic_load(bucket_of(handle));
        atomic_init(&slot->handle, handle);
        atomic_store(bucket_of(handle), slot);
    }
}

void communicator_add(MPI_Comm handle)
{
    int before = errno;
    struct definition *definition =
        handle == MPI_COMM_NULL || !world_is_known ? NULL : describe(handle);
    if (definition) {
        pthread_mutex_lock(&lock);
        add_slot(handle, define_once(handle, definition));
        pthread_mutex_unlock(&lock);
    }
    errno = before;
}

void communicator_remove(MPI_Comm handle)
{
    struct slot *slot = handle == MPI_COMM_NULL ? NULL : find_slot(handle);
    if (!slot) {
        return;
    }
    pthread_mutex_lock(&lock);
    struct definition *definition = find(slot->definition->identity);
    definition->is_used = false;
    atomic_store(&slot->handle, MPI_COMM_NULL);
    pthread_mutex_unlock(&lock);
}

void communicator_begin(void)
{
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
        world_is_known = true;
        communicator_add(MPI_COMM_WORLD);
        communicator_add(MPI_COMM_SELF);
    }
}
