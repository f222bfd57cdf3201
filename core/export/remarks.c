// Lists the remarks of an archive.
#include "export/remarks.h"

#include "base/text/number.h"

struct listing {
    const struct otter_conversion *conversion;
    otter_remark_function *use;
    void *user;
};

const char *otter_remark_kind_name(enum otter_remark_kind kind)
{
    switch (kind) {
    case OTTER_REMARK_MARKER: return "marker";
    case OTTER_REMARK_LOSS: return "loss";
    case OTTER_REMARK_STOP: return "stop";
    case OTTER_REMARK_PAUSE: return "pause";
    case OTTER_REMARK_SECTION: return "section";
    }
    return "";
}

// Passes a remark whose start and end are ticks of the archive.
static void add(const struct listing *listing, struct otter_remark remark)
{
    const struct otter_view *view = listing->conversion->view;
    remark.begin = otter_view_ns(view, otter_view_ticks(view, remark.begin));
    remark.end = otter_view_ns(view, otter_view_ticks(view, remark.end));
    remark.end = remark.end > remark.begin ? remark.end : remark.begin;
    listing->use(listing->user, &remark);
}

static void add_markers(const struct listing *listing)
{
    const struct otter_definitions *definitions = listing->conversion->view->definitions;
    for (size_t i = 0; i < definitions->n_markers; i++) {
        const struct otter_marker *marker = &definitions->markers[i];
        add(listing, (struct otter_remark){.kind = OTTER_REMARK_MARKER,
                                           .lane = OTTER_NONE,
                                           .begin = marker->time,
                                           .end = marker->time,
                                           .text = *marker->text ? marker->text : marker->category,
                                           .severity = otter_severity_name(marker->severity)});
    }
}

static void add_losses(const struct listing *listing)
{
    const struct otter_view *view = listing->conversion->view;
    const char *losing = "OTTER::LOSING", *stopped = "OTTER::STOPPED_AT";
    char number[OTTER_MAX_NUMBER], text[OTTER_MAX_NUMBER + 20];
    struct otter_remark remark = {.kind = OTTER_REMARK_LOSS, .lane = OTTER_NONE, .text = text};
    if (view->analysis.n_lost > 0) {
        snprintf(text, sizeof text, "%s events are lost",
                 otter_number_text(view->analysis.n_lost, number));
        bool is_known = otter_archive_property(view->archive, losing) != NULL;
        remark.begin = is_known ? otter_archive_number(view->archive, losing) : view->begin;
        remark.end = view->end;
        add(listing, remark);
    }
    remark.kind = OTTER_REMARK_STOP;
    if (otter_archive_property(view->archive, stopped)) {
        remark.begin = remark.end = otter_archive_number(view->archive, stopped);
        remark.text = "the recording stopped";
        add(listing, remark);
    }
    if (view->analysis.is_cut_off) {
        remark.begin = remark.end = view->end;
        remark.text = "the recording was cut off";
        add(listing, remark);
    }
}

static void add_pauses(const struct listing *listing)
{
    const struct otter_view *view = listing->conversion->view;
    const struct otter_timeline *timeline = &view->analysis.timeline;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        for (uint32_t k = 0; k < line->intervals.n; k++) {
            if (line->intervals.items[k].state == OTTER_STATE_PAUSED) {
                add(listing, (struct otter_remark){.kind = OTTER_REMARK_PAUSE,
                                                   .lane = i,
                                                   .begin = line->intervals.items[k].begin,
                                                   .end = otter_interval_end(timeline, line, k),
                                                   .text = "paused"});
            }
        }
    }
}

static void add_sections(const struct listing *listing)
{
    const struct otter_view_events *events = &listing->conversion->view->events;
    char text[OTTER_LABEL_SIZE];
    for (uint32_t i = events->first_section; i < events->bars.n; i++) {
        const struct otter_bar *bar = &events->bars.items[i];
        add(listing,
            (struct otter_remark){
                .kind = OTTER_REMARK_SECTION,
                .lane = OTTER_NONE,
                .row = bar->row,
                .begin = bar->begin,
                .end = bar->end,
                .text = otter_report_label(&listing->conversion->report, bar->region, text),
            });
    }
}

void otter_remarks_each(const struct otter_conversion *conversion, otter_remark_function *use,
                        void *user)
{
    struct listing listing = {conversion, use, user};
    add_markers(&listing);
    add_losses(&listing);
    add_pauses(&listing);
    add_sections(&listing);
}
