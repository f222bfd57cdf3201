// Fills the tables of a job's critical path: by label, by rank, step by step.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "report/job/job_path.h"
#include "report/table/table_fill.h"

static double seconds(const struct otter_job_path *path, uint64_t ticks)
{
    return (double)ticks * path->tick;
}

static double wall_of(const struct otter_job_path *path)
{
    return seconds(path, path->job->end - path->job->begin);
}

enum { RANK_SIZE = 16 };

static const char *rank_name(uint32_t number, char text[RANK_SIZE])
{
    snprintf(text, RANK_SIZE, "rank %" PRIu32, number);
    return text;
}

static double rank_text(struct otter_sheet *table, uint32_t number)
{
    char text[RANK_SIZE];
    return otter_sheet_text(table, rank_name(number, text));
}

// ---- by label

struct sums {
    uint64_t *ticks; // of each rank and each label
    uint32_t n_labels, n_ranks;
};

static uint64_t *sum_at(const struct sums *sums, uint32_t label, uint32_t rank)
{
    return &sums->ticks[(size_t)rank * sums->n_labels + label];
}

void otter_job_path_add_up(const struct otter_job_path *path, uint32_t stay, uint64_t *ticks)
{
    for (uint32_t k = 0; k < path->chains[stay].links.n; k++) {
        const struct otter_chain_link *link = &path->chains[stay].links.items[k];
        uint64_t all = 0, own = otter_chain_link_ticks(link);
        for (unsigned r = 0; r < OTTER_N_CHAIN_REASONS; r++) {
            all += link->ticks[r];
        }
        if (link->label < path->labels.n) {
            ticks[link->label] += own;
        }
        ticks[path->labels.n] += link->label < path->labels.n ? all - own : all;
    }
}

const char *otter_job_path_text(const struct otter_job_path *path, uint32_t label)
{
    return label < path->labels.n ? path->labels.items[label] : "(between tasks)";
}

static void add_label(const struct otter_job_path *path, struct otter_sheet *table,
                      const struct sums *sums, uint32_t label, const double *ranks)
{
    uint64_t sum = 0;
    uint32_t most = 0, n = 0;
    for (uint32_t r = 0; r < sums->n_ranks; r++) {
        uint64_t ticks = *sum_at(sums, label, r);
        most = ticks > *sum_at(sums, label, most) ? r : most;
        n += ticks > 0;
        sum += ticks;
    }
    if (sum == 0) {
        return;
    }
    double of_most = (double)*sum_at(sums, label, most);
    double values[] = {seconds(path, sum),   otter_percent(seconds(path, sum), wall_of(path)),
                       ranks[most],          otter_percent(of_most, (double)sum),
                       of_most * path->tick, n};
    otter_sheet_add(table, otter_job_path_text(path, label), values);
}

static void fill_labels(const struct otter_job_path *path, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"realised_s", "realised", OTTER_COLUMN_SECONDS},
        {"realised_percent", "share", OTTER_COLUMN_PERCENT},
        {"rank", "most on", OTTER_COLUMN_TEXT},
        {"rank_percent", "of label", OTTER_COLUMN_PERCENT},
        {"rank_s", "there", OTTER_COLUMN_SECONDS},
        {"ranks", "ranks", OTTER_COLUMN_COUNT},
    };
    OTTER_SET_COLUMNS(table, "label", columns);
    struct sums sums = {.n_labels = path->labels.n + 1, .n_ranks = path->job->ranks.n};
    sums.ticks = calloc((size_t)sums.n_labels * sums.n_ranks + 1, sizeof *sums.ticks);
    double *ranks = malloc((sums.n_ranks + 1) * sizeof *ranks);
    for (uint32_t r = 0; r < sums.n_ranks; r++) {
        ranks[r] = rank_text(table, path->job->ranks.items[r].number);
    }
    for (uint32_t i = 0; i < path->job->stays.n; i++) {
        otter_job_path_add_up(path, i, sum_at(&sums, 0, path->job->stays.items[i].rank));
    }
    for (uint32_t i = 0; i < sums.n_labels; i++) {
        add_label(path, table, &sums, i, ranks);
    }
    free(sums.ticks);
    free(ranks);
    otter_sheet_sort(table, 0);
}

// ---- by rank

// Returns the rank that delayed this rank most.
static double because_of(const struct otter_job_path *path, struct otter_sheet *table,
                         const struct otter_job_rank *rank)
{
    return rank->because_of != OTTER_NONE
               ? rank_text(table, path->job->ranks.items[rank->because_of].number)
               : NAN;
}

