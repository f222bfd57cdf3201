// Reads a text of events.
#include "scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_words.h"
#include "trace/schema.h"

enum { FIRST_TID = 1000 };

_Noreturn static void die(const struct scene *scene, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%u: ", scene->path, scene->line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    scene_give_up();
}

static const char *next_word(struct scene *scene, char **rest)
{
    const char *word = strtok_r(NULL, " \t", rest);
    if (!word) {
        die(scene, "a word is missing");
    }
    return word;
}

static uint32_t to_number(struct scene *scene, const char *word)
{
    char *end;
    unsigned long number = strtoul(word, &end, 10);
    if (end == word || *end) {
        die(scene, "'%s' is not a number", word);
    }
    return (uint32_t)number;
}

// ---- definitions

static const struct construct_word *find_construct(struct scene *scene, const char *what,
                                                   size_t length)
{
    for (const struct construct_word *word = construct_words; word->word; word++) {
        if (strlen(word->word) == length && strncmp(word->word, what, length) == 0) {
            return word;
        }
    }
    die(scene, "'%.*s' is not a construct", (int)length, what);
}

static uint32_t find_flags(struct scene *scene, const char *flags)
{
    uint32_t bits = 0;
    while (*flags) {
        size_t length = strcspn(++flags, ",");
        const struct flag_word *word = flag_words;
        while (word->word && strncmp(word->word, flags, length) != 0) {
            word++;
        }
        if (!word->word) {
            die(scene, "'%s' is not a flag", flags);
        }
        bits |= word->bit;
        flags += length;
    }
    return bits;
}

// Replaces each tilde by a blank.
static void put_blanks(char *text)
{
    for (char *at = text; (at = strchr(at, '~'));) {
        *at = ' ';
    }
}

// what[@where][,flag]..., or for Kokkos what@label[,where]
static uint32_t make_region(struct scene *scene, const char *token)
{
    size_t what = strcspn(token, "@,");
    size_t where = what + strcspn(token + what, ",");
    enum otter_construct construct = find_construct(scene, token, what)->construct;
    bool is_label = otter_construct_is_labelled(construct);
    uint32_t index = (uint32_t)scene->definitions.n_regions++;
    if (index == MAX_REGIONS || strlen(token) >= sizeof scene->texts[0].token) {
        die(scene, "too many regions, or too long a name");
    }
    struct region_text *text = &scene->texts[index];
    strcpy(text->token, token);
    const char *place = where > what ? token + what + 1 : "";
    snprintf(text->name, sizeof text->name, "%s%s%.*s",
             is_label ? "" : otter_construct_name(construct), is_label || !*place ? "" : " @",
             where > what ? (int)(where - what - 1) : 0, place);
    if (is_label) {
        snprintf(text->description, sizeof text->description, "%s%s%s",
                 otter_construct_name(construct), token[where] ? ", " : "",
                 token[where] ? token + where + 1 : "");
    } else {
        otter_construct_detail_text(construct, find_flags(scene, token + where), text->description,
                                    sizeof text->description);
    }
    put_blanks(text->name);
    put_blanks(text->description);
    scene->regions[index] = (struct otter_region){
        .name = text->name,
        .canonical_name = is_label ? text->name : otter_construct_name(construct),
        .description = text->description,
        .construct = construct,
        .role = "",
        .paradigm = is_label ? "Kokkos" : "OpenMP",
        .file = "",
    };
    return index;
}

static uint32_t to_region(struct scene *scene, const char *token)
{
    if (strcmp(token, "?") == 0) {
        return OTTER_NONE;
    }
    for (uint32_t i = 0; i < scene->definitions.n_regions; i++) {
        if (strcmp(scene->texts[i].token, token) == 0) {
            return i;
        }
    }
    return make_region(scene, token);
}

const char *scene_region(const struct scene *scene, uint32_t region)
{
    return region < scene->definitions.n_regions ? scene->texts[region].token : "?";
}

static void add_comm(struct scene *scene, uint32_t parent)
{
    uint32_t index = (uint32_t)scene->definitions.n_comms++;
    if (index == MAX_COMMS) {
        die(scene, "too many teams");
    }
    scene->comms[index] =
        (struct otter_comm){.name = "", .parent = parent, .members = scene->members[index]};
}

