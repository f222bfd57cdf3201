// Prints the contents of an archive as text.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/print.h"
#include "base/settings.h"
#include "report/info/info.h"
#include "base/text/number.h"
#include "report/form/plain.h"
#include "source/property.h"
#include "report/info/region_totals.h"
#include "trace/schema.h"

enum {
    LABEL_WIDTH = 12,
    LINE_WIDTH = 80,    // or the terminal's width, if that is smaller
    LOCATION_REST = 42, // columns of a location's row without its name
    MIN_LOCATION = 8,
    SETTING_WIDTH = 20,
    METADATA_WIDTH = 40,
    LOCATION_WIDTH = 24,
    SHORT_LIST = 8, // locations shown without --all
};

static void print_line(FILE *out, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void print_line(FILE *out, const char *label, const char *format, ...)
{
    otter_print(out, "  %-*s ", LABEL_WIDTH, label);
    va_list arguments;
    va_start(arguments, format);
    otter_vprint(out, format, arguments);
    va_end(arguments);
    otter_print(out, "\n");
}

static void print_property(FILE *out, const struct otter_archive *archive, const char *label,
                           const char *name)
{
    const char *value = otter_archive_property(archive, name);
    if (value && *value) {
        print_line(out, label, "%s", value);
    }
}

static void print_host(FILE *out, const struct otter_archive *archive)
{
    const char *host = otter_archive_property(archive, "OTTER::HOST");
    const char *pid = otter_archive_property(archive, "OTTER::PID");
    const char *rank = otter_archive_property(archive, "OTTER::RANK");
    host = host ? host : otter_archive_definitions(archive)->host;
    if (*host || pid) {
        print_line(out, "host", "%s%s%s%s%s", *host ? host : "unknown", pid ? ", process " : "",
                   pid ? pid : "", rank && *rank ? ", rank " : "", rank && *rank ? rank : "");
    }
}

static void print_processors(FILE *out, const struct otter_archive *archive)
{
    const char *n = otter_archive_property(archive, "OTTER::PROCESSORS");
    const char *list = otter_archive_property(archive, "OTTER::PROCESSOR_LIST");
    if (n && *n) {
        print_line(out, "processors", "%s%s%s%s", n, list ? " (" : "", list ? list : "",
                   list ? ")" : "");
    }
}

static void print_runtime(FILE *out, const struct otter_archive *archive)
{
    const char *runtime = otter_archive_property(archive, "OTTER::RUNTIME");
    const char *version = otter_archive_property(archive, "OTTER::OMP_VERSION");
    if (runtime && *runtime) {
        print_line(out, "runtime", version && *version ? "%s, OpenMP %s" : "%s", runtime,
                   version ? version : "");
    }
}

static void print_seconds(FILE *out, double seconds)
{
    char text[OTTER_MAX_NUMBER];
    if (seconds >= 0) {
        print_line(out, "time span", "%s", otter_duration_text(seconds, text));
    }
}

// Prints nothing if the archive does not have the number.
static void print_memory(FILE *out, const struct otter_archive *archive)
{
    char size[OTTER_MAX_NUMBER];
    uint64_t bytes = otter_archive_number(archive, "OTTER::RESIDENT_HIGH_WATER");
    if (bytes > 0) {
        print_line(out, "memory", "at most %s resident in the process",
                   otter_size_text((double)bytes, size));
    }
}

static void print_size(FILE *out, const struct otter_summary *summary)
{
    char size[OTTER_MAX_NUMBER], files[OTTER_MAX_NUMBER];
    otter_size_text((double)summary->size, size);
    otter_number_text(summary->n_files, files);
    double per_task = otter_info_bytes_per_task(summary);
    enum { FEW = 100 }; // with fewer tasks, definitions and files dominate the size
    if (per_task >= 0 && summary->tasks_created >= FEW) {
        print_line(out, "size", "%s in %s file%s, %.1f bytes per task", size, files,
                   otter_plural(summary->n_files), per_task);
    } else {
        print_line(out, "size", "%s in %s file%s", size, files, otter_plural(summary->n_files));
    }
}

static void print_kokkos(FILE *out, const struct otter_archive *archive)
{
    const char *version = otter_archive_property(archive, OTTER_KOKKOS_PREFIX "KOKKOS_VERSION");
    char *device = otter_info_kokkos_device(archive);
    if (version || device) {
        print_line(out, "Kokkos", "%s%s%s", version ? version : "of an unknown version",
                   device ? ", default device " : "", device ? device : "");
    }
    free(device);
}

static void print_origin(FILE *out, const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    char date[64];
    otter_info_date(definitions, date, sizeof date);
    print_property(out, archive, "program", "OTTER::PROGRAM");
    print_property(out, archive, "command", "OTTER::COMMAND_LINE");
    print_host(out, archive);
    print_processors(out, archive);
    if (*date) {
        print_line(out, "date", "%s", date);
    }
    print_runtime(out, archive);
    print_property(out, archive, "connectors", "OTTER::CONNECTORS");
    print_kokkos(out, archive);
    if (!otter_archive_property(archive, "OTTER::SCHEMA")) {
        print_line(out, "written by", "%s, not Otter: no task ids, settings or callbacks",
                   *definitions->creator ? definitions->creator : "an unknown tool");
    }
}

static void print_tasks(FILE *out, const struct otter_summary *summary)
{
    char a[OTTER_MAX_NUMBER], b[OTTER_MAX_NUMBER];
    otter_print(out, "  %-*s %s created, %s completed", LABEL_WIDTH, "tasks",
                otter_number_text(summary->tasks_created, a),
                otter_number_text(summary->tasks_completed, b));
    if (summary->tasks_never_ran > 0) {
        otter_print(out, ", %s never ran", otter_number_text(summary->tasks_never_ran, a));
    }
    if (summary->tasks_cancelled > 0) {
        otter_print(out, ", %s cancelled", otter_number_text(summary->tasks_cancelled, a));
    }
    if (summary->tasks_unfinished > 0) {
        otter_print(out, ", %s unfinished", otter_number_text(summary->tasks_unfinished, a));
    }
    otter_print(out, "\n");
}

static void print_parallel(FILE *out, const struct otter_summary *summary)
{
    char a[OTTER_MAX_NUMBER], b[OTTER_MAX_NUMBER];
    uint64_t n = summary->parallel_regions, n_threads = summary->largest_team;
    otter_number_text(n, a);
    if (n_threads > 0) {
        print_line(out, "parallel", "%s region%s, team%s of %s%s thread%s", a, otter_plural(n),
                   otter_plural(n), n > 1 && n_threads > 1 ? "up to " : "",
                   otter_number_text(n_threads, b), otter_plural(n_threads));
    } else {
        print_line(out, "parallel", "%s region%s", a, otter_plural(n));
    }
}

// Prints the counts of lost events and of repairs, omitting zeros except for lost events.
static void print_faults(FILE *out, const struct otter_archive *archive)
{
    static const struct {
        const char *property, *label, *one, *many;
        bool show_none;
    } faults[] = {
        {"OTTER::LOST", "lost", "event", "events", true},
        {"OTTER::SAMPLES_LOST", "samples", "lost", "lost", false},
        {"OTTER::SAMPLES_CUT", "samples", "whose callers are unknown", "whose callers are unknown",
         false},
        {"OTTER::UNREAD", "damaged",
         "line of the journal could not be read: names and teams may be missing",
         "lines of the journal could not be read: names and teams may be missing", false},
        {"OTTER::BEYOND_LIMIT", "unnamed",
         "or more labels or code locations beyond the limit: shown as 'unknown' of their kind",
         "or more labels or code locations beyond the limit: shown as 'unknown' of their kind",
         false},
        {"OTTER::REPAIRED", "repaired", "beginning without an end", "beginnings without an end",
         false},
        {"OTTER::UNBEGUN", "left out", "end without a beginning", "ends without a beginning",
         false},
        {"OTTER::UNFINISHED", "unfinished", "construct that was open when recording ended",
         "constructs that were open when recording ended", false},
        {"OTTER::DEVICE_REFUSED", "refused", "invalid record of a device",
         "invalid records of devices", false},
        {"OTTER::DEVICE_MOVED", "moved", "record of a device that was slightly outside the run",
         "records of devices that were slightly outside the run", false},
    };
    const char *cut_off = otter_archive_property(archive, "OTTER::CUT_OFF");
    bool is_cut_off = cut_off && strcmp(cut_off, "true") == 0;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const char *value = otter_archive_property(archive, faults[i].property);
        if (value && (faults[i].show_none || strcmp(value, "0") != 0)) {
            bool may_be_more = is_cut_off && i == 0 && strcmp(value, "0") != 0;
            print_line(out, faults[i].label, "%s%s %s", may_be_more ? "at least " : "", value,
                       strcmp(value, "1") == 0 ? faults[i].one : faults[i].many);
        }
    }
}

