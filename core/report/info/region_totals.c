// Reads the region totals of an archive, and prints them as text and as JSON.
#include "report/info/region_totals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text/print.h"
#include "report/form/json.h"
#include "source/lines.h"
#include "base/text/number.h"
#include "report/form/plain.h"
#include "source/property.h"

enum {
    SHORT_LIST = 20, // regions shown without --all
    REGION_WIDTH = 72,
};

// Ticks of all threads. Recursion counts once.
struct region_totals {
    uint32_t region; // index
    uint64_t n_visits, inclusive, exclusive;
};

static double seconds_of(const struct otter_archive *archive, uint64_t ticks)
{
    uint64_t resolution = otter_archive_definitions(archive)->clock.resolution;
    return resolution ? (double)ticks / (double)resolution : 0;
}

bool otter_archive_is_stopped(const struct otter_archive *archive, double *seconds)
{
    const char *at = otter_archive_property(archive, "OTTER::STOPPED_AT");
    const struct otter_clock *clock = &otter_archive_definitions(archive)->clock;
    uint64_t ticks = at ? strtoull(at, NULL, 10) : 0;
    bool is_known = ticks >= clock->offset && ticks - clock->offset <= clock->length;
    *seconds = is_known && clock->resolution ? seconds_of(archive, ticks - clock->offset) : -1;
    return otter_archive_property(archive, "OTTER::STOPPED") != NULL;
}

// ---- reading

// A property of another tool may have the prefix, so the text is checked.
static bool read_total(const struct otter_property *property, size_t n_regions,
                       struct region_totals *total)
{
    const char *region = otter_property_after(property, "OTTER::TOTALS::");
    char end;
    return region && sscanf(region, "%" SCNu32 "%c", &total->region, &end) == 1 &&
           sscanf(property->value, "%" SCNu64 " %" SCNu64 " %" SCNu64 "%c", &total->n_visits,
                  &total->inclusive, &total->exclusive, &end) == 3 &&
           total->region < n_regions;
}

static int compare(const void *left, const void *right)
{
    const struct region_totals *a = left, *b = right;
    if (a->exclusive != b->exclusive) {
        return a->exclusive < b->exclusive ? 1 : -1;
    }
    return (a->region > b->region) - (a->region < b->region);
}

// Returns the *n region totals, the longest exclusive time first; NULL: none. The caller frees
// them.
static struct region_totals *read_totals(const struct otter_archive *archive, size_t *n)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    struct region_totals *totals = calloc(definitions->n_properties + 1, sizeof *totals);
    *n = 0;
    for (size_t i = 0; i < definitions->n_properties; i++) {
        *n += read_total(&definitions->properties[i], definitions->n_regions, &totals[*n]);
    }
    if (*n == 0) {
        free(totals);
        return NULL;
    }
    qsort(totals, *n, sizeof *totals, compare);
    return totals;
}

// ---- as text

static void print_region(FILE *out, const struct otter_region *region,
                         const struct otter_label *label)
{
    const char *place = otter_label_place(label), *function = otter_label_function(label);
    char *text = otter_path("%s%s%s%s%s%s%s%s", label->what, *place ? " " : "", place,
                            *function ? " (" : "", function, *function ? ")" : "",
                            *region->description ? ", " : "", region->description);
    otter_plain_print(out, text, REGION_WIDTH);
    otter_print(out, "\n");
    free(text);
}

static void print_rows(FILE *out, const struct otter_archive *archive,
                       const struct region_totals *totals, size_t n)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    char visits[OTTER_MAX_NUMBER], inclusive[OTTER_MAX_NUMBER], exclusive[OTTER_MAX_NUMBER];
    struct otter_labels labels;
    otter_lines_label(archive, &labels);
    otter_print(out, "  %15s  %10s  %10s  region\n", "visits", "inclusive", "exclusive");
    for (size_t i = 0; i < n; i++) {
        otter_print(out, "  %15s  %10s  %10s  ", otter_number_text(totals[i].n_visits, visits),
                    otter_duration_text(seconds_of(archive, totals[i].inclusive), inclusive),
                    otter_duration_text(seconds_of(archive, totals[i].exclusive), exclusive));
        print_region(out, &definitions->regions[totals[i].region],
                     otter_label_of(&labels, totals[i].region));
    }
    otter_labels_finish(&labels);
}

void otter_region_totals_print(FILE *out, const struct otter_archive *archive, bool all)
{
    size_t n;
    struct region_totals *totals = read_totals(archive, &n);
    if (!totals) {
        return;
    }
    size_t n_shown = all || n <= SHORT_LIST ? n : SHORT_LIST;
    otter_print(out, "\nregion totals after max-size was reached, of all threads\n");
    print_rows(out, archive, totals, n_shown);
    if (n_shown < n) {
        otter_print(out, "  ... and %zu more (--all)\n", n - n_shown);
    }
    free(totals);
}

// ---- as JSON

static json_t *row_json(const struct otter_archive *archive, const struct region_totals *total)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    json_t *row = json_object();
    otter_json_set_number(row, "region", total->region);
    otter_json_set_text(row, "name", definitions->regions[total->region].name);
    otter_json_set_number(row, "visits", total->n_visits);
    otter_json_set_number(row, "inclusive_ticks", total->inclusive);
    otter_json_set_number(row, "exclusive_ticks", total->exclusive);
    otter_json_set(row, "inclusive_seconds", json_real(seconds_of(archive, total->inclusive)));
    otter_json_set(row, "exclusive_seconds", json_real(seconds_of(archive, total->exclusive)));
    return row;
}

json_t *otter_region_totals_json(const struct otter_archive *archive)
{
    size_t n;
    double seconds;
    struct region_totals *totals = read_totals(archive, &n);
    if (!totals) {
        return json_null();
    }
    json_t *root = json_object(), *regions = json_array();
    bool is_known = otter_archive_is_stopped(archive, &seconds) && seconds >= 0;
    otter_json_set(root, "since_seconds", is_known ? json_real(seconds) : json_null());
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(regions, row_json(archive, &totals[i]));
    }
    otter_json_set(root, "regions", regions);
    free(totals);
    return root;
}
