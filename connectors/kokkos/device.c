#include "device.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TEXTS = 256, TEXT_SIZE = 64, MAX_PAIRS = 1024, SPACE_SIZE = 64 };

// Kokkos 3.6, which moved the number of the device into the id.
static const uint64_t version_with_device_number = 20211015;

static _Atomic bool has_device_number = true;

enum origin { FROM_KERNEL = 0, FROM_USER, FROM_KOKKOS, FROM_TOOL };

struct text {
    _Atomic uint64_t key; // 0: being made
    char text[TEXT_SIZE];
};

static struct text texts[MAX_TEXTS];
static _Atomic uint32_t n_taken;

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
        return (struct place){device >> 17 & 0x7f, device & 0x1ffff, 0x1ffff};
    }
    return (struct place){0, device & 0xffffff, 0xffffff};
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

// An instance of 0 is all instances of the device, the last one the resources of copies. Where the bits of the device's number are alike
// they say nothing of it: 0 may be any device.
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

static void describe_fence(uint32_t device, enum origin origin, char *text, size_t size)
{
    static const char *const origins[] = {"", "user", "Kokkos", "tool"};
    char where[TEXT_SIZE / 2];
    describe_where(device, where, sizeof(where));
    snprintf(text, size, "%s, %s", origins[origin], where);
}

// No lock: a forked child must not wait for a thread that it does not have. Two threads may make the same text twice.
static const char *define(uint32_t device, enum origin origin, uint64_t key)
{
    uint32_t n = atomic_fetch_add(&n_taken, 1);
    if (n >= MAX_TEXTS) {
        atomic_store(&n_taken, MAX_TEXTS);
        return type_name(device);
    }
    if (origin == FROM_KERNEL) {
        describe(device, texts[n].text, TEXT_SIZE);
    } else {
        describe_fence(device, origin, texts[n].text, TEXT_SIZE);
    }
    atomic_store_explicit(&texts[n].key, key, memory_order_release);
    return texts[n].text;
}

static const char *text_of(uint32_t device, enum origin origin)
{
    uint64_t key = ((uint64_t)origin << 32 | device) + 1;
    uint32_t n = atomic_load_explicit(&n_taken, memory_order_relaxed);
    for (uint32_t i = 0; i < n && i < MAX_TEXTS; i++) {
        if (atomic_load_explicit(&texts[i].key, memory_order_acquire) == key) {
            return texts[i].text;
        }
    }
    return n < MAX_TEXTS ? define(device, origin, key) : type_name(device);
}

const char *device_find(uint32_t device)
{
    return is_host(device) ? type_name(device) : text_of(device, FROM_KERNEL);
}

// Kokkos calls its fences after its functions and memory spaces: "Kokkos::deep_copy: ...", "HostSpace::impl_deallocate ...". A person's
// fence without a name is "Kokkos::fence: Unnamed ...".
static enum origin origin_of(const char *name)
{
    if (strstr(name, "Kokkos Profile Tool Fence")) {
        return FROM_TOOL;
    }
    size_t word = strcspn(name, ": ");
    const size_t space = strlen("Space");
    bool is_space = word > space && strncmp(name + word - space, "Space", space) == 0;
    bool is_own = is_space || strncmp(name, "Kokkos::", strlen("Kokkos::")) == 0 ||
                  strncmp(name, "SharedAllocationRecord", strlen("SharedAllocationRecord")) == 0;
    return is_own && !strstr(name, "Unnamed") ? FROM_KOKKOS : FROM_USER;
}

const char *device_of_fence(uint32_t device, const char *name)
{
    return text_of(device, origin_of(name));
}

// ---- copies

struct pair {
    atomic_bool is_made;
    char to[SPACE_SIZE], from[SPACE_SIZE], text[2 * SPACE_SIZE + 8];
};

static struct pair pairs[MAX_PAIRS];
static _Atomic uint32_t n_pairs;

// The last byte of a space's room may be anything.
static bool is_of(const struct pair *pair, const char *to, const char *from)
{
    return atomic_load_explicit(&pair->is_made, memory_order_acquire) &&
           strncmp(pair->to, to, SPACE_SIZE - 1) == 0 &&
           strncmp(pair->from, from, SPACE_SIZE - 1) == 0;
}

static const char *define_pair(const char *to, const char *from)
{
    uint32_t n = atomic_fetch_add(&n_pairs, 1);
    if (n >= MAX_PAIRS) {
        atomic_store(&n_pairs, MAX_PAIRS);
        return "other spaces";
    }
    struct pair *pair = &pairs[n];
    strncpy(pair->to, to, SPACE_SIZE - 1);
    strncpy(pair->from, from, SPACE_SIZE - 1);
    snprintf(pair->text, sizeof(pair->text), "%.63s <- %.63s", to, from);
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
