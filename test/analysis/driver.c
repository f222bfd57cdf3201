// Plays a text of events into the analysis and prints its numbers in ticks: driver [--reverse] FILE
//
// A comment "# what-if: drop REGION", "balance REGION", "cut-off REGION at 2" or "REGION=0.5"
// prints a prediction.
// Exit status 1 if the thread time does not add up, as it must for every text of events.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/replay/replay.h"
#include "driver_kokkos.h"
#include "scene.h"
#include "trace/schema.h"

void scene_give_up(void)
{
    exit(2);
}

static const char *label_name(const struct scene *scene, uint32_t label)
{
    return label < scene->definitions.n_regions ? scene_region(scene, label) : "-";
}

static bool analyse(struct otter_analysis *analysis, const struct scene *scene, bool is_reverse)
{
    size_t n = scene->definitions.n_locations;
    bool is_good = !otter_analysis_begin(analysis, &scene->definitions);
    for (size_t i = 0; i < n; i++) {
        size_t location = is_reverse ? n - 1 - i : i;
        for (size_t e = 0; e < scene->n_events && is_good; e++) {
            if (scene->events[e].location == location) {
                is_good = otter_analysis_add(analysis, &scene->events[e]);
            }
        }
    }
    return is_good && !otter_analysis_end(analysis);
}

static void print_mpi(const struct scene *scene, const struct otter_analysis *analysis)
{
    const struct otter_efficiency *efficiency = &analysis->efficiency;
    for (uint32_t i = 0; analysis->mpi.uses && i < analysis->definitions->n_regions; i++) {
        const struct otter_mpi_use *use = &analysis->mpi.uses[i];
        if (use->n > 0) {
            printf("call %-32s n %" PRIu64 ", time %" PRIu64 ", longest %" PRIu64
                   ", messages %" PRIu64 ", sent %" PRIu64 ", received %" PRIu64 "\n",
                   label_name(scene, i), use->n, use->ticks, use->longest,
                   use->n_sends + use->n_receives + use->n_collectives, use->sent, use->received);
        }
    }
    if (analysis->account.mpi > 0) {
        printf("in MPI %" PRIu64 ", efficiency without it %.4f\n", analysis->account.mpi,
               efficiency->mpi);
    }
}

static void print_account(const struct otter_account *account)
{
    printf("threads %u, wall %" PRIu64 ", total %" PRIu64 "\n", account->n_threads, account->wall,
           account->total);
    printf("executing %" PRIu64 ", creating %" PRIu64 ", lock %" PRIu64 ", forking %" PRIu64
           ", outside %" PRIu64 ", paused %" PRIu64 ", lost %" PRIu64 "\n",
           account->executing, account->creating, account->lock, account->forking, account->outside,
           account->paused, account->lost);
    printf("waiting %" PRIu64 ": delay %" PRIu64 " (scheduling %" PRIu64 "), tied %" PRIu64
           ", no work %" PRIu64 "\n",
           account->waiting, account->delay, account->scheduling, account->tied, account->no_work);
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        const struct otter_wait_account *wait = &account->waits[i];
        if (wait->ticks > 0) {
            printf("  %-32s %" PRIu64 ": delay %" PRIu64 ", tied %" PRIu64 ", no work %" PRIu64
                   "\n",
                   otter_construct_name((enum otter_construct)i), wait->ticks, wait->delay,
                   wait->tied, wait->no_work);
        }
    }
}

static void print_labels(const struct scene *scene, const struct otter_account *account)
{
    for (uint32_t i = 0; i < account->n_labels; i++) {
        if (account->executed[i] > 0 || account->created[i] > 0) {
            printf("label %-32s executed %" PRIu64, label_name(scene, i), account->executed[i]);
            if (account->created[i] > 0) {
                printf(", creating %" PRIu64, account->created[i]);
            }
            printf(", blame %.2f\n", account->blame[i]);
        }
    }
}

