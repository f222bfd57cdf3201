// Sums up the slack of nodes by label.
#include "analysis/detail/slack.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "analysis/detail/growth.h"
#include "graph/numbers.h"

// ---- by label

struct labels {
    const struct otter_analysis *analysis;
    const struct otter_node_slack *nodes;
    struct otter_slack_use *uses; // of each label
    uint32_t *last;               // node in which each label was seen last
    uint32_t node;
};

static void add_part(void *user, uint32_t label, enum otter_state state, uint64_t ticks)
{
    struct labels *labels = user;
    if (state != OTTER_STATE_EXECUTING || ticks == 0) {
        return;
    }
    label = otter_account_label(&labels->analysis->account, label);
    struct otter_slack_use *use = &labels->uses[label];
    use->executed += ticks;
    if (labels->last[label] == labels->node) {
        return;
    }
    labels->last[label] = labels->node;
    uint64_t span = labels->nodes->span[labels->node];
    uint64_t realised = labels->nodes->realised[labels->node];
    use->least = use->n == 0 || span < use->least ? span : use->least;
    use->realised_least =
        use->n == 0 || realised < use->realised_least ? realised : use->realised_least;
    use->mean += (double)span;
    use->realised_mean += (double)realised;
    use->label = label;
    use->n++;
}

static void add_node(void *user, uint32_t index)
{
    struct labels *labels = user;
    const struct otter_node *node = &labels->analysis->graph->nodes[index];
    labels->node = index;
    otter_piece_labels(labels->analysis, index, node->start, node->end, add_part, labels);
}

static bool add_labels(const struct otter_analysis *analysis, const struct otter_node_slack *nodes,
                       struct otter_slack *slack)
{
    struct labels labels = {.analysis = analysis,
                            .nodes = nodes,
                            .uses = slack->items,
                            .last = otter_numbers_create(analysis->account.n_labels)};
    bool is_good = labels.last != NULL;
    if (is_good) {
        otter_pieces_each(&analysis->pieces, analysis->graph, add_node, &labels);
    }
    free(labels.last);
    return is_good;
}

// ---- growth of the labels

static bool find_growths(const struct otter_analysis *analysis,
                         const struct otter_node_slack *nodes, struct otter_slack *slack)
{
    struct otter_growth growth;
    bool is_good = !otter_growth_init(&growth, analysis, nodes->work);
    for (uint32_t i = 0; i < slack->n && is_good; i++) {
        struct otter_slack_use *use = &slack->items[i];
        use->growth = use->least == 0 ? 0 : NAN;
        if (use->least > 0 && i < OTTER_MAX_GROWTHS) {
            use->growth = otter_growth_of(&growth, use->label);
        }
    }
    otter_growth_finish(&growth);
    return is_good;
}

// ---- all

static int by_execution(const void *a, const void *b)
{
    const struct otter_slack_use *x = a, *y = b;
    return otter_order(OTTER_BY_1(y, x, executed), OTTER_BY_1(x, y, label));
}

static void compress(struct otter_slack *slack, uint32_t n_labels)
{
    for (uint32_t i = 0; i < n_labels; i++) {
        struct otter_slack_use *use = &slack->items[i];
        if (use->n > 0) {
            use->mean /= (double)use->n;
            use->realised_mean /= (double)use->n;
            slack->items[slack->n++] = *use;
        }
    }
    qsort(slack->items, slack->n, sizeof *slack->items, by_execution);
}

static bool add_up(struct otter_slack *slack, const struct otter_analysis *analysis,
                   const struct otter_node_slack *nodes)
{
    if (!slack->items || !add_labels(analysis, nodes, slack)) {
        return false;
    }
    compress(slack, analysis->account.n_labels);
    return find_growths(analysis, nodes, slack);
}

enum otter_status otter_slack_init(struct otter_slack *slack, const struct otter_analysis *analysis,
                                   const struct otter_node_slack *nodes)
{
    struct otter_node_slack own = {0};
    *slack =
        (struct otter_slack){.items = calloc(analysis->account.n_labels + 1, sizeof *slack->items)};
    enum otter_status status = nodes ? OTTER_OK : otter_node_slack_init(&own, analysis);
    if (!status) {
        status = add_up(slack, analysis, nodes ? nodes : &own) ? OTTER_OK : OTTER_NO_MEMORY;
    }
    otter_node_slack_finish(&own);
    if (status) {
        otter_slack_finish(slack);
    }
    return status;
}

void otter_slack_finish(struct otter_slack *slack)
{
    free(slack->items);
    *slack = (struct otter_slack){0};
}
