#include "base/settings.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

enum { MAX_NAME = 64 };

static const char variable_prefix[] = "OTTER_";

// Variables of ours that are no settings: how the launcher and the recorder speak to each other.
static const char *const private_variables[] = {"OTTER_REPORT_FILE", "OTTER_WORKING_FOLDER"};

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)

static const struct otter_setting table[] = {
    {"enabled", "OTTER_ENABLED", OTTER_SETTING_BOOL, "on", NULL, 0, 0,
     "record this program; off: the tool declines, and the next one of the list gets its turn"},
    {"trace-path", "OTTER_TRACE_PATH", OTTER_SETTING_TEXT, ".", NULL, 0, 0,
     "folder in which archives are made"},
    {"trace-name", "OTTER_TRACE_NAME", OTTER_SETTING_TEXT, "", NULL, 0, 0,
     "name of the archive's folder, to which .<pid> is added; empty: otter-<program>-<date>-<pid>"},
    {"folder", "OTTER_FOLDER", OTTER_SETTING_TEXT, "", NULL, 0, 0,
     "the archive's folder, exactly; overrides trace-path and trace-name"},
    {"append-hostname", "OTTER_APPEND_HOSTNAME", OTTER_SETTING_BOOL, "off", NULL, 0, 0,
     "add the host name to the names of what is written"},
    {"report-callbacks", "OTTER_REPORT_CALLBACKS", OTTER_SETTING_BOOL, "off", NULL, 0, 0,
     "print which callbacks the OpenMP runtime grants"},
    {"quiet", "OTTER_QUIET", OTTER_SETTING_BOOL, "off", NULL, 0, 0,
     "print errors only: no closing block, no warnings"},
    {"dependences", "OTTER_DEPENDENCES", OTTER_SETTING_CHOICE, "auto", "auto|on|off", 0, 0,
     "record depend clauses; auto: not where LLVM's runtime could corrupt its memory by telling them"},
    {"chunks", "OTTER_CHUNKS", OTTER_SETTING_CHOICE, "auto", "auto|mapped|memory", 0, 0,
     "where events lie until a chunk is full; mapped: in a file, which survives a kill; auto: mapped but on network file systems"},
    {"chunk-size", "OTTER_CHUNK_SIZE", OTTER_SETTING_SIZE, "256K", NULL, 256 * KIB, 16 * MIB,
     "size of the pieces in which event files grow; each thread holds one"},
    {"clock", "OTTER_CLOCK", OTTER_SETTING_CHOICE, "auto", "auto|tsc|monotonic", 0, 0,
     "source of timestamps; auto: the processor's counter where it is invariant"},
    {"chain", "OTTER_CHAIN", OTTER_SETTING_TEXT, "", NULL, 0, 0,
     "a further Kokkos tool (libkp_x.so) to which every hook is passed on; empty: none"},
    {"task-graph-output", "OTTER_TASK_GRAPH_OUTPUT", OTTER_SETTING_TEXT, "", NULL, 0, 0,
     "file into which the task graph is written at the end: <name>.<pid>.gv; empty: none"},
    {"task-graph-format", "OTTER_TASK_GRAPH_FORMAT", OTTER_SETTING_CHOICE, "dot",
     "dot|edge|csv|json|graphml", 0, 0,
     "how: dot: a picture for Graphviz; edge, csv: edges, with tables of nodes and edges beside them"},
    {"task-graph-nodeattr", "OTTER_TASK_GRAPH_NODEATTR", OTTER_SETTING_TEXT, "", NULL, 0, 0,
     "file into which the graph's nodes are written as JSON at the end: <name>.<pid>.json; empty: none"},
};

enum { N_SETTINGS = sizeof(table) / sizeof(table[0]) };

static const char *values[N_SETTINGS]; // NULL: the default

const struct otter_setting *otter_settings_table(size_t *n)
{
    *n = N_SETTINGS;
    return table;
}

// Writes the table's spelling of `name` into `plain`; false when it is too long to be one of ours.
static bool plain_name(const char *name, size_t length, char plain[MAX_NAME])
{
    size_t prefix = sizeof(variable_prefix) - 1;
    if (length > prefix && strncmp(name, variable_prefix, prefix) == 0) {
        name += prefix;
        length -= prefix;
    }
    while (length > 0 && *name == '-') {
        name++;
        length--;
    }
    if (length == 0 || length >= MAX_NAME) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        plain[i] = name[i] == '_' ? '-' : (char)tolower((unsigned char)name[i]);
    }
    plain[length] = '\0';
    return true;
}

