// Says which ranks a job's critical path runs through, and which ranks others wait for.
#include <inttypes.h>

#include "report/job/job_path.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include "report/form/sentence.h"

enum { MAX_RANKS = 3 }; // ranks named in a line

// ---- the path

// Returns whether a rank's share of the path is not 0 when printed with one decimal.
static bool is_named(const struct otter_job *job, uint32_t rank)
{
    const uint64_t least = 1000; // a thousandth of the path
    return job->ranks.items[rank].on_path > (job->end - job->begin) / least;
}

// *Returns* the rank that follows `limit` in the order of ticks on the path, most first. `limit`:
// OTTER_NONE for the first rank.
static uint32_t next_rank(const struct otter_job *job, uint32_t limit)
{
    uint32_t next = OTTER_NONE;
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        uint64_t ticks = job->ranks.items[i].on_path;
        bool is_below = limit == OTTER_NONE || ticks < job->ranks.items[limit].on_path ||
                        (ticks == job->ranks.items[limit].on_path && i > limit);
        if (is_below && is_named(job, i) &&
            (next == OTTER_NONE || ticks > job->ranks.items[next].on_path)) {
            next = i;
        }
    }
    return next;
}

uint32_t otter_job_first_rank(const struct otter_job *job)
{
    return next_rank(job, OTTER_NONE);
}

static void add_path(struct otter_sentence *text, const struct otter_job *job, double tick,
                     const char *label)
{
    char wall[OTTER_MAX_NUMBER];
    uint64_t rest = job->end - job->begin;
    double all = (double)rest;
    uint32_t n = 0, n_on_path = 0, rank = next_rank(job, OTTER_NONE);
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        n_on_path += is_named(job, i);
    }
    otter_sentence_add(text, "critical path of %s: ", otter_duration_text(all * tick, wall));
    for (; rank != OTTER_NONE && (n < MAX_RANKS || n_on_path == MAX_RANKS + 1); n++) {
        const struct otter_job_rank *own = &job->ranks.items[rank];
        otter_sentence_add(text, "%s%.1f %% on rank %" PRIu32, n > 0 ? ", " : "",
                           100 * (double)own->on_path / all, own->number);
        if (n == 0 && label) {
            otter_sentence_add(text, " (mostly %.*s)", OTTER_UTF8_CUT(label, 80));
        }
        rest -= own->on_path;
        rank = next_rank(job, rank);
    }
    if (rank != OTTER_NONE) {
        otter_sentence_add(text, ", %.1f %% on %" PRIu32 " others", 100 * (double)rest / all,
                           n_on_path - n);
    }
}

// ---- waits

static void add_wait(struct otter_sentence *text, const struct otter_job *job, double tick,
                     enum otter_wait_cause cause, const char *what)
{
    char waited[OTTER_MAX_NUMBER], most[OTTER_MAX_NUMBER];
    uint64_t sum = 0;
    uint32_t rank = 0;
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        sum += job->ranks.items[i].waited[cause];
        rank = job->ranks.items[i].caused[cause] > job->ranks.items[rank].caused[cause] ? i : rank;
    }
    if (sum > 0) {
        otter_sentence_add(
            text, "%s%s for %s, most for rank %" PRIu32 " (%s)", text->used > 0 ? "; " : "",
            otter_duration_text((double)sum * tick, waited), what, job->ranks.items[rank].number,
            otter_duration_text((double)job->ranks.items[rank].caused[cause] * tick, most));
    }
}

static uint64_t sum_of(const uint64_t ticks[OTTER_N_CAUSES])
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < OTTER_N_CAUSES; i++) {
        sum += ticks[i];
    }
    return sum;
}

// Orders ranks by the ticks of waits whose root cause they are, most first. *Returns* the rank
// after `limit`, or the first rank if `limit` is OTTER_NONE; OTTER_NONE if there is none.
static uint32_t next_cause(const struct otter_job *job, uint32_t limit)
{
    uint32_t next = OTTER_NONE;
    uint64_t most = 0;
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        uint64_t ticks = sum_of(job->ranks.items[i].root_cause);
        uint64_t below =
            limit == OTTER_NONE ? UINT64_MAX : sum_of(job->ranks.items[limit].root_cause);
        bool is_below = ticks < below || (ticks == below && i > limit);
        if (is_below && ticks > most) {
            most = ticks;
            next = i;
        }
    }
    return next;
}

// Names the root causes if these differ from the ranks that others waited for.
static void add_causes(struct otter_sentence *text, const struct otter_job *job)
{
    const uint64_t least = 20; // a twentieth
    uint64_t sum = 0, moved = 0;
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        uint64_t direct = sum_of(job->ranks.items[i].caused);
        uint64_t root = sum_of(job->ranks.items[i].root_cause);
        sum += direct;
        moved += root > direct ? root - direct : 0;
    }
    uint32_t rank = next_cause(job, OTTER_NONE);
    for (uint32_t n = 0; moved > sum / least && rank != OTTER_NONE && n < MAX_RANKS; n++) {
        double share = 100 * (double)sum_of(job->ranks.items[rank].root_cause) / (double)sum;
        otter_sentence_add(text,
                           n == 0 ? "; root cause of all this: rank %" PRIu32 " (%.1f %%)"
                                  : ", rank %" PRIu32 " (%.1f %%)",
                           job->ranks.items[rank].number, share);
        rank = next_cause(job, rank);
    }
}

