// Finds ranks that share too few processors, and the time in which they were ready to execute.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/job/job_findings.h"

enum { MAX_PROCESSORS = 8192 };

struct processor_set {
    uint64_t bits[MAX_PROCESSORS / 64];
};

// The ranks of one host.
struct host {
    uint32_t n_ranks, n_threads, n_processors;
};

static bool is_on(const struct otter_job_load *a, const struct otter_job_load *b)
{
    return strcmp(a->host, b->host) == 0;
}

static bool is_first(const struct otter_job_findings *findings, uint32_t rank)
{
    uint32_t i = 0;
    while (!is_on(&findings->loads.items[i], &findings->loads.items[rank])) {
        i++;
    }
    return i == rank;
}

static void add_processors(struct processor_set *set, const char *ranges)
{
    for (const char *at = ranges; *at;) {
        char *end;
        unsigned long first = strtoul(at, &end, 10), last = first;
        if (end == at) {
            return;
        }
        last = *end == '-' ? strtoul(end + 1, &end, 10) : last;
        for (unsigned long i = first; i <= last && i < MAX_PROCESSORS; i++) {
            set->bits[i / 64] |= UINT64_C(1) << i % 64;
        }
        at = *end == ',' ? end + 1 : end;
        if (*end != ',') {
            return;
        }
    }
}

static uint32_t count(const struct processor_set *set)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < MAX_PROCESSORS / 64; i++) {
        n += (uint32_t)__builtin_popcountll(set->bits[i]);
    }
    return n;
}

// Returns the host of a rank. The number of its processors is 0 if the processors of any of its
// ranks are unknown.
static struct host host_of(const struct otter_job_findings *findings, uint32_t rank)
{
    struct processor_set set = {{0}};
    struct host host = {.n_ranks = 0};
    bool is_known = true;
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        const struct otter_job_load *load = &findings->loads.items[i];
        if (is_on(load, &findings->loads.items[rank])) {
            host.n_ranks++;
            host.n_threads += load->n_threads;
            is_known = is_known && load->processors && *load->processors;
            add_processors(&set, is_known ? load->processors : "");
        }
    }
    host.n_processors = is_known ? count(&set) : 0;
    return host;
}

uint32_t otter_job_n_processors(const struct otter_job_findings *findings)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        uint32_t own = is_first(findings, i) ? host_of(findings, i).n_processors : 0;
        if (own == 0 && is_first(findings, i)) {
            return 0;
        }
        n += own;
    }
    return n;
}

static bool is_shared(const struct host *host)
{
    return host->n_ranks > 1 && host->n_processors > 0 && host->n_threads > host->n_processors;
}

// Writes how many threads share the processors of a host, then `effect`, then the advice.
static void write_text(const struct host *host, const char *effect, char *text, size_t size)
{
    uint32_t threads = (host->n_threads + host->n_ranks - 1) / host->n_ranks; // threads of a rank
    uint32_t n_ranks = host->n_processors / threads;
    uint32_t n_threads = host->n_processors / host->n_ranks;
    bool are_threads = n_ranks == 0 && n_threads > 0;
    uint32_t most = are_threads ? n_threads : n_ranks > 0 ? n_ranks : 1;
    snprintf(text, size,
             "%" PRIu32 " threads of %" PRIu32 " ranks share %" PRIu32 " processor%s of a host: "
             "%s. %s at most %" PRIu32 " %s%s, or bind the ranks to more processors.",
             host->n_threads, host->n_ranks, host->n_processors, host->n_processors == 1 ? "" : "s",
             effect, are_threads ? "Give each rank" : "Start", most,
             are_threads ? "thread" : "rank", most == 1 ? "" : "s");
}

bool otter_job_write_shared(const struct otter_job_findings *findings, uint32_t rank,
                            const char *effect, char *text, size_t size)
{
    struct host host = host_of(findings, rank);
    if (is_shared(&host)) {
        write_text(&host, effect, text, size);
    }
    return is_shared(&host);
}

// With switches, the rank's own findings already contain this time, since other ranks are other
// processes; removes it from them.
static void take_out(struct otter_job_findings *findings, uint32_t rank)
{
    for (uint32_t i = 0; i < findings->n; i++) {
        struct otter_job_finding *entry = &findings->items[i];
        for (uint32_t k = 0; k < entry->ranks.n; k++) {
            bool is_same = entry->of == OTTER_FINDING_NOISE || entry->of == OTTER_FINDING_CROWDED;
            if (is_same && entry->ranks.items[k].rank == rank) {
                entry->ranks.items[k].cost = 0;
            }
        }
    }
}

static void add_host(struct otter_job_findings *findings, struct otter_job_finding *entry,
                     uint32_t first)
{
    for (uint32_t i = first; i < findings->loads.n; i++) {
        const struct otter_job_load *load = &findings->loads.items[i];
        if (is_on(load, &findings->loads.items[first])) {
            otter_job_finding_add_share(entry, i, load->waiting);
            take_out(findings, i);
        }
    }
}

void otter_job_findings_add_processors(struct otter_job_findings *findings)
{
    char text[OTTER_JOB_FINDING_TEXT], what[OTTER_RANKS_TEXT];
    struct otter_job_finding *entry = NULL;
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        struct host host = {.n_ranks = 0};
        if (is_first(findings, i)) {
            host = host_of(findings, i);
        }
        if (is_shared(&host) && !entry) {
            write_text(&host,
                       "ready threads wait for a processor, and ranks in MPI wait for these "
                       "threads",
                       text, sizeof text);
            snprintf(what, sizeof what, "%" PRIu32 " ranks on %" PRIu32 " processor%s",
                     host.n_ranks, host.n_processors, host.n_processors == 1 ? "" : "s");
            entry = otter_job_finding_add(findings, "oversubscription", text);
            entry->what = strdup(what);
        }
        if (is_shared(&host)) {
            add_host(findings, entry, i);
        }
    }
}
