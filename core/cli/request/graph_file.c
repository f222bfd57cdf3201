// Writes the task graph of a command to a file, as it is or grouped by label.
#include "cli/request/graph_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text/print.h"
#include "base/text/visible.h"
#include "analysis/job/each_rank.h"
#include "cli/request/output_name.h"
#include "graph/export/export.h"
#include "base/text/number.h"

// Writes "127 nodes, 172 edges" to `text`.
static void count_text(uint32_t n_nodes, uint32_t n_edges, char text[2 * OTTER_MAX_NUMBER + 32])
{
    char nodes[OTTER_MAX_NUMBER], edges[OTTER_MAX_NUMBER];
    sprintf(text, "%s node%s, %s edge%s", otter_number_text(n_nodes, nodes), otter_plural(n_nodes),
            otter_number_text(n_edges, edges), otter_plural(n_edges));
}

// Prints the size of the graph in the file and, for groups, the size of the graph that they
// represent.
static void note_file(const struct otter_exporter *exporter, const char *path,
                      const struct otter_export *what)
{
    const struct otter_groups *groups = what->groups;
    char count[2 * OTTER_MAX_NUMBER + 32], grouped[2 * OTTER_MAX_NUMBER + 32];
    bool is_picture = strcmp(exporter->name, "dot") == 0;
    count_text(what->graph->n_nodes, what->graph->n_edges, count);
    if (groups) {
        count_text(groups->n_groups, groups->n_edges, grouped);
    }
    char *word = otter_visible_word(path);
    otter_note("%s: %s%s%s%s%s%s", path, groups ? grouped : count, groups ? " for " : "",
               groups ? count : "", groups ? ", grouped by label" : "",
               is_picture ? "; to draw it: dot -Tsvg -O " : "", is_picture ? word : "");
    free(word);
    for (size_t i = 0; i < exporter->n_companions; i++) {
        char *companion = otter_export_companion_path(exporter, i, path);
        otter_note("also written: %s", companion);
        free(companion);
    }
}

static bool write_file(const struct otter_graph_request *request,
                       const struct otter_archive *archive, const struct otter_export *what)
{
    if (request->output && strcmp(request->output, "-") == 0) {
        request->exporter->write(stdout, what);
        return true; // main() reports errors of stdout
    }
    struct otter_complaint complaint;
    char *path = request->output ? strdup(request->output)
                                 : otter_output_name(archive, request->exporter->ending);
    bool is_written = otter_export_write(request->exporter, what, path, &complaint) == OTTER_OK;
    if (is_written) {
        note_file(request->exporter, path, what);
    } else {
        otter_error("%s%s", complaint.text,
                    request->output ? "" : " (--output=FILE writes another one)");
    }
    free(path);
    return is_written;
}

// Groups nodes by label; merges similar labels if a picture has too many groups.
static struct otter_groups *group(const struct otter_graph_request *request,
                                  const struct otter_graph *graph, struct otter_labels *labels)
{
    bool is_picture = strcmp(request->exporter->name, "dot") == 0, has_merged;
    uint32_t most = is_picture ? OTTER_MAX_NODES_OF_A_PICTURE : UINT32_MAX;
    struct otter_groups *groups = otter_groups_create_few(graph, labels, most, &has_merged);
    if (has_merged) {
        otter_note(
            "the picture would have more than %u groups: labels that differ only in numbers are "
            "merged ('step 1' and 'step 2' become 'step #')",
            most);
    }
    return groups;
}

// Returns the program's command line; for several ranks, the command line of the first.
static const char *title_of(const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    struct otter_definitions first = *definitions;
    if (otter_has_ranks(archive)) {
        first.properties = definitions->ranks[0].properties;
        first.n_properties = definitions->ranks[0].n_properties;
    }
    return otter_definitions_property(&first, "OTTER::COMMAND_LINE");
}

bool otter_graph_write(const struct otter_graph_request *request,
                       const struct otter_archive *archive, const struct otter_graph *graph,
                       struct otter_labels *labels, bool has_pauses)
{
    char n_nodes[OTTER_MAX_NUMBER];
    struct otter_export what = {
        .graph = graph, .labels = labels, .has_pauses = has_pauses, .title = title_of(archive)};
    bool is_too_large = otter_export_is_too_large(request->exporter, graph) && !request->wants_all;
    struct otter_groups *groups = NULL;
    if (is_too_large && !request->wants_groups) {
        otter_note(
            "a picture of %s nodes is unreadable: nodes are grouped by label (--all draws each "
            "node, --root a part)",
            otter_number_text(graph->n_nodes, n_nodes));
    }
    if (is_too_large || request->wants_groups) {
        what.groups = groups = group(request, graph, labels);
    }
    bool is_written = write_file(request, archive, &what);
    otter_groups_destroy(groups);
    return is_written;
}
