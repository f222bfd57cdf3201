// Prints Kokkos' costs as text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/print.h"
#include "graph/label.h"
#include "source/demangle.h"
#include "report/info/kokkos_print.h"
#include "report/table/kokkos_tables.h"
#include "base/text/number.h"
#include "report/form/plain.h"
#include "source/property.h"

enum {
    LINE_WIDTH = 120, // or the terminal's width, if that is smaller
    MEANS_WIDTH = 76, // width of a terminal from which on tables have shares and means
    EXTREMES_WIDTH = 100,
    MIN_LABEL = 8,
    LABEL_WIDTH = 12,
    SHORT_LIST = 10, // rows shown without --all
    SHORT_EVENTS = 5,
    KIND_WIDTH = 7,
    MAX_WHERE = 16,
};

struct printing {
    FILE *out;
    const struct otter_kokkos *kokkos;
    double seconds;  // time span of all events
    bool is_damaged; // the times of some label exceed those of all threads together
    bool all;
    size_t width;       // columns of a line
    size_t space_width; // columns of the memory spaces in the table of kernels
};

char *otter_kokkos_device(const struct otter_archive *archive)
{
    static const char prefix[] = "Kokkos::";
    const char *device = otter_archive_property(archive, "OTTER::KOKKOS::DEFAULT_DEVICE");
    if (!device || *device == '\0') {
        return NULL;
    }
    char *mangled = NULL; // Kokkos before 4 reports the compiler's name of the type
    bool is_mangled = device[0] == 'N' && device[1] >= '1' && device[1] <= '9';
    if (!is_mangled || asprintf(&mangled, "_Z%s", device) < 0) {
        return strdup(device);
    }
    char *name = otter_demangle(mangled);
    bool is_known = name && strncmp(name, prefix, sizeof prefix - 1) == 0;
    char *shown = strdup(is_known ? name + sizeof prefix - 1 : device);
    free(mangled);
    free(name);
    return shown;
}

double otter_kokkos_seconds(const struct otter_kokkos *kokkos, double ticks)
{
    uint64_t resolution = kokkos->definitions->clock.resolution;
    return resolution ? ticks / (double)resolution : -1;
}

// ---- cells

static void put_number(FILE *out, int width, uint64_t number)
{
    char text[OTTER_MAX_NUMBER];
    otter_print(out, " %*s", width, otter_number_text(number, text));
}

static void put_size(FILE *out, int width, uint64_t bytes)
{
    char text[OTTER_MAX_NUMBER];
    otter_print(out, " %*s", width, otter_size_text((double)bytes, text));
}

// Prints "-" for an unknown time.
static void put_time(const struct printing *printing, int width, double ticks, bool is_known)
{
    char text[OTTER_MAX_NUMBER] = "-";
    double seconds = otter_kokkos_seconds(printing->kokkos, ticks);
    if (is_known && seconds >= 0) {
        otter_duration_text(seconds, text);
    }
    otter_print(printing->out, " %*s", width, text);
}

static void put_share(const struct printing *printing, uint64_t ticks)
{
    double seconds = otter_kokkos_seconds(printing->kokkos, (double)ticks);
    if (seconds >= 0 && printing->seconds > 0 && !printing->is_damaged) {
        otter_print(printing->out, " %5.1f%%", 100 * seconds / printing->seconds);
    } else {
        otter_print(printing->out, " %6s", "-");
    }
}

// Returns the columns before the label in tables with times.
static size_t times_width(const struct printing *printing)
{
    return printing->width >= EXTREMES_WIDTH ? 55 : printing->width >= MEANS_WIDTH ? 37 : 21;
}

// Prints the columns calls, total, share, mean, min and max, as far as they fit into a line.
static void put_times(const struct printing *printing, const struct otter_kokkos_cost *cost)
{
    bool has_ended = cost->n_ended > 0;
    otter_print(printing->out, " ");
    put_number(printing->out, 8, cost->n);
    put_time(printing, 8, (double)cost->total, has_ended);
    if (printing->width >= MEANS_WIDTH) {
        put_share(printing, cost->total);
        put_time(printing, 8, has_ended ? (double)cost->sum / (double)cost->n_ended : 0, has_ended);
    }
    if (printing->width >= EXTREMES_WIDTH) {
        put_time(printing, 8, (double)cost->min, has_ended);
        put_time(printing, 8, (double)cost->max, has_ended);
    }
    otter_print(printing->out, "  ");
}

