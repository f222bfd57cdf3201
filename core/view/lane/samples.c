// Reads the samples of an archive and finds the slices around them.
#include "view/lane/samples.h"

void otter_view_samples_init(struct otter_view_samples *samples, const struct otter_view *view)
{
    *samples = (struct otter_view_samples){0};
    if (view->definitions->n_contexts > 0) {
        otter_samples_read(&samples->all, &view->analysis);
        otter_frames_init(&samples->frames, view->definitions, &view->labels);
    }
}

void otter_view_samples_finish(struct otter_view_samples *samples)
{
    otter_samples_finish(&samples->all);
    otter_frames_finish(&samples->frames);
}

uint32_t otter_sample_lane(const struct otter_view *view, const struct otter_sample *sample)
{
    const struct otter_timeline *timeline = &view->analysis.timeline;
    return sample->line < timeline->n_lines
               ? view->lanes.of_locations[timeline->lines[sample->line].location]
               : OTTER_NONE;
}

struct walk {
    const struct otter_view *view;
    const struct otter_samples *samples;
    uint32_t next; // the first sample that was not yet passed to `use`
    otter_sample_function *use;
    void *user;
};

// Passes on the samples of earlier lanes, and those of the slice's lane before `time`.
static void pass(struct walk *walk, const struct otter_slice *slice, uint64_t time,
                 const struct otter_slice *around)
{
    for (; walk->next < walk->samples->n; walk->next++) {
        const struct otter_sample *sample = &walk->samples->items[walk->next];
        uint32_t lane = otter_sample_lane(walk->view, sample);
        bool is_earlier = lane < slice->lane || (lane == slice->lane &&
                                                 otter_view_ticks(walk->view, sample->time) < time);
        if (!is_earlier) {
            return;
        }
        bool is_inside = lane == slice->lane && sample->time >= walk->view->first;
        walk->use(walk->user, walk->next, is_inside ? around : NULL);
    }
}

static void add_slice(void *user, const struct otter_slice *slice)
{
    struct walk *walk = user;
    if (slice->row == 0 && walk->view->lanes.items[slice->lane].kind == OTTER_LANE_THREAD) {
        pass(walk, slice, slice->begin, NULL);
        pass(walk, slice, slice->end, slice);
    }
}

void otter_samples_each(const struct otter_view *view, const struct otter_samples *samples,
                        otter_sample_function *use, void *user)
{
    struct walk walk = {.view = view, .samples = samples, .use = use, .user = user};
    if (samples->n == 0) {
        return;
    }
    otter_slices_each(view, add_slice, &walk);
    for (; walk.next < samples->n; walk.next++) {
        use(user, walk.next, NULL);
    }
}