// Prints how many events were lost in each location whose files were removed or damaged.
static void print_missing(FILE *out, const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    for (size_t i = 0; i < definitions->n_properties; i++) {
        const struct otter_property *property = &definitions->properties[i];
        const char *location = otter_property_after(property, "OTTER::MISSING::");
        unsigned long long least, most;
        if (location && sscanf(property->value, "%llu %llu", &least, &most) == 2) {
            char a[OTTER_MAX_NUMBER], b[OTTER_MAX_NUMBER];
            print_line(out, "missing", "%s to %s events of location %s",
                       otter_number_text(least, a), otter_number_text(most, b), location);
        }
    }
}

// Prints nothing if max-size was not reached.
static void print_stop(FILE *out, const struct otter_archive *archive)
{
    double seconds;
    char duration[OTTER_MAX_NUMBER], when[OTTER_MAX_NUMBER + 8] = "";
    if (!otter_archive_is_stopped(archive, &seconds)) {
        return;
    }
    if (seconds >= 0) {
        snprintf(when, sizeof when, " after %s", otter_duration_text(seconds, duration));
    }
    const char *choice = otter_archive_property(archive, "OTTER::SETTING::WHEN_FULL");
    bool has_totals = choice && strcmp(choice, "totals") == 0;
    print_line(out, "stopped", "%s was reached%s: %s",
               otter_archive_property(archive, "OTTER::STOPPED"), when,
               has_totals ? "after that only the region totals below were recorded"
                          : "the program continued, recording did not");
}

