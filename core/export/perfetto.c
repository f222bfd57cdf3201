// Writes a trace of Perfetto: packets with track events. perfetto/trace/*.proto defines the fields.
#include "export/formats.h"
#include "export/slice/flows.h"
#include "export/slice/messages.h"
#include "export/encode/packets.h"
#include "export/remarks.h"

enum {
    INTERNED_CATEGORIES = 1,
    INTERNED_NAMES = 2,
    INTERNED_ANNOTATIONS = 3,

    DESCRIPTOR_UUID = 1,
    DESCRIPTOR_NAME = 2,
    DESCRIPTOR_PROCESS = 3,
    DESCRIPTOR_THREAD = 4,
    DESCRIPTOR_PARENT = 5,
    DESCRIPTOR_COUNTER = 8,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    THREAD_PID = 1,
    THREAD_TID = 2,
    THREAD_NAME = 5,
    COUNTER_UNIT = 3,
    UNIT_BYTES = 3,

    EVENT_CATEGORY = 3,
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME = 10,
    EVENT_TRACK = 11,
    EVENT_CATEGORY_TEXT = 22,
    EVENT_NAME_TEXT = 23,
    EVENT_COUNTER = 30,
    EVENT_FLOW = 47,
    EVENT_LAST_FLOW = 48,
    TYPE_BEGIN = 1,
    TYPE_END = 2,
    TYPE_INSTANT = 3,
    TYPE_COUNTER = 4,
    ANNOTATION_NAME = 1,
    ANNOTATION_TEXT = 6,

    UUID_PROCESS = 1, // added to the first number of the rank (first_uuid)
    // one for each lane, then one for each metric, then one for each row of sections
    UUID_LANES = 2,
    ANNOTATION_TASK = 1,
};

struct perfetto {
    const struct otter_conversion *conversion;
    struct otter_flows flows;
    struct otter_packets packets;
};

// ---- packets

// Returns the first number of a rank's tracks.
static uint64_t first_uuid(const struct perfetto *perfetto)
{
    return (uint64_t)perfetto->conversion->file->n_ranks << 40;
}

static void end_event(struct perfetto *perfetto, uint64_t time)
{
    otter_proto_number(&perfetto->packets.packet, OTTER_PACKET_TIMESTAMP, time);
    otter_packets_end(&perfetto->packets, OTTER_PACKET_TRACK_EVENT, OTTER_PACKET_NEEDS_INTERNED);
}

// ---- names

// Returns the number of a slice's name: 1, 2, ... for labels, then one for each category.
static uint64_t name_of(const struct perfetto *perfetto, uint32_t label,
                        enum otter_category category)
{
    uint64_t n_labels = otter_view_n_labels(perfetto->conversion->view) + 1;
    bool has_label = category <= OTTER_CATEGORY_LOCK || category == OTTER_CATEGORY_MPI;
    return has_label ? (uint64_t)label + 1 : n_labels + 1 + category;
}

// Defines all names, in the first packet.
static void put_names(struct perfetto *perfetto)
{
    const struct otter_conversion *conversion = perfetto->conversion;
    char text[OTTER_LABEL_SIZE];
    for (unsigned i = 0; i < OTTER_N_CATEGORIES; i++) {
        otter_packets_intern(&perfetto->packets, INTERNED_CATEGORIES, i + 1,
                             otter_category_name((enum otter_category)i));
    }
    for (uint32_t i = 0; i <= otter_view_n_labels(conversion->view); i++) {
        enum otter_category category = OTTER_CATEGORY_EXECUTING;
        otter_packets_intern(&perfetto->packets, INTERNED_NAMES, name_of(perfetto, i, category),
                             otter_conversion_name(conversion, i, category, text));
    }
    for (unsigned i = OTTER_CATEGORY_LOCK + 1; i < OTTER_N_CATEGORIES; i++) {
        otter_packets_intern(&perfetto->packets, INTERNED_NAMES,
                             name_of(perfetto, 0, (enum otter_category)i),
                             otter_conversion_name(conversion, 0, (enum otter_category)i, text));
    }
    otter_packets_intern(&perfetto->packets, INTERNED_ANNOTATIONS, ANNOTATION_TASK, "task");
    otter_packets_end(&perfetto->packets, OTTER_PACKET_INTERNED, OTTER_PACKET_CLEARED);
}

