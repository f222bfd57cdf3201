// Polling: tests of one thread that follow each other, such as those of a loop around MPI_Test.
//
// Tests are of one polling if no other event is between them. They take at least half of the time
// since the first of them. So a test after other work of the program begins another polling.
// A loop of tests may sleep there: its events are the same.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// All zero: no polling.
struct otter_polls {
    uint64_t begin, end; // ticks: of the first and of the last test
    uint64_t outside;    // ticks between the tests
    uint64_t before;     // ticks between the tests of earlier pollings, without an event between
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

// After a test that completed an operation, and after an event that is not a test.
static inline void otter_polls_stop(struct otter_polls *polls)
{
    polls->is_open = false;
}

// After the test or the receive that ends a loop of tests. Returns the ticks between its tests
// that count as work.
static inline uint64_t otter_polls_end(struct otter_polls *polls)
{
    uint64_t before = polls->before;
    *polls = (struct otter_polls){0};
    return before;
}
