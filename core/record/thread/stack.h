// A thread's stacks: its tasks and its open constructs.
#pragma once

#include "record/thread/thread.h"

static inline struct otter_frame *otter_top_frame(struct otter_thread *thread)
{
    return &thread->frames[thread->n_frames - 1]; // the bottom frame always exists
}

// Makes room for one more frame. *Returns* false if out of memory; the thread has then failed.
OTTER_COLD bool otter_frames_grow(struct otter_thread *thread);

// Adds a frame; there is room for it.
static inline struct otter_frame *otter_frame_put(struct otter_thread *thread,
                                                  enum otter_frame_kind kind)
{
    uint32_t team = otter_top_frame(thread)->team;
    struct otter_frame *frame = &thread->frames[thread->n_frames++];
    *frame = (struct otter_frame){.kind = kind, .team = team, .first_open = thread->n_open};
    atomic_store_explicit(&thread->is_hidden, kind == OTTER_FRAME_HIDDEN, memory_order_relaxed);
    return frame;
}

// Adds a frame. *Returns* NULL if out of memory; the thread has then failed.
static inline struct otter_frame *otter_frame_push(struct otter_thread *thread,
                                                   enum otter_frame_kind kind)
{
    if (OTTER_UNLIKELY(thread->n_frames == thread->frames_room) && !otter_frames_grow(thread)) {
        return NULL;
    }
    return otter_frame_put(thread, kind);
}

static inline void otter_frame_pop(struct otter_thread *thread)
{
    thread->n_frames--;
    bool is_hidden = otter_top_frame(thread)->kind == OTTER_FRAME_HIDDEN;
    atomic_store_explicit(&thread->is_hidden, is_hidden, memory_order_relaxed);
}

// Adds an open construct and writes no record.
bool otter_open_push_slowly(struct otter_thread *thread, struct otter_open open);

static inline bool otter_open_push(struct otter_thread *thread, struct otter_open open)
{
    if (OTTER_UNLIKELY(thread->n_open == thread->open_room)) {
        return otter_open_push_slowly(thread, open);
    }
    thread->open[thread->n_open++] = open;
    return true;
}

// Ends the RMA operation of `open` before its Leave, even if an untied task leaves its thread,
// since the operation must end on the location where it began.
static inline void otter_write_transfer_end(struct otter_thread *thread, uint64_t time,
                                            const struct otter_open *open)
{
    otter_write_transferred(thread->writer, time, open->device, open->transfer);
}

// Leaves the innermost open constructs of the current frame until `n` are open. *Returns* how many
// it left.
static inline uint32_t otter_leave_down_to(struct otter_thread *thread, uint64_t time, uint32_t n)
{
    uint32_t n_left = 0;
    while (thread->n_open > n) {
        const struct otter_open *open = &thread->open[--thread->n_open];
        if (OTTER_UNLIKELY(open->transfer)) {
            otter_write_transfer_end(thread, time, open);
        }
        otter_write_leave(thread->writer, time, open->region);
        n_left++;
    }
    return n_left;
}
