// Findings on parallel regions: code outside of them, unequal members, the cost of forks.
#include "analysis/find.h"

static const double LEAST_IMBALANCE = 1.05; // of the busiest thread to the mean

// Whether the label is code outside of OpenMP's parallel regions.
static bool is_serial(const struct otter_search *search, uint32_t label)
{
    enum otter_construct construct =
        otter_definitions_construct(search->analysis->definitions, label);
    return construct == OTTER_CONSTRUCT_INITIAL_TASK || otter_construct_is_kernel(construct) ||
           construct == OTTER_CONSTRUCT_KOKKOS_REGION;
}

static void find_serial(struct otter_search *search)
{
    const struct otter_account *account = &search->analysis->account;
    uint32_t most = OTTER_NONE;
    for (uint32_t i = 0; i + 1 < account->n_labels; i++) {
        if (is_serial(search, i) && account->alone[i] > 0 &&
            (most == OTTER_NONE || account->alone[i] > account->alone[most])) {
            most = i;
        }
    }
    if (account->n_threads > 1) {
        otter_search_add(search,
                         (struct otter_finding){OTTER_FINDING_SERIAL, account->outside, most, 0,
                                                (double)account->outside / account->n_threads});
    }
}

static void find_imbalance(struct otter_search *search)
{
    const struct otter_region_uses *uses = &search->analysis->regions;
    for (uint32_t i = 0; i < uses->n; i++) {
        const struct otter_region_use *use = &uses->items[i];
        if (use->n_with_tasks * 2 > use->n || use->executing == 0) {
            continue;
        }
        double mean = (double)use->executing / (double)use->n_members;
        double busiest = (double)use->max_executing / (double)use->n / mean;
        if (busiest >= LEAST_IMBALANCE) {
            otter_search_add(search, (struct otter_finding){OTTER_FINDING_IMBALANCE, use->imbalance,
                                                            use->label, use->n, busiest});
            search->explained += use->imbalance;
        }
    }
}

static void find_forking(struct otter_search *search)
{
    const struct otter_analysis *analysis = search->analysis;
    const struct otter_region_use *most = NULL;
    for (uint32_t i = 0; i < analysis->regions.n; i++) {
        const struct otter_region_use *use = &analysis->regions.items[i];
        most = !most || use->n > most->n ? use : most;
    }
    otter_search_add(search,
                     (struct otter_finding){OTTER_FINDING_FORKING, analysis->account.forking,
                                            most ? most->label : OTTER_NONE, most ? most->n : 0,
                                            most ? (double)most->wall / (double)most->n : 0});
}

void otter_find_in_regions(struct otter_search *search)
{
    find_serial(search);
    find_imbalance(search);
    find_forking(search);
}
