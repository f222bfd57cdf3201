// Reads one line of a journal: a function for each kind of line.
#include "recording/finish/definitions_line.h"

#include <stdlib.h>
#include <string.h>

#include "recording/finish/fields.h"
#include "recording/finish/gaps.h"

#define MAX_EVENTS (UINT64_C(1) << 48) // of one location

// Limits on the memory that a hostile journal can request.
enum {
    MAX_TEAM_SIZE = 1 << 16,
    MAX_MEMBERS = 1 << 24, // members of all teams together
    MAX_RANKS = 1 << 22,   // ranks in MPI_COMM_WORLD
    MAX_DESCRIPTIONS = 1 << 12,
    MAX_MODULES = 1 << 12,
    MAX_DEFINED = 1 << 24,
    MIN_CHUNK_SIZE = 256 * 1024,
    MAX_CHUNK_SIZE = 16 * 1024 * 1024,
};

// Makes room for element `n` of an array that grows by doubling; the new part is zeroed.
static bool make_room(struct otter_definitions_reader *reader, void **array, size_t element,
                      size_t n, size_t *room_of_n)
{
    size_t have = *room_of_n;
    if (n < have) {
        return true;
    }
    size_t room = have ? have : 16;
    while (room <= n) {
        room *= 2;
    }
    if (room > MAX_DEFINED) {
        return false;
    }
    void *grown = realloc(*array, room * element);
    if (!grown) {
        reader->is_short_of_memory = true;
        return false;
    }
    memset((char *)grown + have * element, 0, (room - have) * element);
    *array = grown;
    *room_of_n = room;
    return true;
}

// ---- each returns false for a line that makes no sense

static bool read_schema(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    uint64_t schema;
    if (!otter_fields_numbers(fields, 1, 1, UINT32_MAX, &schema)) {
        return false;
    }
    reader->to->content.schema = (uint32_t)schema;
    return true;
}

static bool read_clock(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    if (fields->n < 2) {
        return false;
    }
    reader->to->content.clock_is_counter = strcmp(fields->at[1], "tsc") == 0;
    reader->to->has_clock =
        reader->to->content.clock_is_counter || !strcmp(fields->at[1], "monotonic");
    return reader->to->has_clock;
}

static bool read_moment(const struct otter_fields *fields, struct otter_clock_reading *reading)
{
    uint64_t values[3];
    if (!otter_fields_numbers(fields, 1, 3, UINT64_MAX, values)) {
        return false;
    }
    *reading = (struct otter_clock_reading){values[0], values[1], values[2]};
    return true;
}

static bool read_start(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    reader->to->has_start = read_moment(fields, &reader->to->content.start);
    return reader->to->has_start;
}

static bool read_end(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    reader->to->content.has_end = read_moment(fields, &reader->to->content.end);
    return reader->to->content.has_end;
}

static bool read_files(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    uint64_t size;
    if (!otter_fields_numbers(fields, 2, 1, MAX_CHUNK_SIZE, &size) || size < MIN_CHUNK_SIZE) {
        return false;
    }
    reader->to->content.chunk_size = size;
    reader->to->is_mapped = strcmp(fields->at[1], "mapped") == 0;
    return true;
}

static bool read_description(struct otter_definitions_reader *reader,
                             const struct otter_fields *fields)
{
    struct otter_archive_content *to = &reader->to->content;
    if (fields->n < 3) {
        return false;
    }
    char *value = otter_fields_text(fields, 2);
    for (size_t i = 0; i < to->n_descriptions; i++) {
        if (strcmp(to->descriptions[i].name, fields->at[1]) == 0) {
            to->descriptions[i].value = value;
            return true;
        }
    }
    if (to->n_descriptions == MAX_DESCRIPTIONS ||
        !make_room(reader, (void **)&to->descriptions, sizeof(*to->descriptions),
                   to->n_descriptions, &reader->room_descriptions)) {
        return false;
    }
    to->descriptions[to->n_descriptions++] =
        (struct otter_description){.name = fields->at[1], .value = value};
    return true;
}

static bool read_module(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    struct otter_archive_content *to = &reader->to->content;
    struct otter_module_definition module;
    if (fields->n < 6 || to->n_modules == MAX_MODULES ||
        !otter_fields_hexadecimal(fields, 1, &module.begin) ||
        !otter_fields_hexadecimal(fields, 2, &module.end) ||
        !otter_fields_hexadecimal(fields, 3, &module.bias) ||
        !make_room(reader, (void **)&to->modules, sizeof(*to->modules), to->n_modules,
                   &reader->room_modules)) {
        return false;
    }
    module.build_id = otter_fields_text(fields, 4);
    module.path = otter_fields_text(fields, 5);
    to->modules[to->n_modules++] = module;
    return true;
}