// ---- tracks

static void put_lane(struct perfetto *perfetto, uint32_t index)
{
    const struct otter_view *view = perfetto->conversion->view;
    const struct otter_lane *lane = &view->lanes.items[index];
    const char *name = otter_lane_name(view, index);
    otter_proto_number(&perfetto->packets.body, DESCRIPTOR_UUID,
                       first_uuid(perfetto) + UUID_LANES + index);
    if (lane->kind != OTTER_LANE_THREAD) {
        otter_proto_number(&perfetto->packets.body, DESCRIPTOR_PARENT,
                           first_uuid(perfetto) + UUID_PROCESS);
        otter_proto_text(&perfetto->packets.body, DESCRIPTOR_NAME, name);
    } else {
        otter_proto_number(&perfetto->packets.part, THREAD_PID,
                           otter_conversion_process(perfetto->conversion));
        otter_proto_number(&perfetto->packets.part, THREAD_TID, (uint64_t)index + 1);
        otter_proto_text(&perfetto->packets.part, THREAD_NAME, name);
        otter_packets_end_part(&perfetto->packets, DESCRIPTOR_THREAD);
    }
    otter_packets_end(&perfetto->packets, OTTER_PACKET_DESCRIPTOR, 0);
}

static uint64_t uuid_of_metric(const struct perfetto *perfetto, uint32_t metric)
{
    return first_uuid(perfetto) + UUID_LANES + perfetto->conversion->view->lanes.n + metric;
}

static void put_counter(struct perfetto *perfetto, uint32_t metric)
{
    otter_proto_number(&perfetto->packets.body, DESCRIPTOR_UUID, uuid_of_metric(perfetto, metric));
    otter_proto_number(&perfetto->packets.body, DESCRIPTOR_PARENT,
                       first_uuid(perfetto) + UUID_PROCESS);
    otter_proto_text(&perfetto->packets.body, DESCRIPTOR_NAME,
                     perfetto->conversion->view->definitions->metrics[metric].name);
    otter_proto_number(&perfetto->packets.part, COUNTER_UNIT, UNIT_BYTES);
    otter_packets_end_part(&perfetto->packets, DESCRIPTOR_COUNTER);
    otter_packets_end(&perfetto->packets, OTTER_PACKET_DESCRIPTOR, 0);
}

static uint64_t uuid_of_sections(const struct perfetto *perfetto, uint32_t row)
{
    uint32_t n_metrics = (uint32_t)perfetto->conversion->view->definitions->n_metrics;
    return uuid_of_metric(perfetto, n_metrics) + row;
}

// Slices of a track must not overlap, so each row of sections has its own track.
static void put_sections(struct perfetto *perfetto, uint32_t lane)
{
    const struct otter_view *view = perfetto->conversion->view;
    for (uint32_t row = 1; row < view->lanes.items[lane].n_rows; row++) {
        otter_proto_number(&perfetto->packets.body, DESCRIPTOR_UUID,
                           uuid_of_sections(perfetto, row));
        otter_proto_number(&perfetto->packets.body, DESCRIPTOR_PARENT,
                           first_uuid(perfetto) + UUID_PROCESS);
        otter_proto_text(&perfetto->packets.body, DESCRIPTOR_NAME, otter_lane_name(view, lane));
        otter_packets_end(&perfetto->packets, OTTER_PACKET_DESCRIPTOR, 0);
    }
}

