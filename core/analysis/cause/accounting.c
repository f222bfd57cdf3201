// Accounts for every tick of every thread exactly once.
#include "analysis/cause/accounting.h"

#include <stdlib.h>

#include "analysis/cause/causes.h"
#include "analysis/cause/imbalance.h"
#include "analysis/time/switches.h"
#include "analysis/time/turns.h"
#include "base/free.h"

static void add_executing(struct sweep *sweep, uint32_t thread, uint64_t ticks)
{
    struct otter_account *account = sweep->account;
    const struct cursor *cursor = &sweep->cursors[thread];
    const struct otter_interval *interval = otter_sweep_interval(sweep, thread);
    uint32_t label = otter_account_label(account, interval->label);
    const struct integrals *before = &cursor->at_begin, *now = &sweep->now;
    double out = now->out[BUSY_EXECUTING] - before->out[BUSY_EXECUTING];
    account->alone[label] += out;
    account->blame[label] += now->in[BUSY_EXECUTING] - before->in[BUSY_EXECUTING] + out;
    if (cursor->presence == PREEMPTED || cursor->presence == PREEMPTED_BY_OWN) {
        account->preempted += ticks;
        account->threads[thread].preempted += ticks;
        return;
    }
    account->executing += ticks;
    account->threads[thread].executing += ticks;
    account->executed[label] += ticks;
    account->blocked += cursor->is_blocked ? ticks : 0;
}

static void add_to(struct otter_wait_account *wait, struct wait_parts *sum,
                   const struct wait_parts *parts, uint64_t ticks)
{
    wait->ticks += ticks;
    sum->delay += parts->delay;
    sum->tied += parts->tied;
}

static void add_wait(struct sweep *sweep, uint32_t thread, uint64_t ticks)
{
    struct otter_account *account = sweep->account;
    const struct cursor *cursor = &sweep->cursors[thread];
    const struct otter_thread_line *line = &sweep->timeline->lines[thread];
    uint32_t wait = otter_sweep_interval(sweep, thread)->region;
    enum otter_construct construct =
        otter_definitions_construct(sweep->timeline->definitions, wait);
    struct wait_parts parts = {otter_sweep_delay(sweep, cursor), otter_sweep_tied(sweep, cursor)};
    uint32_t region = otter_account_label(account, cursor->part != OTTER_NONE
                                                       ? line->memberships.items[cursor->part].label
                                                       : OTTER_NONE);
    uint32_t place = otter_account_label(account, wait);
    add_to(&account->waits[construct], &sweep->constructs[construct], &parts, ticks);
    add_to(&account->regions[region], &sweep->regions[region], &parts, ticks);
    add_to(&account->places[place], &sweep->places[place], &parts, ticks);
}

static void add_segment(struct sweep *sweep, uint32_t thread)
{
    struct otter_account *account = sweep->account;
    const struct cursor *cursor = &sweep->cursors[thread];
    const struct otter_interval *interval = otter_sweep_interval(sweep, thread);
    uint64_t ticks = cursor->end - cursor->begin;
    switch ((enum otter_state)interval->state) {
    case OTTER_STATE_EXECUTING: add_executing(sweep, thread, ticks); break;
    case OTTER_STATE_WAITING: add_wait(sweep, thread, ticks); break;
    case OTTER_STATE_LOCK: account->lock += ticks; break;
    case OTTER_STATE_FORKING: account->forking += ticks; break;
    case OTTER_STATE_MPI: account->mpi += ticks; break;
    case OTTER_STATE_PAUSED: account->paused += ticks; break;
    case OTTER_STATE_LOST: account->lost += ticks; break;
    case OTTER_STATE_UNUSED: account->total -= ticks; break;
    case OTTER_STATE_OUTSIDE:
    case OTTER_N_STATES: account->outside += ticks; break;
    }
    otter_causes_add(sweep, thread);
}

static uint64_t rounded(double ticks, uint64_t most)
{
    if (ticks + 0.5 >= (double)most) {
        return most; // the result may not fit
    }
    return ticks > 0 ? (uint64_t)(ticks + 0.5) : 0;
}

