// Plays a text of events into the tables of a report, and prints their numbers in ticks:
// driver [--reverse] FILE
//
// Exit status 1 if a critical path does not add up to the wall time or the span.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/detail/chain.h"
#include "analysis/detail/devices.h"
#include "analysis/sample/function_factors.h"
#include "analysis/sample/functions.h"
#include "analysis/detail/locks.h"
#include "analysis/detail/loops.h"
#include "analysis/detail/slack.h"
#include "analysis/detail/task_details.h"
#include "scene.h"

void scene_give_up(void)
{
    exit(2);
}

static const char *label_name(const struct scene *scene, uint32_t label)
{
    return label < scene->definitions.n_regions ? scene_region(scene, label) : "-";
}

struct run {
    const struct scene *scene;
    bool is_reverse;
};

// Plays a location; in reverse, the location with the same number from the end.
static enum otter_status play(void *user, uint32_t i, otter_event_function *add, void *part,
                              struct otter_complaint *damage)
{
    const struct run *run = user;
    size_t location = run->is_reverse ? run->scene->definitions.n_locations - 1 - i : i;
    bool goes_on = true;
    for (size_t e = 0; e < run->scene->n_events && goes_on; e++) {
        const struct otter_event *event = &run->scene->events[e];
        goes_on = event->location != location || add(part, event);
    }
    return OTTER_OK;
}

static bool print_loops(const struct scene *scene, const struct otter_analysis *analysis)
{
    struct otter_loops loops;
    bool is_good = !otter_loops_read(&loops, analysis, NULL);
    for (uint32_t i = 0; i < loops.n; i++) {
        const struct otter_loop_use *use = &loops.items[i];
        printf("loop %-32s n %" PRIu64 ", members %" PRIu64 ", iterations %" PRIu64
               ", chunks %" PRIu64 ", wall %" PRIu64 ", executing %" PRIu64 ", busiest %" PRIu64
               ", waiting %" PRIu64 ", on span %" PRIu64 "\n",
               label_name(scene, use->region), use->n, use->n_members, use->iterations, use->chunks,
               use->wall, use->executing, use->max_executing, use->waiting, use->on_span);
    }
    otter_loops_finish(&loops);
    return is_good;
}

static bool print_locks(const struct scene *scene, const struct otter_analysis *analysis)
{
    struct otter_locks locks;
    bool is_good = !otter_locks_read(&locks, analysis, NULL);
    for (uint32_t i = 0; i < locks.n; i++) {
        const struct otter_lock_use *use = &locks.items[i];
        printf("lock %-32s n %" PRIu64 ", locks %" PRIu64 ", contended %" PRIu64 ", waited %" PRIu64
               " (median %" PRIu64 ", p99 %" PRIu64 ", max %" PRIu64 "), held %" PRIu64
               ", against others %" PRIu64 "\n",
               label_name(scene, use->region), use->n, use->n_locks, use->n_waited, use->waited,
               use->median, use->p99, use->max, use->held, use->held_against);
    }
    otter_locks_finish(&locks);
    return is_good;
}

static bool print_devices(const struct scene *scene, const struct otter_analysis *analysis)
{
    struct otter_devices devices;
    bool is_good = !otter_devices_read(&devices, analysis);
    for (uint32_t i = 0; i < devices.n; i++) {
        const struct otter_device_use *use = &devices.items[i];
        printf("device %u %-30s n %" PRIu64 ", ticks %" PRIu64 ", busy %" PRIu64 ", bytes %" PRIu64
               ", host waiting %" PRIu64 "\n",
               use->location, label_name(scene, use->region), use->n, use->ticks, use->busy,
               use->bytes, use->waiting);
    }
    otter_devices_finish(&devices);
    return is_good;
}

