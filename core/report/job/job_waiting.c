// Finds the waits between ranks: first waits for a rank that computes longer than the others, then
// all other waits.
#include <stdlib.h>
#include <string.h>

#include "report/job/job_findings.h"
#include "base/text/number.h"

static const double MIN_IMBALANCE = 1.05; // smallest ratio of the busiest rank to the mean
// smallest ratio of the waits that the worst rank causes to the mean
static const double MIN_CAUSE = 1.5;
static const double MIN_DOUBT = 0.1; // smallest share of the time whose waits are unknown

// ---- waits of a rank

// Adds up the waits in MPI_Init and MPI_Finalize, which are collective operations of all ranks.
static void add_waits_of_job(const struct otter_job *job, uint32_t rank, uint64_t *init,
                             uint64_t *finalize)
{
    const struct otter_rank_calls *calls = otter_job_calls(job, rank);
    *init = *finalize = 0;
    for (uint32_t i = 0; i < calls->collectives.n; i++) {
        const struct otter_mpi_collective *collective = &calls->collectives.items[i];
        const struct otter_mpi_call *call = &calls->calls.items[collective->end];
        bool is_of_job =
            collective->comm == OTTER_COMM_INIT || collective->comm == OTTER_COMM_FINALIZE;
        if (is_of_job && call->cause == OTTER_CAUSE_ARRIVAL) {
            uint64_t begin =
                otter_job_calls(job, call->cause_rank)->calls.items[call->cause_call].begin;
            *(collective->comm == OTTER_COMM_INIT ? init : finalize) += begin - call->begin;
        }
    }
}

// Multiplies each wait by the number of threads that wait during a call.
static void set_waits(struct otter_job_load *load, const struct otter_job *job, uint32_t rank)
{
    uint64_t init, finalize;
    add_waits_of_job(job, rank, &init, &finalize);
    for (unsigned i = OTTER_CAUSE_NONE + 1; i < OTTER_N_CAUSES; i++) {
        uint64_t ticks = job->ranks.items[rank].waited[i];
        uint64_t of_job = i == OTTER_CAUSE_ARRIVAL ? init + finalize : 0;
        ticks = ticks > of_job ? ticks - of_job : 0;
        load->waited[i] = (uint64_t)((double)ticks * load->threads);
    }
    load->waited_at_end = (uint64_t)((double)finalize * load->threads);
    for (unsigned i = OTTER_DOUBT_NONE + 1; i < OTTER_N_WAIT_DOUBTS; i++) {
        uint64_t ticks = job->ranks.items[rank].doubted[i];
        load->doubted[i] = (uint64_t)((double)ticks * load->threads);
    }
    load->has_calls = otter_job_calls(job, rank)->calls.n > 0;
}

static uint64_t waited(const struct otter_job_load *load)
{
    uint64_t sum = load->waited_at_end;
    for (unsigned i = OTTER_CAUSE_NONE + 1; i < OTTER_N_CAUSES; i++) {
        sum += load->waited[i];
    }
    return sum;
}

// ---- unequal ranks

// The ranks that call MPI.
struct balance {
    double most, mean;      // of ticks outside of MPI
    double work, mean_work; // work: mean of the busiest ranks; mean_work: of all ranks
    double asleep; // mean over the busiest ranks of their least possible time without a processor
    uint32_t n_busiest;
    char busiest[OTTER_RANKS_TEXT]; // "rank 3", "ranks 2-3"
};

// Returns the ticks that a rank spends outside of MPI.
static double busy(const struct otter_job_load *load)
{
    return (double)load->outside_mpi / load->n_threads;
}

// A rank without recorded MPI calls may still call MPI, so its time outside of MPI is unknown.
static struct balance balance_of(const struct otter_job_findings *findings)
{
    struct balance balance = {.n_busiest = 0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        const struct otter_job_load *load = &findings->loads.items[i];
        if (load->has_calls) {
            n++;
            balance.most = busy(load) > balance.most ? busy(load) : balance.most;
            balance.mean += busy(load);
            balance.mean_work += (double)load->work;
        }
    }
    balance.mean = n > 0 ? balance.mean / n : 0;
    balance.mean_work = n > 0 ? balance.mean_work / n : 0;
    return balance;
}

