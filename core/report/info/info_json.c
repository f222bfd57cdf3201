// Prints the contents of an archive as JSON.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "report/info/info.h"
#include "report/form/json.h"
#include "source/property.h"
#include "report/info/region_totals.h"

// "TASK_CREATE" or "task create" as "task_create".
static void snake_case(const char *name, char *key, size_t size)
{
    size_t i = 0;
    for (; i < size - 1 && name[i]; i++) {
        key[i] = name[i] == ' ' || name[i] == '-' ? '_' : (char)tolower((unsigned char)name[i]);
    }
    key[i] = '\0';
}

enum type { TEXT, NUMBER, BOOLEAN };

// Returns a property in the type that belongs to its key, since a program may be named `true` or
// `7`.
static json_t *property(const struct otter_archive *archive, const char *name, enum type type)
{
    const char *value = otter_archive_property(archive, name);
    if (!value) {
        return json_null();
    }
    if (type == BOOLEAN) {
        return json_boolean(strcmp(value, "true") == 0);
    }
    bool is_number =
        *value != '\0' && strlen(value) < 19 && value[strspn(value, "0123456789")] == '\0';
    return type == NUMBER && is_number ? json_integer(atoll(value)) : otter_json_text(value);
}

static const struct {
    const char *key, *property;
    enum type type;
} origins[] = {
    {"schema", "OTTER::SCHEMA", NUMBER},
    {"program", "OTTER::PROGRAM", TEXT},
    {"command_line", "OTTER::COMMAND_LINE", TEXT},
    {"host", "OTTER::HOST", TEXT},
    {"pid", "OTTER::PID", NUMBER},
    {"rank", "OTTER::RANK", NUMBER},
    {"processors", "OTTER::PROCESSORS", NUMBER},
    {"processor_list", "OTTER::PROCESSOR_LIST", TEXT},
    {"runtime", "OTTER::RUNTIME", TEXT},
    {"omp_version", "OTTER::OMP_VERSION", NUMBER},
    {"connectors", "OTTER::CONNECTORS", TEXT},
    {"dependences", "OTTER::DEPENDENCES", TEXT},
    {"lost", "OTTER::LOST", NUMBER},
    {"samples_lost", "OTTER::SAMPLES_LOST", NUMBER},
    {"samples_cut", "OTTER::SAMPLES_CUT", NUMBER},
    {"unread", "OTTER::UNREAD", NUMBER},
    {"beyond_limit", "OTTER::BEYOND_LIMIT", NUMBER},
    {"repaired", "OTTER::REPAIRED", NUMBER},
    {"unbegun", "OTTER::UNBEGUN", NUMBER},
    {"unfinished", "OTTER::UNFINISHED", NUMBER},
    {"refused", "OTTER::DEVICE_REFUSED", NUMBER},
    {"moved", "OTTER::DEVICE_MOVED", NUMBER},
    {"cut_off", "OTTER::CUT_OFF", BOOLEAN},
    {"stopped", "OTTER::STOPPED", TEXT},
    {"stopped_at", "OTTER::STOPPED_AT", NUMBER},
    {"tasks_created_in_pauses", "OTTER::UNRECORDED", NUMBER},
    {"longest_stall_ns", "OTTER::LONGEST_STALL", NUMBER},
    {"resident_high_bytes", "OTTER::RESIDENT_HIGH_WATER", NUMBER},
};

static void set_origin(json_t *root, const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    char date[64];
    otter_info_date(definitions, date, sizeof date);
    otter_json_set_text(root, "folder", definitions->folder);
    otter_json_set_text(root, "anchor", definitions->anchor);
    otter_json_set_text(root, "creator", definitions->creator);
    otter_json_set_text(root, "machine", definitions->machine);
    otter_json_set(root, "date", *date ? otter_json_text(date) : json_null());
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        otter_json_set(root, origins[i].key,
                       property(archive, origins[i].property, origins[i].type));
    }
}

static void set_clock(json_t *root, const struct otter_definitions *definitions,
                      const struct otter_summary *summary)
{
    json_t *clock = json_object();
    double seconds = otter_info_seconds(definitions, summary);
    otter_json_set_number(clock, "resolution", definitions->clock.resolution);
    otter_json_set_number(clock, "offset", definitions->clock.offset);
    otter_json_set_number(clock, "length", definitions->clock.length);
    otter_json_set_number(clock, "realtime", definitions->clock.realtime);
    otter_json_set_number(clock, "first_event", summary->first_time);
    otter_json_set_number(clock, "last_event", summary->last_time);
    otter_json_set(clock, "seconds", seconds < 0 ? json_null() : json_real(seconds));
    otter_json_set(root, "clock", clock);
}

static void set_counts(json_t *root, const struct otter_definitions *definitions,
                       const struct otter_summary *summary)
{
    json_t *tasks = json_object();
    otter_json_set_number(tasks, "created", summary->tasks_created);
    otter_json_set_number(tasks, "completed", summary->tasks_completed);
    otter_json_set_number(tasks, "never_ran", summary->tasks_never_ran);
    otter_json_set_number(tasks, "cancelled", summary->tasks_cancelled);
    otter_json_set_number(tasks, "unfinished", summary->tasks_unfinished);
    otter_json_set(root, "tasks", tasks);
    otter_json_set_number(root, "switches_lost", summary->n_switches_lost);
    otter_json_set_number(root, "pauses", summary->n_pauses);
    otter_json_set_number(root, "paused_ticks", summary->paused_ticks);
    otter_json_set_number(root, "parallel_regions", summary->parallel_regions);
    otter_json_set_number(root, "teams", summary->n_teams);
    otter_json_set_number(root, "distinct_teams", summary->n_distinct_teams);
    otter_json_set_number(root, "largest_team", summary->largest_team);
    otter_json_set_number(root, "size", summary->size);
    otter_json_set_number(root, "files", summary->n_files);
    double bytes = otter_info_bytes_per_task(summary);
    otter_json_set(root, "bytes_per_task", bytes < 0 ? json_null() : json_real(bytes));
    otter_json_set_number(root, "events", summary->n_events);
    json_t *records = json_object();
    for (int i = 0; i < OTTER_N_RECORDS; i++) {
        char key[64];
        snake_case(otter_record_name((enum otter_record)i), key, sizeof key);
        uint64_t n = summary->n_records[i] + (i == OTTER_RECORD_OTHER ? summary->n_others : 0);
        otter_json_set_number(records, key, n);
    }
    otter_json_set(root, "events_by_kind", records);
}

