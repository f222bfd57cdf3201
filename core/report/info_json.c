#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/settings.h"
#include "report/info.h"

// Everything lies below one object, `root`; jansson's `_new` functions take over what they are given, also when they fail.

static void set(json_t *object, const char *name, json_t *value)
{
    json_object_set_new(object, name, value ? value : json_null());
}

// Text that is no UTF-8 (a path may be anything) is shown byte for byte.
static json_t *text(const char *value)
{
    json_t *string = json_string(value ? value : "");
    if (string) {
        return string;
    }
    char *latin = malloc(2 * strlen(value) + 1), *at = latin;
    for (const unsigned char *byte = (const unsigned char *)value; latin && *byte; byte++) {
        if (*byte < 0x80) {
            *at++ = (char)*byte;
        } else {
            *at++ = (char)(0xc0 | *byte >> 6);
            *at++ = (char)(0x80 | (*byte & 0x3f));
        }
    }
    if (!latin) {
        return NULL;
    }
    *at = '\0';
    string = json_string(latin);
    free(latin);
    return string;
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

// "TASK_CREATE" or "task create" as "task_create".
static void snake_case(const char *name, char *key, size_t size)
{
    size_t i = 0;
    for (; i < size - 1 && name[i]; i++) {
        key[i] = name[i] == ' ' || name[i] == '-' ? '_' : (char)tolower((unsigned char)name[i]);
    }
    key[i] = '\0';
}

// A property as a number where it is one.
static json_t *property(const struct otter_archive *archive, const char *name)
{
    const char *value = otter_archive_property(archive, name);
    if (!value) {
        return json_null();
    }
    bool is_number =
        *value != '\0' && strlen(value) < 19 && value[strspn(value, "0123456789")] == '\0';
    return is_number ? json_integer(atoll(value)) : text(value);
}

static void set_origin(json_t *root, const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    static const struct {
        const char *key, *property;
    } names[] = {
        {"schema", "OTTER::SCHEMA"},
        {"program", "OTTER::PROGRAM"},
        {"command_line", "OTTER::COMMAND_LINE"},
        {"host", "OTTER::HOST"},
        {"pid", "OTTER::PID"},
        {"rank", "OTTER::RANK"},
        {"runtime", "OTTER::RUNTIME"},
        {"omp_version", "OTTER::OMP_VERSION"},
        {"connectors", "OTTER::CONNECTORS"},
        {"lost", "OTTER::LOST"},
        {"repaired", "OTTER::REPAIRED"},
        {"unfinished", "OTTER::UNFINISHED"},
    };
    char date[64];
    otter_info_date(definitions, date, sizeof date);
    set(root, "folder", text(definitions->folder));
    set(root, "anchor", text(definitions->anchor));
    set(root, "creator", text(definitions->creator));
    set(root, "machine", text(definitions->machine));
    set(root, "date", *date ? text(date) : json_null());
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        set(root, names[i].key, property(archive, names[i].property));
    }
}

static void set_clock(json_t *root, const struct otter_definitions *definitions,
                      const struct otter_summary *summary)
{
    json_t *clock = json_object();
    double seconds = otter_info_seconds(definitions, summary);
    set(clock, "resolution", number(definitions->clock.resolution));
    set(clock, "offset", number(definitions->clock.offset));
    set(clock, "length", number(definitions->clock.length));
    set(clock, "realtime", number(definitions->clock.realtime));
    set(clock, "first_event", number(summary->first_time));
    set(clock, "last_event", number(summary->last_time));
    set(clock, "seconds", seconds < 0 ? json_null() : json_real(seconds));
    set(root, "clock", clock);
}