static void add_member(struct scene *scene, uint32_t location)
{
    struct otter_comm *comm = &scene->comms[scene->definitions.n_comms - 1];
    if (comm->n_members == MAX_THREADS) {
        die(scene, "too many members");
    }
    scene->members[scene->definitions.n_comms - 1][comm->n_members++] = location;
}

// threads N
static void define_threads(struct scene *scene, char **rest)
{
    uint32_t n = to_number(scene, next_word(scene, rest));
    if (n > MAX_THREADS || scene->definitions.n_comms > 0) {
        die(scene, "at most %d threads, once, and before all else", MAX_THREADS);
    }
    scene->definitions.n_locations = n;
    add_comm(scene, OTTER_NONE);
    for (uint32_t i = 0; i < n; i++) {
        scene->locations[i] = (struct otter_location){
            .id = i, .name = "thread", .group = "", .kind = OTTER_LOCATION_CPU_THREAD};
        add_member(scene, i);
    }
}

// Returns the place for the value's text.
static char *add_property(struct scene *scene, const char *name)
{
    size_t n = scene->definitions.n_properties++;
    if (n == MAX_PROPERTIES) {
        die(scene, "at most %d properties", MAX_PROPERTIES);
    }
    char(*texts)[64] = scene->property_texts[n];
    snprintf(texts[0], sizeof texts[0], "%s", name);
    scene->properties[n] = (struct otter_property){texts[0], texts[1]};
    scene->definitions.properties = scene->properties;
    return texts[1];
}

// property NAME VALUE: of the archive
static void define_property(struct scene *scene, char **rest)
{
    char *value = add_property(scene, next_word(scene, rest));
    snprintf(value, sizeof scene->property_texts[0][1], "%s", next_word(scene, rest));
}

// damaged N: the events of this location cannot be read to their end
static void define_damage(struct scene *scene, char **rest)
{
    uint32_t location = to_number(scene, next_word(scene, rest));
    if (location >= scene->definitions.n_locations) {
        die(scene, "no location %u", location);
    }
    scene->locations[location].damage = "is damaged";
}

// streams N: of devices, after the threads
static void define_streams(struct scene *scene, char **rest)
{
    uint32_t n = to_number(scene, next_word(scene, rest));
    size_t first = scene->definitions.n_locations;
    if (n + first > MAX_THREADS || scene->definitions.n_comms != 1) {
        die(scene, "at most %d threads and streams, and streams right after threads", MAX_THREADS);
    }
    for (size_t i = first; i < first + n; i++) {
        scene->locations[i] = (struct otter_location){
            .id = i, .name = "stream", .group = "", .kind = OTTER_LOCATION_ACCELERATOR};
    }
    scene->definitions.n_locations += n;
}

static void set_property(struct scene *scene, uint32_t location, const char *name, uint32_t value)
{
    snprintf(scene->location_texts[location], sizeof *scene->location_texts, "%u", value);
    scene->location_properties[location] =
        (struct otter_property){name, scene->location_texts[location]};
    scene->locations[location].properties = &scene->location_properties[location];
    scene->locations[location].n_properties = 1;
}

// processors N: after threads and streams, with the switches of threads
static void define_processors(struct scene *scene, char **rest)
{
    uint32_t n = to_number(scene, next_word(scene, rest));
    uint32_t first = (uint32_t)scene->definitions.n_locations;
    if (n + first > MAX_THREADS || scene->definitions.n_metrics > 0) {
        die(scene, "at most %d threads and processors, and no spaces", MAX_THREADS);
    }
    for (uint32_t i = 0; i < first; i++) {
        set_property(scene, i, "OTTER::TID", FIRST_TID + i);
    }
    for (uint32_t i = 0; i < n; i++) {
        scene->locations[first + i] = (struct otter_location){
            .id = first + i, .name = "processor", .group = "", .kind = OTTER_LOCATION_METRIC};
        set_property(scene, first + i, "OTTER::PROCESSOR", i);
    }
    scene->definitions.n_locations += n;
    scene->metrics[0] =
        (struct otter_metric){.space = "", .name = OTTER_SWITCH_METRIC, .unit = "", .n_values = 2};
    scene->definitions.n_metrics = 1;
}