// Prints an early end of the recording, and the longest time that the recorder delayed a thread.
static void print_recording(FILE *out, const struct otter_archive *archive)
{
    const char *stall = otter_archive_property(archive, "OTTER::LONGEST_STALL");
    const char *cut_off = otter_archive_property(archive, "OTTER::CUT_OFF");
    char duration[OTTER_MAX_NUMBER];
    if (cut_off && strcmp(cut_off, "true") == 0) {
        print_line(out, "cut off",
                   "the program ended before its recording, perhaps killed: open constructs "
                   "end at their thread's last event");
    }
    print_stop(out, archive);
    if (stall && strtoull(stall, NULL, 10) > 0) {
        double seconds = (double)strtoull(stall, NULL, 10) * 1e-9;
        print_line(out, "stalls", "writing delayed a thread by at most %s",
                   otter_duration_text(seconds, duration));
    }
}

// Prints nothing if recording was never paused.
static void print_pauses(FILE *out, const struct otter_definitions *definitions,
                         const struct otter_summary *summary)
{
    char n[OTTER_MAX_NUMBER], tasks[OTTER_MAX_NUMBER], duration[OTTER_MAX_NUMBER];
    const char *were = definitions->n_unrecorded == 1 ? " was" : "s were";
    otter_number_text(definitions->n_unrecorded, tasks);
    if (summary->n_pauses == 0 && definitions->n_unrecorded > 0) { // paused after max-size
        print_line(out, "paused", "where no events were recorded; %s task%s created meanwhile",
                   tasks, were);
    }
    if (summary->n_pauses == 0 || definitions->clock.resolution == 0) {
        return;
    }
    otter_duration_text((double)summary->paused_ticks / (double)definitions->clock.resolution,
                        duration);
    print_line(out, "paused", "%s pause%s, %s; %s task%s created meanwhile",
               otter_number_text(summary->n_pauses, n), otter_plural(summary->n_pauses), duration,
               tasks, were);
}

// Prints nothing if all dependences were recorded.
static void print_dependences(FILE *out, const struct otter_archive *archive)
{
    const char *value = otter_archive_property(archive, "OTTER::DEPENDENCES");
    if (value) {
        print_line(out, "dependences", "%s: depend clauses of the program were not %s", value,
                   strcmp(value, "left out") == 0 ? "recorded" : "reported completely");
    }
}

static void print_contents(FILE *out, const struct otter_archive *archive,
                           const struct otter_summary *summary)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    char a[OTTER_MAX_NUMBER], b[OTTER_MAX_NUMBER];
    otter_print(out, "\n");
    print_tasks(out, summary);
    print_parallel(out, summary);
    print_line(out, "events", "%s on %zu location%s, in %s code region%s",
               otter_number_text(summary->n_events, a), definitions->n_locations,
               otter_plural(definitions->n_locations), otter_number_text(definitions->n_regions, b),
               otter_plural(definitions->n_regions));
    print_dependences(out, archive);
    print_pauses(out, definitions, summary);
    print_faults(out, archive);
    if (summary->n_switches_lost > 0) {
        print_line(out, "switches", "%s lost", otter_number_text(summary->n_switches_lost, a));
    }
    print_missing(out, archive);
    print_recording(out, archive);
    print_seconds(out, otter_info_seconds(definitions, summary));
    print_memory(out, archive);
    print_size(out, summary);
}

