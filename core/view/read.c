// Reads an archive: its analysis, labels, findings and lanes.
#include "view/read.h"

#include "analysis/detail/locks.h"
#include "analysis/detail/loops.h"
#include "analysis/findings/read.h"
#include "view/lane/sections.h"

// Each event is read once for all parts of the page.
bool otter_view_add(void *user, const struct otter_event *event)
{
    struct otter_view *view = user;
    return (!view->drawing || otter_builder_add(view->drawing, event)) &&
           (!view->loop_walk || otter_loop_walk_add(view->loop_walk, event)) &&
           (!view->lock_walk || otter_lock_walk_add(view->lock_walk, event)) &&
           otter_view_events_add(&view->events, event);
}

static struct otter_reading reading_of(struct otter_view *view)
{
    return (struct otter_reading){&view->labels, &view->analysis, &view->findings, otter_view_add,
                                  view};
}

void otter_view_begin(struct otter_view *view, struct otter_archive *archive)
{
    view->archive = archive;
    view->definitions = otter_archive_definitions(archive);
    otter_view_events_init(&view->events, view->definitions);
    if (view->is_page) {
        view->loop_walk = otter_loop_walk_create(view->definitions);
        view->lock_walk = otter_lock_walk_create(view->definitions);
        view->drawing = otter_builder_create(view->definitions, OTTER_VIEW_STRUCTURE);
    }
}

void otter_view_end(struct otter_view *view)
{
    view->first = view->analysis.timeline.begin;
    view->last = view->analysis.timeline.end;
    view->begin = view->job ? view->job->begin : view->first;
    view->end = view->job ? view->job->end : view->last;
    otter_view_events_end(&view->events);
    otter_sections_add(&view->events);
    otter_lanes_init(view);
}

enum otter_status otter_view_read(struct otter_view *view, struct otter_archive *archive,
                                  struct otter_complaint *complaint)
{
    struct otter_reading reading = reading_of(view);
    otter_view_begin(view, archive);
    enum otter_status status = otter_reading_init(&reading, archive, complaint);
    if (!status) {
        otter_view_end(view);
    }
    return status;
}

void otter_view_finish_own(struct otter_view *view)
{
    otter_builder_destroy(view->drawing);
    otter_loop_walk_destroy(view->loop_walk);
    otter_lock_walk_destroy(view->lock_walk);
    view->drawing = NULL;
    view->loop_walk = NULL;
    view->lock_walk = NULL;
    otter_lanes_finish(&view->lanes);
    otter_view_events_finish(&view->events);
}

void otter_view_finish(struct otter_view *view)
{
    struct otter_reading reading = reading_of(view);
    otter_view_finish_own(view);
    otter_reading_finish(&reading);
}
