// Builds a graph from a text of events and prints the graph: driver structure|fragments [--reverse]
// FILE
//
// The driver feeds the locations one after the other, like a reader of an archive. Both orders,
// from the first location and from the last, must give the same text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/build/build.h"
#include "picture.h"
#include "scene.h"

void scene_give_up(void)
{
    exit(2);
}

static void feed(struct otter_builder *builder, const struct scene *scene, bool is_reverse)
{
    size_t n = scene->definitions.n_locations;
    for (size_t i = 0; i < n; i++) {
        size_t location = is_reverse ? n - 1 - i : i;
        for (size_t e = 0; e < scene->n_events; e++) {
            if (scene->events[e].location == location &&
                !otter_builder_add(builder, &scene->events[e])) {
                fprintf(stderr, "%s: the builder refused an event\n", scene->path);
                exit(1);
            }
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: driver structure|fragments [--reverse] FILE\n");
        return 2;
    }
    enum otter_graph_view view =
        strcmp(argv[1], "fragments") == 0 ? OTTER_VIEW_FRAGMENTS : OTTER_VIEW_STRUCTURE;
    static struct scene scene;
    FILE *file = fopen(argv[argc - 1], "r");
    if (!file) {
        perror(argv[argc - 1]);
        return 2;
    }
    scene_read(&scene, argv[argc - 1], file);
    fclose(file);
    struct otter_builder *builder = otter_builder_create(&scene.definitions, view);
    if (!builder) {
        return 1;
    }
    feed(builder, &scene, argc == 4);
    struct otter_graph *graph;
    struct otter_build_findings findings = {0};
    enum otter_status status = otter_builder_finish(builder, &graph, &findings);
    if (status) {
        fprintf(stderr, "%s: %s\n", scene.path, otter_status_text(status));
        return 1;
    }
    picture_print(stdout, &scene, graph, &findings);
    otter_graph_destroy(graph);
    return 0;
}
