// Labels the steps of a job's critical path, rank by rank.
#include "report/job/job_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/strings.h"
#include "graph/numbers.h"

// ---- texts

static void init_texts(struct otter_job_texts *texts)
{
    bool is_new;
    texts->numbers = otter_strings_create();
    otter_strings_intern(texts->numbers, "", &is_new);
}

static void finish_texts(struct otter_job_texts *texts)
{
    for (uint32_t i = 0; i < texts->n; i++) {
        free(texts->items[i]);
    }
    free(texts->items);
    otter_strings_destroy(texts->numbers);
}

// *Returns* the index of the text; OTTER_NONE for "".
static uint32_t intern(struct otter_job_texts *texts, const char *text)
{
    bool is_new;
    uint32_t number = otter_strings_intern(texts->numbers, text, &is_new);
    if (is_new) {
        OTTER_VECTOR_APPEND(texts, strdup(text));
    }
    return number > 0 ? number - 1 : OTTER_NONE;
}

// ---- begin and end

void otter_job_path_init(struct otter_job_path *path, const struct otter_job *job, bool is_full)
{
    *path = (struct otter_job_path){.job = job, .is_full = is_full};
    path->chains = calloc(job->stays.n + (size_t)1, sizeof *path->chains);
    init_texts(&path->labels);
    init_texts(&path->threads);
}

void otter_job_path_finish(struct otter_job_path *path)
{
    for (uint32_t i = 0; i < path->job->stays.n; i++) {
        otter_chain_finish(&path->chains[i]);
    }
    free(path->chains);
    finish_texts(&path->labels);
    finish_texts(&path->threads);
    *path = (struct otter_job_path){0};
}

// ---- the texts of a rank

// The texts of a rank's regions and locations, looked up once.
struct names {
    struct otter_job_path *path;
    const struct otter_report *report;
    uint32_t *of_regions, *of_locations;
};

static uint32_t label_of(const struct names *names, uint32_t region)
{
    char text[OTTER_LABEL_SIZE];
    if (region == OTTER_NONE) {
        return OTTER_NONE;
    }
    region = otter_account_label(&names->report->analysis->account, region);
    if (names->of_regions[region] == OTTER_NONE) {
        names->of_regions[region] =
            intern(&names->path->labels, otter_report_label(names->report, region, text));
    }
    return names->of_regions[region];
}

static uint32_t thread_of(const struct names *names, uint32_t location)
{
    const struct otter_definitions *definitions = names->report->analysis->definitions;
    if (location >= definitions->n_locations) {
        return OTTER_NONE;
    }
    if (names->of_locations[location] == OTTER_NONE) {
        names->of_locations[location] =
            intern(&names->path->threads, definitions->locations[location].name);
    }
    return names->of_locations[location];
}

// ---- steps

static void add_stay(const struct names *names, const struct otter_way_back *way, uint32_t stay)
{
    struct otter_job_path *path = names->path;
    struct otter_chain *chain = &path->chains[stay];
    struct otter_realised realised = {0};
    otter_realised_add(&realised, way, path->job->stays.items[stay].way);
    otter_chain_add_steps(chain, names->report->analysis, &realised, !path->is_full);
    otter_realised_finish(&realised);
    for (uint32_t i = 0; i < chain->links.n; i++) {
        struct otter_chain_link *link = &chain->links.items[i];
        link->label = label_of(names, link->label);
        link->location = thread_of(names, link->location);
    }
}

static void add_stays(const struct names *names, uint32_t rank)
{
    const struct otter_analysis *analysis = names->report->analysis;
    struct otter_way_back way;
    otter_way_back_init(&way, analysis->graph, &analysis->pieces, &analysis->ready);
    const struct otter_job *job = names->path->job;
    for (uint32_t i = 0; i < job->stays.n; i++) {
        if (job->stays.items[i].rank == rank) {
            add_stay(names, &way, i);
        }
    }
    otter_way_back_finish(&way);
}

void otter_job_path_add(struct otter_job_path *path, const struct otter_report *report,
                        uint32_t rank)
{
    const struct otter_definitions *definitions = report->analysis->definitions;
    struct names names = {path, report, otter_numbers_create(report->analysis->account.n_labels),
                          otter_numbers_create(definitions->n_locations)};
    path->tick = report->analysis->tick;
    add_stays(&names, rank);
    free(names.of_regions);
    free(names.of_locations);
}

// ---- labels

const char *otter_job_path_label(const struct otter_job_path *path, uint32_t rank)
{
    uint64_t *ticks = calloc(path->labels.n + 1, sizeof *ticks);
    uint32_t most = 0;
    for (uint32_t i = 0; i < path->job->stays.n; i++) {
        const struct otter_chain *chain = &path->chains[i];
        for (uint32_t k = 0; k < chain->links.n; k++) {
            const struct otter_chain_link *link = &chain->links.items[k];
            if (path->job->stays.items[i].rank == rank && link->label < path->labels.n) {
                ticks[link->label] += otter_chain_link_ticks(link);
                most = ticks[link->label] > ticks[most] ? link->label : most;
            }
        }
    }
    bool is_found = ticks[most] > 0;
    free(ticks);
    return is_found ? path->labels.items[most] : NULL;
}