static void add_waits(struct otter_sentence *line, const struct otter_job *job, double tick)
{
    char words[OTTER_JOB_TEXT];
    struct otter_sentence text = {.text = words, .size = sizeof words};
    add_wait(&text, job, tick, OTTER_CAUSE_SENDER, "late senders");
    add_wait(&text, job, tick, OTTER_CAUSE_RECEIVER, "late receivers");
    add_wait(&text, job, tick, OTTER_CAUSE_ARRIVAL, "last arrivals at collective operations");
    if (text.used > 0) {
        add_causes(&text, job);
        otter_sentence_add(line, "waiting in MPI, all ranks: %s", words);
    }
}

// ---- doubts

static bool doubt_matches(const struct otter_job *job, char text[OTTER_DOUBT_TEXT])
{
    const struct otter_job_unmatched *unmatched = &job->unmatched;
    char sends[OTTER_MAX_NUMBER], receives[OTTER_MAX_NUMBER], collectives[OTTER_MAX_NUMBER];
    snprintf(text, OTTER_DOUBT_TEXT,
             "without a partner in another rank: %s send%s, %s receive%s, %s collective "
             "operation%s. A rank is missing, ended early, was paused, lost events or was recorded "
             "without MPI. The critical path does not follow them.",
             otter_number_text(unmatched->sends, sends), otter_plural(unmatched->sends),
             otter_number_text(unmatched->receives, receives), otter_plural(unmatched->receives),
             otter_number_text(unmatched->collectives, collectives),
             otter_plural(unmatched->collectives));
    return unmatched->sends + unmatched->receives + unmatched->collectives > 0;
}

// Returns whether a rank of the world has no known MPI call.
static bool is_silent(const struct otter_job *job, uint32_t number)
{
    uint32_t rank = otter_job_find_rank(job, number);
    return rank == OTTER_NONE || otter_job_calls(job, rank)->calls.n == 0;
}

// A damaged archive may claim a world of 2^32 ranks, so the loop is over the ranks that call MPI.
static uint32_t count_silent(const struct otter_job *job)
{
    uint32_t n = job->n_ranks_of_world;
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        n -= job->ranks.items[i].number < job->n_ranks_of_world &&
             otter_job_calls(job, i)->calls.n > 0;
    }
    return n;
}

// Adds "rank 3 has no MPI record", or another reason for missing calls.
static void add_silent(struct otter_sentence *text, const struct otter_job *job)
{
    uint32_t n = count_silent(job);
    if (n == 0) {
        otter_sentence_add(text, "a rank ended early, was paused or lost events");
        return;
    }
    otter_sentence_add(text, "no MPI call was recorded for rank%s ", otter_plural(n));
    uint32_t n_named = 0;
    for (uint32_t i = 0; i < job->n_ranks_of_world && n_named < MAX_RANKS; i++) {
        if (is_silent(job, i)) {
            otter_sentence_add(text, "%s%" PRIu32, n_named++ > 0 ? ", " : "", i);
        }
    }
    if (n > n_named) {
        otter_sentence_add(text, " and %" PRIu32 " more", n - n_named);
    }
}

static bool doubt_members(const struct otter_job *job, char text[OTTER_DOUBT_TEXT])
{
    char partial[OTTER_MAX_NUMBER];
    char ranks[OTTER_JOB_TEXT];
    struct otter_sentence silent = {.text = ranks, .size = sizeof ranks};
    add_silent(&silent, job);
    snprintf(
        text, OTTER_DOUBT_TEXT,
        "%s collective operation%s without all members: %.150s. The waits and the critical path "
        "include only the other ranks, so they are lower bounds.",
        otter_number_text(job->n_partial, partial), otter_plural(job->n_partial), ranks);
    return job->n_partial > 0;
}

static bool doubt_path(const struct otter_job *job, char text[OTTER_DOUBT_TEXT])
{
    snprintf(text, OTTER_DOUBT_TEXT,
             "no message between ranks was recorded: the critical path stays in the rank that "
             "ended last");
    return !otter_job_has_matches(job);
}

static bool doubt_clocks(const struct otter_job *job, uint64_t deviation_ns,
                         char text[OTTER_DOUBT_TEXT])
{
    char n[OTTER_MAX_NUMBER], deviation[OTTER_MAX_NUMBER];
    snprintf(
        text, OTTER_DOUBT_TEXT,
        "%s of the matched operations seem to end before the other rank began them: the clocks "
        "of the ranks are uncertain by %s. The critical path does not follow them.",
        otter_number_text(job->unmatched.backwards, n),
        otter_duration_text((double)deviation_ns * 1e-9, deviation));
    return job->unmatched.backwards > 0;
}