// Code "work:5" is line 5 of the function "work".
static bool label_code(struct otter_labels *labels, const struct scene *scene)
{
    if (otter_labels_init(labels, &scene->definitions)) {
        return false;
    }
    for (size_t i = 0; i < labels->n_regions; i++) {
        struct otter_label *label = &labels->regions[i];
        const char *colon = strrchr(label->where, ':');
        if (colon && scene->definitions.regions[i].construct == OTTER_CONSTRUCT_CODE) {
            char *function = strndup(label->where, (size_t)(colon - label->where));
            label->function = otter_labels_copy(labels, function ? function : "");
            label->line = (uint32_t)strtoul(colon + 1, NULL, 10);
            free(function);
        }
    }
    return true;
}

static void print_uses(const struct scene *scene, const struct otter_functions *functions,
                       const struct otter_function_uses *uses, const char *name)
{
    for (uint32_t i = 0; i < uses->n; i++) {
        const struct otter_function_use *use = &uses->items[i];
        double low, high;
        otter_sample_share(use->n_self, functions->samples.n, &low, &high);
        printf("%s %-10s in %s, state %d: self %" PRIu64 ", total %" PRIu64 ", on the path %" PRIu64
               ", share %.3f to %.3f, at %s\n",
               name, use->function, label_name(scene, use->label), (int)use->state, use->n_self,
               use->n_total, use->n_path, low, high, use->where);
    }
}

static void print_ratios(const struct otter_analysis *analysis,
                         const struct otter_interval_ratios *ratios)
{
    double least = 1, most = 1;
    for (uint32_t i = 0; i < ratios->n_lines; i++) {
        for (uint32_t k = 0; ratios->lines[i] && k < analysis->timeline.lines[i].intervals.n; k++) {
            least = fmin(least, ratios->lines[i][k]);
            most = fmax(most, ratios->lines[i][k]);
        }
    }
    if (least < most) {
        printf("factors of intervals: those of labels times %.3f to %.3f\n", least, most);
    }
}

// Prints what labels take if "work" takes half the time and "outer", with all that it calls, none.
// "leaf" takes as long as before.
static bool print_factors(const struct scene *scene, const struct otter_analysis *analysis,
                          const struct otter_functions *functions)
{
    const struct otter_function_change changes[] = {{"work", 0.5},  {"outer", 0},
                                                    {"nothing", 0}, {"leaf<c::d>", 1},
                                                    {"leaf", 1},    {"m::leaf", 1}};
    struct otter_function_factors factors;
    bool is_good =
        !otter_function_factors_init(&factors, analysis, &functions->samples, &functions->frames,
                                     changes, sizeof changes / sizeof *changes);
    for (uint32_t i = 0; i < analysis->account.n_labels && is_good && functions->samples.n > 0;
         i++) {
        if (factors.least[i] < factors.most[i]) {
            printf("factor of %s: %.3f to %.3f to %.3f\n", label_name(scene, i), factors.least[i],
                   factors.middle[i], factors.most[i]);
        }
    }
    if (is_good) {
        print_ratios(analysis, &factors.ratios);
    }
    if (functions->samples.n > 0) {
        printf("factors: found %x, %" PRIu64 " of %" PRIu64 " samples\n", factors.found,
               factors.n_changed, factors.n_samples);
    }
    otter_function_factors_finish(&factors);
    return is_good;
}

static bool print_functions(const struct scene *scene, const struct otter_analysis *analysis)
{
    struct otter_labels labels;
    struct otter_functions functions;
    struct otter_analysis forward = *analysis;
    struct run run = {.scene = scene};
    forward.source.run = &run;
    if (!label_code(&labels, scene)) {
        return false;
    }
    bool is_good = !otter_functions_read(&functions, &forward, &labels);
    print_uses(scene, &functions, &functions.uses, "function");
    print_uses(scene, &functions, &functions.lines, "line");
    for (uint32_t i = 0; i < functions.n_on_path; i++) {
        printf("on the path: %s %" PRIu64 "\n", functions.on_path[i].function,
               functions.on_path[i].n);
    }
    is_good = is_good && print_factors(scene, analysis, &functions);
    otter_functions_finish(&functions);
    otter_labels_finish(&labels);
    return is_good;
}