static void set_locations(json_t *root, const struct otter_definitions *definitions,
                          const struct otter_summary *summary)
{
    json_t *locations = json_array();
    for (size_t i = 0; i < definitions->n_locations; i++) {
        const struct otter_location *location = &definitions->locations[i];
        json_t *entry = json_object(), *properties = json_object();
        otter_json_set_number(entry, "id", location->id);
        otter_json_set_text(entry, "name", location->name);
        otter_json_set_text(entry, "kind", otter_location_kind_name(location->kind));
        otter_json_set_text(entry, "group", location->group);
        otter_json_set_number(entry, "events", summary->n_location_events[i]);
        otter_json_set(entry, "damage",
                       location->damage ? otter_json_text(location->damage) : json_null());
        for (size_t p = 0; p < location->n_properties; p++) {
            otter_json_set_text(properties, location->properties[p].name,
                                location->properties[p].value);
        }
        otter_json_set(entry, "properties", properties);
        json_array_append_new(locations, entry);
    }
    otter_json_set(root, "locations", locations);
}

// `name` and `module` were recorded; the other entries of a place come from debug information.
static json_t *region_entry(const struct otter_region *region, const struct otter_label *label,
                            uint64_t n_enters)
{
    json_t *entry = json_object();
    bool is_module = region->begin_line == 0 && *region->file == '/';
    const char *file = *label->file || is_module ? label->file : region->file;
    otter_json_set_text(entry, "name", region->name);
    otter_json_set_text(entry, "canonical_name", region->canonical_name);
    otter_json_set_text(entry, "description", region->description);
    otter_json_set_text(entry, "role", region->role);
    otter_json_set_text(entry, "paradigm", region->paradigm);
    otter_json_set_text(entry, "module", is_module ? region->file : "");
    otter_json_set_text(entry, "where", label->where);
    otter_json_set_text(entry, "function", label->function);
    otter_json_set_text(entry, "file", file);
    otter_json_set_number(entry, "line", label->line);
    otter_json_set_number(entry, "entered", n_enters);
    return entry;
}

static void set_regions(json_t *root, const struct otter_archive *archive,
                        const struct otter_summary *summary, const struct otter_labels *labels)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    json_t *regions = json_array();
    for (size_t i = 0; i < definitions->n_regions; i++) {
        json_array_append_new(regions, region_entry(&definitions->regions[i],
                                                    otter_label_of(labels, (uint32_t)i),
                                                    summary->n_region_enters[i]));
    }
    otter_json_set(root, "regions", regions);
}

// Stores the archive properties that begin with `prefix` as an object.
static void set_properties(json_t *root, const char *key,
                           const struct otter_definitions *definitions, const char *prefix)
{
    json_t *object = json_object();
    for (size_t i = 0; i < definitions->n_properties; i++) {
        const struct otter_property *property = &definitions->properties[i];
        const char *name = otter_property_after(property, prefix);
        if (name) {
            char entry[128];
            snake_case(name, entry, sizeof entry);
            const struct otter_setting *setting = otter_settings_find(entry);
            otter_json_set_text(object, setting ? setting->name : entry, property->value);
        }
    }
    otter_json_set(root, key, object);
}

static void set_kokkos(json_t *root, const struct otter_archive *archive)
{
    char *device = otter_info_kokkos_device(archive);
    otter_json_set(root, "kokkos_version",
                   property(archive, OTTER_KOKKOS_PREFIX "KOKKOS_VERSION", TEXT));
    otter_json_set(root, "kokkos_device", device ? otter_json_text(device) : json_null());
    free(device);
    json_t *metadata = json_object();
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    for (size_t i = 0; i < definitions->n_properties; i++) {
        const struct otter_property *property = &definitions->properties[i];
        const char *name = otter_property_after(property, OTTER_KOKKOS_PREFIX);
        if (name) {
            otter_json_set_text(metadata, name, property->value);
        }
    }
    otter_json_set(root, "kokkos_metadata", metadata);
}

enum otter_status otter_info_print_json(FILE *out, const struct otter_archive *archive,
                                        const struct otter_summary *summary,
                                        const struct otter_labels *labels)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    json_t *root = json_object();
    set_origin(root, archive);
    set_clock(root, definitions, summary);
    set_counts(root, definitions, summary);
    set_locations(root, definitions, summary);
    set_regions(root, archive, summary, labels);
    otter_json_set(root, "totals", otter_region_totals_json(archive));
    set_properties(root, "callbacks", definitions, "OTTER::CALLBACK::");
    set_properties(root, "settings", definitions, "OTTER::SETTING::");
    set_kokkos(root, archive);
    otter_json_set(root, "damage",
                   summary->n_damaged ? otter_json_text(summary->first_damage.text) : json_null());
    return otter_json_print(out, root);
}
