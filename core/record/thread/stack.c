// The growth of a thread's stacks.
#include "record/thread/stack.h"

#include <sys/mman.h>

// Doubles the room of a stack. If out of memory, the thread fails and NULL is returned.
static void *grow(struct otter_thread *thread, void *stack, uint32_t *room, size_t size_of_one)
{
    size_t size = *room * size_of_one;
    void *grown = mremap(stack, size, 2 * size, MREMAP_MAYMOVE);
    if (grown == MAP_FAILED) {
        otter_thread_fail(thread);
        return NULL;
    }
    *room *= 2;
    return grown;
}

bool otter_frames_grow(struct otter_thread *thread)
{
    void *grown = grow(thread, thread->frames, &thread->frames_room, sizeof(*thread->frames));
    thread->frames = grown ? grown : thread->frames;
    return grown;
}

bool otter_open_push_slowly(struct otter_thread *thread, struct otter_open open)
{
    void *grown = grow(thread, thread->open, &thread->open_room, sizeof(*thread->open));
    if (!grown) {
        return false;
    }
    thread->open = grown;
    thread->open[thread->n_open++] = open;
    return true;
}
