// Divides the thread time by causes of loss.
#include "analysis/cause/efficiency.h"

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 1;
}

// Each factor is what remains after a loss, divided by what there was before it.
static void divide_losses(struct otter_efficiency *efficiency, const struct otter_account *account,
                          double inside)
{
    const double ticks[OTTER_N_LOSSES] = {
        [OTTER_LOSS_NO_WORK] = (double)account->no_work,
        [OTTER_LOSS_TIED] = (double)account->tied,
        [OTTER_LOSS_DELAY] = (double)(account->delay - account->scheduling),
        [OTTER_LOSS_LOCKS] = (double)account->lock,
        [OTTER_LOSS_TASKS] = (double)(account->creating + account->scheduling),
        [OTTER_LOSS_FORKING] = (double)account->forking,
        [OTTER_LOSS_PREEMPTED] = (double)account->preempted,
    };
    double rest = inside;
    for (unsigned i = 0; i < OTTER_N_LOSSES; i++) {
        efficiency->losses[i] = ratio(rest - ticks[i], rest);
        rest -= ticks[i];
    }
}

// Time without events (paused or lost) does not count as a loss.
struct otter_efficiency otter_efficiency_of(const struct otter_account *account, uint64_t imbalance)
{
    double recorded = (double)(account->total - account->paused - account->lost);
    double executing = (double)account->executing;
    double outside_mpi = recorded - (double)account->mpi;
    double inside = outside_mpi - (double)account->outside;
    double balanced = inside - (double)imbalance;
    balanced = balanced > executing ? balanced : executing;
    struct otter_efficiency efficiency = {
        .total = ratio(executing, recorded),
        .mpi = ratio(outside_mpi, recorded),
        .serial = ratio(inside, outside_mpi),
        .regions = ratio(executing, inside),
        .load_balance = ratio(balanced, inside),
        .scheduling = ratio(executing, balanced),
    };
    divide_losses(&efficiency, account, inside);
    return efficiency;
}

const char *otter_loss_name(enum otter_loss loss)
{
    static const char *const names[OTTER_N_LOSSES] = {"no work", "tied",    "delay",    "locks",
                                                      "tasks",   "forking", "preempted"};
    return loss < OTTER_N_LOSSES ? names[loss] : "unknown";
}
