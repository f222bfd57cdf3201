// Applies requested changes to a thread: flushes, new code, region totals, pauses.
#include "record/control/apply.h"

#include "record/control/pause.h"
#include "record/control/region_totals.h"
#include "record/control/wanted.h"
#include "record/process/output.h"
#include "record/thread/pending.h"
#include "record/thread/region.h"

static void flush(struct otter_thread *thread)
{
    const struct otter_location_writer *writer = thread->writer;
    uint64_t begin = otter_clock_now();
    bool has_written = otter_writer_flush_location(otter_output_writer(), thread->location);
    if (has_written && writer && !thread->is_paused) {
        otter_thread_note_flush(thread, begin, otter_clock_now());
    }
}

void otter_control_apply(struct otter_thread *thread)
{
    uint32_t n = otter_wanted_n_flushes();
    if (thread->n_flushes != n) {
        thread->n_flushes = n;
        flush(thread);
    }
    otter_region_refresh(thread);
    otter_region_totals_begin(thread);
    bool shall_pause = otter_wanted_is_paused();
    if (shall_pause && !thread->is_paused) {
        otter_pause_begin(thread);
    } else if (!shall_pause && thread->is_paused) {
        otter_pause_end(thread);
    }
}