// The parts are rounded; the remainder counts as "no work", so that the parts add up.
static void divide(struct otter_wait_account *wait, const struct wait_parts *parts)
{
    wait->delay = rounded(parts->delay, wait->ticks);
    wait->tied = rounded(parts->tied, wait->ticks - wait->delay);
    wait->no_work = wait->ticks - wait->delay - wait->tied;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// Moves ticks of a label from execution to creation.
static void move_to_creation(struct otter_account *account, uint32_t thread, uint32_t label,
                             uint64_t ticks)
{
    struct otter_thread_account *own = &account->threads[thread];
    uint64_t most = least(account->executed[label], own->executing);
    ticks = least(ticks, most);
    account->executed[label] -= ticks;
    account->created[label] += ticks;
    account->executing -= ticks;
    account->creating += ticks;
    own->executing -= ticks;
    own->creating += ticks;
}

// Charges a creation to the first ticks that the thread executes in the following piece.
static void subtract_creations(struct sweep *sweep, uint32_t thread)
{
    const struct otter_thread_line *line = &sweep->timeline->lines[thread];
    const struct otter_thread_pieces *pieces = &sweep->input->pieces->lines[thread];
    uint32_t at = 0;
    for (uint32_t i = 0; i < pieces->n; i++) {
        uint64_t begin = sweep->graph->nodes[pieces->nodes[i]].start;
        uint64_t left = sweep->input->costs->creating_in[pieces->nodes[i]];
        for (; left > 0 && at < line->intervals.n; at++) {
            const struct otter_interval *interval = &line->intervals.items[at];
            uint64_t end = otter_interval_end(sweep->timeline, line, at);
            if (end > begin && interval->state == OTTER_STATE_EXECUTING) {
                uint64_t first = begin > interval->begin ? begin : interval->begin;
                uint64_t ticks = least(left, end - first);
                move_to_creation(sweep->account, thread,
                                 otter_account_label(sweep->account, interval->label), ticks);
                left -= ticks;
            }
            if (left == 0) {
                break; // the next piece may begin in this interval
            }
        }
    }
}

static void conclude(struct sweep *sweep, const struct otter_costs *costs)
{
    struct otter_account *account = sweep->account;
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        struct otter_wait_account *wait = &account->waits[i];
        divide(wait, &sweep->constructs[i]);
        account->waiting += wait->ticks;
        account->delay += wait->delay;
        account->tied += wait->tied;
        account->no_work += wait->no_work;
    }
    for (uint32_t i = 0; i < account->n_labels; i++) {
        divide(&account->regions[i], &sweep->regions[i]);
        divide(&account->places[i], &sweep->places[i]);
    }
    for (uint32_t i = 0; i < sweep->timeline->n_lines; i++) {
        subtract_creations(sweep, i);
    }
    account->scheduling =
        costs->scheduling_sum < account->delay ? costs->scheduling_sum : account->delay;
}

// Returns the recorded number. If it is missing because the program was killed, counts the
// processors on which a thread ran.
static uint32_t count_processors(const struct otter_definitions *definitions)
{
    uint64_t n = otter_definitions_number(definitions, "OTTER::PROCESSORS");
    for (size_t i = 0, has_number = n > 0; i < definitions->n_locations && !has_number; i++) {
        n += otter_location_is_processor(&definitions->locations[i]);
    }
    return n < UINT32_MAX ? (uint32_t)n : 0;
}

// ---- creation

// Charges each construct its share of the cost of all creations.
static void add_creations(struct otter_account *account, const struct otter_task_uses *tasks)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < tasks->n; i++) {
        n += tasks->items[i].n_deferred;
    }
    for (uint32_t i = 0; i < tasks->n; i++) {
        double share = n ? (double)tasks->items[i].n_deferred / (double)n : 0;
        otter_losses_add(&account->losses, OTTER_FINDING_DELAY, tasks->items[i].region,
                         share * (double)account->creating);
    }
}

static void count_others(struct otter_account *account, const struct otter_timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->n_others; i++) {
        account->n_others += otter_timeline_is_busy(timeline, &timeline->others[i]);
    }
}