// Names the busiest ranks: those at least half as far above the mean as the busiest one.
static void name_busiest(struct balance *balance, struct otter_job_findings *findings,
                         const struct otter_job *job)
{
    struct otter_job_finding named = {.n = 0};
    double least = (balance->most + balance->mean) / 2;
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        struct otter_job_load *load = &findings->loads.items[i];
        load->is_busiest = load->has_calls && busy(load) >= least;
        if (load->is_busiest) {
            balance->asleep += (double)load->asleep / load->n_threads;
            balance->work += (double)load->work;
            otter_job_finding_add_share(&named, i, 1);
        }
    }
    otter_job_ranks_text(&named, job, balance->busiest);
    balance->n_busiest = named.ranks.n;
    balance->work /= named.ranks.n > 0 ? named.ranks.n : 1;
    balance->asleep /= named.ranks.n > 0 ? named.ranks.n : 1;
    free(named.ranks.items);
}

// The busiest ranks execute more, sleep more, or their threads lose more.
static void write_reason(const struct otter_job_findings *findings, const struct balance *balance,
                         char text[OTTER_JOB_FINDING_TEXT])
{
    char asleep[OTTER_MAX_NUMBER];
    double factor = balance->most / balance->mean;
    double work = balance->mean_work > 0 ? balance->work / balance->mean_work : 1;
    bool is_of_work = work - 1 >= (factor - 1) / 2, is_one = balance->n_busiest == 1;
    if (balance->asleep >= (balance->most - balance->mean) / 2) {
        snprintf(text, OTTER_JOB_FINDING_TEXT,
                 "For %s or more of that, %s no processor time: %s in the kernel (a sleep, files, "
                 "other processes). Find out why.",
                 otter_duration_text(balance->asleep * findings->tick, asleep),
                 is_one ? "it uses" : "they use", is_one ? "it waits" : "they wait");
        return;
    }
    const char *equal = is_one ? "distribute the work evenly, or give this rank more threads."
                               : "distribute the work evenly, or give these ranks more threads.";
    const char *lost = is_one ? "its threads lose this time; see the findings of this rank."
                              : "their threads lose this time; see the findings of these ranks.";
    snprintf(text, OTTER_JOB_FINDING_TEXT, "%s work is %.2f times the mean: %s",
             is_one ? "Its" : "Their", work, is_of_work ? equal : lost);
}

static void write_imbalance(const struct otter_job_findings *findings,
                            const struct balance *balance, char text[OTTER_JOB_FINDING_TEXT])
{
    char own[OTTER_MAX_NUMBER], reason[OTTER_JOB_FINDING_TEXT];
    bool is_one = balance->n_busiest == 1;
    write_reason(findings, balance, reason);
    snprintf(text, OTTER_JOB_FINDING_TEXT,
             "R%s %s outside of MPI for %s%s, %.2f times the mean, and the others wait for %s. "
             "%.400s",
             balance->busiest + 1, is_one ? "is" : "are", is_one ? "" : "up to ",
             otter_duration_text(balance->most * findings->tick, own),
             balance->most / balance->mean, is_one ? "it" : "them", reason);
}

// Returns the part of a rank's waits that would vanish if it were outside of MPI for `most` ticks.
static uint64_t wait_for_busiest(const struct otter_job_load *load, double most)
{
    double ticks = (most - busy(load)) * load->n_threads;
    uint64_t limit = waited(load);
    return ticks < (double)limit ? (uint64_t)ticks : limit;
}

