// Builds a graph from an archive, for scripts/bench graph.
//
// usage: graph ARCHIVE read|structure|fragments
//
// Prints `seconds=... peak=... events=... nodes=... edges=... held=...`. `read` only reads the
// events: the floor. `peak` is the largest memory in bytes beyond the memory of the open archive,
// `held` the size of the finished graph.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "graph/build/build.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// Returns a value from the system's information about this process, in bytes.
static uint64_t memory(const char *name)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof(line), status)) {
        if (strncmp(line, name, strlen(name)) == 0) {
            sscanf(line + strlen(name), ": %llu", &kib);
        }
    }
    if (status) {
        fclose(status);
    }
    return kib * 1024;
}

// Resets the peak, since opening the archive has read all files.
static uint64_t forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    return memory("VmRSS");
}

static bool count(void *user, const struct otter_event *event)
{
    (*(uint64_t *)user)++;
    return true;
}

static size_t size_of(const struct otter_graph *graph)
{
    return graph->n_nodes * (sizeof(*graph->nodes) + sizeof(*graph->first_edge)) +
           graph->n_edges * (sizeof(*graph->edge_to) + sizeof(*graph->edge_kind)) +
           graph->n_tasks * sizeof(*graph->tasks) + graph->n_teams * sizeof(*graph->teams) +
           graph->n_members * sizeof(*graph->members);
}

static enum otter_status build(struct otter_archive *archive, enum otter_graph_view view,
                               struct otter_complaint *complaint)
{
    struct otter_graph *graph = NULL;
    uint64_t before = forget_peak();
    double begin = now();
    enum otter_status status = otter_graph_build(archive, view, &graph, NULL, complaint);
    if (status) {
        return status;
    }
    double seconds = now() - begin;
    printf("seconds=%.6f peak=%ju events=%ju nodes=%u edges=%u held=%zu\n", seconds,
           (uintmax_t)(memory("VmHWM") - before), (uintmax_t)graph->n_events, graph->n_nodes,
           graph->n_edges, size_of(graph));
    otter_graph_destroy(graph);
    return OTTER_OK;
}

static enum otter_status read_only(struct otter_archive *archive, struct otter_complaint *complaint)
{
    uint64_t n_events = 0;
    uint64_t before = forget_peak();
    double begin = now();
    enum otter_status status = otter_archive_read_all(archive, count, &n_events, NULL, complaint);
    double seconds = now() - begin;
    if (!status) {
        printf("seconds=%.6f peak=%ju events=%ju nodes=0 edges=0 held=0\n", seconds,
               (uintmax_t)(memory("VmHWM") - before), (uintmax_t)n_events);
    }
    return status;
}

static enum otter_status run(struct otter_archive *archive, const char *what,
                             struct otter_complaint *complaint)
{
    if (strcmp(what, "read") == 0) {
        return read_only(archive, complaint);
    }
    bool is_structure = strcmp(what, "structure") == 0;
    return build(archive, is_structure ? OTTER_VIEW_STRUCTURE : OTTER_VIEW_FRAGMENTS, complaint);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: graph ARCHIVE read|structure|fragments\n");
        return 2;
    }
    struct otter_complaint complaint = {""};
    struct otter_archive *archive = NULL;
    enum otter_status status = otter_archive_open(argv[1], &archive, &complaint);
    if (!status) {
        status = run(archive, argv[2], &complaint);
        otter_archive_close(archive);
    }
    if (status) {
        fprintf(stderr, "graph: %s: %s %s\n", argv[1], otter_status_text(status), complaint.text);
    }
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