static void put_tracks(struct perfetto *perfetto)
{
    const struct otter_view *view = perfetto->conversion->view;
    otter_proto_number(&perfetto->packets.body, DESCRIPTOR_UUID,
                       first_uuid(perfetto) + UUID_PROCESS);
    otter_proto_number(&perfetto->packets.part, PROCESS_PID,
                       otter_conversion_process(perfetto->conversion));
    char name[OTTER_PROCESS_NAME_SIZE];
    otter_proto_text(&perfetto->packets.part, PROCESS_NAME,
                     otter_conversion_process_name(perfetto->conversion, name));
    otter_packets_end_part(&perfetto->packets, DESCRIPTOR_PROCESS);
    otter_packets_end(&perfetto->packets, OTTER_PACKET_DESCRIPTOR, 0);
    for (uint32_t i = 0; i < view->lanes.n; i++) {
        if (view->lanes.items[i].kind == OTTER_LANE_SECTIONS) {
            put_sections(perfetto, i);
        } else {
            put_lane(perfetto, i);
        }
    }
    for (uint32_t i = 0; i < view->definitions->n_metrics; i++) {
        if (*view->definitions->metrics[i].space) {
            put_counter(perfetto, i);
        }
    }
}

// ---- events

static void begin_event(struct perfetto *perfetto, uint64_t type, uint64_t track)
{
    otter_proto_number(&perfetto->packets.body, EVENT_TYPE, type);
    otter_proto_number(&perfetto->packets.body, EVENT_TRACK, track);
}

static void put_task(struct perfetto *perfetto, uint32_t index)
{
    char text[OTTER_TASK_ID_SIZE];
    if (otter_conversion_task(perfetto->conversion, index, text)) {
        otter_proto_number(&perfetto->packets.part, ANNOTATION_NAME, ANNOTATION_TASK);
        otter_proto_text(&perfetto->packets.part, ANNOTATION_TEXT, text);
        otter_packets_end_part(&perfetto->packets, EVENT_ANNOTATION);
    }
}

static void put_flows(struct perfetto *perfetto, const struct otter_flow_list *list, uint32_t node,
                      uint32_t field)
{
    for (uint32_t i = list->first[node]; i < list->first[node + 1]; i++) {
        otter_proto_fixed64(&perfetto->packets.body, field,
                            perfetto->conversion->file->next_flow + list->edges[i] + 1);
    }
}

