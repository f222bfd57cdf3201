// Writes JSON trace events: slices, flows, memory in use. Times are in microseconds.
#include "export/slice/flows.h"
#include "export/formats.h"
#include "export/slice/messages.h"
#include "export/remarks.h"
#include "graph/export/text.h"

struct chrome {
    const struct otter_conversion *conversion;
    FILE *out;
    uint64_t process;
};

// ---- parts of events

static void put_time(const struct chrome *chrome, const char *name, uint64_t ns)
{
    char digits[] = {'.', (char)('0' + ns / 100 % 10), (char)('0' + ns / 10 % 10),
                     (char)('0' + ns % 10), '\0'};
    otter_put(chrome->out, name);
    otter_put_number(chrome->out, (int64_t)(ns / 1000));
    otter_put(chrome->out, digits);
}

static void put_member(const struct chrome *chrome, const char *name, uint64_t value)
{
    otter_put(chrome->out, name);
    otter_put_number(chrome->out, (int64_t)value);
}

// Begins an event of a lane; lanes have the numbers 1, 2, ...
static void begin_event(struct chrome *chrome, const char *phase, uint32_t lane)
{
    struct otter_conversion_file *file = chrome->conversion->file;
    otter_put(chrome->out, file->has_item ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
    file->has_item = true;
    otter_put(chrome->out, phase);
    put_member(chrome, "\",\"pid\":", chrome->process);
    put_member(chrome, ",\"tid\":", (uint64_t)lane + 1);
}

// ---- metadata

static void put_metadata(struct chrome *chrome, uint32_t lane, const char *what, const char *text)
{
    begin_event(chrome, "M", lane);
    otter_put(chrome->out, ",\"name\":\"");
    otter_put(chrome->out, what);
    otter_put(chrome->out, "\",\"args\":{\"name\":");
    otter_put_json(chrome->out, text);
    otter_put(chrome->out, "}}");
}

static void put_lanes(struct chrome *chrome)
{
    const struct otter_view *view = chrome->conversion->view;
    char name[OTTER_PROCESS_NAME_SIZE];
    put_metadata(chrome, 0, "process_name",
                 otter_conversion_process_name(chrome->conversion, name));
    for (uint32_t i = 0; i < view->lanes.n; i++) {
        if (view->lanes.items[i].kind == OTTER_LANE_SECTIONS) {
            continue;
        }
        put_metadata(chrome, i, "thread_name", otter_lane_name(view, i));
        begin_event(chrome, "M", i);
        put_member(chrome, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":", i);
        otter_put(chrome->out, "}}");
    }
}

// ---- slices

static void put_task(const struct chrome *chrome, uint32_t index)
{
    char text[OTTER_TASK_ID_SIZE];
    if (otter_conversion_task(chrome->conversion, index, text)) {
        otter_put(chrome->out, ",\"args\":{\"task\":");
        otter_put_json(chrome->out, text);
        otter_put(chrome->out, "}");
    }
}

static void put_slice(void *user, const struct otter_stack_slice *slice)
{
    struct chrome *chrome = user;
    char text[OTTER_LABEL_SIZE];
    begin_event(chrome, "X", slice->lane);
    put_time(chrome, ",\"ts\":", slice->begin);
    put_time(chrome, ",\"dur\":", slice->end - slice->begin);
    otter_put(chrome->out, ",\"cat\":\"");
    otter_put(chrome->out, otter_category_name(slice->category));
    otter_put(chrome->out, "\",\"name\":");
    otter_put_json(chrome->out,
                   otter_conversion_name(chrome->conversion, slice->label, slice->category, text));
    put_task(chrome, slice->task);
    otter_put(chrome->out, "}");
}

// ---- flows

static const char ending[] = "f\",\"bp\":\"e"; // the phase of a flow's end

static void put_flow_end(struct chrome *chrome, const char *phase, uint32_t lane, uint64_t time,
                         enum otter_edge_kind kind, uint64_t id)
{
    begin_event(chrome, phase, lane);
    put_time(chrome, ",\"ts\":", time);
    put_member(chrome, ",\"id\":", id);
    otter_put(chrome->out, ",\"cat\":\"edge\",\"name\":\"");
    otter_put(chrome->out, otter_edge_kind_name(kind));
    otter_put(chrome->out, "\"}");
}

// Viewers draw a flow from the slice that contains its time, so the flow leaves a nanosecond before
// the slice ends.
static void put_flow(struct chrome *chrome, const struct otter_flows *flows, uint32_t from,
                     uint32_t e)
{
    const struct otter_view *view = chrome->conversion->view;
    const struct otter_graph *graph = view->analysis.graph;
    uint32_t to = flows->after[graph->edge_to[e]];
    uint64_t id = chrome->conversion->file->next_flow + e + 1;
    put_flow_end(chrome, "s", view->lanes.of_locations[graph->nodes[from].location],
                 flows->nodes[from].end - 1, graph->edge_kind[e], id);
    put_flow_end(chrome, ending, view->lanes.of_locations[graph->nodes[to].location],
                 flows->nodes[to].begin, graph->edge_kind[e], id);
}

static void put_flows(struct chrome *chrome)
{
    const struct otter_graph *graph = chrome->conversion->view->analysis.graph;
    struct otter_flows flows;
    otter_flows_init(&flows, chrome->conversion->view);
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t k = flows.leaving.first[i]; k < flows.leaving.first[i + 1]; k++) {
            put_flow(chrome, &flows, i, flows.leaving.edges[k]);
        }
    }
    otter_flows_finish(&flows);
    chrome->conversion->file->next_flow += graph->n_edges;
}

