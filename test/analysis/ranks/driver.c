// Plays a text of several ranks: driver [--reverse] FILE
//
// Prints what their MPI calls waited for, the critical path across ranks, the job's report,
// and the edges of the joint graph.
// The line "# what-if: LABEL=0.5x" before the first rank asks for a prediction.
// The line "rank N" begins the events of a rank; "world N" before it has the number of ranks.
// Exit status 1 if the replayed job does not repeat the run, or if the steps of the path or the
// waits do not add up. Also if the joint graph breaks a rule of otter check.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "world.h"

void scene_give_up(void)
{
    exit(2);
}

// ---- reading

// Gives threads different names, which the report prints.
static void name_threads(struct scene *scene)
{
    static const char *const names[] = {"master", "worker 1", "worker 2", "worker 3"};
    for (size_t i = 0; i < scene->definitions.n_locations && i < 4; i++) {
        scene->locations[i].name = names[i];
    }
}

static void add_scene(struct world *world, const char *text, uint32_t number)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    struct scene *scene = calloc(1, sizeof *scene);
    if (!file || !scene || world->n == MAX_RANKS) {
        scene_give_up();
    }
    scene_read(scene, world->path, file);
    fclose(file);
    name_threads(scene);
    char *value = scene->property_texts[0][1];
    snprintf(value, sizeof scene->property_texts[0][1], "%" PRIu32, number);
    scene->properties[0] = (struct otter_property){"OTTER::RANK", value};
    scene->definitions.properties = scene->properties;
    scene->definitions.n_properties = 1;
    world->numbers[world->n] = number;
    world->scenes[world->n++] = scene;
}

static void read_world(struct world *world, FILE *file)
{
    static char text[1 << 16];
    char line[512];
    uint32_t number, next;
    bool has_rank = false;
    for (bool is_more = true; is_more;) {
        is_more = fgets(line, sizeof line, file) != NULL;
        bool is_rank = is_more && sscanf(line, "rank %" SCNu32, &next) == 1;
        if (has_rank && (is_rank || !is_more)) {
            add_scene(world, text, number);
        }
        if (is_rank) {
            has_rank = true;
            number = next;
            *text = '\0';
        } else if (is_more && has_rank && strlen(text) + strlen(line) < sizeof text) {
            strcat(text, line);
        } else if (is_more) {
            sscanf(line, "world %" SCNu32, &world->n_ranks);
            world->n_what_ifs +=
                world->n_what_ifs < MAX_WHAT_IFS &&
                sscanf(line, "# what-if: %79[^\n]", world->what_ifs[world->n_what_ifs]) == 1;
        }
    }
}

// ---- analysis

struct consumers {
    struct otter_analysis *analysis;
    struct otter_rank_calls *calls;
};

static bool consume(void *user, const struct otter_event *event)
{
    const struct consumers *consumers = user;
    return otter_analysis_add(consumers->analysis, event) &&
           otter_rank_calls_add(consumers->calls, event);
}

bool world_play(const struct world *world, const struct scene *scene, otter_event_function *use,
                void *user)
{
    size_t n = scene->definitions.n_locations;
    bool is_good = true;
    for (size_t i = 0; i < n; i++) {
        size_t location = world->is_reverse ? n - 1 - i : i;
        for (size_t e = 0; e < scene->n_events && is_good; e++) {
            is_good = scene->events[e].location != location || use(user, &scene->events[e]);
        }
    }
    return is_good;
}

// Counts damaged locations as an archive would. The text has all events of such a location; an
// archive has only some of them.
static void count_damages(struct otter_analysis *analysis, const struct scene *scene)
{
    for (size_t i = 0; i < scene->definitions.n_locations; i++) {
        analysis->n_damaged += scene->definitions.locations[i].damage != NULL;
    }
}

static bool begin_rank(struct otter_analysis *analysis, struct otter_rank_calls *calls,
                       const struct scene *scene)
{
    bool is_good = !otter_analysis_begin(analysis, &scene->definitions) &&
                   !otter_rank_calls_begin(calls, &scene->definitions);
    if (is_good) {
        count_damages(analysis, scene);
    }
    return is_good;
}

static bool add_rank(struct world *world, struct otter_job *job, uint32_t i)
{
    struct otter_rank_calls calls;
    struct otter_analysis *analysis = &world->analyses[i];
    const struct scene *scene = world->scenes[i];
    return begin_rank(analysis, &calls, scene) &&
           world_play(world, scene, consume, &(struct consumers){analysis, &calls}) &&
           !otter_analysis_end(analysis) && !otter_rank_calls_end(&calls, analysis) &&
           !otter_job_add(job, world->numbers[i], i, &calls);
}

// ---- output

