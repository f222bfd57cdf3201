// The growth of a thread's stacks.
#include "record/thread/stack.h"

#include <sys/mman.h>

static void *grow(void *old, size_t old_size, size_t new_size)
{
    void *room = mremap(old, old_size, new_size, MREMAP_MAYMOVE);
    return room == MAP_FAILED ? NULL : room;
}

bool otter_frames_grow(struct otter_thread *thread)
{
    size_t size = thread->frames_room * sizeof(*thread->frames);
    void *frames = grow(thread->frames, size, size * 2);
    if (!frames) {
        otter_thread_fail(thread);
        return false;
    }
    thread->frames = frames;
    thread->frames_room *= 2;
    return true;
}

bool otter_open_push_slowly(struct otter_thread *thread, struct otter_open open)
{
    size_t size = thread->open_room * sizeof(*thread->open);
    void *room = grow(thread->open, size, size * 2);
    if (!room) {
        otter_thread_fail(thread);
        return false;
    }
    thread->open = room;
    thread->open_room *= 2;
    thread->open[thread->n_open++] = open;
    return true;
}
