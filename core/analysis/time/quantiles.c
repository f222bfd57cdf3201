// Counts numbers by their leading 7 bits.
#include "analysis/time/quantiles.h"

#include <stdlib.h>

enum {
    N_PLACES = 64,             // places of a level
    PLACE_BITS = 6,            // log2 of N_PLACES
    N_LEVELS = 65 - PLACE_BITS // level 0 has the numbers below 64, each other level a power of 2
};

static unsigned level_of(uint64_t number)
{
    return number < N_PLACES ? 0 : 64 - PLACE_BITS - (unsigned)__builtin_clzll(number);
}

static bool count(struct otter_quantiles *quantiles, uint64_t number)
{
    unsigned level = level_of(number);
    uint64_t **places = &quantiles->levels[level];
    if (!*places) {
        *places = calloc(N_PLACES, sizeof **places);
    }
    if (*places) {
        (*places)[level ? (number >> (level - 1)) - N_PLACES : number]++;
    }
    return *places;
}

bool otter_quantiles_add(struct otter_quantiles *quantiles, uint64_t number)
{
    if (quantiles->n == 0) {
        quantiles->first = number;
        quantiles->n = 1;
        return true;
    }
    if (!quantiles->levels) {
        quantiles->levels = calloc(N_LEVELS, sizeof *quantiles->levels);
        if (!quantiles->levels || !count(quantiles, quantiles->first)) {
            return false;
        }
    }
    if (!count(quantiles, number)) {
        return false;
    }
    quantiles->n++;
    return true;
}

// Returns the middle of the numbers that share a place.
static uint64_t number_at(unsigned level, unsigned place)
{
    uint64_t width = level ? UINT64_C(1) << (level - 1) : 1;
    return (level ? (uint64_t)(N_PLACES + place) * width : place) + width / 2;
}

uint64_t otter_quantiles_at(const struct otter_quantiles *quantiles, unsigned percent)
{
    if (!quantiles->levels) {
        return quantiles->first;
    }
    uint64_t n_before = (uint64_t)((double)quantiles->n * percent / 100);
    n_before = n_before < quantiles->n ? n_before : quantiles->n - 1;
    for (unsigned level = 0; level < N_LEVELS; level++) {
        for (unsigned place = 0; quantiles->levels[level] && place < N_PLACES; place++) {
            uint64_t n = quantiles->levels[level][place];
            if (n > n_before) {
                return number_at(level, place);
            }
            n_before -= n;
        }
    }
    return quantiles->first; // unreachable: the counts add up to n
}

void otter_quantiles_finish(struct otter_quantiles *quantiles)
{
    for (unsigned i = 0; quantiles->levels && i < N_LEVELS; i++) {
        free(quantiles->levels[i]);
    }
    free(quantiles->levels);
    *quantiles = (struct otter_quantiles){0};
}