// samples: a location with samples for each thread, after the threads and the processors
static void define_samples(struct scene *scene)
{
    uint32_t first = (uint32_t)scene->definitions.n_locations, n = 0;
    while (n < first && scene->locations[n].kind == OTTER_LOCATION_CPU_THREAD) {
        n++;
    }
    if (first + n > MAX_THREADS) {
        die(scene, "at most %d threads, processors and locations of samples", MAX_THREADS);
    }
    for (uint32_t i = 0; i < n; i++) {
        set_property(scene, i, "OTTER::TID", FIRST_TID + i);
        scene->locations[first + i] = (struct otter_location){
            .id = first + i, .name = "samples", .group = "", .kind = OTTER_LOCATION_METRIC};
        set_property(scene, first + i, OTTER_SAMPLES_OF, FIRST_TID + i);
    }
    scene->definitions.n_locations += n;
}

// context CODE [from N]: code that the code of an earlier context calls; numbered from 0
static void define_context(struct scene *scene, char **rest)
{
    size_t n = scene->definitions.n_contexts++;
    if (n == MAX_CONTEXTS) {
        die(scene, "too many calling contexts");
    }
    scene->contexts[n] = (struct otter_calling_context){
        .region = to_region(scene, next_word(scene, rest)), .parent = OTTER_NONE};
    if (strtok_r(NULL, " \t", rest)) {
        scene->contexts[n].parent = to_number(scene, next_word(scene, rest));
    }
}

// resolution N: ticks in a second
static void define_resolution(struct scene *scene, char **rest)
{
    scene->definitions.clock.resolution = to_number(scene, next_word(scene, rest));
}

// team N parent N members N...
static void define_team(struct scene *scene, char **rest)
{
    if (to_number(scene, next_word(scene, rest)) != scene->definitions.n_comms) {
        die(scene, "teams are numbered from 1, in order");
    }
    next_word(scene, rest);
    add_comm(scene, to_number(scene, next_word(scene, rest)));
    next_word(scene, rest);
    for (const char *word; (word = strtok_r(NULL, " \t", rest));) {
        add_member(scene, to_number(scene, word));
    }
}

// comm N ranks N...: a communicator of processes; numbered with the teams
static void define_ranks(struct scene *scene, char **rest)
{
    uint32_t index = to_number(scene, next_word(scene, rest));
    if (index != scene->definitions.n_comms) {
        die(scene, "teams and communicators are numbered from 1, in order");
    }
    next_word(scene, rest);
    add_comm(scene, OTTER_NONE);
    for (const char *word; (word = strtok_r(NULL, " \t", rest));) {
        scene->ranks[index][scene->comms[index].n_members] = to_number(scene, word);
        add_member(scene, 0);
    }
    scene->comms[index].shared = index;
    scene->comms[index].ranks = scene->ranks[index];
}

// Returns the copied name of a new metric.
static const char *add_metric(struct scene *scene, const char *name)
{
    size_t n = scene->definitions.n_metrics++;
    if (n == MAX_SPACES || strlen(name) >= sizeof scene->spaces[0]) {
        die(scene, "too many spaces and counters, or too long a name");
    }
    return strcpy(scene->spaces[n], name);
}

// spaces NAME...: of memory
static void define_spaces(struct scene *scene, char **rest)
{
    for (const char *word; (word = strtok_r(NULL, " \t", rest));) {
        const char *name = add_metric(scene, word);
        scene->metrics[scene->definitions.n_metrics - 1] =
            (struct otter_metric){.space = name, .name = "", .unit = "B", .n_values = 2};
    }
}

// counters NAME...: of threads, in their locations of samples
static void define_counters(struct scene *scene, char **rest)
{
    char *list = add_property(scene, "OTTER::SETTING::COUNTERS");
    size_t room = sizeof scene->property_texts[0][1];
    for (const char *word; (word = strtok_r(NULL, " \t", rest));) {
        const char *name = add_metric(scene, word);
        scene->metrics[scene->definitions.n_metrics - 1] =
            (struct otter_metric){.space = "", .name = name, .unit = "#", .n_values = 1};
        size_t used = strlen(list);
        snprintf(list + used, room - used, "%s%s", used > 0 ? "," : "", word);
    }
}

// ---- events

