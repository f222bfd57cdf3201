// The end of a session: stops the threads, completes the archive and reports it.
#include "record/close.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "base/text/number.h"
#include "base/text/print.h"
#include "base/text/visible.h"
#include "record/after.h"
#include "record/control/limits.h"
#include "record/control/region_totals.h"
#include "record/device/device.h"
#include "record/entry/counts.h"
#include "record/entry/opening.h"
#include "record/event_cost.h"
#include "record/process/host.h"
#include "record/process/launcher.h"
#include "record/process/output.h"
#include "recording/rank.h"
#include "record/process/processor_time.h"
#include "record/process/processors.h"
#include "record/process/resident.h"
#include "record/process/schedstat.h"
#include "record/process/state.h"
#include "record/process/untraced.h"
#include "record/thread/region.h"
#include "record/thread_end.h"
#include "recording/finish/finish.h"
#include "recording/folder.h"
#include "recording/journal.h"

#pragma weak otter_after_archive

// The time limit for all threads together. A thread that is writing a record may be preempted, or
// may wait for a slow disk.
static const uint64_t max_wait_ns = UINT64_C(2000) * 1000 * 1000;

// After this call, each thread either has seen `stop`, or its `busy` is visible here.
static void make_stop_seen(void)
{
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) < 0) {
        struct timespec pause = {.tv_nsec = 2 * 1000 *
                                            1000}; // longer than any store buffer can delay a store
        nanosleep(&pause, NULL);
    }
}

enum rest {
    REST_REACHED = 0,
    REST_NEVER, // this thread was writing a record when a signal handler ended the session
    REST_LATE,
};

struct closing {
    struct otter_counts counts;
    uint64_t now, deadline_ns;
    uint32_t n_beneath, n_late; // abandoned threads: REST_NEVER and REST_LATE
    // unless OTTER_OK: some file still has a writer, so no archive is made
    enum otter_status status;
};

static enum rest wait_for_rest(const struct otter_thread *thread, uint64_t deadline_ns)
{
    while (atomic_load_explicit(&thread->busy, memory_order_acquire)) {
        if (thread == otter_current_thread) {
            return REST_NEVER;
        }
        if (otter_clock_monotonic_ns() > deadline_ns) {
            return REST_LATE;
        }
        struct timespec pause = {.tv_nsec = 20 * 1000};
        nanosleep(&pause, NULL);
    }
    return REST_REACHED;
}

static void stop_threads(void)
{
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    for (struct otter_thread *thread = otter_thread_first(); thread; thread = thread->next) {
        otter_thread_close(thread);
    }
    make_stop_seen();
}

// Reads only the thread's counts, since the rest of its struct is in use. Its file holds complete
// records; the reader closes open constructs.
static void abandon(struct closing *closing, const struct otter_thread *thread, enum rest rest)
{
    enum otter_status status = otter_session_abandon(thread);
    if (status == OTTER_NOT_FOUND) {
        return;
    }
    closing->status = closing->status ? closing->status : status;
    closing->n_beneath += rest == REST_NEVER;
    closing->n_late += rest == REST_LATE;
    closing->counts.n_lost++;    // the record that the thread was writing
    closing->counts.n_threads++; // its constructs are in use, so they cannot tell
    otter_counts_add(&closing->counts, thread);
}

static void end_rested(struct closing *closing, struct otter_thread *thread)
{
    bool is_recording = thread->writer && !atomic_load(&thread->has_failed);
    if (is_recording) {
        otter_region_totals_begin(thread);
        otter_thread_leave_all(thread, closing->now);
    }
    otter_region_totals_end(thread);
    if (thread->writer) {
        otter_schedstat_describe(thread->location, thread->os_thread);
        otter_writer_end_writing(otter_output_writer(), thread->location);
    }
    otter_counts_add(&closing->counts, thread);
    otter_counts_add_thread(&closing->counts, thread);
}

static void end_threads(struct closing *closing)
{
    closing->now = otter_clock_now();
    closing->deadline_ns = otter_clock_monotonic_ns() + max_wait_ns;
    for (struct otter_thread *thread = otter_thread_first(); thread; thread = thread->next) {
        enum rest rest = wait_for_rest(thread, closing->deadline_ns);
        // otherwise the thread has ended on its own
        bool is_ours = atomic_load(&thread->stop) == OTTER_STOP_CLOSED;
        if (is_ours && rest != REST_REACHED) {
            abandon(closing, thread, rest);
        } else if (is_ours) {
            end_rested(closing, thread);
        }
    }
}

static void write_longest_stall(struct otter_journal *journal,
                                const struct otter_clock_reading *end)
{
    struct otter_clock_reading start = otter_session_start();
    double seconds =
        (double)otter_limits_longest_stall() /
        (double)(otter_clock_uses_counter() ? otter_clock_resolution(&start, end) : 1000000000);
    otter_journal_add(journal, "describe LONGEST_STALL %.0f", seconds * 1e9);
}

static void write_count(struct otter_journal *journal, const char *name, uint64_t n)
{
    if (n > 0) {
        otter_journal_add(journal, "describe %s %" PRIu64, name, n);
    }
}

