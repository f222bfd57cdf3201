// A hash table of requests: buckets of lists, oldest first.
#include "request.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { N_BUCKETS = 1024 };

struct entry {
    struct entry *next;
    MPI_Request handle;
    struct request request;
};

struct bucket {
    atomic_flag is_locked; // held for a few instructions; needed for MPI_THREAD_MULTIPLE
    struct entry *first;
};

static struct bucket buckets[N_BUCKETS];

static struct bucket *lock_bucket(MPI_Request handle)
{
    uint64_t bits = 0;
    memcpy(&bits, &handle, sizeof(handle));
    struct bucket *bucket = &buckets[(bits * UINT64_C(0x9e3779b97f4a7c15)) >> 54];
    while (atomic_flag_test_and_set_explicit(&bucket->is_locked, memory_order_acquire)) {
    }
    return bucket;
}

static void unlock_bucket(struct bucket *bucket)
{
    atomic_flag_clear_explicit(&bucket->is_locked, memory_order_release);
}

// Caller holds the bucket's lock. *Returns* the link to the oldest request of the handle.
static struct entry **find(struct bucket *bucket, MPI_Request handle)
{
    struct entry **at = &bucket->first;
    while (*at && (*at)->handle != handle) {
        at = &(*at)->next;
    }
    return at;
}

uint64_t request_number(void)
{
    static _Atomic uint64_t n;
    return atomic_fetch_add_explicit(&n, 1, memory_order_relaxed) + 1;
}

void request_add(MPI_Request handle, const struct request *request)
{
    int before = errno;
    struct entry *entry = handle == MPI_REQUEST_NULL ? NULL : malloc(sizeof(*entry));
    errno = before;
    if (!entry) {
        return;
    }
    *entry = (struct entry){.handle = handle, .request = *request};
    struct bucket *bucket = lock_bucket(handle);
    struct entry **at = &bucket->first;
    while (*at) {
        at = &(*at)->next;
    }
    *at = entry;
    unlock_bucket(bucket);
}

bool request_start(MPI_Request handle, struct request *request)
{
    struct bucket *bucket = lock_bucket(handle);
    struct entry *entry = *find(bucket, handle);
    bool is_started = entry && entry->request.is_persistent && !entry->request.is_active;
    if (is_started) {
        entry->request.is_active = true;
        entry->request.message.request = request_number();
        *request = entry->request;
    }
    unlock_bucket(bucket);
    return is_started;
}

void request_cancel(MPI_Request handle)
{
    struct bucket *bucket = lock_bucket(handle);
    struct entry *entry = *find(bucket, handle);
    if (entry) {
        entry->request.is_cancelled = true;
    }
    unlock_bucket(bucket);
}

// Caller holds the bucket's lock.
static void unlink_entry(struct entry **at)
{
    struct entry *entry = *at;
    *at = entry->next;
    free(entry);
}

bool request_complete(MPI_Request handle, struct request *request)
{
    struct bucket *bucket = lock_bucket(handle);
    struct entry **at = find(bucket, handle);
    bool is_found = *at && (!(*at)->request.is_persistent || (*at)->request.is_active);
    if (is_found) {
        *request = (*at)->request;
        (*at)->request.is_active = (*at)->request.is_cancelled = false;
    }
    if (is_found && !request->is_persistent) {
        unlink_entry(at);
    }
    unlock_bucket(bucket);
    return is_found;
}

void request_free(MPI_Request handle)
{
    struct bucket *bucket = lock_bucket(handle);
    struct entry **at = find(bucket, handle);
    if (*at) {
        unlink_entry(at);
    }
    unlock_bucket(bucket);
}
