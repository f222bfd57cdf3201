// The state that a pause of a thread copies at its start.
#pragma once

#include "record/thread/stack.h"

// What became of a task whose start was written but whose end was not.
enum otter_fate {
    OTTER_FATE_COMPLETE = 0,
    OTTER_FATE_LEFT, // it resumed on another thread
    OTTER_FATE_DETACHED,
};

struct otter_written_frame {
    struct otter_frame frame;
    enum otter_fate fate;
};

struct otter_pause {
    size_t size; // bytes of this struct and the arrays after it
    // the location's writer; during the pause, the thread uses one that refuses records
    struct otter_location_writer *writer;
    uint64_t n_repaired, n_unbegun;
    // the result of otter_pause_top_fork when the pause began
    uint64_t fork;
    uint32_t n_open, n_frames, n_held, n_parallels;
    struct otter_held held[OTTER_MAX_HELD];
    struct otter_written_frame *frames;
    struct otter_open *open;
};

// Notes how the current task leaves the stack, if not by completion.
static inline void otter_pause_note(struct otter_thread *thread, enum otter_fate fate)
{
    uint32_t top = thread->n_frames - 1;
    if (thread->is_paused && thread->frames[top].is_written) {
        thread->pause->frames[top].fate = fate;
    }
}