static void write_tail(struct otter_journal *journal, const struct closing *closing)
{
    const struct otter_counts *counts = &closing->counts;
    struct otter_clock_reading end = otter_clock_read();
    write_longest_stall(journal, &end);
    write_count(journal, "EVENT_COST", otter_event_cost());
    write_count(journal, "PROCESSORS", otter_processors_count());
    char processors[OTTER_PROCESSORS_TEXT];
    if (*otter_processors_list(processors)) {
        otter_journal_add(journal, "describe PROCESSOR_LIST %s", processors);
    }
    write_count(journal, "PROCESSOR_TIME", otter_processor_time_used());
    write_count(journal, "QUEUE_TIME", otter_processor_time_queued());
    write_count(journal, "RESIDENT_HIGH_WATER", otter_resident_high_water());
    if (otter_region_n_beyond() > 0) {
        otter_journal_add(journal, "count beyond %" PRIu64, otter_region_n_beyond());
    }
    write_count(journal, "ABANDONED", closing->n_late + closing->n_beneath);
    write_count(journal, "LOST_IN_HANDLERS", counts->n_lost_in_handlers);
    otter_journal_add(journal, "count recorded %" PRIu64,
                      otter_writer_n_events(otter_output_writer()));
    otter_journal_add(journal, "count lost %" PRIu64, counts->n_lost);
    otter_journal_add(journal, "count repaired %" PRIu64, counts->n_repaired);
    otter_journal_add(journal, "count unbegun %" PRIu64, counts->n_unbegun);
    otter_journal_add(journal, "count unrecorded %" PRIu64, counts->n_unrecorded);
    otter_journal_add(journal, "count unfinished %" PRIu64, counts->n_unfinished);
    otter_journal_add(journal, "end %" PRIu64 " %" PRIu64 " %" PRIu64, end.ticks, end.monotonic_ns,
                      end.realtime_ns);
}

// Scripts read the raw path after OTTER_TRACE_FOLDER=, unless it contains characters that must be
// escaped.
static void say_where(void)
{
    const char *folder = otter_output_folder();
    char *job = otter_rank()->is_of_job ? otter_path_folder(folder) : NULL;
    folder = job ? job : folder;
    bool is_shown = otter_visible_is_text(folder) && !strchr(folder, '\\');
    char *next = otter_visible_word(otter_host_short_path(folder));
    char *word = is_shown ? NULL : otter_visible_word(folder);
    otter_note("next%s: otter report %s", job ? ", when all ranks have ended" : "",
               next ? next : "");
    otter_note_plain("OTTER_TRACE_FOLDER=%s", word ? word : folder);
    free(word);
    free(next);
    free(job);
}

// One rank prints the closing block of a job. The others report only losses.
static void say_quietly(const struct otter_finish_result *result)
{
    if (result->n_lost > 0) {
        char lost[OTTER_MAX_NUMBER], all[OTTER_MAX_NUMBER];
        otter_warning("rank %s: %s of %s events are lost", otter_rank()->rank,
                      otter_number_text(result->n_lost, lost),
                      otter_number_text(result->n_lost + result->n_events, all));
    }
}

static void say_goodbye(const struct otter_finish_result *result, uint64_t n_tasks,
                        uint64_t n_threads)
{
    char events[OTTER_MAX_NUMBER], tasks[OTTER_MAX_NUMBER], threads[OTTER_MAX_NUMBER];
    char lost[OTTER_MAX_NUMBER], size[OTTER_MAX_NUMBER];
    if (otter_untraced_openmp() && !otter_has_attached("ompt")) {
        otter_launcher_report("libgomp", "%s", "");
    }
    otter_launcher_report("archive", "%" PRIu64 " %" PRIu64 " %" PRIu64 " %s", result->n_events,
                          n_tasks, result->n_lost, otter_output_folder());
    if (!otter_rank_speaks()) {
        say_quietly(result);
        return;
    }
    const char *rank = otter_rank()->is_of_job ? "rank 0: " : "";
    otter_note("%s%s event%s, %s task%s, %s thread%s, %s lost; %s", rank,
               otter_number_text(result->n_events, events), otter_plural(result->n_events),
               otter_number_text(n_tasks, tasks), otter_plural(n_tasks),
               otter_number_text(n_threads, threads), otter_plural(n_threads),
               otter_number_text(result->n_lost, lost),
               otter_size_text((double)result->n_bytes, size));
    say_where();
}

void otter_close_unopened(uint64_t n_lost)
{
    if (n_lost == 0) {
        otter_launcher_report("empty", "%s", "");
        return;
    }
    char number[OTTER_MAX_NUMBER];
    otter_warning("nothing could be recorded: %s event%s lost", otter_number_text(n_lost, number),
                  n_lost == 1 ? " was" : "s were");
    otter_launcher_report("failed", "%s", "nothing could be recorded");
}

