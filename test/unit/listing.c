// Lists the events and properties of an archive.
#include "listing.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/read/reader.h"

struct list {
    const struct otter_definitions *definitions;
    FILE *text;
    uint64_t last_time, n;
};

static struct otter_archive *open_archive(const char *path)
{
    struct otter_archive *archive = NULL;
    struct otter_complaint complaint;
    if (otter_archive_open(path, &archive, &complaint)) {
        fail_msg("%s", complaint.text);
    }
    return archive;
}

static void write_task(FILE *text, const char *word, const struct otter_event *event)
{
    fprintf(text, "%s %u.%u\n", word, (unsigned)event->task.creator, (unsigned)event->task.number);
}

static void write_event(const struct list *list, const struct otter_event *event)
{
    const struct otter_definitions *definitions = list->definitions;
    FILE *text = list->text;
    switch (event->kind) {
    case OTTER_RECORD_ENTER:
        fprintf(text, "enter %s\n", definitions->regions[event->region].canonical_name);
        break;
    case OTTER_RECORD_LEAVE:
        fprintf(text, "leave %s\n", definitions->regions[event->region].canonical_name);
        break;
    case OTTER_RECORD_MEASUREMENT: fprintf(text, "%s\n", event->is_on ? "on" : "off"); break;
    case OTTER_RECORD_FORK: fprintf(text, "fork %u\n", (unsigned)event->threads); break;
    case OTTER_RECORD_TEAM_BEGIN: fprintf(text, "team begin %u\n", (unsigned)event->comm); break;
    case OTTER_RECORD_TEAM_END: fprintf(text, "team end %u\n", (unsigned)event->comm); break;
    case OTTER_RECORD_TASK_CREATE: write_task(text, "create", event); break;
    case OTTER_RECORD_TASK_SWITCH: write_task(text, "switch", event); break;
    case OTTER_RECORD_TASK_COMPLETE: write_task(text, "complete", event); break;
    case OTTER_RECORD_ACQUIRE_LOCK:
        fprintf(text, "acquire %u.%u\n", (unsigned)event->lock.id, (unsigned)event->lock.order);
        break;
    case OTTER_RECORD_RELEASE_LOCK:
        fprintf(text, "release %u.%u\n", (unsigned)event->lock.id, (unsigned)event->lock.order);
        break;
    case OTTER_RECORD_PARAMETER:
        fprintf(text, "parameter %s %llu\n",
                definitions->parameters[event->parameter.definition].name,
                (unsigned long long)event->parameter.value);
        break;
    case OTTER_RECORD_RMA_PUT:
    case OTTER_RECORD_RMA_GET:
        fprintf(text, "%s %llu bytes, window %u, rank %u\n", otter_record_name(event->kind),
                (unsigned long long)event->transfer.bytes, (unsigned)event->transfer.window,
                (unsigned)event->transfer.remote);
        break;
    default: fprintf(text, "%s\n", otter_record_name(event->kind)); break;
    }
}

static bool on_event(void *user, const struct otter_event *event)
{
    struct list *list = user;
    assert_true(event->time >= list->last_time);
    list->last_time = event->time;
    list->n++;
    if (list->text) {
        write_event(list, event);
    }
    return true;
}

static uint64_t read_location(struct otter_archive *archive, size_t location, FILE *text)
{
    struct otter_complaint complaint;
    struct list list = {.definitions = otter_archive_definitions(archive), .text = text};
    if (otter_archive_read(archive, location, on_event, &list, NULL, &complaint)) {
        fail_msg("%s", complaint.text);
    }
    return list.n;
}

char *list_location(const char *path, size_t location)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&bytes, &size);
    struct otter_archive *archive = open_archive(path);
    read_location(archive, location, text);
    otter_archive_close(archive);
    fclose(text);
    return bytes;
}

size_t count_locations(const char *path, uint64_t *n_events, size_t room)
{
    struct otter_archive *archive = open_archive(path);
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    size_t n = definitions->n_locations;
    for (size_t i = 0; i < n && i < room; i++) {
        n_events[i] = read_location(archive, i, NULL);
        assert_int_equal(definitions->locations[i].n_events,
                         n_events[i]); // the number that the definitions promise
    }
    otter_archive_close(archive);
    return n;
}

const char *property_of(const char *path, const char *name)
{
    static char value[4096];
    struct otter_archive *archive = open_archive(path);
    const char *found = otter_archive_property(archive, name);
    snprintf(value, sizeof(value), "%s", found ? found : "");
    otter_archive_close(archive);
    return value;
}

const char *marker_of(const char *path, const char *category)
{
    static char text[4096];
    struct otter_archive *archive = open_archive(path);
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    text[0] = '\0';
    for (size_t i = 0; i < definitions->n_markers; i++) {
        if (strcmp(definitions->markers[i].category, category) == 0) {
            snprintf(text, sizeof(text), "%s", definitions->markers[i].text);
        }
    }
    otter_archive_close(archive);
    return text;
}

bool is_valid_for_otf2(const char *archive)
{
    char command[8192];
    if (system("command -v otf2-print >/dev/null 2>&1") != 0) {
        return true;
    }
    snprintf(command, sizeof(command), "otf2-print --silent -Werror '%s/traces.otf2' >/dev/null",
             archive);
    return system(command) == 0;
}
