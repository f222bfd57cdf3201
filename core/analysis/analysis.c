// Runs the steps of the analysis in order.
#include "analysis/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/cause/accounting.h"
#include "analysis/time/between.h"
#include "analysis/time/states.h"

struct otter_account_input otter_analysis_input(const struct otter_analysis *analysis)
{
    return (struct otter_account_input){
        .timeline = &analysis->timeline,
        .graph = analysis->graph,
        .pieces = &analysis->pieces,
        .ready = &analysis->ready,
        .costs = &analysis->costs,
        .tasks = &analysis->tasks,
        .grains = &analysis->grains,
        .addresses = &analysis->addresses,
        .exclusions = &analysis->exclusions,
    };
}

static enum otter_status run_account(struct otter_analysis *analysis)
{
    const struct otter_account_input input = otter_analysis_input(analysis);
    return otter_account_init(&analysis->account, &input);
}

static enum otter_status run_steps(struct otter_analysis *analysis)
{
    const struct otter_graph *graph = analysis->graph;
    const struct otter_timeline *timeline = &analysis->timeline;
    otter_timeline_inherit(&analysis->timeline, graph);
    bool is_short_of_memory =
        otter_pieces_init(&analysis->pieces, graph, &analysis->timeline) ||
        otter_ready_init(&analysis->ready, graph) ||
        otter_exclusions_init(&analysis->exclusions, graph, &analysis->addresses,
                              &analysis->ready) ||
        otter_costs_init(&analysis->costs, graph, &analysis->pieces, &analysis->ready) ||
        otter_span_init(&analysis->span, graph, &analysis->pieces, &analysis->ready,
                        &analysis->costs, &analysis->exclusions) ||
        otter_region_uses_init(&analysis->regions, timeline, graph) ||
        otter_barrier_uses_init(&analysis->barriers, graph, &analysis->pieces, &analysis->ready) ||
        otter_task_uses_init(&analysis->tasks, graph, &analysis->pieces, &analysis->ready,
                             &analysis->costs, &analysis->span) ||
        otter_task_grains_init(&analysis->grains, graph, &analysis->pieces, &analysis->ready,
                               &analysis->costs) ||
        run_account(analysis) ||
        otter_realised_init(&analysis->realised, timeline, graph, &analysis->pieces,
                            &analysis->ready);
    return is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

static enum otter_status run_kokkos(struct otter_analysis *analysis)
{
    otter_kokkos_conclude(&analysis->kokkos);
    bool is_short_of_memory = analysis->kokkos.is_short_of_memory ||
                              otter_kernel_uses_init(&analysis->kernels, &analysis->kokkos,
                                                     &analysis->regions, &analysis->timeline) ||
                              otter_memory_uses_init(&analysis->memory, &analysis->kokkos);
    return is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

static enum otter_status run(struct otter_analysis *analysis)
{
    enum otter_status status = run_steps(analysis);
    status = status || !analysis->has_kokkos ? status : run_kokkos(analysis);
    uint64_t resolution = analysis->definitions->clock.resolution;
    analysis->tick = resolution ? 1.0 / (double)resolution : 1e-9;
    if (!status) {
        analysis->efficiency = otter_efficiency_of(&analysis->account, analysis->regions.imbalance);
        otter_recording_cost_measure(&analysis->recording, &analysis->timeline, analysis->graph,
                                     &analysis->pieces, &analysis->costs, analysis->tick,
                                     analysis->span.work);
    }
    return status;
}

// ---- the events: each part that needs them has a line in begin, add and end

static enum otter_status begin_builder(struct otter_analysis *analysis)
{
    if (!analysis->graph) {
        analysis->builder = otter_builder_create(analysis->definitions, OTTER_VIEW_FRAGMENTS);
    }
    return analysis->graph || analysis->builder ? OTTER_OK : OTTER_NO_MEMORY;
}

static enum otter_status begin(struct otter_analysis *analysis,
                               const struct otter_definitions *definitions,
                               struct otter_graph *fragments)
{
    *analysis = (struct otter_analysis){.definitions = definitions, .graph = fragments};
    enum otter_status status = begin_builder(analysis);
    OTTER_THEN(status, otter_timeline_begin(&analysis->timeline, definitions));
    OTTER_THEN(status, otter_switches_begin(&analysis->switches, definitions));
    OTTER_THEN(status, otter_addresses_begin(&analysis->addresses, definitions));
    OTTER_THEN(status, otter_marks_begin(&analysis->marks, definitions));
    OTTER_THEN(status, otter_mpi_begin(&analysis->mpi, definitions));
    analysis->has_kokkos = !status && otter_kokkos_is_in(definitions);
    return analysis->has_kokkos ? otter_kokkos_init(&analysis->kokkos, definitions) : status;
}

enum otter_status otter_analysis_begin(struct otter_analysis *analysis,
                                       const struct otter_definitions *definitions)
{
    return begin(analysis, definitions, NULL);
}

bool otter_analysis_add(void *user, const struct otter_event *event)
{
    struct otter_analysis *analysis = user;
    if (otter_location_is_processor(&analysis->definitions->locations[event->location])) {
        return otter_switches_add(&analysis->switches, event);
    }
    if (analysis->has_kokkos) {
        otter_kokkos_add(&analysis->kokkos, event);
    }
    otter_mpi_add(&analysis->mpi, event);
    return (!analysis->builder || otter_builder_add(analysis->builder, event)) &&
           otter_timeline_add(&analysis->timeline, event) &&
           otter_addresses_add(&analysis->addresses, event) &&
           otter_marks_add(&analysis->marks, event);
}

enum otter_status otter_analysis_end(struct otter_analysis *analysis)
{
    enum otter_status status = OTTER_OK;
    if (analysis->builder) {
        status = otter_builder_finish(analysis->builder, &analysis->graph, NULL);
        analysis->builder = NULL;
    }
    OTTER_THEN(status, otter_timeline_end(&analysis->timeline));
    OTTER_THEN(status, otter_betweens_find(&analysis->timeline));
    OTTER_THEN(status, otter_switches_end(&analysis->switches, &analysis->timeline));
    return status ? status : run(analysis);
}

// ---- from an archive

static bool is_known(const struct otter_archive *archive, struct otter_complaint *complaint)
{
    char why[OTTER_MAX_WHY];
    bool is_good = otter_graph_knows(archive, why);
    if (!is_good) {
        snprintf(complaint->text, sizeof complaint->text, "no task graph in '%s': %s",
                 otter_archive_definitions(archive)->anchor, why);
    }
    return is_good;
}

// The parts of the analysis, and the caller's own function.
struct consumers {
    struct otter_analysis *analysis;
    struct otter_analysis_extras extras;
};

static bool consume(void *user, const struct otter_event *event)
{
    const struct consumers *consumers = user;
    const struct otter_analysis_extras *extras = &consumers->extras;
    bool is_shared =
        !otter_location_is_processor(&consumers->analysis->definitions->locations[event->location]);
    return otter_analysis_add(consumers->analysis, event) &&
           (!is_shared || !extras->also || extras->also(extras->user, event));
}

// Reads each location to its end or to where it is damaged. Stores the first damage in `damage`.
static enum otter_status read_events(struct consumers *consumers, struct otter_archive *archive,
                                     struct otter_complaint *damage)
{
    struct otter_analysis *analysis = consumers->analysis;
    for (size_t i = 0; i < analysis->definitions->n_locations; i++) {
        struct otter_complaint complaint;
        const struct otter_location *location = &analysis->definitions->locations[i];
        bool has_part = location->kind == OTTER_LOCATION_CPU_THREAD ||
                        location->kind == OTTER_LOCATION_ACCELERATOR ||
                        otter_location_is_processor(location);
        enum otter_status status =
            has_part ? otter_archive_read(archive, i, consume, consumers, NULL, &complaint)
                     : OTTER_OK;
        if (status && analysis->n_damaged++ == 0) {
            *damage = complaint;
        }
        if (status == OTTER_NO_FILES) {
            return status;
        }
    }
    return OTTER_OK;
}

// Reads locations with allocations again, to find the blocks in use at the high-water mark.
static void read_blocks(struct otter_analysis *analysis, struct otter_archive *archive)
{
    for (size_t i = 0; i < analysis->definitions->n_locations; i++) {
        struct otter_complaint damage;
        if (analysis->kokkos.has_samples[i]) {
            otter_archive_read(archive, i, otter_memory_uses_add, &analysis->memory, NULL, &damage);
        }
    }
    otter_memory_uses_end(&analysis->memory);
}

static enum otter_status analyse(struct consumers *consumers, struct otter_archive *archive,
                                 struct otter_complaint *complaint)
{
    struct otter_analysis *analysis = consumers->analysis;
    enum otter_status status =
        begin(analysis, otter_archive_definitions(archive), consumers->extras.fragments);
    snprintf(complaint->text, sizeof complaint->text, "not enough memory to analyse '%s'",
             analysis->definitions->folder);
    if (status) {
        return status;
    }
    struct otter_complaint damage;
    status = read_events(consumers, archive, &damage);
    if (status) {
        *complaint = damage;
        return status;
    }
    status = otter_analysis_end(analysis);
    if (!status && analysis->account.total == 0 && analysis->n_damaged > 0) {
        *complaint = damage;
        return OTTER_BAD_ARCHIVE;
    }
    if (!status && analysis->account.total == 0) {
        snprintf(complaint->text, sizeof complaint->text,
                 "'%s' contains no events of threads, so there is nothing to report",
                 analysis->definitions->folder);
        return OTTER_BAD_ARCHIVE;
    }
    if (!status && analysis->has_kokkos) {
        read_blocks(analysis, archive);
    }
    return status;
}

static enum otter_status read_archive(void *run, uint32_t location, otter_event_function *add,
                                      void *part, struct otter_complaint *damage)
{
    return otter_archive_read(run, location, add, part, NULL, damage);
}

enum otter_status otter_analysis_init(struct otter_analysis *analysis,
                                      struct otter_archive *archive,
                                      const struct otter_analysis_extras *extras,
                                      struct otter_complaint *complaint)
{
    struct consumers consumers = {.analysis = analysis};
    consumers.extras = extras ? *extras : (struct otter_analysis_extras){0};
    *analysis = (struct otter_analysis){.graph = consumers.extras.fragments};
    enum otter_status status =
        is_known(archive, complaint) ? analyse(&consumers, archive, complaint) : OTTER_BAD_ARCHIVE;
    if (status) {
        otter_analysis_finish(analysis);
        return status;
    }
    analysis->source = (struct otter_event_source){read_archive, archive};
    analysis->n_lost = otter_archive_number(archive, "OTTER::LOST");
    const char *cut_off = otter_archive_property(archive, "OTTER::CUT_OFF");
    analysis->is_cut_off = cut_off && strcmp(cut_off, "true") == 0;
    return OTTER_OK;
}

// ---- conservation

static bool span_adds_up(const struct otter_analysis *analysis)
{
    uint64_t sum = 0, *sums = calloc(analysis->account.n_labels, sizeof *sums);
    if (!sums) {
        return true;
    }
    otter_span_labels(analysis, sums);
    for (uint32_t i = 0; i < analysis->account.n_labels; i++) {
        sum += sums[i];
    }
    free(sums);
    return sum == analysis->span.span;
}

static uint64_t parts_of(const struct otter_account *account)
{
    return account->executing + account->preempted + account->creating + account->lock +
           account->forking + account->mpi + account->outside + account->paused + account->lost +
           account->delay + account->tied + account->no_work;
}

const char *otter_analysis_flaw(const struct otter_analysis *analysis)
{
    const struct otter_account *account = &analysis->account;
    uint64_t waits = 0, region_waits = 0, place_waits = 0, path = 0, labels = 0, created = 0;
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        waits += account->waits[i].ticks;
    }
    for (uint32_t i = 0; i < analysis->realised.steps.n; i++) {
        struct otter_path_step step = otter_realised_step(&analysis->realised, i);
        path += step.end - step.begin;
    }
    for (uint32_t i = 0; i < account->n_labels; i++) {
        labels += account->executed[i];
        created += account->created[i];
        region_waits += account->regions[i].ticks;
        place_waits += account->places[i].ticks;
    }
    const struct {
        bool is_wrong;
        const char *flaw;
    } sums[] = {
        {parts_of(account) != account->total, "the states do not add up to the thread time"},
        {waits != account->waiting, "the waits do not add up to the waiting time"},
        {region_waits != waits, "the waits in regions do not add up to all waits"},
        {place_waits != waits, "the waits by place do not add up to all waits"},
        {path != account->wall, "the steps of the realised path do not add up to the wall time"},
        {labels != account->executing || created != account->creating,
         "the labels do not add up to the executed time"},
        {!span_adds_up(analysis), "the labels on the heaviest path do not add up to the span"},
    };
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        if (sums[i].is_wrong) {
            return sums[i].flaw;
        }
    }
    return NULL;
}