static void print_waits_on(const struct otter_job *job, uint32_t r, uint16_t location)
{
    static const char *const causes[OTTER_N_CAUSES] = {"", "sender", "receiver", "arrival"};
    const struct otter_rank_calls *calls = otter_job_calls(job, r);
    for (uint32_t i = 0; i < calls->calls.n; i++) {
        const struct otter_mpi_call *call = &calls->calls.items[i];
        if (call->cause != OTTER_CAUSE_NONE && call->location == location) {
            const struct otter_job_rank *rank = &job->ranks.items[call->cause_rank];
            printf("rank %u in %" PRIu64 "-%" PRIu64 " waits for %s: rank %u at %" PRIu64 "\n",
                   job->ranks.items[r].number, call->since, call->end, causes[call->cause],
                   rank->number, rank->calls.calls.items[call->cause_call].begin);
        }
    }
}

static void print_waits(const struct otter_job *job)
{
    for (uint32_t r = 0; r < job->ranks.n; r++) {
        for (uint16_t location = 0; location < MAX_THREADS; location++) {
            print_waits_on(job, r, location);
        }
    }
    printf("messages %" PRIu64 ", collectives %u; without partner: sends %" PRIu64
           ", receives %" PRIu64 ", collectives %" PRIu64 "; backwards %" PRIu64 "\n",
           job->n_messages, job->collectives.n, job->unmatched.sends, job->unmatched.receives,
           job->unmatched.collectives, job->unmatched.backwards);
}

static void print_steps(const struct world *world, const struct otter_job *job,
                        const struct otter_job_stay *stay, const struct otter_realised *realised)
{
    static const char *const reasons[] = {"executed", "MPI", "latency", "dispatch", "outside"};
    const struct scene *scene = world->scenes[stay->rank];
    const struct otter_node *nodes = world->analyses[stay->rank].graph->nodes;
    for (uint32_t i = 0; i < realised->steps.n; i++) {
        struct otter_path_step step = otter_realised_step(realised, i);
        printf("rank %u %-32s %" PRIu64 "-%" PRIu64 " %s\n", job->ranks.items[stay->rank].number,
               step.node == OTTER_NONE ? "-" : scene_region(scene, nodes[step.node].region),
               step.begin, step.end, reasons[step.reason]);
    }
}

// Prints the path from the end to the start. *Returns* whether the steps have no gap.
static bool print_path(const struct world *world, const struct otter_job *job)
{
    uint64_t time = job->end;
    bool is_good = true;
    for (uint32_t i = 0; i < job->stays.n && is_good; i++) {
        const struct otter_job_stay *stay = &job->stays.items[i];
        const struct otter_analysis *analysis = &world->analyses[stay->rank];
        struct otter_way_back way;
        struct otter_realised realised = {0};
        is_good =
            !otter_way_back_init(&way, analysis->graph, &analysis->pieces, &analysis->ready) &&
            !otter_realised_add(&realised, &way, stay->way);
        print_steps(world, job, stay, &realised);
        for (uint32_t k = 0; k < realised.steps.n; k++) {
            struct otter_path_step step = otter_realised_step(&realised, k);
            is_good = is_good && step.end == time;
            time = step.begin;
        }
        otter_realised_finish(&realised);
        otter_way_back_finish(&way);
    }
    return is_good && time == job->begin;
}

static bool print(const struct world *world, const struct otter_job *job)
{
    uint64_t sum = 0, waited = 0, caused = 0, root_cause = 0;
    print_waits(job);
    for (uint32_t r = 0; r < job->ranks.n; r++) {
        printf("rank %u: %" PRIu64 " of the path\n", job->ranks.items[r].number,
               job->ranks.items[r].on_path);
        sum += job->ranks.items[r].on_path;
        for (unsigned i = 0; i < OTTER_N_CAUSES; i++) {
            waited += job->ranks.items[r].waited[i];
            caused += job->ranks.items[r].caused[i];
            root_cause += job->ranks.items[r].root_cause[i];
        }
    }
    return print_path(world, job) && sum == job->end - job->begin && waited == caused &&
           waited == root_cause;
}

int main(int argc, char **argv)
{
    static struct world world;
    struct otter_job job = {0};
    FILE *file = argc > 1 ? fopen(argv[argc - 1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: driver [--reverse] FILE\n");
        return 2;
    }
    world.path = argv[argc - 1];
    world.is_reverse = argc > 2;
    read_world(&world, file);
    fclose(file);
    bool is_good = true;
    for (uint32_t i = 0; i < world.n && is_good; i++) {
        is_good = add_rank(&world, &job, i);
    }
    is_good = is_good && world_begin_predictions(&world, &job, world.analyses);
    is_good = is_good && !otter_job_end(&job, world.n_ranks) && print(&world, &job) &&
              report_job(&job, world.analyses) && world_repeats(&job) &&
              world_predict(&world, &job) && world_print_joint(&world, &job);
    otter_job_finish(&job);
    for (uint32_t i = 0; i < world.n; i++) {
        otter_analysis_finish(&world.analyses[i]);
        free(world.scenes[i]);
    }
    return is_good ? 0 : 1;
}
