// Adds findings of a job.
#include <stdlib.h>
#include <string.h>

#include "report/job/job_findings.h"

struct otter_job_finding *otter_job_finding_add(struct otter_job_findings *findings,
                                                const char *kind, const char *text)
{
    OTTER_VECTOR_APPEND(findings, (struct otter_job_finding){
                                      .kind = kind, .of = OTTER_N_FINDINGS, .text = strdup(text)});
    return &findings->items[findings->n - 1];
}

void otter_job_finding_add_share(struct otter_job_finding *entry, uint32_t rank, uint64_t cost)
{
    if (cost > 0) {
        OTTER_VECTOR_APPEND(&entry->ranks, (struct otter_job_share){rank, cost});
    }
}