static uint32_t find_metric(const struct scene *scene, const char *name)
{
    uint32_t i = 0;
    while (i < scene->definitions.n_metrics && strcmp(scene->spaces[i], name) != 0) {
        i++;
    }
    if (i == scene->definitions.n_metrics) {
        die(scene, "'%s' is not a space or a counter", name);
    }
    return i;
}

// level SPACE BYTES HIGH_WATER
static bool read_level(struct scene *scene, struct otter_event *event, const char *word,
                       char **rest)
{
    if (strcmp(word, "level") != 0) {
        return false;
    }
    event->kind = OTTER_RECORD_METRIC;
    event->metric.definition = find_metric(scene, next_word(scene, rest));
    event->metric.n_values = 2;
    event->metric.values[0] = to_number(scene, next_word(scene, rest));
    event->metric.values[1] = to_number(scene, next_word(scene, rest));
    return true;
}

// on THREAD, off THREAD, preempted THREAD, lost N, known, waited US: of a processor
static bool read_switch(struct scene *scene, struct otter_event *event, const char *word,
                        char **rest)
{
    static const char *const words[] = {[OTTER_SWITCH_IN] = "on",
                                        [OTTER_SWITCH_OUT] = "off",
                                        [OTTER_SWITCH_PREEMPTED] = "preempted",
                                        [OTTER_SWITCH_LOST] = "lost",
                                        [OTTER_SWITCH_COMPLETE] = "known",
                                        [OTTER_SWITCH_WAITED] = "waited"};
    uint32_t kind = OTTER_SWITCH_WAITED;
    while (kind > 0 && strcmp(words[kind], word) != 0) {
        kind--;
    }
    if (kind == 0 || scene->locations[event->location].kind != OTTER_LOCATION_METRIC) {
        return false;
    }
    uint32_t value = kind == OTTER_SWITCH_COMPLETE ? 0 : to_number(scene, next_word(scene, rest));
    event->kind = OTTER_RECORD_METRIC;
    event->metric.definition = 0;
    event->metric.n_values = 2;
    event->metric.values[0] = kind < OTTER_SWITCH_LOST ? FIRST_TID + value : value;
    event->metric.values[1] = kind;
    return true;
}

// sample CONTEXT, count COUNTER VALUE: of a location of samples
static bool read_sample(struct scene *scene, struct otter_event *event, const char *word,
                        char **rest)
{
    if (strcmp(word, "count") == 0) {
        event->kind = OTTER_RECORD_METRIC;
        event->metric.definition = find_metric(scene, next_word(scene, rest));
        event->metric.n_values = 1;
        event->metric.values[0] = to_number(scene, next_word(scene, rest));
        return true;
    }
    if (strcmp(word, "sample") != 0) {
        return false;
    }
    event->kind = OTTER_RECORD_SAMPLE;
    event->context = to_number(scene, next_word(scene, rest));
    return true;
}

static void read_task(struct scene *scene, const char *word, uint32_t *creator, uint32_t *number)
{
    char end;
    if (sscanf(word, "%u:%u%c", creator, number, &end) != 2) {
        die(scene, "'%s' is not a task: expected location:number", word);
    }
}

static uint64_t to_address(struct scene *scene, const char *word)
{
    size_t i = 0;
    while (i < scene->n_addresses && strcmp(scene->addresses[i], word) != 0) {
        i++;
    }
    if (i == MAX_ADDRESSES || strlen(word) >= sizeof scene->addresses[0]) {
        die(scene, "too many addresses, or too long a name");
    }
    if (i == scene->n_addresses) {
        strcpy(scene->addresses[scene->n_addresses++], word);
    }
    return 0x1000 + 8 * i;
}

static void read_enter(struct scene *scene, struct otter_event *event, char **rest)
{
    uint32_t location = event->location;
    event->kind = OTTER_RECORD_ENTER;
    event->region = to_region(scene, next_word(scene, rest));
    if (scene->n_open[location] == MAX_OPEN) {
        die(scene, "too much is open");
    }
    scene->open[location][scene->n_open[location]++] = event->region;
}

// Reads a Leave of the named region, or of the region entered last.
static void read_leave(struct scene *scene, struct otter_event *event, char **rest)
{
    const char *token = strtok_r(NULL, " \t", rest);
    uint32_t *open = scene->open[event->location];
    size_t *n_open = &scene->n_open[event->location];
    event->kind = OTTER_RECORD_LEAVE;
    if (!token && *n_open == 0) {
        die(scene, "nothing is open on %u", event->location);
    }
    event->region = token ? to_region(scene, token) : open[*n_open - 1];
    for (size_t i = *n_open; i > 0; i--) {
        if (open[i - 1] == event->region) {
            *n_open = i - 1;
            return;
        }
    }
}

