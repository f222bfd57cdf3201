// Messages between processes: their communicators and their events.
#include "otter/record.h"

#include <inttypes.h>
#include <stdio.h>

#include "record/entry/call.h"
#include "record/process/output.h"
#include "record/thread/team.h"

enum {
    MAX_COMMUNICATORS = 1 << 12,
    MAX_MEMBERS = 1 << 22, // ranks of all communicators together
    MAX_NAME = 128,        // bytes in the journal
    MAX_RUNS = 4096,       // bytes of runs in one line
};

static uint32_t n_communicators, n_members; // changed under the lock of otter_team_number()

// ---- definitions

// Returns how many ranks from `i` on form a run: each is the previous rank plus `*step`.
static uint32_t run_length(const struct otter_communicator *communicator, uint32_t i, int64_t *step)
{
    const uint32_t *ranks = communicator->ranks;
    uint32_t n = 1;
    *step = i + 1 < communicator->n_ranks ? (int64_t)ranks[i + 1] - (int64_t)ranks[i] : 1;
    while (i + n < communicator->n_ranks &&
           (int64_t)ranks[i + n] - (int64_t)ranks[i + n - 1] == *step) {
        n++;
    }
    return n;
}

// Adds journal lines with the runs: rank+length*step, separated by commas. If the journal becomes
// full, some runs are missing.
static void define_ranks(const struct otter_communicator *communicator, uint32_t id)
{
    char line[MAX_RUNS];
    for (uint32_t i = 0; i < communicator->n_ranks;) {
        uint32_t begin = i;
        size_t n = 0;
        while (i < communicator->n_ranks && n < sizeof(line) - 64) {
            int64_t step;
            uint32_t length = run_length(communicator, i, &step);
            n += (size_t)snprintf(line + n, sizeof(line) - n, "%s%" PRIu32 "+%" PRIu32 "*%" PRId64,
                                  n ? "," : "", communicator->ranks[i], length, step);
            i += length;
        }
        if (otter_output_define("ranks %" PRIu32 " %" PRIu32 " %s", id, begin, line)) {
            return;
        }
    }
}

// An otter_team_definer for a communicator of processes.
static bool define(uint32_t id, const void *user)
{
    const struct otter_communicator *communicator = user;
    char name[MAX_NAME];
    if (n_communicators == MAX_COMMUNICATORS || communicator->n_ranks > MAX_MEMBERS - n_members ||
        otter_output_define("communicator %" PRIu32 " %" PRIu32 " %" PRIx64 " %s", id,
                            communicator->n_ranks, communicator->identity,
                            otter_journal_encode(communicator->name, name, sizeof(name)))) {
        return false;
    }
    n_communicators++;
    n_members += communicator->n_ranks;
    define_ranks(communicator, id);
    return true;
}

uint32_t otter_communicator_define(const struct otter_communicator *communicator)
{
    struct otter_thread *thread = otter_record_begin(); // opens the output
    if (!thread) {
        return 0;
    }
    uint32_t id = otter_team_number(define, communicator);
    thread->n_lost += id == OTTER_COMM_ALL_THREADS;
    otter_record_end(thread);
    return id;
}

// ---- events

// *Returns* the calling thread, ready to write; NULL: nothing is recorded. `begins`: the record
// gets the timestamp of the thread's previous record.
static struct otter_thread *begin(bool begins, uint64_t *time)
{
    if (!begins) {
        return otter_record_begin_mark(time);
    }
    struct otter_thread *thread = otter_record_begin_again();
    if (thread) {
        otter_write_pending_except(thread, thread->last_time, OTTER_PENDING_UNNUMBERED);
        *time = thread->last_time;
    }
    return thread;
}

void otter_message(enum otter_message_kind kind, const struct otter_message *message)
{
    bool begins = kind == OTTER_MESSAGE_SEND || kind == OTTER_MESSAGE_ISEND ||
                  kind == OTTER_MESSAGE_RECV_POSTED;
    uint64_t time;
    struct otter_thread *thread = begin(begins, &time);
    if (thread) {
        otter_write_message(thread->writer, time, kind, message);
        otter_record_end(thread);
    }
}

void otter_collective_begin(uint64_t request)
{
    uint64_t time;
    struct otter_thread *thread = begin(true, &time);
    if (thread) {
        otter_write_collective_begin(thread->writer, time, request);
        otter_record_end(thread);
    }
}

void otter_collective_end(const struct otter_collective_operation *operation)
{
    uint64_t time;
    struct otter_thread *thread = begin(false, &time);
    if (thread) {
        otter_write_collective_end(thread->writer, time, operation);
        otter_record_end(thread);
    }
}
