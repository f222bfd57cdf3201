// Reads a graph from a text, and writes a graph as a text.
#include "drawn_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/schema.h"
#include "unit.h"

static const char edge_letters[] = "?conjduxf";

static uint32_t find(const char (*names)[8], const char *name)
{
    for (uint32_t i = 0; i < DRAWN_NAMES && *names[i]; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return OTTER_NONE;
}

static uint32_t find_or_none(const char (*names)[8], const char *name)
{
    uint32_t index = find(names, name);
    if (index == OTTER_NONE && strcmp(name, "-") != 0) {
        fail_msg("nothing is called '%s'", name);
    }
    return index;
}

uint32_t drawn_node(const struct drawn_graph *drawn, const char *name)
{
    return find_or_none(drawn->nodes, name);
}

uint32_t drawn_task(const struct drawn_graph *drawn, const char *name)
{
    return find_or_none(drawn->tasks, name);
}

static uint8_t word_index(const char *word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(words[i], word) == 0) {
            return (uint8_t)i;
        }
    }
    fail_msg("what is '%s'?", word);
    return 0;
}

// "single@1" is the region "!$omp single" at "1". The first use defines the region.
static uint32_t region_of(struct drawn_graph *drawn, char *text)
{
    char *place = strchr(text, '@');
    assert_non_null(place);
    *place++ = '\0';
    for (char *c = text; *c; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
    char name[64];
    snprintf(name, sizeof name, "!$omp %s @%s", text, place);
    size_t n = drawn->definitions.n_regions;
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(drawn->regions[i].name, name) == 0) {
            return i;
        }
    }
    assert_true(n < DRAWN_REGIONS);
    char *canonical = drawn->region_texts[n][1];
    snprintf(drawn->region_texts[n][0], sizeof name, "%s", name);
    snprintf(canonical, sizeof name, "!$omp %s", text);
    drawn->regions[n] = (struct otter_region){
        .name = drawn->region_texts[n][0],
        .canonical_name = canonical,
        .description = "",
        .construct = otter_construct_from_name(canonical, ""),
        .file = "",
    };
    return (uint32_t)drawn->definitions.n_regions++;
}

static void read_task(struct drawn_graph *drawn, char **rest)
{
    static const char *const kinds[] = {"unknown", "initial", "implicit", "explicit", "target"};
    struct otter_graph *graph = &drawn->graph;
    uint32_t task = graph->n_tasks++;
    snprintf(drawn->tasks[task], sizeof drawn->tasks[task], "%s", strtok_r(NULL, " ", rest));
    uint8_t kind = word_index(strtok_r(NULL, " ", rest), kinds, sizeof kinds / sizeof *kinds);
    uint32_t creator = find_or_none(drawn->tasks, strtok_r(NULL, " ", rest));
    bool is_explicit = kind >= OTTER_TASK_KIND_EXPLICIT;
    graph->tasks[task] = (struct otter_graph_task){
        .first_node = OTTER_NONE,
        .last_node = OTTER_NONE,
        .creator = creator,
        .number = is_explicit ? task : 0,
        .location = (uint16_t)((is_explicit && creator != OTTER_NONE ? creator : task) % 3),
        .kind = kind,
    };
}

// Reads the parts of a line for a team or node that do not name other nodes.
static void read_names(struct drawn_graph *drawn, char *line)
{
    char *rest;
    char *word = strtok_r(line, " ", &rest);
    if (strcmp(word, "task") == 0) {
        read_task(drawn, &rest);
    } else if (strcmp(word, "team") != 0) {
        assert_true(drawn->graph.n_nodes < DRAWN_NAMES - 1);
        snprintf(drawn->nodes[drawn->graph.n_nodes++], sizeof *drawn->nodes, "%s", word);
    }
}

static void read_team(struct drawn_graph *drawn, char **rest)
{
    struct otter_graph *graph = &drawn->graph;
    struct otter_graph_team *team = &graph->teams[graph->n_teams++];
    team->begin_node = find_or_none(drawn->nodes, strtok_r(NULL, " ", rest));
    team->end_node = find_or_none(drawn->nodes, strtok_r(NULL, " ", rest));
    team->first_member = graph->n_members;
    for (char *word; (word = strtok_r(NULL, " ", rest)) != NULL; team->n_members++) {
        graph->members[graph->n_members++] = drawn_task(drawn, word);
    }
}