static void read_team(struct scene *scene, struct otter_event *event, char **rest)
{
    event->comm = to_number(scene, next_word(scene, rest));
    const char *which = next_word(scene, rest);
    event->kind = strcmp(which, "begin") == 0 ? OTTER_RECORD_TEAM_BEGIN : OTTER_RECORD_TEAM_END;
    if (event->kind == OTTER_RECORD_TEAM_END && strcmp(which, "end") != 0) {
        die(scene, "'%s': a team has begin and end", which);
    }
}

static bool read_task_record(struct scene *scene, struct otter_event *event, const char *word,
                             char **rest)
{
    event->kind = strcmp(word, "create") == 0     ? OTTER_RECORD_TASK_CREATE
                  : strcmp(word, "switch") == 0   ? OTTER_RECORD_TASK_SWITCH
                  : strcmp(word, "complete") == 0 ? OTTER_RECORD_TASK_COMPLETE
                                                  : OTTER_RECORD_OTHER;
    if (event->kind != OTTER_RECORD_OTHER) {
        read_task(scene, next_word(scene, rest), &event->task.creator, &event->task.number);
    }
    return event->kind != OTTER_RECORD_OTHER;
}

static bool read_parameter(struct scene *scene, struct otter_event *event, const char *word,
                           char **rest)
{
    const struct parameter_word *found = parameter_words;
    while (found->word && strcmp(found->word, word) != 0) {
        found++;
    }
    if (!found->word) {
        return false;
    }
    event->kind = OTTER_RECORD_PARAMETER;
    event->parameter.definition = found->parameter ? (uint32_t)found->parameter : OTTER_NONE;
    event->parameter.value = 0;
    uint32_t creator, number;
    switch (found->value) {
    case VALUE_NONE: break;
    case VALUE_NUMBER: event->parameter.value = to_number(scene, next_word(scene, rest)); break;
    case VALUE_ADDRESS: event->parameter.value = to_address(scene, next_word(scene, rest)); break;
    case VALUE_TASK:
        read_task(scene, next_word(scene, rest), &creator, &number);
        event->parameter.value = (uint64_t)creator << 32 | number;
        break;
    case VALUE_REGION: event->parameter.value = to_region(scene, next_word(scene, rest)); break;
    }
    return true;
}

// Reads an event that needs no further words.
static bool read_other(struct scene *scene, struct otter_event *event, const char *word,
                       char **rest)
{
    static const struct other {
        const char *word;
        enum otter_record kind;
    } others[] = {
        {"other", OTTER_RECORD_OTHER},
        {"metric", OTTER_RECORD_METRIC},
        {"rma_put", OTTER_RECORD_RMA_PUT},
        {"rma_get", OTTER_RECORD_RMA_GET},
        {"rma_complete", OTTER_RECORD_RMA_COMPLETE},
        {"rma_window", OTTER_RECORD_RMA_WINDOW},
        {"pause", OTTER_RECORD_MEASUREMENT},
        {"resume", OTTER_RECORD_MEASUREMENT},
        {"buffer_flush", OTTER_RECORD_BUFFER_FLUSH},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(others[i].word, word) == 0) {
            event->kind = others[i].kind;
            event->is_on = strcmp(word, "resume") == 0;
            if (event->kind == OTTER_RECORD_BUFFER_FLUSH) {
                const char *end = strtok_r(NULL, " \t", rest);
                event->stop = end ? to_number(scene, end) : event->time;
            }
            return true;
        }
    }
    return false;
}

// acquire_lock ORDER[:ID], release_lock ORDER[:ID]
static bool read_lock(struct scene *scene, struct otter_event *event, const char *word, char **rest)
{
    bool is_acquire = strcmp(word, "acquire_lock") == 0;
    if (!is_acquire && strcmp(word, "release_lock") != 0) {
        return false;
    }
    event->kind = is_acquire ? OTTER_RECORD_ACQUIRE_LOCK : OTTER_RECORD_RELEASE_LOCK;
    const char *text = next_word(scene, rest);
    const char *id = strchr(text, ':');
    char order[12];
    snprintf(order, sizeof order, "%.*s", (int)strcspn(text, ":"), text);
    event->lock.order = to_number(scene, order);
    event->lock.id = id ? to_number(scene, id + 1) : 1;
    return true;
}

