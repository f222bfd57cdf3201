// A text of events, as people write them for test/golden, into the graph.
//
// First byte: the view, and what is done with the graph; the rest: the text.
#include "../golden/scene.h"

#include <setjmp.h>
#include <stdio.h>

#include "fuzz.h"
#include "graph/build.h"
#include "use.h"

static jmp_buf mistake;

void scene_give_up(void)
{
    longjmp(mistake, 1);
}

static bool feed(struct otter_builder *builder, const struct scene *scene)
{
    for (size_t location = 0; location < scene->definitions.n_locations; location++) {
        for (size_t i = 0; i < scene->n_events; i++) {
            if (scene->events[i].location == location &&
                !otter_builder_add(builder, &scene->events[i])) {
                return false;
            }
        }
    }
    return true;
}

static void build(const struct scene *scene, uint8_t how)
{
    enum otter_graph_view view = how & 0x80 ? OTTER_VIEW_FRAGMENTS : OTTER_VIEW_STRUCTURE;
    struct otter_builder *builder = otter_builder_create(&scene->definitions, view);
    struct otter_graph *graph;
    struct otter_labels labels;
    fuzz_expect(builder && feed(builder, scene), "few events need little memory");
    fuzz_expect(!otter_builder_finish(builder, &graph, NULL), "a graph can be built of any events");
    fuzz_expect(!otter_labels_init(&labels, &scene->definitions), "labels can be made");
    fuzz_use_graph(graph, &labels, how);
    otter_labels_finish(&labels);
    otter_graph_destroy(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct scene scene;
    struct fuzz_bytes bytes = {data, size};
    uint8_t how = fuzz_byte(&bytes);
    FILE *file = bytes.n > 0 ? fmemopen((void *)bytes.at, bytes.n, "r") : NULL;
    if (!file) {
        return 0;
    }
    if (setjmp(mistake) == 0) {
        scene_read(&scene, "text", file);
        build(&scene, how);
    }
    fclose(file);
    return 0;
}