static bool print_slack(const struct scene *scene, const struct otter_analysis *analysis)
{
    struct otter_slack slack;
    if (otter_slack_init(&slack, analysis, NULL)) {
        return false;
    }
    for (uint32_t i = 0; i < slack.n; i++) {
        const struct otter_slack_use *use = &slack.items[i];
        printf("slack %-32s pieces %" PRIu64 ", executed %" PRIu64 ", least %" PRIu64
               ", mean %.2f, growth %.4f, in this run %" PRIu64 ", mean %.2f\n",
               label_name(scene, use->label), use->n, use->executed, use->least, use->mean,
               use->growth, use->realised_least, use->realised_mean);
    }
    otter_slack_finish(&slack);
    return true;
}

static bool print_chain(const struct scene *scene, const struct otter_analysis *analysis,
                        enum otter_chain_path path)
{
    struct otter_chain chain;
    if (otter_chain_init(&chain, analysis, path, true)) {
        return false;
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < chain.links.n; i++) {
        const struct otter_chain_link *link = &chain.links.items[i];
        printf("%s %-32s on %d%s:", path == OTTER_CHAIN_SPAN ? "heaviest" : "chain",
               label_name(scene, link->label), (int)link->location,
               link->has_others ? " and others" : "");
        for (unsigned k = 0; k < OTTER_N_CHAIN_REASONS; k++) {
            sum += link->ticks[k];
            if (link->n[k] > 0) {
                printf(" %s %" PRIu64 " in %" PRIu64 " from %" PRIu64,
                       otter_chain_reason_name((enum otter_chain_reason)k), link->ticks[k],
                       link->n[k], link->begin[k]);
            }
        }
        printf("\n");
    }
    otter_chain_finish(&chain);
    return sum == (path == OTTER_CHAIN_SPAN ? analysis->span.span : analysis->account.wall);
}

static bool print_details(const struct scene *scene, const struct otter_analysis *analysis)
{
    struct otter_task_details details;
    if (otter_task_details_init(&details, analysis)) {
        return false;
    }
    for (uint32_t i = 0; i < analysis->tasks.n; i++) {
        uint32_t region = analysis->tasks.items[i].region;
        const struct otter_task_detail *detail = &details.items[i];
        printf("task %-32s with below %" PRIu64 ", creating %" PRIu64 ", p99 queued %" PRIu64
               ", busiest thread %" PRIu64 ", created in %s%s\n",
               label_name(scene, region), detail->inclusive, detail->creating, detail->p99_queued,
               detail->most, label_name(scene, detail->creator),
               detail->has_more_creators ? " and others" : "");
    }
    otter_task_details_finish(&details);
    return true;
}

static bool print(const struct scene *scene, const struct otter_analysis *analysis)
{
    return print_loops(scene, analysis) && print_locks(scene, analysis) &&
           print_devices(scene, analysis) && print_details(scene, analysis) &&
           print_functions(scene, analysis) && print_slack(scene, analysis) &&
           print_chain(scene, analysis, OTTER_CHAIN_REALISED) &&
           print_chain(scene, analysis, OTTER_CHAIN_SPAN);
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
    struct run run = {&scene, argc > 2};
    bool is_good = !otter_analysis_begin(&analysis, &scene.definitions);
    if (is_good) {
        for (uint32_t i = 0; i < scene.definitions.n_locations; i++) {
            play(&run, i, otter_analysis_add, &analysis, NULL);
        }
        is_good = !otter_analysis_end(&analysis);
        analysis.source = (struct otter_event_source){play, &run};
    }
    is_good = is_good && print(&scene, &analysis);
    otter_analysis_finish(&analysis);
    return is_good ? 0 : 1;
}