static void set_counts(json_t *root, const struct otter_definitions *definitions,
                       const struct otter_summary *summary)
{
    json_t *tasks = json_object();
    set(tasks, "created", number(summary->tasks_created));
    set(tasks, "completed", number(summary->tasks_completed));
    set(tasks, "never_ran", number(summary->tasks_never_ran));
    set(tasks, "cancelled", number(summary->tasks_cancelled));
    set(tasks, "unfinished", number(summary->tasks_unfinished));
    set(root, "tasks", tasks);
    set(root, "parallel_regions", number(summary->parallel_regions));
    set(root, "teams", number(summary->n_teams));
    set(root, "largest_team", number(summary->largest_team));
    set(root, "size", number(summary->size));
    set(root, "files", number(summary->n_files));
    double bytes = otter_info_bytes_per_task(summary);
    set(root, "bytes_per_task", bytes < 0 ? json_null() : json_real(bytes));
    set(root, "events", number(summary->n_events));
    json_t *records = json_object();
    for (int i = 0; i < OTTER_N_RECORDS; i++) {
        char key[64];
        snake_case(otter_record_name((enum otter_record)i), key, sizeof key);
        uint64_t n = summary->n_records[i] + (i == OTTER_RECORD_OTHER ? summary->n_others : 0);
        set(records, key, number(n));
    }
    set(root, "events_by_kind", records);
}

static void set_locations(json_t *root, const struct otter_definitions *definitions,
                          const struct otter_summary *summary)
{
    json_t *locations = json_array();
    for (size_t i = 0; i < definitions->n_locations; i++) {
        const struct otter_location *location = &definitions->locations[i];
        json_t *entry = json_object(), *properties = json_object();
        set(entry, "id", number(location->id));
        set(entry, "name", text(location->name));
        set(entry, "kind", text(otter_location_kind_name(location->kind)));
        set(entry, "group", text(location->group));
        set(entry, "events", number(summary->n_location_events[i]));
        set(entry, "damage", location->damage ? text(location->damage) : json_null());
        for (size_t p = 0; p < location->n_properties; p++) {
            set(properties, location->properties[p].name, text(location->properties[p].value));
        }
        set(entry, "properties", properties);
        json_array_append_new(locations, entry);
    }
    set(root, "locations", locations);
}

static void set_regions(json_t *root, const struct otter_definitions *definitions,
                        const struct otter_summary *summary)
{
    json_t *regions = json_array();
    for (size_t i = 0; i < definitions->n_regions; i++) {
        const struct otter_region *region = &definitions->regions[i];
        json_t *entry = json_object();
        set(entry, "name", text(region->name));
        set(entry, "canonical_name", text(region->canonical_name));
        set(entry, "description", text(region->description));
        set(entry, "role", text(region->role));
        set(entry, "paradigm", text(region->paradigm));
        set(entry, "file", text(region->file));
        set(entry, "line", number(region->begin_line));
        set(entry, "entered", number(summary->n_region_enters[i]));
        json_array_append_new(regions, entry);
    }
    set(root, "regions", regions);
}

// The archive properties that begin with `prefix`, as an object.
static void set_properties(json_t *root, const char *key,
                           const struct otter_definitions *definitions, const char *prefix)
{
    json_t *object = json_object();
    for (size_t i = 0; i < definitions->n_properties; i++) {
        const char *name = definitions->properties[i].name;
        if (strncmp(name, prefix, strlen(prefix)) == 0) {
            char entry[128];
            snake_case(name + strlen(prefix), entry, sizeof entry);
            const struct otter_setting *setting = otter_settings_find(entry);
            set(object, setting ? setting->name : entry, text(definitions->properties[i].value));
        }
    }
    set(root, key, object);
}

enum otter_status otter_info_print_json(FILE *out, const struct otter_archive *archive,
                                        const struct otter_summary *summary)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    json_t *root = json_object();
    set_origin(root, archive);
    set_clock(root, definitions, summary);
    set_counts(root, definitions, summary);
    set_locations(root, definitions, summary);
    set_regions(root, definitions, summary);
    set_properties(root, "callbacks", definitions, "OTTER::CALLBACK::");
    set_properties(root, "settings", definitions, "OTTER::SETTING::");
    set(root, "damage", summary->n_damaged ? text(summary->first_damage.text) : json_null());
    int failed =
        !root ||
        json_dumpf(root, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12)) != 0;
    json_decref(root);
    fputc('\n', out);
    return failed ? OTTER_IO : OTTER_OK;
}