// Removes `ticks` in total, the same share of each wait.
static void reduce(struct otter_job_load *load, uint64_t ticks)
{
    uint64_t all = waited(load);
    double rest = all > 0 ? 1 - (double)ticks / (double)all : 0;
    load->waited_at_end = (uint64_t)(rest * (double)load->waited_at_end);
    for (unsigned i = OTTER_CAUSE_NONE + 1; i < OTTER_N_CAUSES; i++) {
        load->waited[i] = (uint64_t)(rest * (double)load->waited[i]);
    }
}

static void add_imbalance(struct otter_job_findings *findings, const struct otter_job *job)
{
    char text[OTTER_JOB_FINDING_TEXT];
    struct balance balance = balance_of(findings);
    double most = balance.most, mean = balance.mean;
    if (mean <= 0 || most < MIN_IMBALANCE * mean) {
        return;
    }
    name_busiest(&balance, findings, job);
    write_imbalance(findings, &balance, text);
    struct otter_job_finding *entry = otter_job_finding_add(findings, "rank imbalance", text);
    entry->is_imbalance = true;
    entry->what = strdup(balance.busiest);
    double longest = 0;
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        struct otter_job_load *load = &findings->loads.items[i];
        uint64_t ticks = load->has_calls ? wait_for_busiest(load, most) : 0;
        double wait = (double)ticks / load->n_threads;
        longest = wait > longest ? wait : longest;
        otter_job_finding_add_share(entry, i, ticks);
        reduce(load, ticks);
    }
    entry->gain = (uint64_t)(most - mean < longest ? most - mean : longest);
    entry->has_gain = true;
}

// ---- other waits

static const struct {
    const char *kind, *evidence, *advice;
} waits[OTTER_N_CAUSES] = {
    [OTTER_CAUSE_SENDER] = {"late senders", "Messages are sent after their receivers began to wait",
                            "Send as soon as the data is complete, or let tasks execute between "
                            "MPI_Irecv and the wait."},
    [OTTER_CAUSE_RECEIVER] = {"late receivers",
                              "Receives are posted after their senders began to wait",
                              "Post them early, with MPI_Irecv."},
    [OTTER_CAUSE_ARRIVAL] = {"last arrivals",
                             "The members of collective operations wait for the last one",
                             "Use fewer or nonblocking operations, or divide the work before them "
                             "evenly."},
};

static uint64_t waited_for(const struct otter_job_findings *findings, enum otter_wait_cause cause)
{
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        const struct otter_job_load *load = &findings->loads.items[i];
        ticks += load->waited[cause] + (cause == OTTER_CAUSE_ARRIVAL ? load->waited_at_end : 0);
    }
    return ticks;
}

// The finding of a rank imbalance already covers a part of the waits, all of it caused by the
// busiest ranks. *Returns* the share of the busiest ranks' waits that is left. `rest`: the share of
// all waits that is left.
static double left_to_busiest(const struct otter_job_findings *findings,
                              const struct otter_job *job, enum otter_wait_cause cause, double rest)
{
    double all = 0, busiest = 0;
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        double ticks = (double)job->ranks.items[i].root_cause[cause];
        all += ticks;
        busiest += findings->loads.items[i].is_busiest ? ticks : 0;
    }
    double left = busiest - (1 - rest) * all;
    return left > 0 ? left / busiest : 0;
}

// Marks the ranks that cause most of the waits, if they are at most half of all ranks. They are at
// least half as far above the mean as the worst rank. Of the waits that the busiest ranks cause,
// only the share `left` counts. *Returns* whether there are such ranks; `text` gets their names.
static bool find_causes(struct otter_job_findings *findings, const struct otter_job *job,
                        enum otter_wait_cause cause, double left, char text[OTTER_RANKS_TEXT])
{
    struct otter_job_finding named = {.n = 0};
    double most = 0, mean = 0;
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        double ticks = (double)job->ranks.items[i].root_cause[cause] *
                       (findings->loads.items[i].is_busiest ? left : 1);
        most = ticks > most ? ticks : most;
        mean += ticks / job->ranks.n;
    }
    for (uint32_t i = 0; i < job->ranks.n && most >= MIN_CAUSE * mean; i++) {
        double ticks = (double)job->ranks.items[i].root_cause[cause] *
                       (findings->loads.items[i].is_busiest ? left : 1);
        otter_job_finding_add_share(&named, i, ticks > 0 && ticks >= (most + mean) / 2);
    }
    bool is_found = named.ranks.n > 0 && 2 * named.ranks.n <= job->ranks.n;
    otter_job_ranks_text(&named, job, text);
    for (uint32_t i = 0; i < named.ranks.n && is_found; i++) {
        findings->loads.items[named.ranks.items[i].rank].is_cause[cause] = true;
    }
    free(named.ranks.items);
    return is_found;
}

