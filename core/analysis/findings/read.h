// Reads an archive for reports and pictures: its labels, analysis and findings.
#pragma once

#include "analysis/findings/findings.h"
#include "graph/label.h"

// The results that a report needs from an archive. `also`, which may be NULL, is called for each
// event after the analysis has processed it; it returns false to skip the rest of the location.
struct otter_reading {
    struct otter_labels *labels;
    struct otter_analysis *analysis;
    struct otter_findings *findings;
    otter_event_function *also;
    void *user;
};

// Fills labels, analysis and findings. Labels have source lines, including those of kernel
// launches; regions with equal labels are merged (source/labels.h). Even after a failure, the
// caller calls otter_reading_finish, before it closes the archive.
//
// Time: n log n for n events. Memory: as for the analysis. *Errors*: OTTER_NO_MEMORY,
// OTTER_BAD_ARCHIVE; *complaint is a sentence with the reason.
enum otter_status otter_reading_init(const struct otter_reading *reading,
                                     struct otter_archive *archive,
                                     struct otter_complaint *complaint);
void otter_reading_finish(const struct otter_reading *reading);

// Like otter_reading_init, but fills only analysis and findings.
enum otter_status otter_reading_analyse(const struct otter_reading *reading,
                                        struct otter_archive *archive,
                                        struct otter_complaint *complaint);

// Warns about locations that cannot be read to their end; names the archive or rank.
void otter_reading_warn_of_damage(const struct otter_archive *archive);

// Sets *complaint to the sentence for OTTER_NO_MEMORY.
void otter_reading_complain_of_memory(const struct otter_archive *archive,
                                      struct otter_complaint *complaint);
