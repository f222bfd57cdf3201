// Handles a written chunk, a full archive and a failing file.
#include "record/control/limits.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "base/log.h"
#include "base/settings.h"
#include "record/control/region_totals.h"
#include "record/process/output.h"
#include "record/thread/pending.h"
#include "record/thread/thread.h"
#include "recording/switch_log.h"

static _Atomic uint64_t longest_stall; // ticks
static atomic_bool is_full;            // max-size is reached
static atomic_bool failed_streams[OTTER_MAX_STREAMS];

bool otter_limits_is_full(void)
{
    return atomic_load(&is_full);
}

uint64_t otter_limits_longest_stall(void)
{
    return atomic_load(&longest_stall);
}

bool otter_limits_stream_has_failed(uint32_t stream)
{
    return atomic_load_explicit(&failed_streams[stream], memory_order_relaxed);
}

static void on_chunk_written(uint32_t location, uint64_t begin, uint64_t end)
{
    struct otter_thread *thread = otter_current_thread;
    uint64_t longest = atomic_load(&longest_stall);
    while (end - begin > longest &&
           !atomic_compare_exchange_weak(&longest_stall, &longest, end - begin)) {
    }
    if (thread->location == location) {
        otter_thread_note_flush(thread, begin, end);
    }
    struct otter_clock_reading reading = otter_clock_read();
    otter_journal_note_clock(otter_output_journal(), &reading);
}

static uint64_t size_of_switches(uint64_t size)
{
    return otter_switch_log_update(otter_output_recording(), size);
}

// Writes a line to the journal with which `otter_finish` detects missing events.
static void on_chunk_begun(uint32_t location, uint64_t n_events)
{
    otter_output_define("chunk %" PRIu32 " %" PRIu64, location, n_events);
}

static bool wants_totals(void)
{
    return strcmp(otter_settings_get("when-full"), "totals") == 0 &&
           otter_region_totals_enable(otter_output_recording(), otter_output_is_mapped());
}

// Called once, by the thread that reached the limit.
static void warn_of_full(bool has_totals)
{
    otter_output_define("describe STOPPED max-size");
    otter_output_define("describe STOPPED_AT %" PRIu64, otter_clock_now());
    otter_warning("recording has stopped: the archive is as large as max-size=%s allows; %s",
                  otter_settings_get("max-size"),
                  has_totals ? "later events are summed up in region totals"
                             : "later events count as lost");
}

// All threads stop together, so that no thread has records from a time when others have none. Calls
// that are in progress are still recorded.
static void on_full(void)
{
    static atomic_flag has_warned = ATOMIC_FLAG_INIT;
    bool has_totals = wants_totals();
    atomic_store(&is_full, true);
    for (struct otter_thread *thread = otter_thread_first(); thread && !has_totals;
         thread = thread->next) {
        otter_thread_fail(thread);
    }
    if (!atomic_flag_test_and_set(&has_warned)) {
        warn_of_full(has_totals);
    }
}

// Handles a file of a thread, or of a device's stream, that cannot grow.
static void on_location_failed(uint32_t location, enum otter_status why)
{
    static atomic_flag has_warned = ATOMIC_FLAG_INIT;
    if (location >= OTTER_FIRST_STREAM) {
        atomic_store(&failed_streams[location - OTTER_FIRST_STREAM], true);
    }
    if (why == OTTER_FULL) { // the current record is larger than the reserve
        struct otter_thread *thread = otter_current_thread;
        thread->n_lost += thread->writer && thread->location == location;
        return;
    }
    for (struct otter_thread *thread = otter_thread_first(); thread; thread = thread->next) {
        if (thread->writer && thread->location == location) {
            otter_thread_fail(thread);
        }
    }
    otter_output_note_loss();
    if (why == OTTER_NO_MEMORY && otter_settings_get_size("max-memory") == 0) {
        otter_thread_warn_of_memory();
    } else if (atomic_flag_test_and_set(&has_warned)) {
        return; // one warning is enough
    } else if (why == OTTER_NO_MEMORY) {
        otter_warning(
            "no memory for the chunk of another thread: its events count as lost (max-memory=%s)",
            otter_settings_get("max-memory"));
    } else {
        otter_warning(
            "cannot write to '%s': %s; the recorded events are safe, later events count as lost "
            "(choose another folder with trace-path)",
            otter_output_recording(), otter_status_text(why));
    }
}

struct otter_writer_options otter_limits_calls(void)
{
    return (struct otter_writer_options){.others = size_of_switches,
                                         .chunk_begun = on_chunk_begun,
                                         .chunk_written = on_chunk_written,
                                         .full = on_full,
                                         .location_failed = on_location_failed};
}
