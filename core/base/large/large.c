// Gives large arrays pages of their own, in memory or in files.
#include "base/large/large.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/order.h"
#include "base/large/available.h"
#include "base/file.h"
#include "base/large/large_file.h"

#define MIB (UINT64_C(1) << 20)

enum { HUGE_PAGE = 2 << 20 };

enum { IN_MEMORY = -1 }; // value of `file` for an array in memory

// Identifies a thread: the address of `here` differs in each thread.
static _Thread_local char here;

struct array {
    char *items;
    const void *owner; // `here` of the thread that may write to the array, or an object
    size_t size;       // whole pages
    int file;          // descriptor of the array's file, or IN_MEMORY
};

static struct {
    struct array *arrays; // sorted by address
    size_t n, room;
    uint64_t in_memory;     // total bytes of the arrays in memory
    _Atomic uint64_t limit; // limit of in_memory; 0: not determined yet
    uint64_t memory;        // bytes that the command may use; 0: not known
} large;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // protects `large`
static _Thread_local bool is_changing;                   // whether this thread holds the lock

static void begin_change(void)
{
    pthread_mutex_lock(&lock);
    is_changing = true;
}

static void end_change(void)
{
    is_changing = false;
    pthread_mutex_unlock(&lock);
}

// The kernel aligns and moves an array in huge pages if its size is a multiple of them.
static size_t whole_pages(size_t size)
{
    static size_t page;
    page = page ? page : (size_t)sysconf(_SC_PAGESIZE);
    size_t unit = size < 8 * HUGE_PAGE ? page : HUGE_PAGE;
    return size > SIZE_MAX - unit ? 0 : (size + unit - 1) / unit * unit;
}

void otter_large_set_memory(uint64_t bytes)
{
    large.memory = bytes;
    large.limit = bytes / 4 * 3 + 1;
}

static uint64_t find_memory(void)
{
    if (large.memory == 0) {
        uint64_t available = otter_available_memory();
        large.memory = available > UINT64_MAX / 2 ? available : available + large.in_memory;
        large.limit = large.memory / 4 * 3 + 1;
    }
    return large.memory;
}

uint64_t otter_large_memory(void)
{
    begin_change();
    uint64_t memory = find_memory();
    end_change();
    return memory;
}

// Smaller arrays stay in memory, since many files would exceed the limit of open files. While a
// thread holds the lock, no array that it allocates is large.
size_t otter_large_least(void)
{
    enum { MIN_KIB = 64, MAX_MIB = 16, SHARE = 64 };
    if (is_changing) {
        return SIZE_MAX;
    }
    uint64_t limit = atomic_load_explicit(&large.limit, memory_order_relaxed);
    uint64_t share = limit / SHARE;
    return limit == 0 || share > MAX_MIB * MIB ? MAX_MIB * MIB
           : share < MIN_KIB * 1024            ? MIN_KIB * 1024
                                               : share;
}

// ---- the list of arrays

// Returns the index of the first array at or above `items`.
static size_t place_of(const char *items)
{
    size_t first = 0, end = large.n;
    OTTER_SEARCH(first, end, middle, large.arrays[middle].items < items)
    return first;
}

// Rejects most addresses without the lock. The thread that holds the lock may itself reallocate the
// list or free file names.
static bool may_be_array(const void *items)
{
    return items && !is_changing && (uintptr_t)items % 4096 == 0;
}

static struct array *find(const void *items)
{
    size_t i = place_of(items);
    return i < large.n && large.arrays[i].items == items ? &large.arrays[i] : NULL;
}

// Returns false if out of memory, which ends a command.
static bool reserve_entry(void)
{
    if (large.n < large.room) {
        return true;
    }
    size_t room = large.room * 2 + 64;
    struct array *longer = realloc(large.arrays, room * sizeof *longer);
    if (longer) {
        large.arrays = longer;
        large.room = room;
    }
    return longer != NULL;
}

// The caller has reserved an entry.
static void insert(struct array array)
{
    size_t i = place_of(array.items);
    memmove(&large.arrays[i + 1], &large.arrays[i], (large.n++ - i) * sizeof array);
    large.arrays[i] = array;
    large.in_memory += array.file == IN_MEMORY ? array.size : 0;
}

static struct array extract(struct array *at)
{
    struct array array = *at;
    memmove(at, at + 1, (size_t)(&large.arrays[--large.n] - at) * sizeof array);
    large.in_memory -= array.file == IN_MEMORY ? array.size : 0;
    return array;
}

// ---- from memory to a file

static bool map_part(const struct array *array, int file, size_t from, size_t size)
{
    return otter_file_write(file, array->items + from, size, from) == 0 &&
           mmap(array->items + from, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                (off_t)from) != MAP_FAILED;
}

// Moves an array to a file at the same address, part by part, so that memory is freed along the
// way. After a failure, the parts already moved stay in the file, and the array is still treated as
// in memory.
static bool move_to_file(struct array *array)
{
    enum { PART_MIB = 16 };
    int file = otter_large_file_open(large.memory);
    if (file < 0) {
        return false;
    }
    bool is_good = otter_large_file_reserve(file, 0, array->size);
    for (size_t from = 0; is_good && from < array->size; from += PART_MIB * MIB) {
        size_t rest = array->size - from;
        is_good = map_part(array, file, from, rest < PART_MIB * MIB ? rest : PART_MIB * MIB);
    }
    if (!is_good) {
        close(file);
        return false;
    }
    array->file = file;
    large.in_memory -= array->size;
    return true;
}

