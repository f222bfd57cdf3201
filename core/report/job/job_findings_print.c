// Prints the findings of a job as text and as JSON.
#include <inttypes.h>
#include <string.h>

#include "base/text/print.h"
#include "report/job/job_findings.h"
#include "report/form/json.h"
#include "base/text/number.h"
#include "report/form/plain.h"
#include "report/form/sentence.h"
#include "report/form/wrap.h"

enum {
    COST_WIDTH = 19,
    MIN_PLACE = 8,
    MIN_WIDTH = 60,
    MAX_WIDTH = 100,
    MAX_TEXTS = 3,
    MAX_FINDINGS = 6,
    MAX_RANGES = 8
};

// ---- words

static uint32_t number_of(const struct otter_job_finding *finding, const struct otter_job *job,
                          uint32_t share)
{
    return job->ranks.items[finding->ranks.items[share].rank].number;
}

// The shares are in order of their ranks.
static uint32_t end_of_range(const struct otter_job_finding *finding, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < finding->ranks.n &&
           finding->ranks.items[end].rank == finding->ranks.items[end - 1].rank + 1) {
        end++;
    }
    return end;
}

const char *otter_job_ranks_text(const struct otter_job_finding *finding,
                                 const struct otter_job *job, char text[OTTER_RANKS_TEXT])
{
    struct otter_sentence ranks = {.text = text, .size = OTTER_RANKS_TEXT};
    uint32_t n = finding->ranks.n;
    if (n == job->ranks.n && n > 1) {
        otter_sentence_add(&ranks, n == 2 ? "both" : "all %" PRIu32, n);
        otter_sentence_add(&ranks, " ranks");
        return text;
    }
    otter_sentence_add(&ranks, "rank%s", otter_plural(n));
    for (uint32_t i = 0, n_ranges = 0; i < n; n_ranges++) {
        uint32_t end = end_of_range(finding, i);
        if (n_ranges == MAX_RANGES) {
            otter_sentence_add(&ranks, " and %" PRIu32 " more", n - i);
            break;
        }
        otter_sentence_add(&ranks, "%s%" PRIu32, n_ranges > 0 ? ", " : " ",
                           number_of(finding, job, i));
        if (end > i + 1) {
            otter_sentence_add(&ranks, "-%" PRIu32, number_of(finding, job, end - 1));
        }
        i = end;
    }
    return text;
}

static void add_worst(struct otter_sentence *text, const struct otter_job_findings *findings,
                      const struct otter_job *job, const struct otter_job_finding *finding)
{
    char cost[OTTER_MAX_NUMBER], threads[40] = "";
    uint32_t rank = number_of(finding, job, finding->worst);
    const struct otter_job_share *worst = &finding->ranks.items[finding->worst];
    uint32_t n_threads = findings->loads.items[worst->rank].n_threads;
    otter_duration_text((double)worst->cost * findings->tick, cost);
    if (finding->ranks.n == 1) {
        return;
    }
    if (n_threads > 1) {
        snprintf(threads, sizeof threads, " of %" PRIu32 " threads", n_threads);
    }
    if (finding->of == OTTER_N_FINDINGS) {
        otter_sentence_add(text, "Rank %" PRIu32 " waits longest (%s%s). ", rank, cost, threads);
    } else if (finding->of == OTTER_FINDING_HIGH_WATER) {
        otter_sentence_add(text, "Highest in rank %" PRIu32 ". ", rank);
    } else {
        otter_sentence_add(text, "Most in rank %" PRIu32 " (%s%s). ", rank, cost, threads);
    }
}

static void add_gain(struct otter_sentence *text, const struct otter_job_findings *findings,
                     const struct otter_job_finding *finding)
{
    char gain[OTTER_MAX_NUMBER];
    otter_duration_text((double)finding->gain * findings->tick, gain);
    if (finding->has_gain && finding->gain > 0) {
        otter_sentence_add(text, " Without it, the job would take about %s (%.1f %%) less.", gain,
                           100 * (double)finding->gain / (double)findings->wall);
    } else if (finding->has_gain) {
        otter_sentence_add(text, " It is not on the critical path of the job.");
    }
}

const char *otter_job_finding_text(const struct otter_job_findings *findings,
                                   const struct otter_job *job,
                                   const struct otter_job_finding *finding,
                                   char text[OTTER_JOB_FINDING_TEXT])
{
    struct otter_sentence all = {.text = text, .size = OTTER_JOB_FINDING_TEXT};
    add_worst(&all, findings, job, finding);
    otter_sentence_add(&all, "%s", finding->text);
    add_gain(&all, findings, finding);
    return text;
}

// ---- text

// Prints the place and the ranks. Returns the columns used.
static int print_place(FILE *out, const struct otter_job *job,
                       const struct otter_job_finding *finding, int room)
{
    char text[OTTER_LABEL_SIZE], ranks[OTTER_RANKS_TEXT];
    int used = 0;
    otter_job_ranks_text(finding, job, ranks);
    bool has_ranks = finding->of != OTTER_N_FINDINGS;
    room -= has_ranks ? (int)strlen(ranks) + 2 : 0;
    if (finding->what) {
        snprintf(text, sizeof text, "%s%s%s", finding->what,
                 finding->where && *finding->where ? " " : "",
                 finding->where ? finding->where : "");
        otter_print(out, ": ");
        used +=
            2 + (int)otter_plain_print(out, text, (size_t)(room > MIN_PLACE ? room : MIN_PLACE));
    }
    if (has_ranks) {
        otter_print(out, ", %s", ranks);
        used += 2 + (int)strlen(ranks);
    }
    return used;
}