// *Returns* the share (in percent) of a rank's time that is between tests and counts as work.
static double share_between_tests(const struct otter_job *job, uint32_t rank)
{
    const struct otter_rank_calls *calls = otter_job_calls(job, rank);
    return calls->end > calls->begin
               ? 100 * (double)calls->between_tests / (double)(calls->end - calls->begin)
               : 0;
}

// A loop that sleeps and one that executes code produce the same events.
static bool doubt_polling(const struct otter_job *job, char text[OTTER_DOUBT_TEXT])
{
    const double least = 5; // percent
    uint32_t n = 0, most = 0;
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        n += share_between_tests(job, i) > least;
        most = share_between_tests(job, i) > share_between_tests(job, most) ? i : most;
    }
    if (n == 0) {
        return false;
    }
    struct otter_sentence line = {.text = text, .size = OTTER_DOUBT_TEXT};
    otter_sentence_add(&line, "rank %" PRIu32, job->ranks.items[most].number);
    if (n > 1) {
        otter_sentence_add(&line, " and %" PRIu32 " other rank%s", n - 1, otter_plural(n - 1));
    }
    otter_sentence_add(&line,
                       " poll%s MPI for %s%.0f %% of the time, with other code or sleeps "
                       "between the tests, which count as work: %s findings and predictions may "
                       "be wrong",
                       n > 1 ? "" : "s", n > 1 ? "up to " : "", share_between_tests(job, most),
                       n > 1 ? "their" : "its");
    return true;
}

unsigned otter_job_doubts(const struct otter_job *job, uint64_t deviation_ns,
                          char texts[OTTER_MAX_DOUBTS][OTTER_DOUBT_TEXT])
{
    unsigned n = 0;
    n += doubt_path(job, texts[n]);
    n += doubt_matches(job, texts[n]);
    n += doubt_members(job, texts[n]);
    n += doubt_clocks(job, deviation_ns, texts[n]);
    n += doubt_polling(job, texts[n]);
    return n;
}

unsigned otter_job_sentences(const struct otter_job *job, double tick, const char *label,
                             char texts[OTTER_MAX_JOB_TEXTS][OTTER_JOB_TEXT])
{
    struct otter_sentence path = {.text = texts[0], .size = OTTER_JOB_TEXT};
    struct otter_sentence waits = {.text = texts[1], .size = OTTER_JOB_TEXT};
    if (job->end <= job->begin || !otter_job_has_matches(job)) {
        return 0;
    }
    add_path(&path, job, tick, label);
    add_waits(&waits, job, tick);
    return waits.used > 0 ? 2 : 1;
}

// ---- JSON

static json_t *rank_json(const struct otter_job *job, const struct otter_job_rank *rank,
                         double tick)
{
    json_t *object = json_object();
    otter_json_set_number(object, "rank", rank->number);
    otter_json_set(object, "on_path_s", json_real((double)rank->on_path * tick));
    static const char *const names[OTTER_N_CAUSES][3] = {
        [OTTER_CAUSE_SENDER] = {"late_senders_s", "caused_late_senders_s",
                                "root_cause_late_senders_s"},
        [OTTER_CAUSE_RECEIVER] = {"late_receivers_s", "caused_late_receivers_s",
                                  "root_cause_late_receivers_s"},
        [OTTER_CAUSE_ARRIVAL] = {"last_arrivals_s", "caused_last_arrivals_s",
                                 "root_cause_last_arrivals_s"}};
    for (unsigned i = OTTER_CAUSE_NONE + 1; i < OTTER_N_CAUSES; i++) {
        otter_json_set(object, names[i][0], json_real((double)rank->waited[i] * tick));
        otter_json_set(object, names[i][1], json_real((double)rank->caused[i] * tick));
        otter_json_set(object, names[i][2], json_real((double)rank->root_cause[i] * tick));
    }
    otter_json_set(object, "between_tests_s", json_real((double)rank->calls.between_tests * tick));
    if (rank->because_of != OTTER_NONE) {
        otter_json_set_number(object, "because_of", job->ranks.items[rank->because_of].number);
    }
    return object;
}

json_t *otter_job_json(const struct otter_job *job, double tick)
{
    json_t *object = json_object(), *ranks = json_array();
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        json_array_append_new(ranks, rank_json(job, &job->ranks.items[i], tick));
    }
    otter_json_set(object, "wall_s", json_real((double)(job->end - job->begin) * tick));
    otter_json_set(object, "ranks", ranks);
    otter_json_set_number(object, "messages", job->n_messages);
    otter_json_set_number(object, "collectives", job->collectives.n);
    otter_json_set_number(object, "unmatched_sends", job->unmatched.sends);
    otter_json_set_number(object, "unmatched_receives", job->unmatched.receives);
    otter_json_set_number(object, "unmatched_collectives", job->unmatched.collectives);
    otter_json_set_number(object, "partial_collectives", job->n_partial);
    otter_json_set_number(object, "backwards", job->unmatched.backwards);
    return object;
}
