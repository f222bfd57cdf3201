// Allocates and sorts arrays of numbers.
#include "graph/numbers.h"

#include <stdlib.h>
#include <string.h>

uint32_t *otter_numbers_create(size_t n)
{
    size_t size = (n + 1) * sizeof(uint32_t);
    uint32_t *numbers = malloc(size);
    return numbers ? memset(numbers, 0xff, size) : NULL;
}

enum { DIGIT_BITS = 11, N_DIGITS = 1 << DIGIT_BITS, FEW = 32, MANY = 1 << 18 };

// Items of `width` numbers, 1 or 2, of which the first is the key.
struct items {
    size_t n, width;
    uint64_t least, most; // the smallest and the largest key
};

// Copies the items in order of one digit of their keys. Sets places[digit] to the end of the items
// with that digit, in words. `width` is a constant in each call, so that the compiler can use it.
static inline void distribute_words(const struct items *items, size_t width, const uint64_t *from,
                                    uint64_t *to, unsigned shift, size_t places[N_DIGITS])
{
    size_t n_words = items->n * width, sum = 0;
    memset(places, 0, N_DIGITS * sizeof *places);
    for (size_t i = 0; i < n_words; i += width) {
        places[(from[i] - items->least) >> shift & (N_DIGITS - 1)] += width;
    }
    for (size_t digit = 0; digit < N_DIGITS; digit++) {
        size_t size = places[digit];
        places[digit] = sum;
        sum += size;
    }
    for (size_t i = 0; i < n_words; i += width) {
        size_t *place = &places[(from[i] - items->least) >> shift & (N_DIGITS - 1)];
        memcpy(to + *place, from + i, width * sizeof *to);
        *place += width;
    }
}

static void distribute(const struct items *items, const uint64_t *from, uint64_t *to,
                       unsigned shift, size_t ends[N_DIGITS])
{
    if (items->width == 1) {
        distribute_words(items, 1, from, to, shift, ends);
    } else {
        distribute_words(items, 2, from, to, shift, ends);
    }
}

// Sets the smallest and the largest key. Returns whether the keys are in order.
static bool find_limits(struct items *items, const uint64_t *words)
{
    bool is_sorted = true;
    items->least = items->most = words[0];
    for (size_t i = items->width; i < items->n * items->width; i += items->width) {
        is_sorted = is_sorted && words[i - items->width] <= words[i];
        items->least = words[i] < items->least ? words[i] : items->least;
        items->most = words[i] > items->most ? words[i] : items->most;
    }
    return is_sorted;
}

static void sort_few(const struct items *items, uint64_t *words)
{
    size_t n_words = items->n * items->width;
    for (size_t i = items->width; i < n_words; i += items->width) {
        for (size_t at = i; at > 0 && words[at - items->width] > words[at]; at -= items->width) {
            for (size_t k = at; k < at + items->width; k++) {
                uint64_t swapped = words[k];
                words[k] = words[k - items->width];
                words[k - items->width] = swapped;
            }
        }
    }
}

// Sorts by one digit at a time, the least significant first.
static bool sort_by_digits(const struct items *items, uint64_t *words)
{
    size_t size = items->n * items->width * sizeof *words, ends[N_DIGITS];
    uint64_t *room = malloc(size), *from = words, *to = room;
    if (!room) {
        return false;
    }
    for (unsigned shift = 0; shift < 64 && (items->most - items->least) >> shift > 0;
         shift += DIGIT_BITS) {
        distribute(items, from, to, shift, ends);
        uint64_t *done = to;
        to = from;
        from = done;
    }
    if (from != words) {
        memcpy(words, from, size);
    }
    free(room);
    return true;
}

static bool sort(struct items items, uint64_t *words);

// Sorts by the most significant digit, then sorts the items of each digit. Items that are nearly in
// order move little, which matters where memory is in files.
static bool sort_parts(const struct items *items, uint64_t *words)
{
    size_t size = items->n * items->width * sizeof *words, begin = 0, ends[N_DIGITS];
    uint64_t *room = malloc(size);
    unsigned shift = 0;
    if (!room) {
        return false;
    }
    while ((items->most - items->least) >> shift >= N_DIGITS) {
        shift++;
    }
    distribute(items, words, room, shift, ends);
    memcpy(words, room, size);
    free(room);
    for (size_t digit = 0; digit < N_DIGITS; digit++) {
        size_t n = (ends[digit] - begin) / items->width;
        if (!sort((struct items){.n = n, .width = items->width}, words + begin)) {
            return false;
        }
        begin = ends[digit];
    }
    return true;
}

