// Writes a speedscope file: a profile for each lane, with starts and ends of slices.
#include "export/formats.h"
#include "graph/export/text.h"

struct speedscope {
    const struct otter_conversion *conversion;
    FILE *out;
    uint32_t lane; // OTTER_NONE: none so far
    bool has_event;
    uint64_t first_frame; // first frame number of the rank
};

// Returns the frame of a slice: 0, 1, ... for labels, then one for each category.
static uint64_t frame_of(const struct otter_conversion *conversion, uint32_t label,
                         enum otter_category category)
{
    uint64_t n_labels = otter_view_n_labels(conversion->view) + 1;
    return category <= OTTER_CATEGORY_LOCK ? label : n_labels + category;
}

// Begins a frame. Frames are written after all profiles, since only then are the frames of all
// ranks known.
static void put_name(const struct otter_conversion *conversion, uint32_t label,
                     enum otter_category category)
{
    char text[OTTER_LABEL_SIZE];
    struct otter_conversion_file *file = conversion->file;
    otter_put(file->frames, file->next_frame++ > 0 ? ",\n" : "\n");
    otter_put(file->frames, "{\"name\":");
    otter_put_json(file->frames, otter_conversion_name(conversion, label, category, text));
}

static void put_frames(const struct otter_conversion *conversion)
{
    FILE *out = conversion->file->frames;
    uint32_t n = otter_view_n_labels(conversion->view);
    for (uint32_t i = 0; i <= n; i++) {
        const struct otter_label *label = otter_label_of(&conversion->view->labels, i);
        put_name(conversion, i, OTTER_CATEGORY_EXECUTING);
        if (i < n && *label->file && label->line > 0) {
            otter_put(out, ",\"file\":");
            otter_put_json(out, label->file);
            otter_put(out, ",\"line\":");
            otter_put_number(out, label->line);
        }
        otter_put(out, "}");
    }
    for (unsigned i = 0; i < OTTER_N_CATEGORIES; i++) {
        put_name(conversion, n, (enum otter_category)i);
        otter_put(out, "}");
    }
}

static void put_lane_name(const struct otter_conversion *conversion, uint32_t lane)
{
    char text[OTTER_PROCESS_NAME_SIZE];
    const char *name = otter_lane_name(conversion->view, lane);
    snprintf(text, sizeof text, "rank %llu: %s", (unsigned long long)conversion->rank, name);
    otter_put_json(conversion->out, conversion->file->has_ranks ? text : name);
}

// Ends the previous lane's profile, and begins the profile of `lane` unless it is OTTER_NONE.
static void begin_lane(struct speedscope *speedscope, uint32_t lane)
{
    const struct otter_view *view = speedscope->conversion->view;
    FILE *out = speedscope->out;
    if (speedscope->lane != OTTER_NONE) {
        otter_put(out, "]}");
    }
    if (lane != OTTER_NONE) {
        otter_put(out, speedscope->conversion->file->has_item ? ",\n" : "\n");
        speedscope->conversion->file->has_item = true;
        otter_put(out, "{\"type\":\"evented\",\"name\":");
        put_lane_name(speedscope->conversion, lane);
        otter_put(out, ",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":");
        otter_put_number(out, (int64_t)otter_view_ns(view, view->end - view->begin));
        otter_put(out, ",\"events\":[");
    }
    speedscope->lane = lane;
    speedscope->has_event = false;
}

static void put_event(struct speedscope *speedscope, const struct otter_stack_slice *slice,
                      const char *type, uint64_t time)
{
    FILE *out = speedscope->out;
    otter_put(out, speedscope->has_event ? ",\n{\"type\":\"" : "\n{\"type\":\"");
    otter_put(out, type);
    otter_put(out, "\",\"at\":");
    otter_put_number(out, (int64_t)time);
    otter_put(out, ",\"frame\":");
    otter_put_number(out,
                     (int64_t)(speedscope->first_frame +
                               frame_of(speedscope->conversion, slice->label, slice->category)));
    otter_put(out, "}");
    speedscope->has_event = true;
}

static void open_slice(void *user, const struct otter_stack_slice *slice)
{
    struct speedscope *speedscope = user;
    if (slice->lane != speedscope->lane) {
        begin_lane(speedscope, slice->lane);
    }
    put_event(speedscope, slice, "O", slice->begin);
}

static void close_slice(void *user, const struct otter_stack_slice *slice)
{
    put_event(user, slice, "C", slice->end);
}

static void begin_file(const struct otter_conversion *conversion)
{
    otter_put(conversion->out,
              "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
              "\"exporter\":\"otter " OTTER_VERSION "\",\"name\":");
    otter_put_json(conversion->out, otter_conversion_title(conversion));
    otter_put(conversion->out, ",\n\"profiles\":[");
}

enum otter_status otter_convert_to_speedscope(const struct otter_conversion *conversion)
{
    struct otter_conversion_file *file = conversion->file;
    struct speedscope speedscope = {.conversion = conversion,
                                    .out = conversion->out,
                                    .lane = OTTER_NONE,
                                    .first_frame = file->next_frame};
    if (file->n_ranks == 0) {
        file->frames = open_memstream(&file->frames_text, &file->frames_size);
        begin_file(conversion);
    }
    if (!file->frames) {
        return OTTER_NO_MEMORY;
    }
    put_frames(conversion);
    otter_stacks_each(
        conversion->view,
        &(struct otter_stack_sink){.open = open_slice, .close = close_slice, .user = &speedscope});
    begin_lane(&speedscope, OTTER_NONE);
    return ferror(file->frames) ? OTTER_NO_MEMORY : OTTER_OK;
}

void otter_end_speedscope(struct otter_conversion_file *file)
{
    fflush(file->frames);
    otter_put(file->out, "],\n\"shared\":{\"frames\":[");
    otter_put(file->out, file->frames_text);
    otter_put(file->out, "]}}\n");
}