static const struct otter_setting *find(const char *name, size_t length)
{
    char plain[MAX_NAME];
    if (!plain_name(name, length, plain)) {
        return NULL;
    }
    for (size_t i = 0; i < N_SETTINGS; i++) {
        if (strcmp(plain, table[i].name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

const struct otter_setting *otter_settings_find(const char *name)
{
    return find(name, strlen(name));
}

static bool parse_bool(const char *text, bool *value)
{
    static const char *const yes[] = {"on", "yes", "true", "1"};
    static const char *const no[] = {"off", "no", "false", "0"};
    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        if (strcasecmp(text, yes[i]) == 0) {
            *value = true;
            return true;
        }
        if (strcasecmp(text, no[i]) == 0) {
            *value = false;
            return true;
        }
    }
    return false;
}

static bool parse_size(const char *text, uint64_t *value)
{
    if (!isdigit((unsigned char)*text)) {
        return false;
    }
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno) {
        return false;
    }
    unsigned shift = 0;
    switch (toupper((unsigned char)*end)) {
    case 'G': shift += 10; // fall through
    case 'M': shift += 10; // fall through
    case 'K':
        shift += 10;
        end++;
        break;
    default: break;
    }
    if (*end != '\0' || number > UINT64_MAX >> shift) {
        return false;
    }
    *value = (uint64_t)number << shift;
    return true;
}

static bool is_choice(const char *choices, const char *text)
{
    size_t length = strcspn(text, "|");
    for (const char *at = choices; length > 0 && text[length] == '\0' && at; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, text, length) == 0 && (at[length] == '|' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static bool is_valid(const struct otter_setting *setting, const char *value)
{
    bool truth;
    uint64_t size;
    switch (setting->type) {
    case OTTER_SETTING_TEXT: return true;
    case OTTER_SETTING_BOOL: return parse_bool(value, &truth);
    case OTTER_SETTING_CHOICE: return is_choice(setting->choices, value);
    case OTTER_SETTING_SIZE:
        return parse_size(value, &size) && size >= setting->min && size <= setting->max;
    }
    return false;
}

static enum otter_status set(const struct otter_setting *setting, const char *value)
{
    if (!setting) {
        return OTTER_NOT_FOUND;
    }
    if (!is_valid(setting, value)) {
        return OTTER_BAD_VALUE;
    }
    const char *copy = strdup(value);
    if (!copy) {
        return OTTER_NO_MEMORY;
    }
    values[setting - table] = copy; // the former value stays: somebody may still read it
    return OTTER_OK;
}

enum otter_status otter_settings_set(const char *name, const char *value)
{
    return set(otter_settings_find(name), value);
}

const char *otter_setting_wanted(const struct otter_setting *setting)
{
    switch (setting->type) {
    case OTTER_SETTING_TEXT: return "a text";
    case OTTER_SETTING_BOOL: return "on or off";
    case OTTER_SETTING_CHOICE: return setting->choices;
    case OTTER_SETTING_SIZE: return "a size such as 1M, from 256K to 16M";
    }
    return "";
}

static void warn_unknown(const char *name, size_t length)
{
    char names[512] = "";
    for (size_t i = 0; i < N_SETTINGS; i++) {
        strncat(names, i ? ", " : "", sizeof(names) - strlen(names) - 1);
        strncat(names, table[i].name, sizeof(names) - strlen(names) - 1);
    }
    otter_warning("unknown setting '%.*s' ignored; settings are: %s (otter info --settings)",
                  (int)length, name, names);
}

static void set_or_warn(const char *name, size_t length, const char *value)
{
    const struct otter_setting *setting = find(name, length);
    switch (set(setting, value)) {
    case OTTER_OK: return;
    case OTTER_NOT_FOUND: warn_unknown(name, length); return;
    case OTTER_BAD_VALUE:
        otter_warning("setting %.*s='%s' ignored: it takes %s; %s stays in force", (int)length,
                      name, value, otter_setting_wanted(setting),
                      otter_settings_get(setting->name));
        return;
    default: otter_warning("setting %.*s ignored: out of memory", (int)length, name); return;
    }
}

static bool is_private(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof(private_variables) / sizeof(private_variables[0]); i++) {
        if (strlen(private_variables[i]) == length &&
            strncmp(private_variables[i], name, length) == 0) {
            return true;
        }
    }
    return false;
}

void otter_settings_load(void)
{
    extern char **environ;
    for (size_t i = 0; i < N_SETTINGS; i++) {
        values[i] = NULL;
    }
    for (char **entry = environ; entry && *entry; entry++) {
        const char *equals = strchr(*entry, '=');
        if (!equals || strncmp(*entry, variable_prefix, sizeof(variable_prefix) - 1) != 0) {
            continue;
        }
        size_t length = (size_t)(equals - *entry);
        if (!is_private(*entry, length)) {
            set_or_warn(*entry, length, equals + 1);
        }
    }
}

bool otter_settings_take_argument(const char *argument)
{
    const char *equals = strchr(argument, '=');
    if (!equals || equals == argument) {
        return false;
    }
    size_t length = (size_t)(equals - argument);
    bool has_our_form = strncmp(argument, "--", 2) == 0 || find(argument, length);
    if (!has_our_form) {
        return false;
    }
    set_or_warn(argument, length, equals + 1);
    return true;
}

const char *otter_settings_get(const char *name)
{
    const struct otter_setting *setting = otter_settings_find(name);
    if (!setting) {
        return "";
    }
    const char *value = values[setting - table];
    return value ? value : setting->default_value;
}

bool otter_settings_get_bool(const char *name)
{
    bool value = false;
    parse_bool(otter_settings_get(name), &value);
    return value;
}

uint64_t otter_settings_get_size(const char *name)
{
    uint64_t value = 0;
    parse_size(otter_settings_get(name), &value);
    return value;
}