static void print_title(FILE *out, const struct otter_job_findings *findings,
                        const struct otter_job *job, struct otter_screen screen, uint32_t index)
{
    const struct otter_job_finding *finding = &findings->items[index];
    char cost[OTTER_MAX_NUMBER];
    int used = 4 + (int)strlen(finding->kind);
    otter_print(out, screen.has_bold ? "%2u. \033[1m%s\033[0m" : "%2u. %s", index + 1,
                finding->kind);
    used += print_place(out, job, finding, screen.width - COST_WIDTH - used - 2);
    int gap = screen.width - COST_WIDTH - used;
    if (finding->of == OTTER_FINDING_HIGH_WATER) {
        otter_print(out, "%*s %10s\n", gap > 0 ? gap : 0, "",
                    otter_size_text((double)finding->n, cost));
        return;
    }
    otter_print(out, "%*s %10s %5.1f %%\n", gap > 0 ? gap : 0, "",
                otter_duration_text((double)finding->cost * findings->tick, cost),
                100 * (double)finding->cost / (double)findings->total);
}

static bool has_start(const struct otter_job_findings *findings)
{
    return findings->n > 1 && findings->items[findings->n - 1].of == OTTER_FINDING_MPI_JOB;
}

void otter_job_findings_print(FILE *out, const struct otter_job_findings *findings,
                              const struct otter_job *job, struct otter_screen screen, bool is_all)
{
    char text[OTTER_JOB_FINDING_TEXT], total[OTTER_MAX_NUMBER];
    screen.width = screen.width < MIN_WIDTH   ? MIN_WIDTH
                   : screen.width > MAX_WIDTH ? MAX_WIDTH
                                              : screen.width;
    if (findings->n == 0) {
        otter_print(out, "No loss reaches %d %% of the thread time of all ranks.\n",
                    OTTER_FINDING_PERCENT);
        return;
    }
    otter_print(out, "findings, by thread time of all ranks (%s)%s\n",
                otter_duration_text((double)findings->total * findings->tick, total),
                has_start(findings) ? ", the start of the job last" : "");
    for (uint32_t i = 0; i < findings->n && (is_all || i < MAX_FINDINGS); i++) {
        print_title(out, findings, job, screen, i);
        if (is_all || i < MAX_TEXTS) {
            otter_print_wrapped_at(
                out, screen.width, 4,
                otter_job_finding_text(findings, job, &findings->items[i], text));
        }
    }
    if (!is_all && findings->n > MAX_TEXTS) {
        otter_print(out, "    The texts of all %" PRIu32 ": otter report --findings\n",
                    findings->n);
    }
}

// ---- JSON

static json_t *shares_json(const struct otter_job_findings *findings, const struct otter_job *job,
                           const struct otter_job_finding *finding)
{
    json_t *shares = json_array();
    for (uint32_t i = 0; i < finding->ranks.n; i++) {
        json_t *share = json_object();
        otter_json_set_number(share, "rank", number_of(finding, job, i));
        otter_json_set(share, "cost_s",
                       json_real((double)finding->ranks.items[i].cost * findings->tick));
        json_array_append_new(shares, share);
    }
    return shares;
}

static json_t *finding_json(const struct otter_job_findings *findings, const struct otter_job *job,
                            const struct otter_job_finding *finding)
{
    char text[OTTER_JOB_FINDING_TEXT];
    json_t *object = json_object();
    otter_json_set_text(object, "kind", finding->kind);
    otter_json_set(object, "cost_s", json_real((double)finding->cost * findings->tick));
    otter_json_set(object, "cost_percent",
                   json_real(100 * (double)finding->cost / (double)findings->total));
    if (finding->has_gain) {
        otter_json_set(object, "gain_s", json_real((double)finding->gain * findings->tick));
    }
    if (finding->has_gain && finding->of < OTTER_N_FINDINGS) {
        otter_json_set(object, "gain_at_most_s",
                       json_real((double)finding->at_most * findings->tick));
    }
    if (finding->what) {
        otter_json_set_text(object, "what", finding->what);
    }
    if (finding->where) {
        otter_json_set_text(object, "where", finding->where);
    }
    otter_json_set_number(object, "worst_rank", number_of(finding, job, finding->worst));
    otter_json_set(object, "ranks", shares_json(findings, job, finding));
    otter_json_set_text(object, "text", otter_job_finding_text(findings, job, finding, text));
    return object;
}

json_t *otter_job_findings_json(const struct otter_job_findings *findings,
                                const struct otter_job *job)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < findings->n; i++) {
        json_array_append_new(list, finding_json(findings, job, &findings->items[i]));
    }
    return list;
}
