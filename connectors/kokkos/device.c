// Names the devices, fences and copies of Kokkos.
#include "device.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kokkosp.h"

enum { N_TEXTS = 1024, N_NEAR = 16, TEXT_SIZE = 64, MAX_PAIRS = 1024 };

// Kokkos 3.6 moved the number of the device into the id (quirk 'device number').
static const uint64_t version_with_device_number = 20211015;

static _Atomic bool has_device_number = true;

enum text_kind { OF_KERNEL = 0, OF_FENCE };

enum { IS_FREE = 0, BEING_MADE = 1, FIRST_KEY = 2 };

struct text {
    _Atomic uint64_t key; // FIRST_KEY or more
    char text[TEXT_SIZE];
};

// A hash table: a text is at its home slot or at most N_NEAR - 1 slots after it.
static struct text texts[N_TEXTS];

void device_set_version(uint64_t interface_version)
{
    atomic_store(&has_device_number, interface_version >= version_with_device_number);
}

static const char *type_name(uint32_t device)
{
    static const char *const names[] = {"Serial", "OpenMP",  "Cuda", "HIP",    "OpenMPTarget",
                                        "HPX",    "Threads", "SYCL", "OpenACC"};
    uint32_t type = device >> 24;
    return type < sizeof(names) / sizeof(*names) ? names[type] : "unknown device";
}

static bool is_host(uint32_t device)
{
    uint32_t type = device >> 24;
    return type == 0 || type == 1 || type == 5 || type == 6;
}

struct place {
    uint32_t number, instance, last_instance;
};

static struct place place_of(uint32_t device)
{
    if (atomic_load_explicit(&has_device_number, memory_order_relaxed)) {
        return (struct place){
            .number = device >> 17 & 0x7f, .instance = device & 0x1ffff, .last_instance = 0x1ffff};
    }
    return (struct place){.instance = device & 0xffffff, .last_instance = 0xffffff};
}

static void describe(uint32_t device, char *text, size_t size)
{
    struct place place = place_of(device);
    if (is_host(device)) {
        snprintf(text, size, "%s", type_name(device));
    } else {
        snprintf(text, size, "%s %u instance %u", type_name(device), (unsigned)place.number,
                 (unsigned)place.instance);
    }
}

// Instance 0 stands for all instances of the device, and the last instance for the resources used
// by copies. If all bits are equal, the device's number is omitted, since 0 may stand for any
// device.
static void describe_where(uint32_t device, char *text, size_t size)
{
    struct place place = place_of(device);
    bool is_of_all = place.instance == 0, is_of_copies = place.instance == place.last_instance;
    uint32_t low = device & 0xffffff;
    if (is_host(device) || !(is_of_all || is_of_copies)) {
        describe(device, text, size);
    } else if (low == 0 || low == 0xffffff) {
        snprintf(text, size, "%s%s", type_name(device), is_of_copies ? " copies" : "");
    } else {
        snprintf(text, size, "%s %u%s", type_name(device), (unsigned)place.number,
                 is_of_copies ? " copies" : "");
    }
}

// There is no lock, since a forked child must not wait for a thread of its parent. Two threads may
// both create the same text.
static const char *define(struct text *text, uint32_t device, enum text_kind kind, uint64_t key)
{
    if (kind == OF_KERNEL) {
        describe(device, text->text, TEXT_SIZE);
    } else {
        describe_where(device, text->text, TEXT_SIZE);
    }
    atomic_store_explicit(&text->key, key, memory_order_release);
    return text->text;
}

// *Returns* only the type when the table is full.
static const char *find_text(uint32_t device, enum text_kind kind)
{
    uint64_t key = ((uint64_t)kind << 32 | device) + FIRST_KEY;
    uint64_t home = key * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    for (uint64_t i = home; i < home + N_NEAR; i++) {
        struct text *text = &texts[i % N_TEXTS];
        uint64_t found = atomic_load_explicit(&text->key, memory_order_acquire);
        if (found == key) {
            return text->text;
        }
        if (found == IS_FREE && atomic_compare_exchange_strong(&text->key, &found, BEING_MADE)) {
            return define(text, device, kind, key);
        }
    }
    return type_name(device);
}

const char *device_find(uint32_t device)
{
    return is_host(device) ? type_name(device) : find_text(device, OF_KERNEL);
}

const char *device_find_fenced(uint32_t device)
{
    return is_host(device) ? type_name(device) : find_text(device, OF_FENCE);
}

// ---- fences

// Kokkos names its fences after its functions and memory spaces: "Kokkos::deep_copy: ...",
// "HostSpace::impl_deallocate ...". A user's fence without a name is "Kokkos::fence: Unnamed ...".
static const char *origin_of(const char *name)
{
    if (strstr(name, "Kokkos Profile Tool Fence")) {
        return "tool";
    }
    size_t word = strcspn(name, ": ");
    const size_t space = strlen("Space");
    bool is_space = word > space && strncmp(name + word - space, "Space", space) == 0;
    bool is_own = is_space || strncmp(name, "Kokkos::", strlen("Kokkos::")) == 0 ||
                  strncmp(name, "SharedAllocationRecord", strlen("SharedAllocationRecord")) == 0;
    return is_own && !strstr(name, "Unnamed") ? "Kokkos" : "user";
}

const char *device_qualify(enum otter_construct construct, const char *raw, const char *qualifier,
                           char *room, size_t size)
{
    if (construct != OTTER_CONSTRUCT_KOKKOS_FENCE) {
        return qualifier;
    }
    snprintf(room, size, "%s, %s", origin_of(raw), qualifier);
    return room;
}

// ---- copies

struct pair {
    atomic_bool is_made;
    char to[SPACE_NAME_SIZE], from[SPACE_NAME_SIZE], text[2 * SPACE_NAME_SIZE + 8];
};

static struct pair pairs[MAX_PAIRS];
static _Atomic uint32_t n_pairs;

// The last byte of a space's name is undefined (quirk 'space name').
static bool is_of(const struct pair *pair, const char *to, const char *from)
{
    return atomic_load_explicit(&pair->is_made, memory_order_acquire) &&
           strncmp(pair->to, to, SPACE_NAME_SIZE - 1) == 0 &&
           strncmp(pair->from, from, SPACE_NAME_SIZE - 1) == 0;
}

static const char *define_pair(const char *to, const char *from)
{
    uint32_t n = atomic_fetch_add(&n_pairs, 1);
    if (n >= MAX_PAIRS) {
        atomic_store(&n_pairs, MAX_PAIRS);
        return "other spaces";
    }
    struct pair *pair = &pairs[n];
    strncpy(pair->to, to, SPACE_NAME_SIZE - 1);
    strncpy(pair->from, from, SPACE_NAME_SIZE - 1);
    snprintf(pair->text, sizeof(pair->text), "%.*s <- %.*s", SPACE_NAME_SIZE - 1, to,
             SPACE_NAME_SIZE - 1, from);
    atomic_store_explicit(&pair->is_made, true, memory_order_release);
    return pair->text;
}

const char *device_of_copy(const char *to, const char *from)
{
    uint32_t n = atomic_load_explicit(&n_pairs, memory_order_relaxed);
    for (uint32_t i = 0; i < n && i < MAX_PAIRS; i++) {
        if (is_of(&pairs[i], to, from)) {
            return pairs[i].text;
        }
    }
    return n < MAX_PAIRS ? define_pair(to, from) : "other spaces";
}
