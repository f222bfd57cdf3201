// Reads labels, analysis and findings of an archive.
#include "report/read.h"

#include <stdio.h>

#include "report/labels.h"

// Errors without a text of their own are those of memory.
void otter_reading_complain_of_memory(const struct otter_archive *archive,
                                      struct otter_complaint *complaint)
{
    snprintf(complaint->text, sizeof complaint->text, "not enough memory to analyse '%s'",
             otter_archive_definitions(archive)->folder);
}

enum otter_status otter_reading_analyse(const struct otter_reading *reading,
                                        struct otter_archive *archive,
                                        struct otter_complaint *complaint)
{
    *reading->findings = (struct otter_findings){0};
    otter_reading_complain_of_memory(archive, complaint);
    enum otter_status status = otter_analysis_init_beside(reading->analysis, archive, reading->also,
                                                          reading->user, complaint);
    if (status) {
        return status;
    }
    otter_reading_complain_of_memory(archive, complaint);
    return otter_findings_init(reading->findings, reading->analysis);
}

enum otter_status otter_reading_init(const struct otter_reading *reading,
                                     struct otter_archive *archive,
                                     struct otter_complaint *complaint)
{
    *reading->labels = (struct otter_labels){0};
    *reading->analysis = (struct otter_analysis){0};
    *reading->findings = (struct otter_findings){0};
    otter_reading_complain_of_memory(archive, complaint);
    enum otter_status status = otter_labels_read(reading->labels, archive);
    status = status ? status : otter_reading_analyse(reading, archive, complaint);
    if (!status) {
        otter_kernel_uses_set_lines(&reading->analysis->kernels, reading->labels);
    }
    return status;
}

void otter_reading_finish(const struct otter_reading *reading)
{
    otter_findings_finish(reading->findings);
    otter_analysis_finish(reading->analysis);
    if (reading->labels) {
        otter_labels_finish(reading->labels);
    }
}
