// Collects the descriptions of the run and writes them into the journal.
#include "record/entry/describe.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/log.h"
#include "base/text/print.h"
#include "base/settings.h"
#include "otter/record.h"
#include "record/process/age.h"
#include "record/process/host.h"
#include "record/process/output.h"
#include "record/process/state.h"
#include "recording/journal.h"
#include "trace/schema.h"

enum { MAX_TEXT = 8000 };

struct description {
    char *name, *value;
    struct description *next;
};

static char connectors[128];
static struct description *descriptions; // collected before the output was open

// Caller holds the session's lock.
static void journal_description(const char *name, const char *value)
{
    static char encoded[MAX_TEXT];
    otter_output_define("describe %s %s", name,
                        otter_journal_encode(value, encoded, sizeof(encoded)));
}

// Caller holds the session's lock.
static void describe(const char *name, const char *value)
{
    if (otter_output_journal()) {
        journal_description(name, value);
        return;
    }
    for (struct description *at = descriptions; at; at = at->next) {
        if (strcmp(at->name, name) == 0) {
            char *later = strdup(value);
            if (later) {
                free(at->value);
                at->value = later;
            }
            return;
        }
    }
    struct description *description = calloc(1, sizeof(*description));
    char *name_copy = strdup(name), *value_copy = strdup(value);
    if (!description || !name_copy || !value_copy) {
        free(description);
        free(name_copy);
        free(value_copy);
        return;
    }
    *description =
        (struct description){.name = name_copy, .value = value_copy, .next = descriptions};
    descriptions = description;
}

void otter_describe(const char *name, const char *value)
{
    if (otter_session_state() == OTTER_SESSION_CLOSED) {
        return;
    }
    struct otter_held_signals held;
    otter_session_lock(&held);
    describe(name, value);
    otter_session_unlock(&held);
}

static void upper_case(char *to, size_t size, const char *prefix, const char *name)
{
    size_t n = (size_t)snprintf(to, size, "%s", prefix);
    for (; *name && n + 1 < size; name++) {
        char c = *name;
        to[n++] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c == '-' ? '_' : c;
    }
    to[n] = '\0';
}

void otter_describe_callback(const char *callback, const char *granted)
{
    char name[96];
    upper_case(name, sizeof(name), "CALLBACK::", callback);
    otter_describe(name, granted);
}

static void describe_settings(void)
{
    size_t n;
    const struct otter_setting *table = otter_settings_table(&n);
    for (size_t i = 0; i < n; i++) {
        char name[96];
        upper_case(name, sizeof(name), "SETTING::", table[i].name);
        describe(name, otter_settings_get(table[i].name));
    }
}

const char *otter_setting(const char *name)
{
    return otter_settings_get(name);
}

// Caller holds the session's lock.
static void read_arguments(size_t n, char *const *tokens)
{
    bool is_open = otter_session_state() == OTTER_SESSION_OPEN;
    bool is_changed = otter_arguments_apply(
        n, tokens, is_open ? OTTER_SETTING_UNTIL_END : OTTER_SETTING_UNTIL_OPEN);
    otter_log_set_quiet(otter_settings_get_bool("quiet"));
    otter_arguments_warn(n, tokens);
    if (is_open && is_changed) {
        describe_settings();
    }
}

void otter_arguments(size_t n, char *const *tokens)
{
    struct otter_held_signals held;
    otter_session_lock(&held);
    if (otter_session_is_live()) {
        read_arguments(n, tokens);
    }
    otter_session_unlock(&held);
}

void otter_print_settings(void)
{
    size_t n;
    const struct otter_setting *table = otter_settings_table(&n);
    otter_print(stdout,
                "Otter settings, as name=value or --name=value (default in parentheses):\n");
    for (size_t i = 0; i < n; i++) {
        otter_print(stdout, "  %-20s %s (%s)\n", table[i].name, table[i].help,
                    table[i].default_value);
    }
}

void otter_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    otter_vwarning(format, arguments);
    va_end(arguments);
}

void otter_describe_connector(const char *connector)
{
    if (!strstr(connectors, connector)) {
        size_t n = strlen(connectors);
        snprintf(connectors + n, sizeof(connectors) - n, "%s%s", n ? " " : "", connector);
        describe("CONNECTORS", connectors);
    }
}

bool otter_has_attached(const char *connector)
{
    struct otter_held_signals held;
    otter_session_lock(&held);
    bool is_known = strstr(connectors, connector) != NULL;
    otter_session_unlock(&held);
    return is_known;
}

void otter_describe_head(void)
{
    struct otter_clock_reading start = otter_session_start();
    otter_output_define("otter %d", OTTER_SCHEMA_VERSION);
    otter_output_define("clock %s", otter_clock_uses_counter() ? "tsc" : "monotonic");
    otter_output_define("start %" PRIu64 " %" PRIu64 " %" PRIu64, start.ticks, start.monotonic_ns,
                        start.realtime_ns);
    otter_output_define_files();
    otter_host_describe(describe);
    otter_output_define("describe BEFORE_RECORDING %" PRIu64,
                        otter_process_age(start.monotonic_ns));
    for (const struct description *at = descriptions; at; at = at->next) {
        journal_description(at->name, at->value);
    }
    describe("CONNECTORS", connectors);
    describe_settings();
}