// Sets a field by its name. Each number of a message or a collective operation follows a word.
static void set_field(struct scene *scene, struct otter_event *event, const char *name,
                      uint32_t value)
{
    bool is_collective =
        event->kind == OTTER_RECORD_COLLECTIVE_BEGIN || event->kind == OTTER_RECORD_COLLECTIVE_END;
    if (strcmp(name, "request") == 0) {
        *(is_collective ? &event->collective.request : &event->message.request) = value;
    } else if (strcmp(name, "comm") == 0) {
        *(is_collective ? &event->collective.comm : &event->message.comm) = value;
    } else if (is_collective && strcmp(name, "root") == 0) {
        event->collective.root = value;
    } else if (!is_collective && (strcmp(name, "to") == 0 || strcmp(name, "from") == 0)) {
        event->message.partner = value;
    } else if (!is_collective && strcmp(name, "tag") == 0) {
        event->message.tag = value;
    } else {
        die(scene, "'%s' is not a field of this record", name);
    }
}

static void read_fields(struct scene *scene, struct otter_event *event, char **rest)
{
    for (const char *name; (name = strtok_r(NULL, " \t", rest));) {
        set_field(scene, event, name, to_number(scene, next_word(scene, rest)));
    }
}

// collective SENT RECEIVED [OPERATION] ...
static void read_collective(struct scene *scene, struct otter_event *event, char **rest)
{
    static const char *const operations[] = {
        "barrier",   "bcast",          "gather",   "gatherv",   "scatter",   "scatterv",
        "allgather", "allgatherv",     "alltoall", "alltoallv", "alltoallw", "allreduce",
        "reduce",    "reduce_scatter", "scan",     "exscan"};
    event->kind = OTTER_RECORD_COLLECTIVE_END;
    event->collective.root = OTTER_NO_ROOT;
    event->collective.sent = to_number(scene, next_word(scene, rest));
    event->collective.received = to_number(scene, next_word(scene, rest));
    const char *word = strtok_r(NULL, " \t", rest);
    for (size_t i = 0; word && i < sizeof operations / sizeof *operations; i++) {
        if (strcmp(operations[i], word) == 0) {
            event->collective.operation = (enum otter_collective)i;
            read_fields(scene, event, rest);
            return;
        }
    }
    if (word) {
        die(scene, "'%s' is not a collective operation", word);
    }
}

// send BYTES ...: a message between processes, see README.md
static bool read_message(struct scene *scene, struct otter_event *event, const char *word,
                         char **rest)
{
    static const struct {
        const char *word;
        enum otter_record kind;
        bool has_bytes;
    } words[] = {
        {"send", OTTER_RECORD_SEND, true},
        {"isend", OTTER_RECORD_ISEND, true},
        {"sent", OTTER_RECORD_SENT, false},
        {"posted", OTTER_RECORD_RECV_POSTED, false},
        {"recv", OTTER_RECORD_RECV, true},
        {"irecv", OTTER_RECORD_IRECV, true},
        {"cancelled_message", OTTER_RECORD_CANCELLED, false},
        {"collective_begin", OTTER_RECORD_COLLECTIVE_BEGIN, false},
    };
    if (strcmp(word, "collective") == 0) {
        read_collective(scene, event, rest);
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].word, word) == 0) {
            event->kind = words[i].kind;
            event->message.bytes =
                words[i].has_bytes ? to_number(scene, next_word(scene, rest)) : 0;
            read_fields(scene, event, rest);
            return true;
        }
    }
    return false;
}