static void print_paths(const struct scene *scene, const struct otter_analysis *analysis)
{
    printf("work %" PRIu64 ", span %" PRIu64 ", burdened %" PRIu64 "\n", analysis->span.work,
           analysis->span.span, analysis->span.burdened);
    printf("costs: creation %" PRIu64 ", scheduling %" PRIu64 ", join %" PRIu64 "\n",
           analysis->costs.creation, analysis->costs.scheduling, analysis->costs.join);
    for (uint32_t i = 0; i < analysis->span.n_path; i++) {
        const struct otter_node *node = &analysis->graph->nodes[analysis->span.path[i]];
        if (otter_node_is_piece(node)) {
            printf("span     %-32s %" PRIu64 "-%" PRIu64 "\n", label_name(scene, node->region),
                   node->start, node->end);
        }
    }
    static const char *const reasons[] = {"executed", "MPI", "latency", "dispatch", "outside"};
    for (uint32_t i = analysis->realised.steps.n; i-- > 0;) {
        struct otter_path_step step = otter_realised_step(&analysis->realised, i);
        printf("realised %-32s %" PRIu64 "-%" PRIu64 " %s\n",
               step.node == OTTER_NONE
                   ? "-"
                   : label_name(scene, analysis->graph->nodes[step.node].region),
               step.begin, step.end, reasons[step.reason]);
    }
}

static void print_uses(const struct scene *scene, const struct otter_analysis *analysis)
{
    for (uint32_t i = 0; i < analysis->regions.n; i++) {
        const struct otter_region_use *use = &analysis->regions.items[i];
        printf("region %-32s n %" PRIu64 ", wall %" PRIu64 ", executing %" PRIu64
               ", waiting %" PRIu64 ", imbalance %" PRIu64 "\n",
               label_name(scene, use->label), use->n, use->wall, use->executing, use->waiting,
               use->imbalance);
        const struct otter_wait_account *waits = &analysis->account.regions[use->label];
        printf("  in it: delay %" PRIu64 ", tied %" PRIu64 ", no work %" PRIu64 "\n", waits->delay,
               waits->tied, waits->no_work);
    }
    for (uint32_t i = 0; i < analysis->tasks.n; i++) {
        const struct otter_task_use *use = &analysis->tasks.items[i];
        printf("task %-32s n %" PRIu64 ", work %" PRIu64 ", median %" PRIu64 ", queued %" PRIu64
               ", moved %" PRIu64 ", on span %" PRIu64 "\n",
               label_name(scene, use->region), use->n, use->work, use->median, use->queued,
               use->n_moved, use->on_span);
    }
    const struct otter_efficiency *efficiency = &analysis->efficiency;
    printf("efficiency %.4f = serial %.4f x load balance %.4f x scheduling %.4f\n",
           efficiency->total, efficiency->serial, efficiency->load_balance, efficiency->scheduling);
}

// Prints the times in which threads were on no processor.
static void print_off(const struct otter_timeline *timeline)
{
    for (size_t i = 0; i < timeline->definitions->n_locations && timeline->has_switches; i++) {
        const struct otter_thread_line *line =
            timeline->line_of[i] == OTTER_NONE ? NULL : &timeline->lines[timeline->line_of[i]];
        for (uint32_t k = 0; line && k < line->off.n; k++) {
            const struct otter_off *off = &line->off.items[k];
            printf("off %zu: %" PRIu64 "-%" PRIu64 " processor %u%s\n", i, off->begin, off->end,
                   off->processor,
                   !off->is_preempted ? " blocked"
                   : off->by_own      ? " preempted by own"
                                      : " preempted by others");
        }
        for (uint32_t k = 0; line && k < line->unknown.n; k++) {
            const struct otter_stretch *unknown = &line->unknown.items[k];
            printf("off %zu: unknown %" PRIu64 "-%" PRIu64 "\n", i, unknown->begin, unknown->end);
        }
    }
}

static void print_recording(const struct otter_analysis *analysis)
{
    const struct otter_recording_cost *cost = &analysis->recording;
    if (cost->event > 0) {
        printf("recording %" PRIu64 ", work without it %" PRIu64 "%s\n", cost->total, cost->work,
               cost->is_grain_fine ? ", fine" : "");
        for (size_t i = 0; i < analysis->definitions->n_locations; i++) {
            uint32_t index = analysis->timeline.line_of[i];
            if (index == OTTER_NONE) {
                continue;
            }
            const struct otter_thread_line *line = &analysis->timeline.lines[index];
            printf("  location %u: %" PRIu64 " tenths, %" PRIu64 "\n", line->location,
                   line->recorded_tenths, otter_recording_cost_of(cost, line));
        }
    }
}