// Returns whether a rank imbalance explains part of these waits, so that the ranks that cause the
// rest are unknown.
static bool has_busiest(const struct otter_job_findings *findings, enum otter_wait_cause cause)
{
    bool has_both = false;
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        const struct otter_job_load *load = &findings->loads.items[i];
        has_both = has_both || (load->is_busiest && load->is_cause[cause]);
    }
    return has_both;
}

static void forget_causes(struct otter_job_findings *findings, enum otter_wait_cause cause)
{
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        findings->loads.items[i].is_cause[cause] = false;
    }
}

// Names the ranks that cause the waits that a rank imbalance does not explain. If the imbalance
// explains some waits, the named ranks must include one of the busiest; other names would seem to
// contradict the imbalance.
static bool name_causes(struct otter_job_findings *findings, const struct otter_job *job,
                        enum otter_wait_cause cause, double rest, char names[OTTER_RANKS_TEXT],
                        bool *is_beyond)
{
    bool is_found = find_causes(findings, job, cause, 1, names);
    *is_beyond = is_found && has_busiest(findings, cause);
    if (*is_beyond) {
        double left = left_to_busiest(findings, job, cause, rest);
        forget_causes(findings, cause);
        is_found = find_causes(findings, job, cause, left, names) && has_busiest(findings, cause);
    }
    if (!is_found) {
        forget_causes(findings, cause);
    }
    return is_found;
}

// `rest`: the share of the waits that a rank imbalance does not explain.
static void add_wait(struct otter_job_findings *findings, const struct otter_job *job,
                     enum otter_wait_cause cause, double rest)
{
    char text[OTTER_JOB_FINDING_TEXT], names[OTTER_RANKS_TEXT];
    bool is_beyond, is_found = name_causes(findings, job, cause, rest, names, &is_beyond);
    snprintf(text, sizeof text, "%s, %s%s. %s", waits[cause].evidence,
             is_found    ? "mostly because of "
             : is_beyond ? "beyond what the rank imbalance costs"
                         : "because of several ranks",
             is_found ? names : "", waits[cause].advice);
    struct otter_job_finding *entry = otter_job_finding_add(findings, waits[cause].kind, text);
    entry->cause = cause;
    entry->what = is_found ? strdup(names) : NULL;
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        const struct otter_job_load *load = &findings->loads.items[i];
        uint64_t at_end = cause == OTTER_CAUSE_ARRIVAL ? load->waited_at_end : 0;
        otter_job_finding_add_share(entry, i, load->waited[cause] + at_end);
    }
}

// ---- the findings of ranks on MPI

// Writes why most waits are unknown, or "" if they are known. Returns `text`.
static const char *write_doubt(const struct otter_job_findings *findings,
                               const struct otter_job_finding *entry, char text[200])
{
    const struct otter_job_load *worst = NULL;
    uint64_t partner = 0, forward = 0, missing = 0, cost = 0;
    for (uint32_t i = 0; i < entry->ranks.n; i++) {
        const struct otter_job_load *load = &findings->loads.items[entry->ranks.items[i].rank];
        worst = !worst || load->not_recorded > worst->not_recorded ? load : worst;
        partner += load->doubted[OTTER_DOUBT_PARTNER];
        forward += load->doubted[OTTER_DOUBT_FORWARD];
        missing += load->not_recorded;
        cost += entry->ranks.items[i].cost;
    }
    text[0] = '\0';
    if ((double)(partner + forward + missing) < MIN_DOUBT * (double)cost || cost == 0) {
        return text;
    }
    if (missing >= partner && missing >= forward) {
        snprintf(text, 200, "the recording does not contain the partners of %s", worst->unrecorded);
    } else {
        snprintf(text, 200, "%s",
                 partner >= forward
                     ? "the recording lacks operations of other ranks"
                     : "the members of a broadcast or reduction forward its data, and may wait");
    }
    return text;
}

