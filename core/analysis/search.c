// Adds findings that are worth their cost.
#include "analysis/search.h"

bool otter_search_is_worth(const struct otter_search *search, uint64_t cost)
{
    return (double)cost * 100 >= (double)search->analysis->account.total * OTTER_FINDING_PERCENT;
}

void otter_search_add_anyway(struct otter_search *search, struct otter_finding finding)
{
    struct otter_findings *findings = search->findings;
    if (OTTER_VECTOR_RESERVE(findings)) {
        findings->items[findings->n++] = finding;
    } else {
        search->is_short_of_memory = true;
    }
}

void otter_search_add(struct otter_search *search, struct otter_finding finding)
{
    if (otter_search_is_worth(search, finding.cost)) {
        otter_search_add_anyway(search, finding);
    }
}

bool otter_search_contains_kernel(const struct otter_search *search, uint32_t label)
{
    return search->kernels && label < search->analysis->definitions->n_regions &&
           search->kernels[label];
}

uint64_t otter_search_unexplained(const struct otter_search *search)
{
    uint64_t no_work = search->analysis->account.no_work;
    return no_work > search->explained ? no_work - search->explained : 0;
}

uint64_t otter_search_unexplained_outside(const struct otter_search *search)
{
    uint64_t outside = search->analysis->account.outside;
    return outside > search->explained_outside ? outside - search->explained_outside : 0;
}