// Finds how long threads would wait for each other if no other process took its share of the
// processors.
static bool find_turns(struct sweep *sweep)
{
    struct otter_account *account = sweep->account;
    uint64_t own = otter_timeline_off(sweep->timeline, true, true);
    bool is_good = own == 0 || !account->is_crowded ||
                   !otter_turns_find(sweep->timeline, account->n_processors, &account->turns);
    account->turns = account->turns < own ? account->turns : own;
    return is_good;
}

static bool list_waited(struct sweep *sweep)
{
    const struct otter_graph *graph = sweep->graph;
    bool is_good = true;
    for (uint32_t i = 0; i < graph->n_nodes && is_good; i++) {
        const struct otter_node *node = &graph->nodes[i];
        bool is_in =
            otter_node_is_piece(node) && graph->tasks[node->task].kind != OTTER_TASK_KIND_EXPLICIT;
        is_good = !is_in || OTTER_VECTOR_ADD(&sweep->waited, (struct waited){.node = i});
    }
    return is_good;
}

static bool measure(struct sweep *sweep)
{
    size_t n_labels = sweep->account->n_labels;
    sweep->regions = calloc(n_labels, sizeof *sweep->regions);
    sweep->places = calloc(n_labels, sizeof *sweep->places);
    bool is_good = sweep->regions && sweep->places && list_waited(sweep) && find_turns(sweep) &&
                   !otter_task_facts_init(&sweep->facts, sweep->input) && !otter_sweep_run(sweep) &&
                   !otter_imbalance_charge(sweep);
    if (is_good) {
        conclude(sweep, sweep->input->costs);
        add_creations(sweep->account, sweep->input->tasks);
    }
    otter_task_facts_finish(&sweep->facts);
    OTTER_FREE(sweep->regions, sweep->places, sweep->waited.items);
    return is_good;
}

enum otter_status otter_account_init(struct otter_account *account,
                                     const struct otter_account_input *input)
{
    const struct otter_timeline *timeline = input->timeline;
    *account = (struct otter_account){
        .wall = timeline->end - timeline->begin,
        .total = (timeline->end - timeline->begin) * timeline->n_lines,
        .n_threads = timeline->n_lines - timeline->n_helpers,
        .n_processors = count_processors(timeline->definitions),
        .n_labels = (uint32_t)timeline->definitions->n_regions + timeline->betweens.n + 1,
        .has_switches = timeline->has_switches,
    };
    count_others(account, timeline);
    account->is_crowded =
        account->n_processors > 0 && account->n_threads + account->n_others > account->n_processors;
    struct sweep sweep = {.account = account,
                          .visit = add_segment,
                          .input = input,
                          .timeline = timeline,
                          .graph = input->graph};
    account->threads = calloc(timeline->n_lines + 1, sizeof *account->threads);
    account->executed = calloc(account->n_labels, sizeof *account->executed);
    account->created = calloc(account->n_labels, sizeof *account->created);
    account->blame = calloc(account->n_labels, sizeof *account->blame);
    account->alone = calloc(account->n_labels, sizeof *account->alone);
    account->regions = calloc(account->n_labels, sizeof *account->regions);
    account->places = calloc(account->n_labels, sizeof *account->places);
    account->balances = calloc(account->n_labels, sizeof *account->balances);
    account->delays = calloc(account->n_labels, sizeof *account->delays);
    bool is_good = account->threads && account->executed && account->created && account->blame &&
                   account->alone && account->balances && account->regions && account->places &&
                   account->delays && !otter_losses_init(&account->losses, account->n_labels) &&
                   measure(&sweep);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_account_finish(struct otter_account *account)
{
    OTTER_FREE(account->threads, account->executed, account->created, account->blame,
               account->alone, account->balances, account->regions, account->places);
    for (uint32_t i = 0; i < account->n_labels && account->delays; i++) {
        otter_quantiles_finish(&account->delays[i]);
    }
    free(account->delays);
    otter_losses_finish(&account->losses);
    *account = (struct otter_account){0};
}