// Prints the first `length` bytes of a label after `used` columns, and the end of its line.
static void put_part(const struct printing *printing, const char *label, size_t length, size_t used)
{
    const char *name = length > 0 ? label : OTTER_NO_LABEL;
    size_t room = printing->width > used + MIN_LABEL ? printing->width - used : MIN_LABEL;
    otter_plain_print_part(printing->out, name, length > 0 ? length : strlen(name),
                           printing->all ? 0 : room);
    otter_print(printing->out, "\n");
}

static void put_label(const struct printing *printing, const char *label, size_t used)
{
    put_part(printing, label, strlen(label), used);
}

// ---- tables

static const char *kind_of(enum otter_construct construct)
{
    switch (construct) {
    case OTTER_CONSTRUCT_KOKKOS_FOR: return "for";
    case OTTER_CONSTRUCT_KOKKOS_REDUCE: return "reduce";
    case OTTER_CONSTRUCT_KOKKOS_SCAN: return "scan";
    default: return "";
    }
}

// Returns the width of the widest space; wider names are cut.
static size_t widest_space(const struct printing *printing, const uint32_t *rows, size_t n)
{
    size_t width = strlen("space");
    for (size_t i = 0; i < n; i++) {
        size_t length =
            strlen(otter_kokkos_where(&printing->kokkos->definitions->regions[rows[i]]));
        width = length > width ? length : width;
    }
    return width < MAX_WHERE ? width : MAX_WHERE;
}

static void put_kernel(const struct printing *printing, const struct otter_region *region)
{
    size_t width = printing->space_width;
    otter_print(printing->out, "%-*s", KIND_WIDTH, kind_of(region->construct));
    size_t used = otter_plain_print(printing->out, otter_kokkos_where(region), width);
    otter_print(printing->out, "%*s", (int)(width - used) + 2, "");
    put_label(printing, region->name, times_width(printing) + KIND_WIDTH + width + 2);
}

static void put_row(const struct printing *printing, enum otter_kokkos_table table, uint32_t index)
{
    const struct otter_region *region = &printing->kokkos->definitions->regions[index];
    const struct otter_kokkos_cost *cost = &printing->kokkos->costs[index];
    if (table == OTTER_KOKKOS_KERNELS || table == OTTER_KOKKOS_REGIONS) {
        put_times(printing, cost);
    } else {
        otter_print(printing->out, " ");
        put_number(printing->out, 8, cost->n);
    }
    switch (table) {
    case OTTER_KOKKOS_KERNELS: put_kernel(printing, region); break;
    case OTTER_KOKKOS_SECTIONS:
        put_time(printing, 8, (double)cost->total, cost->total != UINT64_MAX);
        otter_print(printing->out, "  %-7s  ", cost->n > cost->n_ended ? "running" : "stopped");
        put_label(printing, region->name, 30);
        break;
    case OTTER_KOKKOS_EVENTS:
        put_time(printing, 8, (double)(cost->first - printing->kokkos->first_time), true);
        otter_print(printing->out, "  ");
        put_label(printing, region->name, 22);
        break;
    default: put_label(printing, region->name, times_width(printing)); break;
    }
}

static void put_title(const struct printing *printing, enum otter_kokkos_table table)
{
    if (table == OTTER_KOKKOS_SECTIONS) {
        otter_print(printing->out, "\nsections of Kokkos, by time\n  %8s %8s  %-7s  label\n",
                    "starts", "total", "at end");
        return;
    }
    if (table == OTTER_KOKKOS_EVENTS) {
        otter_print(printing->out, "\nevents of Kokkos, by first occurrence\n  %8s %8s  label\n",
                    "count", "at");
        return;
    }
    bool is_kernels = table == OTTER_KOKKOS_KERNELS;
    otter_print(printing->out, "\n%s of Kokkos, by time; share of the time span\n  %8s %8s",
                is_kernels ? "kernels" : "regions", "calls", "total");
    otter_print(printing->out, printing->width >= MEANS_WIDTH ? "  share     mean" : "");
    otter_print(printing->out, printing->width >= EXTREMES_WIDTH ? "      min      max  " : "  ");
    if (is_kernels) {
        otter_print(printing->out, "%-*s%-*s  ", KIND_WIDTH, "kind", (int)printing->space_width,
                    "space");
    }
    otter_print(printing->out, "label\n");
}