static void read_record(struct scene *scene, struct otter_event *event, char **rest)
{
    const char *word = next_word(scene, rest);
    if (strcmp(word, "enter") == 0) {
        read_enter(scene, event, rest);
    } else if (strcmp(word, "leave") == 0) {
        read_leave(scene, event, rest);
    } else if (strcmp(word, "team") == 0) {
        read_team(scene, event, rest);
    } else if (strcmp(word, "fork") == 0) {
        event->kind = OTTER_RECORD_FORK;
        event->threads = to_number(scene, next_word(scene, rest));
    } else if (strcmp(word, "join") == 0) {
        event->kind = OTTER_RECORD_JOIN;
    } else if (!read_task_record(scene, event, word, rest) &&
               !read_parameter(scene, event, word, rest) && !read_lock(scene, event, word, rest) &&
               !read_level(scene, event, word, rest) && !read_switch(scene, event, word, rest) &&
               !read_sample(scene, event, word, rest) && !read_message(scene, event, word, rest) &&
               !read_other(scene, event, word, rest)) {
        die(scene, "'%s' is not a record", word);
    }
    if (strtok_r(NULL, " \t", rest)) {
        die(scene, "too many words after '%s'", word);
    }
}

// Reads the records of one call: "0 enter taskwait; ...".
static void read_call(struct scene *scene, uint32_t location, char *records)
{
    if (location >= scene->definitions.n_locations || scene->time < scene->last_time[location]) {
        die(scene, "no thread %u, or its time runs backwards", location);
    }
    scene->last_time[location] = scene->time;
    char *next;
    for (char *record = strtok_r(records, ";", &next); record;
         record = strtok_r(NULL, ";", &next)) {
        // "x" is strtok_r's first word, so that all records have the same form
        char text[256] = "x ";
        strncat(text, record, sizeof text - 3);
        char *rest;
        strtok_r(text, " ", &rest);
        if (scene->n_events == MAX_EVENTS) {
            die(scene, "too many events");
        }
        struct otter_event *event = &scene->events[scene->n_events++];
        *event = (struct otter_event){.time = scene->time, .location = location};
        read_record(scene, event, &rest);
    }
}

static void read_line(struct scene *scene, char *line)
{
    line[strcspn(line, "#\n")] = '\0';
    char *rest;
    const char *word = strtok_r(line, " \t", &rest);
    if (!word) {
        return;
    }
    if (*word == '@') {
        scene->time = to_number(scene, word + 1) - 1;
    } else if (strcmp(word, "threads") == 0) {
        define_threads(scene, &rest);
    } else if (strcmp(word, "property") == 0) {
        define_property(scene, &rest);
    } else if (strcmp(word, "damaged") == 0) {
        define_damage(scene, &rest);
    } else if (strcmp(word, "streams") == 0) {
        define_streams(scene, &rest);
    } else if (strcmp(word, "processors") == 0) {
        define_processors(scene, &rest);
    } else if (strcmp(word, "samples") == 0) {
        define_samples(scene);
    } else if (strcmp(word, "context") == 0) {
        define_context(scene, &rest);
    } else if (strcmp(word, "resolution") == 0) {
        define_resolution(scene, &rest);
    } else if (strcmp(word, "team") == 0) {
        define_team(scene, &rest);
    } else if (strcmp(word, "comm") == 0) {
        define_ranks(scene, &rest);
    } else if (strcmp(word, "spaces") == 0) {
        define_spaces(scene, &rest);
    } else if (strcmp(word, "counters") == 0) {
        define_counters(scene, &rest);
    } else {
        scene->time++;
        read_call(scene, to_number(scene, word), rest);
    }
}

static void define_parameters(struct scene *scene)
{
    for (uint32_t i = 0; i < OTTER_N_PARAMETERS; i++) {
        scene->parameters[i] = (struct otter_parameter_definition){
            .name = otter_parameter_name((enum otter_parameter)i), .kind = (enum otter_parameter)i};
    }
}

void scene_read(struct scene *scene, const char *path, FILE *file)
{
    memset(scene, 0, sizeof *scene);
    scene->path = path;
    scene->definitions = (struct otter_definitions){
        .folder = "",
        .anchor = "",
        .creator = "",
        .machine = "",
        .host = "",
        .clock = {.resolution = 1000000000, .offset = 0},
        .locations = scene->locations,
        .regions = scene->regions,
        .comms = scene->comms,
        .parameters = scene->parameters,
        .n_parameters = OTTER_N_PARAMETERS,
        .metrics = scene->metrics,
        .contexts = scene->contexts,
    };
    define_parameters(scene);
    char line[512];
    while (fgets(line, sizeof line, file)) {
        scene->line++;
        read_line(scene, line);
    }
    scene->definitions.clock.length = scene->time + 1;
}