// Prints the advised cut-off of a recursion.
static void print_depth(const struct otter_finding *finding)
{
    const struct otter_grain *grain = &finding->grain;
    if (finding->kind == OTTER_FINDING_SMALL_TASKS && grain->depth != OTTER_NONE) {
        printf("  depth %u of the recursion: %" PRIu64 "\n", grain->depth, grain->inclusive);
    } else if (finding->kind == OTTER_FINDING_SMALL_TASKS && grain->largest > 0) {
        printf("  largest task of the recursion: %" PRIu64 "\n", grain->largest);
    }
}

// Returns whether no time is lost to two causes at once.
static bool is_partition(const struct otter_findings *findings)
{
    double sum = (double)findings->unexplained;
    uint64_t costs = findings->unexplained;
    for (unsigned i = 0; i < OTTER_FINDING_UNEXPLAINED; i++) {
        sum += otter_losses_of(&findings->losses, (enum otter_finding_kind)i);
    }
    for (uint32_t i = 0; i < findings->n; i++) {
        costs += findings->items[i].cost;
    }
    bool is_sum = sum > (double)findings->lost - 1 && sum < (double)findings->lost + 1;
    if (!is_sum || costs > findings->lost) {
        printf("causes add up to %.2f, findings to %" PRIu64 "\n", sum, costs);
    }
    return is_sum && costs <= findings->lost;
}

static bool is_possible(const struct scene *scene, const struct otter_findings *findings)
{
    const struct otter_excess *excess = &findings->excess;
    if (findings->has_excess) {
        printf("%s at %s costs %.2f, at most %.2f is possible\n", otter_finding_name(excess->kind),
               label_name(scene, excess->label), excess->cost, excess->most);
    }
    return !findings->has_excess;
}

static bool print_findings(const struct scene *scene, const struct otter_analysis *analysis)
{
    struct otter_findings findings;
    if (otter_findings_init(&findings, analysis)) {
        return false;
    }
    for (uint32_t i = 0; i < findings.n; i++) {
        printf("finding %s, cost %" PRIu64 ", %s\n", otter_finding_name(findings.items[i].kind),
               findings.items[i].cost, label_name(scene, findings.items[i].region));
        if (findings.items[i].has_gain) {
            printf("  gain %" PRIu64 "\n", findings.items[i].gain);
        }
        print_depth(&findings.items[i]);
    }
    printf("lost %" PRIu64 ", unexplained %" PRIu64 "\n", findings.lost, findings.unexplained);
    bool is_good = is_partition(&findings) && is_possible(scene, &findings);
    otter_findings_finish(&findings);
    return is_good;
}

// A replay that had other changes before gives the same result as a new one. No schedule is shorter
// than its span or than the work divided among its threads, or longer than executing all nodes one
// after the other.
static bool print_replay(const struct otter_analysis *analysis, struct otter_replay *used,
                         const struct otter_replay_changes *changes)
{
    struct otter_replay *replay = otter_replay_create(analysis, changes);
    bool is_good = replay && !otter_replay_change(used, changes);
    for (uint32_t n = 1; n <= 4 && is_good; n++) {
        struct otter_replay_times times;
        is_good = !otter_replay_run(replay, n, &times);
        printf("replay on %u: %" PRIu64 " to %" PRIu64 ", bounds %" PRIu64 " to %" PRIu64 "\n", n,
               times.least, times.most, times.lower, times.upper);
        if (!otter_replay_is_in_bounds(&times)) {
            printf("a replay is out of its bounds\n");
            is_good = false;
        }
        struct otter_replay_times again;
        is_good = is_good && !otter_replay_run(used, n, &again);
        if (is_good && memcmp(&times, &again, sizeof times) != 0) {
            printf("a changed replay: %" PRIu64 " to %" PRIu64 ", bounds %" PRIu64 " to %" PRIu64
                   "\n",
                   again.least, again.most, again.lower, again.upper);
            is_good = false;
        }
    }
    otter_replay_destroy(replay);
    return is_good;
}