// Prints the table of kernels, regions, sections or events.
static void print_rows(struct printing *printing, enum otter_kokkos_table table, size_t short_list)
{
    size_t n;
    uint32_t *rows = otter_kokkos_rows(printing->kokkos, table, &n);
    size_t n_shown = printing->all || n <= short_list + 1 ? n : short_list;
    printing->space_width = widest_space(printing, rows, n_shown);
    if (n > 0) {
        put_title(printing, table);
    }
    for (size_t i = 0; i < n_shown; i++) {
        put_row(printing, table, rows[i]);
    }
    if (n_shown < n) {
        otter_print(printing->out, "  ... and %zu more (--all shows them)\n", n - n_shown);
    }
    free(rows);
}

// Prints the table of copies or of fences.
static void print_groups(const struct printing *printing, enum otter_kokkos_table table)
{
    size_t n;
    struct otter_kokkos_group *groups = otter_kokkos_groups(printing->kokkos, table, &n);
    bool is_copies = table == OTTER_KOKKOS_COPIES;
    if (n > 0 && is_copies) {
        otter_print(printing->out,
                    "\ndeep copies of Kokkos\n  %8s %10s %8s  destination <- source\n", "calls",
                    "bytes", "total");
    } else if (n > 0) {
        otter_print(printing->out, "\nfences of Kokkos\n  %8s %8s  whose\n", "calls", "total");
    }
    for (size_t i = 0; i < n; i++) {
        otter_print(printing->out, " ");
        put_number(printing->out, 8, groups[i].n);
        if (is_copies) {
            put_size(printing->out, 10, groups[i].bytes);
        }
        put_time(printing, 8, (double)groups[i].total, true);
        otter_print(printing->out, "  ");
        put_part(printing, groups[i].name, groups[i].length, is_copies ? 33 : 22);
    }
    free(groups);
}

static void print_memory(const struct printing *printing)
{
    size_t n;
    bool is_wide = printing->width >= MEANS_WIDTH;
    struct otter_kokkos_space *spaces = otter_kokkos_spaces(printing->kokkos, &n);
    if (n > 0) {
        otter_print(printing->out, "\nmemory of Kokkos\n  %11s %10s%s %11s %11s  space\n",
                    "allocations", "allocated", is_wide ? " deallocations" : "", "high water",
                    "in use, end");
    }
    for (size_t i = 0; i < n; i++) {
        otter_print(printing->out, " ");
        put_number(printing->out, 11, spaces[i].n_allocated);
        put_size(printing->out, 10, spaces[i].bytes_allocated);
        if (is_wide) {
            put_number(printing->out, 13, spaces[i].n_deallocated);
        }
        if (spaces[i].level) {
            put_size(printing->out, 11, spaces[i].level->high_water);
            put_size(printing->out, 11, spaces[i].level->in_use);
        } else {
            otter_print(printing->out, " %11s %11s", "-", "-");
        }
        otter_print(printing->out, "  ");
        put_label(printing, spaces[i].name, is_wide ? 64 : 50);
    }
    free(spaces);
}

// ---- overview and metadata

static uint64_t count(const struct otter_kokkos *kokkos, enum otter_kokkos_table table,
                      size_t *n_labels)
{
    uint32_t *rows = otter_kokkos_rows(kokkos, table, n_labels);
    uint64_t n = 0;
    for (size_t i = 0; i < *n_labels; i++) {
        n += kokkos->costs[rows[i]].n;
    }
    free(rows);
    return n;
}