// A message belongs to the slices of the sending and the receiving call.
static void put_message(struct chrome *chrome, const struct otter_message_end *end)
{
    const struct otter_view *view = chrome->conversion->view;
    uint32_t lane = view->lanes.of_locations[end->location];
    uint64_t time =
        otter_view_ns(view, otter_view_ticks(view, end->is_send ? end->begin : end->end));
    if (lane != OTTER_NONE) {
        put_flow_end(chrome, end->is_send ? "s" : ending, lane, time - !end->is_send,
                     OTTER_EDGE_MESSAGE, end->flow);
    }
}

static void put_messages(struct chrome *chrome)
{
    const struct otter_message_ends *ends = chrome->conversion->file->messages;
    for (uint32_t i = 0; ends && i < ends->n; i++) {
        put_message(chrome, &ends->items[i]);
    }
}

// ---- memory

static void put_samples(struct chrome *chrome)
{
    const struct otter_view *view = chrome->conversion->view;
    for (uint32_t i = 0; i < view->events.samples.n; i++) {
        const struct otter_memory_sample *sample = &view->events.samples.items[i];
        begin_event(chrome, "C", 0);
        put_time(chrome, ",\"ts\":", otter_view_ns(view, otter_view_ticks(view, sample->time)));
        otter_put(chrome->out, ",\"name\":");
        otter_put_json(chrome->out, view->definitions->metrics[sample->metric].name);
        put_member(chrome, ",\"args\":{\"bytes\":", sample->in_use);
        otter_put(chrome->out, "}}");
    }
}

// ---- remarks

static void put_remark_event(struct chrome *chrome, const struct otter_remark *remark,
                             const char *phase, uint64_t time)
{
    begin_event(chrome, phase, 0);
    put_time(chrome, ",\"ts\":", time);
    otter_put(chrome->out, ",\"cat\":\"");
    otter_put(chrome->out, otter_remark_kind_name(remark->kind));
    otter_put(chrome->out, "\",\"name\":");
    otter_put_json(chrome->out, remark->text);
}

// Sections of different ranks have different numbers.
static uint64_t section_of(const struct chrome *chrome, const struct otter_remark *remark)
{
    return (uint64_t)chrome->conversion->file->n_ranks << 32 | remark->row;
}

// A section is a pair of asynchronous events, which may overlap; the others are instants. Pauses
// are slices.
static void put_remark(void *user, const struct otter_remark *remark)
{
    struct chrome *chrome = user;
    if (remark->kind == OTTER_REMARK_SECTION) {
        put_remark_event(chrome, remark, "b", remark->begin);
        put_member(chrome, ",\"id\":", section_of(chrome, remark));
        otter_put(chrome->out, "}");
        put_remark_event(chrome, remark, "e", remark->end);
        put_member(chrome, ",\"id\":", section_of(chrome, remark));
        otter_put(chrome->out, "}");
    } else if (remark->kind != OTTER_REMARK_PAUSE) {
        put_remark_event(chrome, remark, "i", remark->begin);
        otter_put(chrome->out, ",\"s\":\"p\"}");
    }
}

void otter_convert_to_chrome(const struct otter_conversion *conversion)
{
    struct chrome chrome = {.conversion = conversion,
                            .out = conversion->out,
                            .process = otter_conversion_process(conversion)};
    if (conversion->file->n_ranks == 0) {
        otter_put(chrome.out,
                  "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"otter " OTTER_VERSION
                  "\"},\"traceEvents\":[");
    }
    put_lanes(&chrome);
    otter_stacks_each(conversion->view,
                      &(struct otter_stack_sink){.open = put_slice, .user = &chrome});
    put_flows(&chrome);
    put_messages(&chrome);
    put_samples(&chrome);
    otter_remarks_each(conversion, put_remark, &chrome);
}

void otter_end_chrome(struct otter_conversion_file *file)
{
    otter_put(file->out, "\n]}\n");
}
