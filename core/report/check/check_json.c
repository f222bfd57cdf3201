// Prints the report of `otter check` as JSON.
#include <inttypes.h>

#include <jansson.h>

#include "check/words.h"
#include "report/check/check_print.h"
#include "report/form/json.h"
#include "trace/schema.h"

static json_t *describe(const struct otter_definitions *definitions,
                        const struct otter_deviation *deviation)
{
    json_t *entry = json_object();
    if (deviation->location < definitions->n_locations) {
        otter_json_set_number(entry, "location", deviation->location);
        otter_json_set_text(entry, "thread", definitions->locations[deviation->location].name);
    }
    if (deviation->time > 0) {
        otter_json_set_number(entry, "time", deviation->time);
        otter_json_set_number(entry, "ns", otter_check_ns(definitions, deviation->time));
    }
    if (deviation->number > 0) {
        char task[32];
        snprintf(task, sizeof task, "%" PRIu32 ":%" PRIu32, deviation->creator, deviation->number);
        otter_json_set_text(entry, "task", task);
    }
    otter_json_set_text(entry, "text", deviation->text);
    return entry;
}

static json_t *describe_first(const struct otter_definitions *definitions,
                              const struct otter_deviations *deviations)
{
    json_t *first = json_array();
    for (uint64_t i = 0; i < deviations->n && i < OTTER_MAX_DEVIATIONS_SHOWN; i++) {
        if (deviations->first[i].text[0]) {
            json_array_append_new(first, describe(definitions, &deviations->first[i]));
        }
    }
    return first;
}

static json_t *notes_of(const struct otter_definitions *definitions,
                        const struct otter_check_result *result)
{
    json_t *notes = json_array();
    for (unsigned i = OTTER_QUIRK_NONE + 1; i < OTTER_N_QUIRKS; i++) {
        const struct otter_deviations *deviations = &result->deviations[i];
        if (deviations->n == 0) {
            continue;
        }
        json_t *note = json_object();
        otter_json_set_text(note, "quirk", otter_quirk_words[i].name);
        otter_json_set_text(note, "explanation", otter_quirk_words[i].explanation);
        otter_json_set_number(note, "n", deviations->n);
        otter_json_set(note, "first", describe_first(definitions, deviations));
        json_array_append_new(notes, note);
    }
    return notes;
}

static const char *verdict_of(const struct otter_check_result *result)
{
    if (otter_check_errors(result) > 0) {
        return "error";
    }
    return result->not_applicable          ? "not applicable"
           : otter_check_notes(result) > 0 ? "note"
                                           : "ok";
}

static json_t *check_of(const struct otter_definitions *definitions, enum otter_check check,
                        const struct otter_check_result *result)
{
    json_t *entry = json_object();
    otter_json_set_text(entry, "name", otter_check_words[check].name);
    otter_json_set_text(entry, "rule", otter_check_words[check].rule);
    otter_json_set_text(entry, "verdict", verdict_of(result));
    otter_json_set(entry, "reason",
                   result->not_applicable ? otter_json_text(result->not_applicable) : json_null());
    otter_json_set_number(entry, "tested", result->n_tested);
    otter_json_set_text(entry, "unit", otter_check_words[check].unit);
    otter_json_set_number(entry, "errors", otter_check_errors(result));
    otter_json_set(entry, "first_errors",
                   describe_first(definitions, &result->deviations[OTTER_QUIRK_NONE]));
    otter_json_set(entry, "notes", notes_of(definitions, result));
    return entry;
}

static json_t *times_of(const struct otter_check_times *times)
{
    json_t *entry = json_object(), *waiting = json_object();
    otter_json_set_number(entry, "wall", times->wall);
    otter_json_set_number(entry, "running", times->running);
    otter_json_set_number(entry, "locks", times->locks);
    otter_json_set_number(entry, "forking", times->forking);
    otter_json_set_number(entry, "paused", times->paused);
    otter_json_set_number(entry, "outside", times->outside);
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        if (times->waiting[i] > 0) {
            const char *name = otter_construct_name((enum otter_construct)i);
            // two constructs may have the same name
            json_t *before = json_object_get(waiting, name);
            uint64_t sum = times->waiting[i] + (uint64_t)json_integer_value(before);
            otter_json_set_number(waiting, name, sum);
        }
    }
    otter_json_set(entry, "waiting", waiting);
    return entry;
}

static json_t *markers_of(const struct otter_definitions *definitions)
{
    json_t *markers = json_array();
    for (size_t i = 0; i < definitions->n_markers; i++) {
        const struct otter_marker *marker = &definitions->markers[i];
        json_t *entry = json_object();
        otter_json_set_text(entry, "group", marker->group);
        otter_json_set_text(entry, "category", marker->category);
        otter_json_set_text(entry, "text", marker->text);
        otter_json_set_number(entry, "ns", otter_check_ns(definitions, marker->time));
        json_array_append_new(markers, entry);
    }
    return markers;
}

enum otter_status otter_check_print_json(FILE *out, const struct otter_definitions *definitions,
                                         const struct otter_check_report *report)
{
    json_t *root = json_object(), *checks = json_array();
    otter_json_set_text(root, "folder", definitions->folder);
    otter_json_set(root, "sound", json_boolean(otter_check_print_errors(report) == 0));
    otter_json_set_number(root, "events", report->n_events);
    otter_json_set_number(root, "tasks", report->n_tasks);
    otter_json_set_number(root, "nodes", report->n_nodes);
    otter_json_set_number(root, "edges", report->n_edges);
    for (unsigned i = 0; i < OTTER_N_CHECKS; i++) {
        json_array_append_new(checks,
                              check_of(definitions, (enum otter_check)i, &report->results[i]));
    }
    otter_json_set(root, "checks", checks);
    otter_json_set(root, "times", times_of(&report->times));
    otter_json_set(root, "markers", markers_of(definitions));
    return otter_json_print(out, root);
}