static bool sort(struct items items, uint64_t *words)
{
    if (items.n < 2 || find_limits(&items, words)) {
        return true;
    }
    if (items.n <= FEW) {
        sort_few(&items, words);
        return true;
    }
    return items.n > MANY ? sort_parts(&items, words) : sort_by_digits(&items, words);
}

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

void otter_numbers_sort(uint64_t *numbers, size_t n)
{
    if (!sort((struct items){.n = n, .width = 1}, numbers)) {
        qsort(numbers, n, sizeof *numbers, compare);
    }
}

// Finds the digits of the number at this rank one by one, the most significant first. `least`
// contains the digits found so far.
uint64_t otter_numbers_select(const uint64_t *numbers, size_t n, size_t rank)
{
    uint64_t least = 0, width = UINT64_MAX; // the number is from `least` to `least` + `width`
    for (unsigned shift = 64; shift > 0;) {
        size_t counts[N_DIGITS] = {0}, digit = 0;
        shift = shift > DIGIT_BITS ? shift - DIGIT_BITS : 0;
        for (size_t i = 0; i < n; i++) {
            if (numbers[i] - least <= width) {
                counts[(numbers[i] - least) >> shift]++;
            }
        }
        for (; rank >= counts[digit]; digit++) {
            rank -= counts[digit];
        }
        least += (uint64_t)digit << shift;
        width = (UINT64_C(1) << shift) - 1;
    }
    return least;
}

bool otter_keyed_sort(struct otter_keyed *keyed, size_t n)
{
    return sort((struct items){.n = n, .width = 2}, (uint64_t *)keyed);
}

static uint64_t key_of(const uint64_t *keys, size_t stride, uint32_t index)
{
    return *(const uint64_t *)((const char *)keys + index * stride);
}

static bool is_in_order(const uint32_t *indexes, size_t n, const uint64_t *keys, size_t stride)
{
    for (size_t i = 1; i < n; i++) {
        if (key_of(keys, stride, indexes[i - 1]) > key_of(keys, stride, indexes[i])) {
            return false;
        }
    }
    return true;
}

static bool sort_run(uint32_t *indexes, size_t n, const uint64_t *keys, size_t stride)
{
    struct otter_keyed *keyed = malloc(n * sizeof *keyed);
    if (!keyed) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        keyed[i] = (struct otter_keyed){key_of(keys, stride, indexes[i]), indexes[i]};
    }
    bool is_good = otter_keyed_sort(keyed, n);
    for (size_t i = 0; i < n && is_good; i++) {
        indexes[i] = (uint32_t)keyed[i].value;
    }
    free(keyed);
    return is_good;
}

// Merges the sorted halves of an array.
static bool merge(uint32_t *indexes, size_t n, const uint64_t *keys, size_t stride)
{
    size_t n_low = n / 2, low = 0, high = n_low, to = 0;
    if (key_of(keys, stride, indexes[n_low - 1]) <= key_of(keys, stride, indexes[n_low])) {
        return true;
    }
    uint32_t *lower = malloc(n_low * sizeof *lower);
    if (!lower) {
        return false;
    }
    memcpy(lower, indexes, n_low * sizeof *lower);
    while (low < n_low && high < n) {
        bool is_high = key_of(keys, stride, indexes[high]) < key_of(keys, stride, lower[low]);
        indexes[to++] = is_high ? indexes[high++] : lower[low++];
    }
    memcpy(indexes + to, lower + low, (n_low - low) * sizeof *lower);
    free(lower);
    return true;
}

bool otter_indexes_sort(uint32_t *indexes, size_t n, const uint64_t *keys, size_t stride)
{
    if (is_in_order(indexes, n, keys, stride)) {
        return true;
    }
    if (n <= MANY) {
        return sort_run(indexes, n, keys, stride);
    }
    return otter_indexes_sort(indexes, n / 2, keys, stride) &&
           otter_indexes_sort(indexes + n / 2, n - n / 2, keys, stride) &&
           merge(indexes, n, keys, stride);
}