static bool read_location(struct otter_definitions_reader *reader,
                          const struct otter_fields *fields)
{
    struct otter_archive_content *to = &reader->to->content;
    uint64_t values[3];
    if (!otter_fields_numbers(fields, 1, 3, UINT64_MAX, values) ||
        values[0] >= OTTER_MAX_LOCATIONS ||
        !otter_gap_is_possible(reader->to, values[0], to->n_locations) ||
        !make_room(reader, (void **)&to->locations, sizeof(*to->locations), values[0],
                   &reader->room_locations)) {
        return false;
    }
    otter_gap_use(reader->to, values[0], to->n_locations);
    to->n_locations = values[0] + 1;
    to->locations[values[0]] = (struct otter_location_definition){
        .kind = values[1] <= OTTER_THREAD_OTHER ? (enum otter_thread_kind)values[1]
                                                : OTTER_THREAD_UNKNOWN,
        .os_thread = values[2]};
    return true;
}

static bool read_chunk(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    struct otter_journal_definitions *to = reader->to;
    uint64_t id, n;
    if (!otter_fields_numbers(fields, 1, 1, OTTER_END_OF_STREAMS - 1, &id) ||
        !otter_fields_numbers(fields, 2, 1, MAX_EVENTS, &n) ||
        !make_room(reader, (void **)&to->begun, sizeof(*to->begun), id, &reader->room_begun)) {
        return false;
    }
    to->begun[id] = (struct otter_begun_chunk){.has_begun = true, .n_events = n};
    to->n_begun = id >= to->n_begun ? id + 1 : to->n_begun;
    return true;
}

static bool define_region(struct otter_definitions_reader *reader, uint64_t id,
                          struct otter_region_definition region)
{
    struct otter_archive_content *to = &reader->to->content;
    if (id >= OTTER_MAX_REGIONS || !make_room(reader, (void **)&to->regions, sizeof(*to->regions),
                                              id, &reader->room_regions)) {
        return false;
    }
    to->regions[id] = region;
    to->n_regions = id >= to->n_regions ? id + 1 : to->n_regions;
    return true;
}

static bool read_region(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    uint64_t values[3], address;
    if (!otter_fields_numbers(fields, 1, 3, UINT32_MAX, values) || fields->n < 5 ||
        !otter_fields_hexadecimal(fields, 4, &address)) {
        return false;
    }
    struct otter_region_definition region = {
        .is_defined = true,
        .construct = (enum otter_construct)values[1],
        .detail = (uint32_t)values[2],
        .address = address,
        .module = address ? otter_content_module_at(&reader->to->content, address) : 0};
    return define_region(reader, values[0], region);
}

// Reads the region that stands for all labels and code locations of one construct beyond the limit.
// Without a line `count beyond`, each such line counts as one label or code location.
static bool read_further(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    uint64_t id, construct;
    if (!otter_fields_numbers(fields, 1, 1, OTTER_MAX_REGIONS - 1, &id) ||
        !otter_fields_numbers(fields, 2, 1, OTTER_N_CONSTRUCTS - 1, &construct)) {
        return false;
    }
    struct otter_region_definition region = {.is_defined = true,
                                             .construct = (enum otter_construct)construct};
    if (otter_construct_is_labelled(region.construct)) {
        region.label = "unknown";
        region.raw_label = region.qualifier = "";
    }
    reader->to->content.n_beyond++;
    return define_region(reader, id, region);
}

static bool read_space(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    struct otter_archive_content *to = &reader->to->content;
    uint64_t id;
    if (!otter_fields_numbers(fields, 1, 1, OTTER_MAX_SPACES - 1, &id) || fields->n < 3 ||
        !otter_gap_is_possible(reader->to, id, to->n_spaces)) {
        return false;
    }
    otter_gap_use(reader->to, id, to->n_spaces);
    while (to->n_spaces < id) {
        to->spaces[to->n_spaces++] = "unknown";
    }
    to->spaces[to->n_spaces++] = otter_fields_text(fields, 2);
    return true;
}

// Adds the devices before `n` that no readable line defines.
static void add_unknown_devices(struct otter_definitions_reader *reader, uint64_t n)
{
    struct otter_archive_content *to = &reader->to->content;
    otter_gap_use(reader->to, n, to->n_devices);
    for (; to->n_devices < n; to->n_devices++) {
        to->devices[to->n_devices] =
            (struct otter_device_definition){.number = (int)to->n_devices, .type = "unknown"};
    }
}

