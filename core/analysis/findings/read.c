// Reads labels, analysis and findings of an archive.
#include "analysis/findings/read.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/time/between.h"
#include "base/log.h"
#include "base/text/print.h"
#include "base/text/visible.h"
#include "source/labels.h"

void otter_reading_warn_of_damage(const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    const char *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < definitions->n_locations; i++) {
        const char *damage = definitions->locations[i].damage;
        first = first ? first : damage;
        n += damage != NULL;
    }
    if (n > 0) {
        char *word = otter_visible_word(definitions->folder);
        otter_warning("'%s': %zu of %zu location%s cannot be read completely; the first: %s; for "
                      "details: otter check %s",
                      definitions->folder, n, definitions->n_locations,
                      otter_plural(definitions->n_locations), first,
                      word ? word : definitions->folder);
        free(word);
    }
}

// An error without a sentence of its own means that memory ran out.
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
    struct otter_analysis_extras extras = {.also = reading->also, .user = reading->user};
    enum otter_status status = otter_analysis_init(reading->analysis, archive, &extras, complaint);
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
    OTTER_THEN(status, otter_reading_analyse(reading, archive, complaint));
    OTTER_THEN(status, otter_betweens_name(&reading->analysis->timeline, reading->labels));
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