void otter_job_path_fill_ranks(const struct otter_job_path *path, uint32_t first, uint32_t end,
                               struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"on_path_s", "on path", OTTER_COLUMN_SECONDS},
        {"on_path_percent", "share", OTTER_COLUMN_PERCENT},
        {"others_waited_s", "others waited", OTTER_COLUMN_SECONDS},
        {"because_of", "because of", OTTER_COLUMN_TEXT},
        {"root_cause_s", "root cause", OTTER_COLUMN_SECONDS},
        {"late_senders_s", "late senders", OTTER_COLUMN_SECONDS},
        {"last_arrivals_s", "last arrivals", OTTER_COLUMN_SECONDS},
        {"late_receivers_s", "late receivers", OTTER_COLUMN_SECONDS},
        {"waits", "waits", OTTER_COLUMN_COUNT},
    };
    OTTER_SET_COLUMNS(table, "rank", columns);
    for (uint32_t r = first; r < end; r++) {
        const struct otter_job_rank *rank = &path->job->ranks.items[r];
        uint64_t caused = 0, n_waits = 0, root = 0;
        for (unsigned i = 0; i < OTTER_N_CAUSES; i++) {
            caused += rank->caused[i];
            root += rank->root_cause[i];
            n_waits += rank->n_waits[i];
        }
        double values[] = {seconds(path, rank->on_path),
                           otter_percent(seconds(path, rank->on_path), wall_of(path)),
                           seconds(path, caused),
                           because_of(path, table, rank),
                           seconds(path, root),
                           seconds(path, rank->waited[OTTER_CAUSE_SENDER]),
                           seconds(path, rank->waited[OTTER_CAUSE_ARRIVAL]),
                           seconds(path, rank->waited[OTTER_CAUSE_RECEIVER]),
                           (double)n_waits};
        char text[RANK_SIZE];
        otter_sheet_add(table, rank_name(rank->number, text), values);
    }
    otter_sheet_sort(table, 0);
}

static void fill_ranks(const struct otter_job_path *path, struct otter_sheet *table)
{
    otter_job_path_fill_ranks(path, 0, path->job->ranks.n, table);
}

// ---- step by step

// All links sorted by time. The label of a link includes its rank, so that a sequence repeats only
// with the same ranks.
static void join_chains(const struct otter_job_path *path, struct otter_chain *all)
{
    for (uint32_t i = path->job->stays.n; i-- > 0;) {
        uint32_t rank = path->job->stays.items[i].rank;
        for (uint32_t k = 0; k < path->chains[i].links.n; k++) {
            struct otter_chain_link link = path->chains[i].links.items[k];
            uint32_t label = link.label < path->labels.n ? link.label : path->labels.n;
            link.label = rank * (path->labels.n + 1) + label;
            OTTER_VECTOR_APPEND(&all->links, link);
        }
    }
    if (!path->is_full) {
        otter_chain_fold(all);
    }
}

static void add_link(const struct otter_job_path *path, struct otter_sheet *table,
                     const struct otter_chain_link *link, const double *reasons, double several)
{
    uint32_t label = link->label % (path->labels.n + 1), rank = link->label / (path->labels.n + 1);
    double number = rank_text(table, path->job->ranks.items[rank].number);
    double thread = link->has_others ? several
                    : link->location < path->threads.n
                        ? otter_sheet_text(table, path->threads.items[link->location])
                        : NAN;
    for (unsigned i = 0; i < OTTER_N_CHAIN_REASONS; i++) {
        double values[] = {seconds(path, link->begin[i] - path->job->begin),
                           seconds(path, link->ticks[i]),
                           reasons[i],
                           number,
                           (double)link->n[i],
                           thread};
        if (link->n[i] > 0) {
            otter_sheet_add(table, label < path->labels.n ? path->labels.items[label] : "-",
                            values);
        }
    }
}

static int compare_begins(const void *a, const void *b)
{
    const struct otter_row *x = a, *y = b;
    return OTTER_BY_1(x, y, values[0]);
}

static void fill_chain(const struct otter_job_path *path, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"begin_s", "begin", OTTER_COLUMN_SECONDS},
        {"duration_s", "duration", OTTER_COLUMN_SECONDS},
        {"reason", "reason", OTTER_COLUMN_TEXT},
        {"rank", "rank", OTTER_COLUMN_TEXT},
        {"steps", "steps", OTTER_COLUMN_COUNT},
        {"thread", "thread", OTTER_COLUMN_TEXT},
    };
    OTTER_SET_COLUMNS(table, "label", columns);
    struct otter_chain all = {0};
    join_chains(path, &all);
    double reasons[OTTER_N_CHAIN_REASONS], several = otter_sheet_text(table, "several");
    for (unsigned i = 0; i < OTTER_N_CHAIN_REASONS; i++) {
        reasons[i] = otter_sheet_text(table, otter_chain_reason_name((enum otter_chain_reason)i));
    }
    for (uint32_t i = 0; i < all.links.n; i++) {
        add_link(path, table, &all.links.items[i], reasons, several);
    }
    otter_chain_finish(&all);
    OTTER_SORT(&table->rows, compare_begins);
}

// ---- all

const struct otter_job_table *otter_job_table_of(const char *option)
{
    static const struct otter_job_table tables[] = {
        {"critical-path", fill_labels},
        {"critical-path=ranks", fill_ranks},
        {"critical-path=chain", fill_chain},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (strcmp(tables[i].option, option) == 0) {
            return &tables[i];
        }
    }
    return NULL;
}
