// The properties of an archive: descriptions, counts, modules, totals.
#include "trace/write/archive_properties.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text/utf8.h"

// OTF2 accepts names whose components between "::" consist of letters, digits and _, and rejects
// all others.
static bool is_property_name(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    for (;;) {
        size_t n = strspn(name, letters);
        if (n == 0 || name[n] == '\0') {
            return n > 0;
        }
        if (strncmp(name + n, "::", 2) != 0) {
            return false;
        }
        name += n + 2;
    }
}

static void set_property(const struct otter_archive_writer *archive, const char *name,
                         const char *value)
{
    char full[256];
    snprintf(full, sizeof(full), "OTTER::%s", name);
    OTF2_Archive_SetProperty(archive->handle, full, value, true);
}

// Sets a property to a text of the program or the system, as UTF-8. Paths of modules are not
// converted.
static void set_text(struct otter_archive_writer *archive, const char *name, const char *value)
{
    char *text = otter_utf8_copy(value);
    if (text) {
        set_property(archive, name, text);
    } else {
        otter_archive_note_error(archive, OTTER_NO_MEMORY);
    }
    free(text);
}

static void set_description(struct otter_archive_writer *archive, const char *value)
{
    char *text = otter_utf8_copy(value);
    if (text) {
        OTF2_Archive_SetDescription(archive->handle, text);
    } else {
        otter_archive_note_error(archive, OTTER_NO_MEMORY);
    }
    free(text);
}

static void set_number(const struct otter_archive_writer *archive, const char *name,
                       uint64_t number)
{
    char value[32];
    snprintf(value, sizeof(value), "%" PRIu64, number);
    set_property(archive, name, value);
}

static void set_modules(struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    for (size_t i = 0; i < content->n_modules; i++) {
        const struct otter_module_definition *module = &content->modules[i];
        char name[48];
        snprintf(name, sizeof(name), "MODULE::%zu", i);
        char *value =
            otter_path("%" PRIx64 " %" PRIx64 " %" PRIx64 " %s %s", module->begin, module->end,
                       module->bias, *module->build_id ? module->build_id : "-", module->path);
        if (!value) {
            otter_archive_note_error(archive, OTTER_NO_MEMORY);
            return;
        }
        set_property(archive, name, value);
        free(value);
    }
}

// Totals are stored as properties, which every reader shows; as events they would need a time after
// the last event.
static void set_totals(const struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    for (size_t i = 0; content->totals && i < otter_content_n_regions(content); i++) {
        const struct otter_region_total *total = &content->totals[i];
        char name[48], value[80];
        if (total->n_visits || total->inclusive || total->exclusive) {
            snprintf(name, sizeof(name), "TOTALS::%zu", i);
            snprintf(value, sizeof(value), "%" PRIu64 " %" PRIu64 " %" PRIu64, total->n_visits,
                     total->inclusive, total->exclusive);
            set_property(archive, name, value);
        }
    }
}

static void set_missing(const struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    for (size_t i = 0; i < content->n_missing; i++) {
        const struct otter_missing_events *missing = &content->missing[i];
        char name[48], value[48];
        snprintf(name, sizeof(name), "MISSING::%zu", missing->location);
        snprintf(value, sizeof(value), "%" PRIu64 " %" PRIu64, missing->least, missing->most);
        set_property(archive, name, value);
    }
}

static void set_unless_0(const struct otter_archive_writer *archive, const char *name,
                         uint64_t number)
{
    if (number > 0) {
        set_number(archive, name, number);
    }
}

void otter_archive_set_properties(struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    static const char *const complete[] = {"OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE",
                                           "OTF2::THREAD_LOCK_EVENT_COMPLETE"};
    for (size_t i = 0; i < sizeof(complete) / sizeof(complete[0]); i++) {
        OTF2_Archive_SetProperty(archive->handle, complete[i],
                                 otter_content_is_complete(content) ? "true" : "false", true);
    }
    for (size_t i = 0; i < content->n_descriptions; i++) {
        const struct otter_description *description = &content->descriptions[i];
        if (is_property_name(description->name)) {
            set_text(archive, description->name, description->value);
        }
    }
    set_modules(archive);
    set_totals(archive);
    set_missing(archive);
    set_number(archive, "SCHEMA", content->schema);
    set_unless_0(archive, "CLOCK_MONOTONIC", content->start.monotonic_ns);
    set_property(archive, "CUT_OFF", content->has_end ? "false" : "true");
    set_number(archive, "LOST", content->n_lost);
    set_unless_0(archive, "UNREAD", content->n_unread);
    set_unless_0(archive, "BEYOND_LIMIT", content->n_beyond);
    set_unless_0(archive, "SAMPLES_LOST", content->n_lost_samples);
    set_unless_0(archive, "SAMPLES_CUT", content->n_cut_samples);
    set_number(archive, "REPAIRED", content->n_repaired);
    set_number(archive, "UNBEGUN", content->n_unbegun);
    set_number(archive, "UNFINISHED", content->n_unfinished);
    set_number(archive, "UNRECORDED", content->n_unrecorded);
    OTF2_Archive_SetCreator(archive->handle, "Otter " OTTER_VERSION);
    OTF2_Archive_SetMachineName(archive->handle, otter_content_description(content, "HOST"));
    set_description(archive, otter_content_description(content, "COMMAND_LINE"));
}