void otter_analysis_finish(struct otter_analysis *analysis)
{
    otter_memory_uses_finish(&analysis->memory);
    otter_kernel_uses_finish(&analysis->kernels);
    otter_kokkos_finish(&analysis->kokkos);
    otter_task_grains_finish(&analysis->grains);
    otter_task_uses_finish(&analysis->tasks);
    otter_barrier_uses_finish(&analysis->barriers);
    otter_region_uses_finish(&analysis->regions);
    otter_realised_finish(&analysis->realised);
    otter_account_finish(&analysis->account);
    otter_span_finish(&analysis->span);
    otter_costs_finish(&analysis->costs);
    otter_ready_finish(&analysis->ready);
    otter_pieces_finish(&analysis->pieces);
    otter_mpi_finish(&analysis->mpi);
    otter_marks_finish(&analysis->marks);
    otter_exclusions_finish(&analysis->exclusions);
    otter_addresses_finish(&analysis->addresses);
    otter_switches_finish(&analysis->switches);
    otter_timeline_finish(&analysis->timeline);
    otter_builder_destroy(analysis->builder);
    otter_graph_destroy(analysis->graph);
    *analysis = (struct otter_analysis){0};
}

// ---- labels of pieces

void otter_piece_labels(const struct otter_analysis *analysis, uint32_t node, uint64_t begin,
                        uint64_t end, otter_part_function *use, void *user)
{
    const struct otter_node *piece = &analysis->graph->nodes[node];
    uint32_t index = analysis->timeline.line_of[piece->location];
    if (piece->kind == OTTER_NODE_DEVICE) {
        use(user, piece->region, OTTER_STATE_EXECUTING, end - begin);
        return;
    }
    if (index == OTTER_NONE) { // no thread executes the piece
        return;
    }
    const struct otter_thread_line *line = &analysis->timeline.lines[index];
    bool is_preempted = otter_ticks_preempted(line, begin, end) > 0;
    for (uint32_t i = otter_interval_at(line, begin); i < line->intervals.n && begin < end; i++) {
        const struct otter_interval *interval = &line->intervals.items[i];
        uint64_t next = otter_interval_end(&analysis->timeline, line, i);
        next = next < end ? next : end;
        if (next > begin) {
            uint64_t lost = is_preempted && interval->state == OTTER_STATE_EXECUTING
                                ? otter_ticks_preempted(line, begin, next)
                                : 0;
            use(user, interval->label, (enum otter_state)interval->state, next - begin - lost);
            if (lost > 0) {
                use(user, interval->label, (enum otter_state)OTTER_PART_PREEMPTED, lost);
            }
            begin = next;
        }
    }
}

struct span_sums {
    const struct otter_analysis *analysis;
    uint64_t *of_labels;
    uint64_t n_left_out; // ticks at the start of a piece that count as creation, not as work
};

static void add_work(void *user, uint32_t label, enum otter_state state, uint64_t ticks)
{
    struct span_sums *sums = user;
    if (state != OTTER_STATE_EXECUTING) {
        return;
    }
    uint64_t left_out = ticks < sums->n_left_out ? ticks : sums->n_left_out;
    sums->n_left_out -= left_out;
    sums->of_labels[otter_account_label(&sums->analysis->account, label)] += ticks - left_out;
}

void otter_span_labels(const struct otter_analysis *analysis, uint64_t *sums)
{
    for (uint32_t i = 0; i < analysis->span.n_path; i++) {
        uint32_t index = analysis->span.path[i];
        const struct otter_node *node = &analysis->graph->nodes[index];
        if (otter_node_is_piece(node) || node->kind == OTTER_NODE_DEVICE) {
            otter_piece_labels(
                analysis, index, node->start, node->end, add_work,
                &(struct span_sums){analysis, sums, analysis->costs.creating_in[index]});
        }
    }
}
