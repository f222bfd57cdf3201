// Writes the grouped graph as JSON.
#include "report/form/json.h"
#include "view/index.h"

// Sets a length in pixels, rounded.
static void set_pixels(json_t *object, const char *name, double value)
{
    otter_json_set(object, name, json_integer((json_int_t)(value + 0.5)));
}

static void set_index(json_t *object, const char *name, uint32_t index)
{
    otter_json_set(object, name, json_integer(index == OTTER_NONE ? -1 : (json_int_t)index));
}

static void set_box(json_t *object, const struct otter_box *box)
{
    set_pixels(object, "x", box->x);
    set_pixels(object, "y", box->y);
    set_pixels(object, "w", box->width);
    set_pixels(object, "h", box->height);
}

static json_t *nodes(const struct otter_drawn_graph *drawn)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < drawn->n_nodes; i++) {
        const struct otter_drawn_node *node = &drawn->nodes[i];
        json_t *object = json_object();
        set_index(object, "label", node->region);
        otter_json_set_text(object, "text", node->text);
        otter_json_set_text(object, "kind", node->kind);
        otter_json_set_number(object, "count", node->count);
        otter_json_set_number(object, "total", node->total);
        otter_json_set_number(object, "longest", node->longest);
        otter_json_set_number(object, "executed", node->executed);
        otter_json_set_number(object, "shared", node->n_executing);
        otter_json_set_number(object, "path", node->path);
        set_index(object, "frame", node->frame);
        otter_json_set_number(object, "layer", node->box.layer);
        set_box(object, &node->box);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *edges(const struct otter_drawn_graph *drawn)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < drawn->n_edges; i++) {
        const struct otter_drawn_edge *edge = &drawn->edges[i];
        bool is_on_path = drawn->nodes[edge->from].path > 0 && drawn->nodes[edge->to].path > 0;
        json_t *object = json_object();
        otter_json_set_number(object, "from", edge->from);
        otter_json_set_number(object, "to", edge->to);
        otter_json_set_number(object, "kind", edge->kind);
        otter_json_set_number(object, "count", edge->count);
        otter_json_set(object, "is_back", json_boolean(edge->is_back));
        otter_json_set(object, "path", json_boolean(is_on_path));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *frames(const struct otter_drawn_graph *drawn)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < drawn->n_frames; i++) {
        const struct otter_drawn_frame *frame = &drawn->frames[i];
        json_t *object = json_object();
        set_index(object, "parent", frame->parent);
        set_index(object, "begin", frame->begin);
        set_index(object, "label", frame->region);
        otter_json_set_text(object, "text", frame->text);
        set_box(object, &frame->box);
        json_array_append_new(array, object);
    }
    return array;
}

void otter_index_set_graph(json_t *root, const struct otter_drawn_graph *drawn)
{
    json_t *graph = json_object();
    otter_json_set(graph, "nodes", nodes(drawn));
    otter_json_set(graph, "edges", edges(drawn));
    otter_json_set(graph, "frames", frames(drawn));
    set_pixels(graph, "width", drawn->width);
    set_pixels(graph, "height", drawn->height);
    otter_json_set_number(graph, "left_out", drawn->n_left_out);
    otter_json_set(root, "graph", graph);
}