static void read_edges(struct drawn_graph *drawn, char **rest)
{
    struct otter_graph *graph = &drawn->graph;
    for (char *word; (word = strtok_r(NULL, " ", rest)) != NULL;) {
        const char *letter = strchr(edge_letters, word[0]);
        assert_true(letter && word[1] == ':' && graph->n_edges < 4 * DRAWN_NAMES);
        graph->edge_kind[graph->n_edges] = (uint8_t)(letter - edge_letters);
        graph->edge_to[graph->n_edges++] = drawn_node(drawn, word + 2);
    }
}

static void read_node(struct drawn_graph *drawn, char **rest, uint32_t index)
{
    static const char *const kinds[] = {"?",        "task",      "begin",  "end",
                                        "sync",     "source",    "sink",   "fulfil",
                                        "fragment", "operation", "device", "implied"};
    struct otter_graph *graph = &drawn->graph;
    struct otter_node *node = &graph->nodes[index];
    uint8_t kind = word_index(strtok_r(NULL, " ", rest), kinds, sizeof kinds / sizeof *kinds);
    bool is_implied = kind == OTTER_N_NODE_KINDS;
    node->kind = is_implied ? OTTER_NODE_SYNC : kind;
    node->flags = is_implied ? OTTER_NODE_IMPLIED : 0;
    node->region = region_of(drawn, strtok_r(NULL, " ", rest));
    node->task = drawn_task(drawn, strtok_r(NULL, " ", rest));
    node->scope = drawn_node(drawn, strtok_r(NULL, " ", rest));
    node->start = node->end = index;
    if (kind == OTTER_NODE_TASK) {
        graph->tasks[node->task].first_node = index;
    }
    graph->tasks[node->task].last_node = index;
    graph->first_edge[index] = graph->n_edges;
    read_edges(drawn, rest);
}

static void each_line(struct drawn_graph *drawn, const char *text, bool has_names)
{
    char *copy = strdup(text);
    char *rest_of_lines;
    uint32_t n_nodes = 0;
    for (char *line = strtok_r(copy, "\n", &rest_of_lines); line;
         line = strtok_r(NULL, "\n", &rest_of_lines)) {
        if (!has_names) {
            read_names(drawn, line);
            continue;
        }
        char *rest;
        char *word = strtok_r(line, " ", &rest);
        if (strcmp(word, "team") == 0) {
            read_team(drawn, &rest);
        } else if (strcmp(word, "task") != 0) {
            read_node(drawn, &rest, n_nodes++);
        }
    }
    free(copy);
}

void draw_graph(struct drawn_graph *drawn, const char *text)
{
    memset(drawn, 0, sizeof *drawn);
    struct otter_graph *graph = &drawn->graph;
    graph->definitions = &drawn->definitions;
    drawn->definitions.regions = drawn->regions;
    graph->nodes = calloc(DRAWN_NAMES, sizeof *graph->nodes);
    graph->first_edge = calloc(DRAWN_NAMES, sizeof *graph->first_edge);
    graph->edge_to = calloc(4 * DRAWN_NAMES, sizeof *graph->edge_to);
    graph->edge_kind = calloc(4 * DRAWN_NAMES, sizeof *graph->edge_kind);
    graph->tasks = calloc(DRAWN_NAMES, sizeof *graph->tasks);
    graph->teams = calloc(DRAWN_NAMES, sizeof *graph->teams);
    graph->members = calloc(DRAWN_NAMES, sizeof *graph->members);
    each_line(drawn, text, false);
    each_line(drawn, text, true);
    graph->first_edge[graph->n_nodes] = graph->n_edges;
    assert_int_equal(otter_labels_init(&drawn->labels, &drawn->definitions), OTTER_OK);
}