static bool read_device(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    struct otter_archive_content *to = &reader->to->content;
    uint64_t values[2];
    if (!otter_fields_numbers(fields, 1, 2, INT32_MAX, values) || values[0] >= OTTER_MAX_DEVICES ||
        fields->n < 4 || !otter_gap_is_possible(reader->to, values[0], to->n_devices)) {
        return false;
    }
    add_unknown_devices(reader, values[0]);
    to->devices[to->n_devices++] = (struct otter_device_definition){
        .number = (int)values[1], .type = otter_fields_text(fields, 3)};
    return true;
}

// Returns the device of a stream that no readable line defines. Each device has a stream, so this
// is the first device without one, except `other`; if there is none, `other`.
static uint32_t device_of_unknown_stream(const struct otter_archive_content *to, uint32_t other)
{
    for (uint32_t device = 0; device < to->n_devices; device++) {
        bool has_stream = device == other;
        for (size_t i = 0; i < to->n_streams && !has_stream; i++) {
            has_stream = to->streams[i] == device;
        }
        if (!has_stream) {
            return device;
        }
    }
    return other;
}

static bool read_stream(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    struct otter_archive_content *to = &reader->to->content;
    uint64_t values[2];
    if (!otter_fields_numbers(fields, 1, 2, UINT32_MAX, values) || values[0] >= OTTER_MAX_STREAMS ||
        values[1] >= OTTER_MAX_DEVICES ||
        !otter_gap_is_possible(reader->to, values[0], to->n_streams)) {
        return false;
    }
    otter_gap_use(reader->to, values[0], to->n_streams);
    if (values[1] >= to->n_devices) {
        if (!otter_gap_is_possible(reader->to, values[1] + 1, to->n_devices)) {
            return false;
        }
        add_unknown_devices(reader, values[1] + 1);
    }
    while (to->n_streams < values[0]) {
        to->streams[to->n_streams] = device_of_unknown_stream(to, (uint32_t)values[1]);
        to->n_streams++;
    }
    to->streams[to->n_streams++] = (uint32_t)values[1];
    return true;
}

static bool read_mark(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    struct otter_archive_content *to = &reader->to->content;
    uint64_t values[2], construct;
    if (!otter_fields_numbers(fields, 1, 2, UINT64_MAX, values) || values[0] > UINT32_MAX ||
        !otter_fields_numbers(fields, 4, 1, OTTER_N_CONSTRUCTS - 1, &construct) ||
        to->n_marks == OTTER_MAX_MARKS ||
        !make_room(reader, (void **)&to->marks, sizeof(*to->marks), to->n_marks,
                   &reader->room_marks)) {
        return false;
    }
    to->marks[to->n_marks++] =
        (struct otter_mark_definition){.time = values[1],
                                       .location = (uint32_t)values[0],
                                       .construct = (enum otter_construct)construct,
                                       .text = otter_fields_text(fields, 3)};
    return true;
}

static bool read_label(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    uint64_t values[2];
    if (!otter_fields_numbers(fields, 1, 2, UINT32_MAX, values) || fields->n < 4) {
        return false;
    }
    struct otter_region_definition region = {.is_defined = true,
                                             .construct = (enum otter_construct)values[1],
                                             .label = otter_fields_text(fields, 3),
                                             .raw_label = otter_fields_text(fields, 4),
                                             .qualifier = otter_fields_text(fields, 5)};
    return define_region(reader, values[0], region);
}

// Adds communicator `id` with `size` unknown members, or returns NULL.
static struct otter_team_definition *add_team(struct otter_definitions_reader *reader, uint64_t id,
                                              uint64_t size)
{
    struct otter_archive_content *to = &reader->to->content;
    if (!otter_gap_is_possible(reader->to, id, to->n_teams + 1) || size == 0 ||
        size > MAX_MEMBERS - reader->n_members ||
        !make_room(reader, (void **)&to->teams, sizeof(*to->teams), id - 1, &reader->room_teams)) {
        return NULL;
    }
    uint32_t *members = malloc(size * sizeof(*members));
    if (!members) {
        reader->is_short_of_memory = true;
        return NULL;
    }
    reader->n_members += size;
    memset(members, 0xff, size * sizeof(*members));
    otter_gap_use(reader->to, id, to->n_teams + 1);
    to->n_teams = id; // teams in between have no members
    to->teams[id - 1] = (struct otter_team_definition){.size = (uint32_t)size, .members = members};
    return &to->teams[id - 1];
}

static bool read_team(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    uint64_t values[3];
    if (!otter_fields_numbers(fields, 1, 3, UINT32_MAX, values) || values[1] >= values[0] ||
        values[2] > MAX_TEAM_SIZE) {
        return false;
    }
    struct otter_team_definition *team = add_team(reader, values[0], values[2]);
    if (!team) {
        return false;
    }
    team->parent = (uint32_t)values[1];
    return true;
}