// Returns NULL when this thread has no array in memory. An array of another thread cannot move,
// since that thread may be writing to it.
static struct array *largest_in_memory(void)
{
    struct array *largest = NULL;
    for (size_t i = 0; i < large.n; i++) {
        struct array *array = &large.arrays[i];
        if (array->file == IN_MEMORY && array->owner == &here &&
            (!largest || array->size > largest->size)) {
            largest = array;
        }
    }
    return largest;
}

static bool fits_memory(size_t size)
{
    return large.limit == 0 || large.in_memory + size <= large.limit;
}

// Sets the limit once large arrays total 64 MiB. If no folder can hold the files, the limit is all
// memory.
static bool find_limit(size_t size)
{
    uint64_t unused;
    if (large.limit == 0 && large.in_memory + size > 64 * MIB) {
        (void)find_memory();
    }
    if (!fits_memory(size) && !otter_large_file_folder(&unused)) {
        large.limit = large.memory;
    }
    return fits_memory(size);
}

// Makes room for `size` more bytes in memory, unless the array is so large that it belongs in a
// file. At the limit, arrays move to files until half of the limit is free; otherwise each new
// array would move another one. *Returns* false after printing an error.
static bool make_room(size_t size)
{
    if (find_limit(size) || size > large.limit / 2) {
        return true;
    }
    while (large.in_memory + size > large.limit / 2) {
        struct array *largest = largest_in_memory();
        if (!largest) {
            return true;
        }
        if (!move_to_file(largest)) {
            return false;
        }
    }
    return true;
}

// ---- arrays

static struct array create_in_file(size_t size)
{
    int file = otter_large_file_open(large.memory);
    struct array array = {MAP_FAILED, &here, size, file};
    if (file >= 0 && otter_large_file_reserve(file, 0, size)) {
        array.items = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (array.items == MAP_FAILED && file >= 0) {
        close(file);
    }
    return array;
}

// Returns whether the address space is exhausted, so that a file would not help either. Prints the
// reason.
static bool lacks_addresses(size_t size)
{
    return otter_available_addresses() < size && otter_large_file_explain(size);
}

static void *create(size_t size)
{
    struct array array = {MAP_FAILED, &here, whole_pages(size), IN_MEMORY};
    if (array.size > 0 && reserve_entry() && make_room(array.size)) {
        if (fits_memory(array.size)) {
            array.items =
                mmap(NULL, array.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        }
        if (array.items != MAP_FAILED) {
            (void)!madvise(array.items, array.size, MADV_HUGEPAGE);
        } else if (!lacks_addresses(array.size)) {
            array = create_in_file(array.size);
        }
    }
    if (array.items == MAP_FAILED) {
        errno = ENOMEM;
        return NULL;
    }
    insert(array);
    return array.items;
}

void *otter_large_create(size_t size)
{
    begin_change();
    void *items = create(size);
    end_change();
    return items;
}

static void change_owner(const void *from, const void *to)
{
    begin_change();
    for (size_t i = 0; i < large.n; i++) {
        large.arrays[i].owner = large.arrays[i].owner == from ? to : large.arrays[i].owner;
    }
    end_change();
}

void otter_large_give(const void *to)
{
    change_owner(&here, to);
}

void otter_large_take(const void *from)
{
    change_owner(from, &here);
}

bool otter_large_has(const void *items)
{
    if (!may_be_array(items)) {
        return false;
    }
    begin_change();
    bool has = find(items) != NULL;
    end_change();
    return has;
}

static bool prepare_growth(struct array *array, size_t more)
{
    if (array->file == IN_MEMORY && !make_room(more)) {
        return false;
    }
    if (array->file == IN_MEMORY && !fits_memory(more) && !move_to_file(array)) {
        return false;
    }
    return array->file == IN_MEMORY || otter_large_file_reserve(array->file, array->size, more);
}

// Returns the new address, or MAP_FAILED. If the system refuses memory, the array goes into a file.
static void *remap(struct array *array, size_t size)
{
    bool is_larger = size > array->size;
    if (is_larger && !prepare_growth(array, size - array->size)) {
        return MAP_FAILED;
    }
    void *moved = mremap(array->items, array->size, size, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED && is_larger && array->file == IN_MEMORY && !lacks_addresses(size) &&
        move_to_file(array) &&
        otter_large_file_reserve(array->file, array->size, size - array->size)) {
        moved = mremap(array->items, array->size, size, MREMAP_MAYMOVE);
    }
    return moved;
}

static void *resize(void *items, size_t size)
{
    struct array *array = find(items);
    size_t whole = whole_pages(size);
    void *moved = whole > 0 ? remap(array, whole) : MAP_FAILED;
    if (moved == MAP_FAILED) {
        errno = ENOMEM;
        return NULL;
    }
    if (array->file != IN_MEMORY && whole < array->size) {
        (void)!ftruncate(array->file, (off_t)whole);
    }
    struct array changed = extract(array);
    changed.items = moved;
    changed.owner = &here;
    changed.size = whole;
    insert(changed);
    return moved;
}

void *otter_large_resize(void *items, size_t size)
{
    begin_change();
    void *moved = resize(items, size);
    end_change();
    return moved;
}

bool otter_large_destroy(void *items)
{
    if (!may_be_array(items)) {
        return false;
    }
    int error = errno;
    begin_change();
    struct array *at = find(items);
    struct array array = {.file = IN_MEMORY};
    if (at) {
        array = extract(at);
    }
    end_change();
    if (!at) {
        return false;
    }
    munmap(array.items, array.size);
    if (array.file != IN_MEMORY) {
        close(array.file);
    }
    errno = error;
    return true;
}