// `worst`: the rank that exchanges data longest, in `function`.
static void set_text(struct otter_job_findings *findings, struct otter_job_finding *entry,
                     uint32_t worst, const char *function)
{
    char text[OTTER_JOB_FINDING_TEXT], doubt[200] = "", shared[400];
    if (entry->of == OTTER_FINDING_MPI && *write_doubt(findings, entry, doubt)) {
        snprintf(
            text, sizeof text,
            "The ranks exchange data or wait for other ranks, longest in %s: %s. Let the ranks "
            "reach these calls at the same time, or send fewer and larger messages.",
            function, doubt);
    } else if (entry->of == OTTER_FINDING_MPI) {
        bool is_shared = otter_job_write_shared(
            findings, worst, "ranks that poll in MPI may keep the others from a processor", shared,
            sizeof shared);
        snprintf(text, sizeof text,
                 "The ranks exchange data, longest in %s; waits for other ranks are not included. "
                 "%s",
                 function,
                 is_shared ? shared
                           : "Send fewer and larger messages, or let tasks execute between the "
                             "start and the end of an exchange.");
    } else {
        snprintf(
            text, sizeof text,
            "Processes start and end here; waits in MPI_Finalize are not included. In a longer "
            "run, this share is smaller.");
    }
    free(entry->text);
    entry->text = strdup(text);
}

// Subtracts the waits from the shares.
static void take_out(struct otter_job_findings *findings, struct otter_job_finding *entry)
{
    uint32_t n = 0;
    uint64_t most = 0;
    uint32_t worst = 0;
    const char *function = "";
    for (uint32_t i = 0; i < entry->ranks.n; i++) {
        struct otter_job_share share = entry->ranks.items[i];
        const struct otter_job_load *load = &findings->loads.items[share.rank];
        uint64_t ticks = entry->of == OTTER_FINDING_MPI ? waited(load) - load->waited_at_end
                                                        : load->waited_at_end;
        if (share.cost > ticks) {
            share.cost -= ticks;
            function = share.cost > most ? load->function : function;
            worst = share.cost > most ? share.rank : worst;
            most = share.cost > most ? share.cost : most;
            entry->ranks.items[n++] = share;
        }
    }
    entry->ranks.n = n;
    entry->worst = 0;
    set_text(findings, entry, worst, function);
}

void otter_job_findings_add_waits(struct otter_job_findings *findings, const struct otter_job *job)
{
    if (!otter_job_has_matches(job) || findings->loads.n != job->ranks.n) {
        return;
    }
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        set_waits(&findings->loads.items[i], job, i);
    }
    for (uint32_t i = 0; i < findings->n; i++) {
        struct otter_job_finding *entry = &findings->items[i];
        if (entry->of == OTTER_FINDING_MPI || entry->of == OTTER_FINDING_MPI_JOB) {
            take_out(findings, entry);
        }
    }
    uint64_t before[OTTER_N_CAUSES];
    for (unsigned i = OTTER_CAUSE_NONE + 1; i < OTTER_N_CAUSES; i++) {
        before[i] = waited_for(findings, (enum otter_wait_cause)i);
    }
    add_imbalance(findings, job);
    for (unsigned i = OTTER_CAUSE_NONE + 1; i < OTTER_N_CAUSES; i++) {
        uint64_t after = waited_for(findings, (enum otter_wait_cause)i);
        add_wait(findings, job, (enum otter_wait_cause)i,
                 before[i] > 0 ? (double)after / (double)before[i] : 1);
    }
}