// *Returns* the first message of the call that begins, or ends, with the slice.
static uint32_t first_message(const struct perfetto *perfetto,
                              const struct otter_stack_slice *slice, bool at_begin)
{
    const struct otter_view *view = perfetto->conversion->view;
    const struct otter_message_ends *ends = perfetto->conversion->file->messages;
    uint32_t location = view->lanes.items[slice->lane].location;
    uint64_t time = at_begin ? slice->begin : slice->end;
    uint32_t first = 0, end = ends->n;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        const struct otter_message_end *message = &ends->items[middle];
        uint64_t own =
            otter_view_ns(view, otter_view_ticks(view, at_begin ? message->begin : message->end));
        if (message->location < location || (message->location == location && own < time)) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

// Puts the messages of an MPI call: sends at the start of its slice, receives at its end. Viewers
// require a flow to begin before it ends, and a call may wait for a message that is sent later.
static void put_messages(struct perfetto *perfetto, const struct otter_stack_slice *slice,
                         bool at_begin)
{
    const struct otter_view *view = perfetto->conversion->view;
    const struct otter_message_ends *ends = perfetto->conversion->file->messages;
    if (!ends || slice->category != OTTER_CATEGORY_MPI) {
        return;
    }
    uint32_t location = view->lanes.items[slice->lane].location;
    uint64_t time = at_begin ? slice->begin : slice->end;
    for (uint32_t i = first_message(perfetto, slice, at_begin); i < ends->n; i++) {
        const struct otter_message_end *end = &ends->items[i];
        uint64_t tick = at_begin ? end->begin : end->end;
        if (end->location != location ||
            otter_view_ns(view, otter_view_ticks(view, tick)) != time) {
            return;
        }
        if (end->is_send == at_begin) {
            otter_proto_fixed64(&perfetto->packets.body, at_begin ? EVENT_FLOW : EVENT_LAST_FLOW,
                                end->flow);
        }
    }
}

static void open_slice(void *user, const struct otter_stack_slice *slice)
{
    struct perfetto *perfetto = user;
    begin_event(perfetto, TYPE_BEGIN, first_uuid(perfetto) + UUID_LANES + slice->lane);
    otter_proto_number(&perfetto->packets.body, EVENT_CATEGORY, (uint64_t)slice->category + 1);
    otter_proto_number(&perfetto->packets.body, EVENT_NAME,
                       name_of(perfetto, slice->label, slice->category));
    put_task(perfetto, slice->task);
    if (slice->node != OTTER_NONE) {
        const struct otter_flow_node *node = &perfetto->flows.nodes[slice->node];
        if (slice->begin == node->begin) {
            put_flows(perfetto, &perfetto->flows.reaching, slice->node, EVENT_LAST_FLOW);
        }
        if (slice->begin == node->last_begin) {
            put_flows(perfetto, &perfetto->flows.leaving, slice->node, EVENT_FLOW);
        }
    }
    put_messages(perfetto, slice, true);
    end_event(perfetto, slice->begin);
}

static void close_slice(void *user, const struct otter_stack_slice *slice)
{
    struct perfetto *perfetto = user;
    begin_event(perfetto, TYPE_END, first_uuid(perfetto) + UUID_LANES + slice->lane);
    put_messages(perfetto, slice, false);
    end_event(perfetto, slice->end);
}

static void put_samples(struct perfetto *perfetto)
{
    const struct otter_view *view = perfetto->conversion->view;
    for (uint32_t i = 0; i < view->events.samples.n; i++) {
        const struct otter_memory_sample *sample = &view->events.samples.items[i];
        begin_event(perfetto, TYPE_COUNTER, uuid_of_metric(perfetto, sample->metric));
        otter_proto_number(&perfetto->packets.body, EVENT_COUNTER, sample->in_use);
        end_event(perfetto, otter_view_ns(view, otter_view_ticks(view, sample->time)));
    }
}

// ---- remarks

static void put_remark_event(struct perfetto *perfetto, const struct otter_remark *remark,
                             uint64_t type)
{
    bool is_section = remark->kind == OTTER_REMARK_SECTION;
    begin_event(perfetto, type,
                is_section ? uuid_of_sections(perfetto, remark->row)
                           : first_uuid(perfetto) + UUID_PROCESS);
    otter_proto_text(&perfetto->packets.body, EVENT_CATEGORY_TEXT,
                     otter_remark_kind_name(remark->kind));
    otter_proto_text(&perfetto->packets.body, EVENT_NAME_TEXT, remark->text);
    end_event(perfetto, type == TYPE_END ? remark->end : remark->begin);
}

// Pauses are slices.
static void put_remark(void *user, const struct otter_remark *remark)
{
    if (remark->kind == OTTER_REMARK_SECTION) {
        put_remark_event(user, remark, TYPE_BEGIN);
        put_remark_event(user, remark, TYPE_END);
    } else if (remark->kind != OTTER_REMARK_PAUSE) {
        put_remark_event(user, remark, TYPE_INSTANT);
    }
}

void otter_convert_to_perfetto(const struct otter_conversion *conversion)
{
    struct perfetto perfetto = {
        .conversion = conversion,
        .packets = {.out = conversion->out, .sequence = (uint64_t)conversion->file->n_ranks + 1}};
    otter_flows_init(&perfetto.flows, conversion->view);
    put_names(&perfetto);
    put_tracks(&perfetto);
    otter_stacks_each(
        conversion->view,
        &(struct otter_stack_sink){.open = open_slice, .close = close_slice, .user = &perfetto});
    put_samples(&perfetto);
    otter_remarks_each(conversion, put_remark, &perfetto);
    otter_perfetto_put_samples(conversion, &perfetto.packets);
    conversion->file->next_flow += conversion->view->analysis.graph->n_edges;
    otter_flows_finish(&perfetto.flows);
    otter_packets_finish(&perfetto.packets);
}
