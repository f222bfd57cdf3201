// Fuzzes the graph builder with events of any kind in any order.
//
// Byte 0 determines locations and communicators, byte 1 the view and the use of the graph. Events
// follow: kind and location in a byte, time since the last event in a byte, the fields of the kind.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "use.h"

enum { MAX_LOCATIONS = 4, N_COMMS = 8, MAX_EVENTS = 2000, N_REGIONS = OTTER_N_CONSTRUCTS + 16 };

struct scene {
    struct otter_definitions definitions;
    struct otter_location locations[MAX_LOCATIONS];
    struct otter_comm comms[N_COMMS];
    uint32_t members[MAX_LOCATIONS];
    struct otter_region regions[N_REGIONS];
    struct otter_parameter_definition parameters[OTTER_N_PARAMETERS];
    struct otter_event events[MAX_EVENTS];
    size_t n_events;
};

// Defines the regions. Those after the regions of all constructs are tasks of all kinds.
static void define_regions(struct scene *scene)
{
    static const char *const words[] = {
        "", "undeferred", "untied", "target", "target", "merged", "undeferred, final", "mergeable"};
    for (size_t i = 0; i < N_REGIONS; i++) {
        bool is_task = i >= OTTER_N_CONSTRUCTS;
        scene->regions[i] = (struct otter_region){
            .name = "!$omp something @fib+0x1234",
            .canonical_name = "!$omp <\"&something\n",
            .description = is_task ? words[i % 8] : "",
            .construct = is_task ? OTTER_CONSTRUCT_TASK : (enum otter_construct)i,
            .role = "",
            .paradigm = "",
            .file = i % 3 ? "/src/fib" : "",
        };
    }
}

static void define(struct scene *scene, uint8_t shape)
{
    size_t n = 1 + shape % MAX_LOCATIONS;
    for (uint32_t i = 0; i < n; i++) {
        bool is_device = i > 0 && (shape >> (1 + i)) & 1;
        scene->members[i] = i;
        scene->locations[i] = (struct otter_location){.id = i,
                                                      .name = "a thread",
                                                      .group = "",
                                                      .kind = is_device ? OTTER_LOCATION_ACCELERATOR
                                                                        : OTTER_LOCATION_CPU_THREAD,
                                                      .n_events = 100};
    }
    for (uint32_t i = 0; i < N_COMMS; i++) {
        uint32_t n_members = i == 0 ? (uint32_t)n : 1 + i % (uint32_t)n;
        scene->comms[i] = (struct otter_comm){.name = "a team",
                                              .parent = i == 0 ? OTTER_NONE : i / 2,
                                              .members = scene->members,
                                              .n_members = n_members};
    }
    for (int i = 0; i < OTTER_N_PARAMETERS; i++) {
        scene->parameters[i] = (struct otter_parameter_definition){"", (enum otter_parameter)i};
    }
    define_regions(scene);
    scene->definitions =
        (struct otter_definitions){.folder = "",
                                   .anchor = "",
                                   .creator = "",
                                   .machine = "",
                                   .host = "",
                                   .clock = {.resolution = 1000, .length = 1 << 20},
                                   .locations = scene->locations,
                                   .n_locations = n,
                                   .regions = scene->regions,
                                   .n_regions = N_REGIONS,
                                   .comms = scene->comms,
                                   .n_comms = N_COMMS,
                                   .parameters = scene->parameters,
                                   .n_parameters = OTTER_N_PARAMETERS};
}

// Returns a small number, rarely an undefined one.
static uint32_t index_of(struct fuzz_bytes *bytes)
{
    uint32_t number = fuzz_byte(bytes);
    return number == 0xff ? OTTER_NONE : number;
}

static void read_task(struct fuzz_bytes *bytes, struct otter_event *event)
{
    uint8_t whose = fuzz_byte(bytes);
    event->task.comm = whose & 7;
    event->task.creator = whose >> 3 & 7;
    event->task.number = whose >> 6 == 3 ? (uint32_t)fuzz_number(bytes, 4) : fuzz_byte(bytes) % 64;
}

static void read_rest(struct fuzz_bytes *bytes, struct otter_event *event)
{
    switch (event->kind) {
    case OTTER_RECORD_ENTER:
    case OTTER_RECORD_LEAVE: event->region = index_of(bytes); break;
    case OTTER_RECORD_FORK: event->threads = fuzz_byte(bytes); break;
    case OTTER_RECORD_TEAM_BEGIN:
    case OTTER_RECORD_TEAM_END: event->comm = index_of(bytes); break;
    case OTTER_RECORD_TASK_CREATE:
    case OTTER_RECORD_TASK_SWITCH:
    case OTTER_RECORD_TASK_COMPLETE: read_task(bytes, event); break;
    case OTTER_RECORD_PARAMETER:
        event->parameter.definition = index_of(bytes);
        event->parameter.value = fuzz_number(bytes, 1 + (event->time & 1));
        break;
    case OTTER_RECORD_MEASUREMENT: event->is_on = fuzz_byte(bytes) & 1; break;
    case OTTER_RECORD_RMA_PUT:
    case OTTER_RECORD_RMA_GET:
    case OTTER_RECORD_RMA_COMPLETE:
        event->transfer.remote = index_of(bytes);
        event->transfer.operation = fuzz_byte(bytes);
        break;
    default: break;
    }
}

static void read_events(struct scene *scene, struct fuzz_bytes *bytes)
{
    uint64_t time = 1;
    while (bytes->n > 0 && scene->n_events < MAX_EVENTS) {
        uint8_t head = fuzz_byte(bytes), step = fuzz_byte(bytes);
        struct otter_event *event = &scene->events[scene->n_events++];
        time = step == 0xff ? fuzz_number(bytes, 8) : time + step;
        *event = (struct otter_event){.time = time,
                                      .location = head % (uint32_t)scene->definitions.n_locations,
                                      .kind = (enum otter_record)((head >> 2) % OTTER_N_RECORDS)};
        read_rest(bytes, event);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct scene scene;
    struct fuzz_bytes bytes = {data, size};
    scene.n_events = 0;
    define(&scene, fuzz_byte(&bytes));
    uint8_t how = fuzz_byte(&bytes);
    read_events(&scene, &bytes);
    fuzz_use_events(&scene.definitions, scene.events, scene.n_events, how);
    return 0;
}
