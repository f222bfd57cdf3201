// Names in the tables of a report.
#include <stdio.h>
#include <string.h>

#include "report/form/analysis.h"
#include "trace/schema.h"

const char *otter_report_wait_name(enum otter_construct construct)
{
    switch (construct) {
    case OTTER_CONSTRUCT_BARRIER_WORKSHARE: return "!$omp implicit barrier (worksharing)";
    case OTTER_CONSTRUCT_BARRIER_PARALLEL: return "!$omp implicit barrier (parallel)";
    case OTTER_CONSTRUCT_BARRIER_TEAMS: return "!$omp implicit barrier (teams)";
    case OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION: return "!$omp implicit barrier (runtime)";
    default: return otter_construct_name(construct);
    }
}

const char *otter_report_label(const struct otter_report *report, uint32_t region,
                               char text[OTTER_LABEL_SIZE])
{
    const struct otter_labels *labels = report->labels;
    if (!otter_label_is_known(labels, region)) {
        snprintf(text, OTTER_LABEL_SIZE, OTTER_NO_LABEL);
        return text;
    }
    const struct otter_label *label = otter_label_of(labels, region);
    otter_label_text(label, text, OTTER_LABEL_SIZE);
    size_t used = strlen(text);
    if (label->note) {
        snprintf(text + used, OTTER_LABEL_SIZE - used, ", %s", label->note);
    }
    return *text ? text : OTTER_NO_LABEL;
}
