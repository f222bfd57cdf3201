// Looks for each kind of finding in the numbers of an analysis.
#include "analysis/findings.h"

#include <stdlib.h>

#include "analysis/find.h"

static int by_cost(const void *a, const void *b)
{
    const struct otter_finding *x = a, *y = b;
    if (x->cost != y->cost) {
        return x->cost > y->cost ? -1 : 1;
    }
    return x->kind != y->kind ? (int)x->kind - (int)y->kind
                              : (x->region > y->region) - (x->region < y->region);
}

enum otter_status otter_findings_init(struct otter_findings *findings,
                                      const struct otter_analysis *analysis)
{
    *findings = (struct otter_findings){.wait.region = OTTER_NONE};
    struct otter_search search = {.analysis = analysis,
                                  .findings = findings,
                                  .explained_outside = analysis->account.beside_mpi};
    otter_find_in_kokkos(&search);
    otter_find_in_regions(&search);
    otter_find_in_waits(&search);
    otter_find_order(&search);
    otter_find_grain(&search);
    otter_find_in_tasks(&search);
    free(search.kernels);
    free(search.inner);
    if (search.is_short_of_memory) {
        otter_findings_finish(findings);
        return OTTER_NO_MEMORY;
    }
    if (findings->n > 1) {
        qsort(findings->items, findings->n, sizeof *findings->items, by_cost);
    }
    return OTTER_OK;
}

void otter_findings_finish(struct otter_findings *findings)
{
    free(findings->items);
    *findings = (struct otter_findings){0};
}

const char *otter_finding_name(enum otter_finding_kind kind)
{
    static const char *const names[OTTER_N_FINDINGS] = {
        [OTTER_FINDING_SERIAL] = "serial code",
        [OTTER_FINDING_IMBALANCE] = "imbalance",
        [OTTER_FINDING_SMALL_TASKS] = "small tasks",
        [OTTER_FINDING_CREATOR] = "slow creator",
        [OTTER_FINDING_CHAIN] = "chain",
        [OTTER_FINDING_RAMP] = "ramp",
        [OTTER_FINDING_TIED] = "tied tasks",
        [OTTER_FINDING_DELAY] = "delay",
        [OTTER_FINDING_LOCK] = "lock",
        [OTTER_FINDING_BARRIER] = "barrier",
        [OTTER_FINDING_FENCE] = "fence",
        [OTTER_FINDING_COPY] = "copy",
        [OTTER_FINDING_FORKING] = "forking",
        [OTTER_FINDING_UNDEFERRED] = "undeferred tasks",
        [OTTER_FINDING_LATE] = "late workers",
        [OTTER_FINDING_ALONE] = "one-thread region",
        [OTTER_FINDING_ORDER] = "dependences",
        [OTTER_FINDING_MIGRATION] = "untied migrations",
        [OTTER_FINDING_SMALL_KERNELS] = "small kernels",
        [OTTER_FINDING_ALLOCATION] = "allocation",
        [OTTER_FINDING_HIGH_WATER] = "high water",
        [OTTER_FINDING_CROWDED] = "oversubscription",
        [OTTER_FINDING_MPI] = "MPI",
        [OTTER_FINDING_MPI_JOB] = "MPI job",
    };
    return kind < OTTER_N_FINDINGS ? names[kind] : "unknown";
}