static void print_records(FILE *out, const struct otter_summary *summary)
{
    char number[OTTER_MAX_NUMBER];
    otter_print(out, "\nevents by kind\n");
    for (int i = 1; i < OTTER_N_RECORDS; i++) {
        if (summary->n_records[i] > 0) {
            otter_print(out, "  %-20s %15s\n", otter_record_name((enum otter_record)i),
                        otter_number_text(summary->n_records[i], number));
        }
    }
    uint64_t n_others = summary->n_records[OTTER_RECORD_OTHER] + summary->n_others;
    if (n_others > 0) {
        otter_print(out, "  %-20s %15s\n", otter_record_name(OTTER_RECORD_OTHER),
                    otter_number_text(n_others, number));
    }
}

static void print_locations(FILE *out, const struct otter_definitions *definitions,
                            const struct otter_summary *summary, bool all, unsigned width)
{
    char number[OTTER_MAX_NUMBER];
    size_t n = definitions->n_locations;
    size_t room = width < LOCATION_REST + MIN_LOCATION     ? MIN_LOCATION
                  : width < LOCATION_REST + LOCATION_WIDTH ? width - LOCATION_REST
                                                           : LOCATION_WIDTH;
    size_t n_shown = all || n <= SHORT_LIST + 1 ? n : SHORT_LIST;
    otter_print(out, "\nlocations\n");
    for (size_t i = 0; i < n_shown; i++) {
        const struct otter_location *location = &definitions->locations[i];
        otter_print(out, "  %3zu  %-7s  ", i, otter_location_kind_name(location->kind));
        size_t used = otter_plain_print(out, location->name, room);
        otter_print(out, "%*s %15s event%s%s\n", (int)(room - used), "",
                    otter_number_text(summary->n_location_events[i], number),
                    otter_plural(summary->n_location_events[i]),
                    location->damage ? "  (damaged)" : "");
    }
    if (n_shown < n) {
        otter_print(out, "  ... and %zu more (--all shows them)\n", n - n_shown);
    }
}

enum { MAX_REGION = 8192 }; // bytes; a label has at most half of these

// Writes "!$omp task fib.c:12 (fib), untied".
static void write_region(char text[MAX_REGION], const struct otter_region *region,
                         const struct otter_label *label)
{
    bool is_named = region->construct == OTTER_CONSTRUCT_UNKNOWN ||
                    otter_construct_is_labelled(region->construct);
    bool has_place = !is_named && *label->where;
    const char *function = otter_label_function(label);
    snprintf(text, MAX_REGION, "%s%s%s%s%s%s%s%s",
             is_named ? region->name : otter_region_words(region), has_place ? " " : "",
             has_place ? label->where : "", *function ? " (" : "", function, *function ? ")" : "",
             *region->description ? ", " : "", region->description);
}

