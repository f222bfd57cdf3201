// Adds findings of a job.
#include <stdlib.h>
#include <string.h>

#include "report/job/job_findings.h"

struct otter_job_finding *otter_job_finding_add(struct otter_job_findings *findings,
                                                const char *kind, const char *text)
{
    findings->is_short_of_memory |= !OTTER_VECTOR_RESERVE(findings);
    if (findings->is_short_of_memory) {
        return NULL;
    }
    struct otter_job_finding *entry = &findings->items[findings->n++];
    *entry = (struct otter_job_finding){.kind = kind, .of = OTTER_N_FINDINGS, .text = strdup(text)};
    findings->is_short_of_memory |= !entry->text;
    return entry;
}

void otter_job_finding_add_share(struct otter_job_findings *findings,
                                 struct otter_job_finding *entry, uint32_t rank, uint64_t cost)
{
    if (cost == 0) {
        return;
    }
    findings->is_short_of_memory |=
        !OTTER_VECTOR_ADD(&entry->ranks, (struct otter_job_share){rank, cost});
}
