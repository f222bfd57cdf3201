// Reads an archive: its analysis, labels, findings and lanes.
#include "view/read.h"

#include <stdio.h>

#include "report/labels.h"

// Errors without a text of their own are those of memory.
static void complain_of_memory(const struct otter_view *view, struct otter_complaint *complaint)
{
    snprintf(complaint->text, sizeof complaint->text, "not enough memory to show '%s'",
             view->definitions->folder);
}

enum otter_status otter_view_read(struct otter_view *view, struct otter_archive *archive,
                                  struct otter_complaint *complaint)
{
    view->archive = archive;
    view->definitions = otter_archive_definitions(archive);
    complain_of_memory(view, complaint);
    otter_view_events_init(&view->events, view->definitions);
    enum otter_status status = otter_labels_read(&view->labels, archive);
    status = status ? status
                    : otter_analysis_init_beside(&view->analysis, archive, otter_view_events_add,
                                                 &view->events, complaint);
    if (status) {
        return status;
    }
    view->begin = view->analysis.timeline.begin;
    view->end = view->analysis.timeline.end;
    status = otter_view_events_end(&view->events);
    if (!status) {
        otter_kernel_uses_set_lines(&view->analysis.kernels, &view->labels);
    }
    status = status ? status : otter_findings_init(&view->findings, &view->analysis);
    status = status ? status : otter_lanes_init(view);
    complain_of_memory(view, complaint);
    return status;
}

void otter_view_finish(struct otter_view *view)
{
    otter_lanes_finish(&view->lanes);
    otter_findings_finish(&view->findings);
    otter_labels_finish(&view->labels);
    otter_view_events_finish(&view->events);
    otter_analysis_finish(&view->analysis);
}