// Returns how many regions the change names.
static unsigned read_change(const struct scene *scene, const char *text, double *factors,
                            unsigned char *changes, uint32_t *cut_offs)
{
    unsigned n = 0, depth = OTTER_NONE;
    char token[96];
    double factor = 1;
    bool is_drop = sscanf(text, "drop %95s", token) == 1;
    bool is_balance = sscanf(text, "balance %95s", token) == 1;
    bool is_cut_off = sscanf(text, "cut-off %95s at %u", token, &depth) == 2;
    bool is_known =
        is_drop || is_balance || is_cut_off || sscanf(text, "%95[^=]=%lf", token, &factor) == 2;
    for (uint32_t i = 0; i < scene->definitions.n_regions && is_known; i++) {
        if (strcmp(scene_region(scene, i), token) == 0) {
            factors[i] = factor;
            changes[i] = is_drop ? OTTER_REPLAY_DROP : is_balance ? OTTER_REPLAY_BALANCE : 0;
            cut_offs[i] = depth;
            n++;
        }
    }
    return n;
}

static bool print_what_if(const struct otter_analysis *analysis, struct otter_replay *used,
                          const struct scene *scene, const char *text)
{
    double factors[MAX_REGIONS + 1];
    unsigned char changes[MAX_REGIONS + 1] = {0};
    uint32_t cut_offs[MAX_REGIONS + 1];
    for (size_t i = 0; i <= MAX_REGIONS; i++) {
        factors[i] = 1;
        cut_offs[i] = OTTER_NONE;
    }
    if (read_change(scene, text, factors, changes, cut_offs) == 0) {
        printf("no region for: %s", text);
        return false;
    }
    printf("what if %s", text);
    return print_replay(analysis, used,
                        &(struct otter_replay_changes){
                            .factors = factors, .changes = changes, .cut_offs = cut_offs});
}

static bool print_replays(const struct otter_analysis *analysis, const struct scene *scene,
                          const char *path)
{
    static const char prefix[] = "# what-if: ";
    char line[256];
    struct otter_replay *used = otter_replay_create(analysis, NULL);
    bool is_good = used && print_replay(analysis, used, NULL);
    FILE *file = fopen(path, "r");
    while (is_good && file && fgets(line, sizeof line, file)) {
        if (strncmp(line, prefix, strlen(prefix)) == 0) {
            is_good = print_what_if(analysis, used, scene, line + strlen(prefix));
        }
    }
    if (file) {
        fclose(file);
    }
    otter_replay_destroy(used);
    return is_good && file;
}

int main(int argc, char **argv)
{
    static struct scene scene;
    FILE *file = argc > 1 ? fopen(argv[argc - 1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: driver [--reverse] FILE\n");
        return 2;
    }
    scene_read(&scene, argv[argc - 1], file);
    fclose(file);
    struct otter_analysis analysis;
    if (!analyse(&analysis, &scene, argc > 2)) {
        fprintf(stderr, "%s: out of memory\n", argv[argc - 1]);
        return 2;
    }
    driver_read_blocks(&analysis, &scene, argc > 2);
    print_account(&analysis.account);
    print_labels(&scene, &analysis.account);
    print_paths(&scene, &analysis);
    print_uses(&scene, &analysis);
    print_mpi(&scene, &analysis);
    print_recording(&analysis);
    print_off(&analysis.timeline);
    driver_print_kokkos(&scene, &analysis);
    const char *flaw = otter_analysis_flaw(&analysis);
    if (flaw) {
        printf("%s\n", flaw);
    }
    bool is_good = print_findings(&scene, &analysis) && !flaw &&
                   print_replays(&analysis, &scene, argv[argc - 1]);
    analysis.account.lock++; // the flaw to be found: one tick too many
    is_good = is_good && otter_analysis_flaw(&analysis);
    otter_analysis_finish(&analysis);
    return is_good ? 0 : 1;
}