static bool read_communicator(struct otter_definitions_reader *reader,
                              const struct otter_fields *fields)
{
    uint64_t values[2], identity;
    if (!otter_fields_numbers(fields, 1, 2, UINT32_MAX, values) || values[0] == 0 ||
        !otter_fields_hexadecimal(fields, 3, &identity)) {
        return false;
    }
    struct otter_team_definition *team = add_team(reader, values[0], values[1]);
    if (!team) {
        return false;
    }
    team->is_of_processes = true;
    team->identity = identity;
    team->name = otter_fields_text(fields, 4);
    return true;
}

// Reads a run, rank+length*step, and moves *text past it and a comma.
static bool read_run(char **text, uint64_t *rank, uint64_t *length, int64_t *step)
{
    char *end;
    *rank = strtoull(*text, &end, 10);
    if (end == *text || *end != '+') {
        return false;
    }
    *length = strtoull(end + 1, &end, 10);
    if (*end != '*') {
        return false;
    }
    char *begin = end + 1;
    *step = strtoll(begin, &end, 10);
    *text = end + (*end == ',');
    return end > begin && (*end == ',' || *end == '\0') && *rank < MAX_RANKS &&
           *step > -MAX_RANKS && *step < MAX_RANKS;
}

static bool read_ranks(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    struct otter_archive_content *to = &reader->to->content;
    uint64_t values[2], rank, length;
    int64_t step;
    if (!otter_fields_numbers(fields, 1, 2, UINT32_MAX, values) || fields->n < 4 ||
        values[0] == 0 || values[0] > to->n_teams || !to->teams[values[0] - 1].is_of_processes) {
        return false;
    }
    const struct otter_team_definition *team = &to->teams[values[0] - 1];
    uint64_t at = values[1];
    for (char *text = fields->at[3]; *text;) {
        if (!read_run(&text, &rank, &length, &step) || at > team->size ||
            length > team->size - at) {
            return false;
        }
        for (int64_t next = (int64_t)rank; length > 0; length--, next += step) {
            team->members[at++] = next >= 0 && next < MAX_RANKS ? (uint32_t)next : UINT32_MAX;
        }
    }
    return true;
}

static bool read_member(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    struct otter_archive_content *to = &reader->to->content;
    uint64_t values[3];
    if (!otter_fields_numbers(fields, 1, 3, UINT32_MAX, values) || values[0] == 0 ||
        values[0] > to->n_teams || to->teams[values[0] - 1].is_of_processes ||
        values[1] >= to->teams[values[0] - 1].size) {
        return false;
    }
    to->teams[values[0] - 1].members[values[1]] = (uint32_t)values[2];
    return true;
}

static const struct {
    const char *name;
    size_t offset;
} counts[] = {
    {"recorded", offsetof(struct otter_journal_definitions, n_recorded)},
    {"beyond", offsetof(struct otter_journal_definitions, content.n_beyond)},
    {"lost", offsetof(struct otter_journal_definitions, content.n_lost)},
    {"repaired", offsetof(struct otter_journal_definitions, content.n_repaired)},
    {"unbegun", offsetof(struct otter_journal_definitions, content.n_unbegun)},
    {"unfinished", offsetof(struct otter_journal_definitions, content.n_unfinished)},
    {"unrecorded", offsetof(struct otter_journal_definitions, content.n_unrecorded)},
};

static bool read_count(struct otter_definitions_reader *reader, const struct otter_fields *fields)
{
    uint64_t n;
    if (!otter_fields_numbers(fields, 2, 1, UINT64_MAX, &n)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        if (strcmp(fields->at[1], counts[i].name) == 0) {
            memcpy((char *)reader->to + counts[i].offset, &n, sizeof(n));
            return true;
        }
    }
    return false;
}

static const struct {
    const char *word;
    bool (*read)(struct otter_definitions_reader *reader, const struct otter_fields *fields);
} kinds[] = {
    {"otter", read_schema},    {"clock", read_clock},
    {"start", read_start},     {"end", read_end},
    {"files", read_files},     {"describe", read_description},
    {"module", read_module},   {"location", read_location},
    {"region", read_region},   {"label", read_label},
    {"space", read_space},     {"mark", read_mark},
    {"device", read_device},   {"stream", read_stream},
    {"team", read_team},       {"chunk", read_chunk},
    {"member", read_member},   {"count", read_count},
    {"further", read_further}, {"communicator", read_communicator},
    {"ranks", read_ranks},
};

bool otter_definitions_read_line(struct otter_definitions_reader *reader, char *text)
{
    struct otter_fields fields = otter_fields_split(text);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(fields.at[0], kinds[i].word) == 0) {
            return kinds[i].read(reader, &fields);
        }
    }
    return false;
}