// Breaks the text into lines at its spaces.
static void print_words(FILE *out, const char *text, unsigned indent, unsigned width)
{
    size_t column = indent;
    for (const char *word = text; *word;) {
        size_t length = strcspn(word, " "), own = otter_plain_width_part(word, length);
        if (column > indent && column + 1 + own > width) {
            otter_print(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            otter_print(out, " ");
            column++;
        }
        column += otter_plain_print_part(out, word, length, 0);
        word += length;
        word += *word == ' ';
    }
    otter_print(out, "\n");
}

static void print_regions(FILE *out, const struct otter_archive *archive,
                          const struct otter_summary *summary, const struct otter_labels *labels,
                          unsigned width)
{
    enum { INDENT = 19 };
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    char number[OTTER_MAX_NUMBER], text[MAX_REGION];
    otter_print(out, "\ncode regions, and how often they were entered\n");
    for (size_t i = 0; i < definitions->n_regions; i++) {
        if (summary->n_region_enters[i] > 0) {
            otter_print(out, "  %15s  ", otter_number_text(summary->n_region_enters[i], number));
            write_region(text, &definitions->regions[i], otter_label_of(labels, (uint32_t)i));
            print_words(out, text, INDENT, width);
        }
    }
}

// ---- lists of names, broken into lines

struct wrap {
    FILE *out;
    int indent, column, width;
};

static void wrap_word(struct wrap *wrap, const char *word, bool is_last)
{
    int width = (int)strlen(word) + !is_last;
    if (wrap->column + 1 + width > wrap->width) {
        otter_print(wrap->out, "\n%*s", wrap->indent, "");
        wrap->column = wrap->indent;
    }
    otter_print(wrap->out, is_last ? " %s\n" : " %s,", word);
    wrap->column += 1 + width;
}

static const char *callback_of(const struct otter_property *property)
{
    return otter_property_after(property, "OTTER::CALLBACK::");
}

static size_t count_callbacks(const struct otter_definitions *definitions, const char *granted)
{
    size_t n = 0;
    for (size_t i = 0; i < definitions->n_properties; i++) {
        const struct otter_property *property = &definitions->properties[i];
        n += callback_of(property) && (!granted || strcmp(property->value, granted) == 0);
    }
    return n;
}

static void print_callbacks_granted(FILE *out, const struct otter_definitions *definitions,
                                    const char *granted, bool with_names, unsigned width)
{
    size_t n = count_callbacks(definitions, granted);
    if (n == 0) {
        return;
    }
    bool is_wanted = strcmp(granted, "off") != 0;
    otter_print(out, with_names ? "  %-16s %3zu  " : "  %-16s %3zu\n",
                is_wanted ? granted : "not asked for", n);
    struct wrap wrap = {.out = out,
                        .indent = 23,
                        .column = 23,
                        .width = (int)(width < LINE_WIDTH ? width : LINE_WIDTH)};
    for (size_t i = 0; with_names && i < definitions->n_properties; i++) {
        const struct otter_property *property = &definitions->properties[i];
        const char *callback = callback_of(property);
        if (callback && strcmp(property->value, granted) == 0) {
            wrap_word(&wrap, callback, --n == 0);
        }
    }
}

static void print_callbacks(FILE *out, const struct otter_definitions *definitions, bool all,
                            unsigned width)
{
    static const char *const grants[] = {
        "always", "sometimes", "sometimes paired", "never", "impossible", "error", "off"};
    if (count_callbacks(definitions, NULL) == 0) {
        return;
    }
    otter_print(out, "\ncallbacks granted by the runtime\n");
    for (size_t i = 0; i < sizeof grants / sizeof *grants; i++) {
        print_callbacks_granted(out, definitions, grants[i], all || i > 0, width);
    }
}

static void print_name_and_value(FILE *out, const char *name, size_t width, const char *value)
{
    otter_print(out, "  ");
    size_t used = otter_plain_print(out, name, 0);
    otter_print(out, "%*s ", used < width ? (int)(width - used) : 0, "");
    otter_plain_print(out, value, 0);
    otter_print(out, "\n");
}

static void print_settings(FILE *out, const struct otter_definitions *definitions, bool all)
{
    size_t n = 0;
    for (size_t i = 0; i < definitions->n_properties; i++) {
        const struct otter_property *property = &definitions->properties[i];
        const char *name = otter_property_after(property, "OTTER::SETTING::");
        if (!name) {
            continue;
        }
        const struct otter_setting *setting = otter_settings_find(name);
        if (all || !setting || strcmp(setting->default_value, property->value) != 0) {
            otter_print(out, n++   ? ""
                             : all ? "\nsettings\n"
                                   : "\nsettings that differ from the default\n");
            print_name_and_value(out, setting ? setting->name : name, SETTING_WIDTH,
                                 property->value);
        }
    }
}

static void print_kokkos_metadata(FILE *out, const struct otter_definitions *definitions)
{
    size_t n = 0;
    for (size_t i = 0; i < definitions->n_properties; i++) {
        const struct otter_property *property = &definitions->properties[i];
        const char *name = otter_property_after(property, OTTER_KOKKOS_PREFIX);
        if (name) {
            otter_print(out, n++ ? "" : "\nmetadata of Kokkos\n");
            print_name_and_value(out, name, METADATA_WIDTH, property->value);
        }
    }
}

void otter_info_print(FILE *out, const struct otter_archive *archive,
                      const struct otter_summary *summary, const struct otter_labels *labels,
                      unsigned width)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    bool all = labels;
    otter_plain_print(out, definitions->folder, 0);
    otter_print(out, "\n");
    print_origin(out, archive);
    print_contents(out, archive, summary);
    otter_region_totals_print(out, archive, all);
    print_records(out, summary);
    print_locations(out, definitions, summary, all, width);
    if (labels) {
        print_regions(out, archive, summary, labels, width);
    }
    print_callbacks(out, definitions, all, width);
    print_settings(out, definitions, all);
    if (all) {
        print_kokkos_metadata(out, definitions);
    }
}
