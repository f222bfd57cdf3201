// Polling: consecutive tests of one thread, such as a loop around MPI_Test.
//
// Tests belong to one polling if no other event is between them and they take at least half of the
// time since the first. So a test that follows other work of the program begins a new polling. The
// events do not show whether a loop sleeps or works between its tests.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// All zero: no polling.
struct otter_polls {
    uint64_t begin, end; // ticks: start of the first and end of the last test
    uint64_t outside;    // ticks between the tests
    uint64_t before;     // ticks between the tests of earlier pollings, without other events
    bool is_open;
};

static inline void otter_polls_begin_test(struct otter_polls *polls, uint64_t time)
{
    uint64_t outside = polls->outside + (time - polls->end);
    if (!polls->is_open || outside > (time - polls->begin) / 2) {
        uint64_t before = polls->is_open ? polls->before + outside : 0;
        *polls = (struct otter_polls){.begin = time, .before = before, .is_open = true};
    } else {
        polls->outside = outside;
    }
}

static inline void otter_polls_end_test(struct otter_polls *polls, uint64_t time)
{
    polls->end = time;
}

// Call after a test that completed an operation, and after any event that is not a test.
static inline void otter_polls_stop(struct otter_polls *polls)
{
    polls->is_open = false;
}

// Call after the test or receive that ends a loop of tests. Returns the ticks between its tests
// that count as work.
static inline uint64_t otter_polls_end(struct otter_polls *polls)
{
    uint64_t before = polls->before;
    *polls = (struct otter_polls){0};
    return before;
}
