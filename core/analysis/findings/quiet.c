// Replays the run without preemption, and sweeps over the run again with the idle time of the
// replay instead of its own.
#include "analysis/findings/quiet.h"

#include <stdlib.h>

#include "analysis/cause/accounting.h"
#include "analysis/cause/task_facts.h"
#include "analysis/findings/findings.h"
#include "analysis/replay/replay.h"
#include "base/free.h"

// Waits that the replay has as well: first while the label executes, then while others execute.
static const enum otter_finding_kind kinds[] = {
    OTTER_FINDING_SERIAL, OTTER_FINDING_IMBALANCE,  OTTER_FINDING_ORDER,   OTTER_FINDING_TAIL,
    OTTER_FINDING_CHAIN,  OTTER_FINDING_UNDEFERRED, OTTER_FINDING_CREATOR, OTTER_FINDING_PHASES,
    OTTER_FINDING_EVENT,  OTTER_FINDING_TIED,       OTTER_FINDING_LOCK,    OTTER_FINDING_ALONE};
enum { N_OF_LABEL = 6, N_KINDS = 8, N_WAITS = sizeof kinds / sizeof *kinds };

// Finds the pieces of creators between their first and last creation. With dependences, threads
// may wait for other tasks instead.
static enum otter_status find_creators(const struct otter_account_input *input, bool *is_creator)
{
    struct otter_task_facts facts;
    enum otter_status status = otter_task_facts_init(&facts, input);
    for (uint32_t i = 0; i < input->graph->n_nodes && !status && !facts.created; i++) {
        const struct otter_node *node = &input->graph->nodes[i];
        const struct otter_task_creator *creator = otter_task_creator_of(&facts, node->task);
        is_creator[i] = creator && node->start >= creator->first && node->start < creator->last;
    }
    otter_task_facts_finish(&facts);
    return status;
}

// Sets *ticks to the time of the replay.
static enum otter_status run_replay(const struct otter_analysis *analysis, double *idle,
                                    const bool *is_creator, uint64_t *ticks)
{
    struct otter_replay *replay = otter_replay_create(analysis, NULL);
    if (!replay) {
        return OTTER_NO_MEMORY;
    }
    otter_replay_be_quiet(replay, true);
    otter_replay_watch_idle(replay, idle, is_creator);
    enum otter_status status =
        otter_replay_run_policy(replay, analysis->timeline.n_lines, OTTER_REPLAY_STEALING, ticks);
    otter_replay_destroy(replay);
    return status;
}

// Returns by how much the label costs more in the quiet run, over all kinds.
static double more_of(const struct otter_losses *losses, const struct otter_losses *quiet,
                      uint32_t label)
{
    double more = 0;
    for (unsigned i = 0; i < N_KINDS; i++) {
        more += otter_losses_at(quiet, kinds[i], label) - otter_losses_at(losses, kinds[i], label);
    }
    return more > 0 ? more : 0;
}

// Returns how much longer threads may wait for the label than they do in the run.
static double room_at(const struct otter_analysis *analysis, const struct otter_losses *losses,
                      uint32_t label)
{
    double most = (double)analysis->account.executed[label] * (analysis->timeline.n_lines - 1);
    for (unsigned k = 0; k < N_OF_LABEL; k++) {
        most -= otter_losses_at(losses, kinds[k], label);
    }
    return most > 0 ? most : 0;
}

// Returns how much of the noise the quiet run of `ticks` may lose, in addition to its other waits.
static double most_of(const struct otter_analysis *analysis, const struct otter_losses *losses,
                      uint64_t ticks)
{
    const struct otter_account *account = &analysis->account;
    double noise = otter_losses_of(losses, OTTER_FINDING_NOISE);
    double most = (double)ticks * analysis->timeline.n_lines - (double)account->executing -
                  (double)account->creating;
    for (unsigned i = 0; i < N_WAITS; i++) {
        most -= otter_losses_of(losses, kinds[i]);
    }
    return most < 0 ? 0 : most < noise ? most : noise;
}

static void move(const struct otter_analysis *analysis, struct otter_losses *losses,
                 const struct otter_losses *quiet, uint64_t ticks)
{
    double most = most_of(analysis, losses, ticks), all = 0;
    for (uint32_t i = 0; i < losses->n_labels; i++) {
        all += more_of(losses, quiet, i);
    }
    double share = all > most ? most / all : 1;
    for (uint32_t i = 0; i < losses->n_labels; i++) {
        double more = share * more_of(losses, quiet, i);
        for (unsigned k = 0; k < N_KINDS; k++) {
            double cost =
                otter_losses_at(quiet, kinds[k], i) - otter_losses_at(losses, kinds[k], i);
            double room = k < N_OF_LABEL ? room_at(analysis, losses, i) : more;
            room = room < more ? room : more;
            more -= otter_losses_move(losses, OTTER_FINDING_NOISE, OTTER_NONE, kinds[k], i,
                                      cost < room ? cost : room);
        }
    }
}

static bool is_modelled(const struct otter_analysis *analysis)
{
    const struct otter_account *account = &analysis->account;
    return analysis->timeline.n_lines > 1 && !account->is_crowded && account->mpi == 0 &&
           account->paused == 0 && account->lost == 0 && analysis->timeline.n_helpers == 0 &&
           analysis->graph->n_nodes <= OTTER_REPLAY_MAX_NODES;
}

enum otter_status otter_conclude_noise(const struct otter_analysis *analysis,
                                       struct otter_losses *losses)
{
    double noise = otter_losses_of(losses, OTTER_FINDING_NOISE);
    size_t n = analysis->graph->n_nodes + (size_t)1;
    if (noise * 100 < (double)analysis->account.total * OTTER_FINDING_PERCENT ||
        !is_modelled(analysis)) {
        return OTTER_OK;
    }
    struct otter_account account = {0};
    uint64_t ticks = 0;
    double *idle = calloc(n, sizeof *idle);
    bool *is_creator = calloc(n, sizeof *is_creator);
    struct otter_account_input input = otter_analysis_input(analysis);
    input.idle = idle;
    enum otter_status status =
        idle && is_creator ? find_creators(&input, is_creator) : OTTER_NO_MEMORY;
    OTTER_THEN(status, run_replay(analysis, idle, is_creator, &ticks));
    OTTER_THEN(status, otter_account_init(&account, &input));
    if (!status) {
        move(analysis, losses, &account.losses, ticks);
    }
    otter_account_finish(&account);
    OTTER_FREE(idle, is_creator);
    return status;
}