static void complain(enum otter_status status, uint64_t n_lost)
{
    const char *recording = otter_output_recording();
    struct stat about;
    // Only ENOENT proves that the folder is missing: a program that has dropped its privileges gets
    // EACCES.
    if (stat(recording, &about) < 0 && errno == ENOENT) {
        otter_error("cannot complete the archive '%s': what was recorded ('%s') no longer exists",
                    otter_output_folder(), recording);
    } else {
        otter_error("cannot complete the archive '%s': %s; what was recorded is in '%s' (%" PRIu64
                    " event%s lost)",
                    otter_output_folder(), otter_status_text(status), recording, n_lost,
                    n_lost == 1 ? " was" : "s were");
    }
    otter_launcher_report("failed", "%s: %s", recording, otter_status_text(status));
}

// Warns of event files that were removed while the program recorded.
static void compare(const struct closing *closing, const struct otter_finish_result *result)
{
    uint64_t n = otter_writer_n_events(otter_output_writer());
    // otherwise a thread may still increase `n`
    bool is_final = closing->n_late == 0 && closing->n_beneath == 0;
    if (is_final && result->n_events < n) {
        otter_warning(
            "%" PRIu64
            " events that were recorded are not in the archive '%s': their files no longer exist",
            n - result->n_events, otter_output_folder());
    }
}

// Reports events that are missing for reasons other than disk space.
static void explain(const struct closing *closing)
{
    if (closing->n_late > 0) {
        otter_warning(
            "%" PRIu32 " thread%s did not stop within %" PRIu64
            " s: the archive contains the events that %s had recorded until then (abandoned)",
            closing->n_late, closing->n_late == 1 ? "" : "s", max_wait_ns / (1000 * 1000 * 1000),
            closing->n_late == 1 ? "it" : "they");
    }
    if (closing->n_beneath > 0) {
        otter_warning("a signal handler ended the recording during an event, which is lost");
    }
    if (closing->counts.n_lost_in_handlers > 0) {
        otter_warning("%" PRIu64
                      " of the lost events were in signal handlers that interrupted Otter",
                      closing->counts.n_lost_in_handlers);
    }
}

static enum otter_status finish(const struct closing *closing, struct otter_finish_result *result)
{
    enum otter_status status =
        closing->status ? closing->status : otter_writer_save(otter_output_writer());
    return status ? status : otter_finish(otter_output_recording(), otter_output_folder(), result);
}

static void complete(const struct closing *closing)
{
    struct otter_finish_result result;
    enum otter_status status = finish(closing, &result);
    explain(closing);
    if (status) {
        complain(status, closing->counts.n_lost);
        return;
    }
    say_goodbye(&result, result.has_tasks ? result.n_tasks : closing->counts.n_tasks,
                closing->counts.n_threads);
    compare(closing, &result);
    if (otter_after_archive) {
        otter_after_archive(otter_output_folder());
    }
}

static void close_session(void)
{
    struct closing closing = {.counts.n_lost = otter_session_n_lost()};
    stop_threads();
    otter_recording_use_reserve(
        otter_output_recording()); // the last chunks and the journal may need the reserve
    end_threads(&closing);
    otter_launcher_await_switches(otter_output_recording(), closing.now);
    otter_devices_finish(&closing.counts);
    otter_writer_end_streams(otter_output_writer());
    closing.counts.n_lost += otter_writer_n_refused(otter_output_writer());
    otter_counts_add_all(&closing.counts, otter_session_ended());
    write_tail(otter_output_journal(), &closing);

    if (otter_writer_n_events(otter_output_writer()) == 0 && !otter_region_totals_are_enabled()) {
        otter_recording_discard(otter_output_recording(), otter_session_n_locations());
        otter_close_unopened(closing.counts.n_lost);
        return;
    }
    // OTF2 and otter_after_archive may open files, which must not get descriptors 0 to 2.
    otter_file_occupy_standard();
    complete(&closing);
    otter_file_release_standard();
}

// The program may already have as many files open as its limit allows. It might close or count
// descriptors reserved in advance, so the limit is raised as far as allowed instead.
static void raise_limit_on_files(struct rlimit *before)
{
    struct rlimit raised;
    if (getrlimit(RLIMIT_NOFILE, before) < 0) {
        *before = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
    }
    raised = (struct rlimit){.rlim_cur = before->rlim_max, .rlim_max = before->rlim_max};
    if (before->rlim_cur < before->rlim_max) {
        setrlimit(RLIMIT_NOFILE, &raised);
    }
}

static void restore_limit_on_files(const struct rlimit *before)
{
    if (before->rlim_cur < before->rlim_max) {
        setrlimit(RLIMIT_NOFILE, before);
    }
}

void otter_close(void)
{
    struct rlimit files;
    raise_limit_on_files(&files);
    close_session();
    restore_limit_on_files(&files);
}

void otter_close_unwanted(void)
{
    stop_threads();
    uint64_t deadline_ns = otter_clock_monotonic_ns() + max_wait_ns;
    for (struct otter_thread *thread = otter_thread_first(); thread; thread = thread->next) {
        if (wait_for_rest(thread, deadline_ns) != REST_REACHED) {
            otter_session_abandon(thread);
        }
    }
    otter_recording_discard(otter_output_recording(), otter_session_n_locations());
}