void drawn_graph_finish(struct drawn_graph *drawn)
{
    otter_labels_finish(&drawn->labels);
    free(drawn->graph.nodes);
    free(drawn->graph.first_edge);
    free(drawn->graph.edge_to);
    free(drawn->graph.edge_kind);
    free(drawn->graph.tasks);
    free(drawn->graph.teams);
    free(drawn->graph.members);
}

int draw_state(void **state, const char *text)
{
    static struct drawn_graph drawn;
    draw_graph(&drawn, text);
    *state = &drawn;
    return 0;
}

int erase_state(void **state)
{
    drawn_graph_finish(*state);
    return 0;
}

static const char *name_of(const struct drawn_graph *drawn, const struct otter_graph *graph,
                           uint32_t node)
{
    return drawn->nodes[graph->nodes[node].start];
}

const char *drawn_edges(const struct drawn_graph *drawn, const struct otter_graph *graph)
{
    static char text[DRAWN_TEXT];
    size_t n = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", name_of(drawn, graph, i));
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            n += (size_t)snprintf(text + n, sizeof text - n, " %c:%s",
                                  edge_letters[graph->edge_kind[e]],
                                  name_of(drawn, graph, graph->edge_to[e]));
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "\n");
        assert_true(n < sizeof text);
    }
    return text;
}

static uint32_t *shuffled_numbers(uint32_t n, unsigned *seed)
{
    uint32_t *numbers = malloc((n + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t other = (uint32_t)rand_r(seed) % (i + 1);
        numbers[i] = numbers[other];
        numbers[other] = i;
    }
    return numbers;
}

static uint32_t renumber(const uint32_t *numbers, uint32_t index)
{
    return index == OTTER_NONE ? OTTER_NONE : numbers[index];
}

static void shuffle_node(const struct otter_graph *graph, uint32_t old, const uint32_t *nodes,
                         const uint32_t *tasks, struct otter_graph *copy)
{
    struct otter_node *node = &copy->nodes[nodes[old]];
    *node = graph->nodes[old];
    node->task = renumber(tasks, node->task);
    node->scope = renumber(nodes, node->scope);
    node->start = node->end = 1000 - node->start;
    node->location = (uint16_t)(7 - node->location);
}

static void shuffle_edges(const struct otter_graph *graph, const uint32_t *nodes,
                          struct otter_graph *copy)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint32_t old = 0;
        while (nodes[old] != i) {
            old++;
        }
        copy->first_edge[i] = copy->n_edges;
        for (uint32_t e = graph->first_edge[old + 1]; e-- > graph->first_edge[old];) {
            copy->edge_to[copy->n_edges] = nodes[graph->edge_to[e]];
            copy->edge_kind[copy->n_edges++] = graph->edge_kind[e];
        }
    }
    copy->first_edge[graph->n_nodes] = copy->n_edges;
}

struct otter_graph *drawn_shuffled(const struct drawn_graph *drawn, unsigned seed)
{
    const struct otter_graph *graph = &drawn->graph;
    bool keep[DRAWN_NAMES];
    memset(keep, true, sizeof keep);
    struct otter_graph *copy = otter_graph_filter(graph, keep);
    uint32_t *nodes = shuffled_numbers(graph->n_nodes, &seed);
    uint32_t *tasks = shuffled_numbers(graph->n_tasks, &seed);
    assert_non_null(copy);
    copy->n_edges = 0;
    shuffle_edges(graph, nodes, copy);
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        shuffle_node(graph, i, nodes, tasks, copy);
    }
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        struct otter_graph_task *task = &copy->tasks[tasks[i]];
        *task = graph->tasks[i];
        task->first_node = renumber(nodes, task->first_node);
        task->last_node = renumber(nodes, task->last_node);
        task->creator = renumber(tasks, task->creator);
    }
    for (uint32_t i = 0; i < graph->n_members; i++) {
        copy->members[i] = tasks[graph->members[i]];
    }
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        copy->teams[i].begin_node = renumber(nodes, graph->teams[i].begin_node);
        copy->teams[i].end_node = renumber(nodes, graph->teams[i].end_node);
    }
    free(nodes);
    free(tasks);
    return copy;
}