static void print_overview(const struct printing *printing, const struct otter_archive *archive)
{
    size_t n_labels, ignored;
    char number[OTTER_MAX_NUMBER];
    const char *version = otter_archive_property(archive, "OTTER::KOKKOS::KOKKOS_VERSION");
    char *device = otter_kokkos_device(archive);
    if (version || device) {
        otter_print(printing->out, "  %-*s ", LABEL_WIDTH, "version");
        otter_plain_print(printing->out, version ? version : "unknown", LINE_WIDTH / 2);
        otter_print(printing->out, device ? ", default device " : "");
        otter_plain_print(printing->out, device ? device : "", LINE_WIDTH / 2);
        otter_print(printing->out, "\n");
    }
    free(device);
    uint64_t n = count(printing->kokkos, OTTER_KOKKOS_KERNELS, &n_labels);
    otter_print(printing->out, "  %-*s %s launch%s, %zu label%s\n", LABEL_WIDTH, "kernels",
                otter_number_text(n, number), n == 1 ? "" : "es", n_labels, otter_plural(n_labels));
    uint64_t n_syncs = count(printing->kokkos, OTTER_KOKKOS_SYNCS, &ignored);
    uint64_t n_modifies = count(printing->kokkos, OTTER_KOKKOS_MODIFIES, &ignored);
    if (n_syncs > 0 || n_modifies > 0) {
        otter_print(printing->out, "  %-*s %s sync%s", LABEL_WIDTH, "dual views",
                    otter_number_text(n_syncs, number), otter_plural(n_syncs));
        otter_print(printing->out, ", %s marked as modified\n",
                    otter_number_text(n_modifies, number));
    }
    if (printing->kokkos->n_too_deep > 0) {
        otter_print(printing->out, "  %-*s %s call%s without times, nested too deeply\n",
                    LABEL_WIDTH, "left out",
                    otter_number_text(printing->kokkos->n_too_deep, number),
                    otter_plural(printing->kokkos->n_too_deep));
    }
}

static void print_metadata(const struct printing *printing, const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    size_t n = 0;
    for (size_t i = 0; i < definitions->n_properties; i++) {
        const struct otter_property *property = &definitions->properties[i];
        const char *name = otter_property_after(property, OTTER_KOKKOS_PREFIX);
        if (!name) {
            continue;
        }
        otter_print(printing->out, n++ ? "" : "\nmetadata of Kokkos\n");
        otter_print(printing->out, "  ");
        size_t used = otter_plain_print(printing->out, name, 0);
        otter_print(printing->out, "%*s ", used < 40 ? (int)(40 - used) : 0, "");
        otter_plain_print(printing->out, property->value, 0);
        otter_print(printing->out, "\n");
    }
}

static bool is_clock_damaged(const struct otter_kokkos *kokkos, double seconds)
{
    double longest = 1.01 * seconds * (double)kokkos->definitions->n_locations;
    bool is_damaged = false;
    for (size_t i = 0; seconds >= 0 && i < kokkos->definitions->n_regions; i++) {
        const struct otter_kokkos_cost *cost = &kokkos->costs[i];
        enum otter_construct construct = kokkos->definitions->regions[i].construct;
        bool has_share = *kind_of(construct) || construct == OTTER_CONSTRUCT_KOKKOS_REGION;
        is_damaged |= has_share && otter_kokkos_seconds(kokkos, (double)cost->total) > longest;
    }
    return is_damaged;
}

void otter_kokkos_print(FILE *out, const struct otter_archive *archive,
                        const struct otter_kokkos *kokkos, double seconds, bool all, unsigned width)
{
    struct printing printing = {.out = out,
                                .kokkos = kokkos,
                                .seconds = seconds,
                                .is_damaged = is_clock_damaged(kokkos, seconds),
                                .all = all,
                                .width = width < LINE_WIDTH ? width : LINE_WIDTH};
    otter_print(out, "\nKokkos\n");
    if (printing.is_damaged) {
        otter_print(
            out,
            "  %-*s damaged: times decrease, or exceed the archive's length; no shares of time\n",
            LABEL_WIDTH, "clock");
    }
    print_overview(&printing, archive);
    print_rows(&printing, OTTER_KOKKOS_KERNELS, SHORT_LIST);
    print_rows(&printing, OTTER_KOKKOS_REGIONS, SHORT_LIST);
    print_groups(&printing, OTTER_KOKKOS_COPIES);
    print_groups(&printing, OTTER_KOKKOS_FENCES);
    print_memory(&printing);
    print_rows(&printing, OTTER_KOKKOS_SECTIONS, SHORT_LIST);
    print_rows(&printing, OTTER_KOKKOS_EVENTS, SHORT_EVENTS);
    if (all) {
        print_metadata(&printing, archive);
    }
}
