// Writes a speedscope file: a profile for each lane, with starts and ends of slices, and a profile
// with the samples of each thread.
#include <stdlib.h>

#include "export/formats.h"
#include "graph/export/text.h"
#include "graph/numbers.h"
#include "view/table/calls.h"
#include "view/table/flame.h"

struct samples {
    struct otter_view_samples all;
    struct otter_calls calls;
    struct otter_flame flame; // paths of creation
    uint32_t *states;         // of each sample: frame of the state; OTTER_NONE: a path, or none
};

struct speedscope {
    const struct otter_conversion *conversion;
    FILE *out;
    uint32_t lane; // OTTER_NONE: none so far
    bool has_event;
    uint64_t first_frame; // first frame number of the rank
    struct samples samples;
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

static void put_function_frames(const struct otter_conversion *conversion,
                                const struct otter_view_samples *samples)
{
    struct otter_conversion_file *file = conversion->file;
    for (uint32_t i = 0; i < samples->frames.texts.n; i++) {
        otter_put(file->frames, ",\n{\"name\":");
        otter_put_json(file->frames, otter_calls_name(samples, i));
        otter_put(file->frames, "}");
        file->next_frame++;
    }
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

static void put_lane_name(const struct otter_conversion *conversion, uint32_t lane,
                          const char *ending)
{
    char rank[32] = "", text[OTTER_PROCESS_NAME_SIZE];
    if (conversion->file->has_ranks) {
        snprintf(rank, sizeof rank, "rank %llu: ", (unsigned long long)conversion->rank);
    }
    snprintf(text, sizeof text, "%s%s%s", rank, otter_lane_name(conversion->view, lane), ending);
    otter_put_json(conversion->out, text);
}

static void begin_profile(const struct otter_conversion *conversion, const char *type)
{
    otter_put(conversion->out, conversion->file->has_item ? ",\n" : "\n");
    conversion->file->has_item = true;
    otter_put(conversion->out, "{\"type\":\"");
    otter_put(conversion->out, type);
    otter_put(conversion->out, "\",\"name\":");
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
        begin_profile(speedscope->conversion, "evented");
        put_lane_name(speedscope->conversion, lane, "");
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

// ---- samples

static void note_state(void *user, uint32_t index, const struct otter_slice *slice)
{
    struct speedscope *speedscope = user;
    enum otter_category category = slice ? otter_category_of(slice->state) : OTTER_N_CATEGORIES;
    if (slice && !otter_state_is_idle(slice->state) && slice->state != OTTER_STATE_EXECUTING) {
        speedscope->samples.states[index] =
            (uint32_t)frame_of(speedscope->conversion, slice->construct, category);
    }
}

static void read_samples(struct speedscope *speedscope)
{
    const struct otter_view *view = speedscope->conversion->view;
    struct samples *samples = &speedscope->samples;
    otter_view_samples_init(&samples->all, view);
    otter_calls_init(&samples->calls, &samples->all, false, UINT32_MAX);
    otter_flame_init(&samples->flame, view, &samples->all.all);
    samples->states = otter_numbers_create(samples->all.all.n);
    otter_samples_each(view, &samples->all.all, note_state, speedscope);
}

static void finish_samples(struct samples *samples)
{
    otter_flame_finish(&samples->flame);
    otter_calls_finish(&samples->calls);
    otter_view_samples_finish(&samples->all);
    free(samples->states);
}

static void put_frame(const struct speedscope *speedscope, uint64_t frame, bool *has_frame)
{
    otter_put(speedscope->out, *has_frame ? "," : "");
    otter_put_number(speedscope->out, (int64_t)(speedscope->first_frame + frame));
    *has_frame = true;
}

// Puts the frames of a sample: the path of creation or the state, then the functions.
static void put_sample(const struct speedscope *speedscope, uint32_t index)
{
    const struct samples *samples = &speedscope->samples;
    const struct otter_flame *flame = &samples->flame;
    const struct otter_conversion *conversion = speedscope->conversion;
    uint64_t first_function = frame_of(conversion, 0, OTTER_N_CATEGORIES);
    uint32_t node = flame->of_samples[index];
    uint32_t call = otter_calls_node(&samples->calls, &samples->all.all.items[index]);
    bool has_frame = false;
    otter_put(speedscope->out, "[");
    for (uint32_t depth = 1; node != OTTER_NONE && depth <= flame->items[node].depth; depth++) {
        uint32_t above = otter_flame_above(flame, node, depth);
        put_frame(speedscope, flame->items[above].label, &has_frame);
    }
    if (samples->states[index] != OTTER_NONE) {
        put_frame(speedscope, samples->states[index], &has_frame);
    }
    const uint32_t *path = otter_calls_path(&samples->calls, call);
    for (uint32_t i = 0; i < samples->calls.items[call].depth; i++) {
        put_frame(speedscope, first_function + samples->calls.items[path[i]].function, &has_frame);
    }
    otter_put(speedscope->out, "]");
}

// Puts the samples of a thread from number `first` to before `end`. Without a known rate, a sample
// weighs 1.
static void put_thread(const struct speedscope *speedscope, uint32_t lane, uint32_t first,
                       uint32_t end)
{
    FILE *out = speedscope->out;
    int64_t period = (int64_t)(speedscope->samples.all.all.period * 1e9 + 0.5);
    int64_t weight = period > 0 ? period : 1;
    begin_profile(speedscope->conversion, "sampled");
    put_lane_name(speedscope->conversion, lane, ", samples");
    otter_put(out, period > 0 ? ",\"unit\":\"nanoseconds\"" : ",\"unit\":\"none\"");
    otter_put(out, ",\"startValue\":0,\"endValue\":");
    otter_put_number(out, weight * (int64_t)(end - first));
    otter_put(out, ",\"samples\":[");
    for (uint32_t i = first; i < end; i++) {
        otter_put(out, i > first ? ",\n" : "\n");
        put_sample(speedscope, i);
    }
    otter_put(out, "],\"weights\":[");
    for (uint32_t i = first; i < end; i++) {
        otter_put(out, i > first ? "," : "");
        otter_put_number(out, weight);
    }
    otter_put(out, "]}");
}

static void put_samples(const struct speedscope *speedscope)
{
    const struct otter_view *view = speedscope->conversion->view;
    const struct otter_samples *samples = &speedscope->samples.all.all;
    for (uint32_t i = 0, end; i < samples->n; i = end) {
        uint32_t lane = otter_sample_lane(view, &samples->items[i]);
        end = i + 1;
        while (end < samples->n && samples->items[end].line == samples->items[i].line) {
            end++;
        }
        if (lane != OTTER_NONE) {
            put_thread(speedscope, lane, i, end);
        }
    }
}

// ---- the file

static void begin_file(const struct otter_conversion *conversion)
{
    otter_put(conversion->out,
              "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
              "\"exporter\":\"otter " OTTER_VERSION "\",\"name\":");
    otter_put_json(conversion->out, otter_conversion_title(conversion));
    otter_put(conversion->out, ",\n\"profiles\":[");
}

void otter_convert_to_speedscope(const struct otter_conversion *conversion)
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
    put_frames(conversion);
    read_samples(&speedscope);
    put_function_frames(conversion, &speedscope.samples.all);
    otter_stacks_each(
        conversion->view,
        &(struct otter_stack_sink){.open = open_slice, .close = close_slice, .user = &speedscope});
    begin_lane(&speedscope, OTTER_NONE);
    put_samples(&speedscope);
    finish_samples(&speedscope.samples);
}

void otter_end_speedscope(struct otter_conversion_file *file)
{
    fflush(file->frames);
    otter_put(file->out, "],\n\"shared\":{\"frames\":[");
    otter_put(file->out, file->frames_text);
    otter_put(file->out, "]}}\n");
}
