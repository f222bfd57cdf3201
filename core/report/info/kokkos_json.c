// Makes the JSON of Kokkos' costs for `otter info`.
#include <stdlib.h>
#include <string.h>

#include "report/form/json.h"
#include "report/info/kokkos_print.h"
#include "report/table/kokkos_tables.h"
#include "source/property.h"
#include "trace/schema.h"

static void set_seconds(json_t *object, const char *name, const struct otter_kokkos *kokkos,
                        double ticks, bool is_known)
{
    double seconds = otter_kokkos_seconds(kokkos, ticks);
    otter_json_set(object, name, is_known && seconds >= 0 ? json_real(seconds) : json_null());
}

static json_t *new_entry(const struct otter_kokkos *kokkos, uint32_t index)
{
    json_t *entry = json_object();
    otter_json_set_number(entry, "region", index);
    otter_json_set_text(entry, "label", kokkos->definitions->regions[index].name);
    return entry;
}

static json_t *label_entry(const struct otter_kokkos *kokkos, uint32_t index)
{
    const struct otter_kokkos_cost *cost = &kokkos->costs[index];
    json_t *entry = new_entry(kokkos, index);
    bool has_ended = cost->n_ended > 0;
    otter_json_set_number(entry, "calls", cost->n);
    otter_json_set_number(entry, "ended", cost->n_ended);
    set_seconds(entry, "seconds", kokkos, (double)cost->total, true);
    set_seconds(entry, "mean", kokkos, has_ended ? (double)cost->sum / (double)cost->n_ended : 0,
                has_ended);
    set_seconds(entry, "min", kokkos, (double)cost->min, has_ended);
    set_seconds(entry, "max", kokkos, (double)cost->max, has_ended);
    return entry;
}

static json_t *kernel_entry(const struct otter_kokkos *kokkos, uint32_t index)
{
    const struct otter_region *region = &kokkos->definitions->regions[index];
    json_t *entry = label_entry(kokkos, index);
    otter_json_set_text(entry, "kind", otter_construct_name(region->construct));
    otter_json_set_text(entry, "space", otter_kokkos_where(region));
    return entry;
}

static json_t *section_entry(const struct otter_kokkos *kokkos, uint32_t index)
{
    const struct otter_kokkos_cost *cost = &kokkos->costs[index];
    json_t *entry = new_entry(kokkos, index);
    otter_json_set_number(entry, "starts", cost->n);
    otter_json_set_number(entry, "stops", cost->n_ended);
    set_seconds(entry, "seconds", kokkos, (double)cost->total, cost->total != UINT64_MAX);
    return entry;
}

static json_t *event_entry(const struct otter_kokkos *kokkos, uint32_t index)
{
    const struct otter_kokkos_cost *cost = &kokkos->costs[index];
    json_t *entry = new_entry(kokkos, index);
    otter_json_set_number(entry, "count", cost->n);
    set_seconds(entry, "first", kokkos, (double)(cost->first - kokkos->first_time), true);
    return entry;
}

static void set_rows(json_t *root, const char *key, const struct otter_kokkos *kokkos,
                     enum otter_kokkos_table table,
                     json_t *(*entry)(const struct otter_kokkos *, uint32_t))
{
    size_t n;
    uint32_t *rows = otter_kokkos_rows(kokkos, table, &n);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(list, entry(kokkos, rows[i]));
    }
    free(rows);
    otter_json_set(root, key, list);
}

static void set_groups(json_t *root, const char *key, const struct otter_kokkos *kokkos,
                       enum otter_kokkos_table table, const char *name)
{
    size_t n;
    struct otter_kokkos_group *groups = otter_kokkos_groups(kokkos, table, &n);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *entry = json_object();
        char *text = strndup(groups[i].name, groups[i].length);
        otter_json_set_text(entry, name, text);
        otter_json_set_number(entry, "calls", groups[i].n);
        if (table == OTTER_KOKKOS_COPIES) {
            otter_json_set_number(entry, "bytes", groups[i].bytes);
        }
        set_seconds(entry, "seconds", kokkos, (double)groups[i].total, true);
        json_array_append_new(list, entry);
        free(text);
    }
    free(groups);
    otter_json_set(root, key, list);
}

static void set_memory(json_t *root, const struct otter_kokkos *kokkos)
{
    size_t n;
    struct otter_kokkos_space *spaces = otter_kokkos_spaces(kokkos, &n);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct otter_kokkos_space *space = &spaces[i];
        json_t *entry = json_object();
        otter_json_set_text(entry, "space", space->name);
        otter_json_set_number(entry, "allocations", space->n_allocated);
        otter_json_set_number(entry, "bytes_allocated", space->bytes_allocated);
        otter_json_set_number(entry, "deallocations", space->n_deallocated);
        otter_json_set_number(entry, "bytes_deallocated", space->bytes_deallocated);
        otter_json_set(entry, "high_water",
                       space->level ? otter_json_number(space->level->high_water) : json_null());
        otter_json_set(entry, "in_use",
                       space->level ? otter_json_number(space->level->in_use) : json_null());
        json_array_append_new(list, entry);
    }
    free(spaces);
    otter_json_set(root, "memory", list);
}

static void set_metadata(json_t *root, const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    json_t *object = json_object();
    for (size_t i = 0; i < definitions->n_properties; i++) {
        const struct otter_property *property = &definitions->properties[i];
        const char *name = otter_property_after(property, OTTER_KOKKOS_PREFIX);
        if (name) {
            otter_json_set_text(object, name, property->value);
        }
    }
    otter_json_set(root, "metadata", object);
}

json_t *otter_kokkos_json(const struct otter_archive *archive, const struct otter_kokkos *kokkos)
{
    json_t *root = json_object();
    const char *version = otter_archive_property(archive, "OTTER::KOKKOS::KOKKOS_VERSION");
    char *device = otter_kokkos_device(archive);
    otter_json_set(root, "version", version ? otter_json_text(version) : json_null());
    otter_json_set(root, "device", device ? otter_json_text(device) : json_null());
    free(device);
    set_rows(root, "kernels", kokkos, OTTER_KOKKOS_KERNELS, kernel_entry);
    set_rows(root, "regions", kokkos, OTTER_KOKKOS_REGIONS, label_entry);
    set_groups(root, "copies", kokkos, OTTER_KOKKOS_COPIES, "spaces");
    set_groups(root, "fences", kokkos, OTTER_KOKKOS_FENCES, "whose");
    set_memory(root, kokkos);
    set_rows(root, "sections", kokkos, OTTER_KOKKOS_SECTIONS, section_entry);
    set_rows(root, "events", kokkos, OTTER_KOKKOS_EVENTS, event_entry);
    set_rows(root, "dual_view_syncs", kokkos, OTTER_KOKKOS_SYNCS, event_entry);
    set_rows(root, "dual_view_modifies", kokkos, OTTER_KOKKOS_MODIFIES, event_entry);
    set_metadata(root, archive);
    return root;
}
