// The table of settings, and the values in force.
#include "base/settings.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <strings.h>

#include "base/log.h"
#include "base/text/nearest.h"
#include "base/path.h"
#include "base/text/texts.h"

enum { MAX_NAME = 80 };

static const char variable_prefix[] = "OTTER_";

// Variables that are not settings. `otter record` and the recorder exchange data through the first
// five. Module systems set the others for each package that a user loads.
static const char *const other_variables[] = {"OTTER_REPORT_FILE",  "OTTER_WORKING_FOLDER",
                                              "OTTER_COMMAND_LINE", "OTTER_JOB",
                                              "OTTER_TOLD",         "OTTER_ROOT",
                                              "OTTER_DIR",          "OTTER_HOME",
                                              "OTTER_BASE",         "OTTER_BIN",
                                              "OTTER_LIB",          "OTTER_INC",
                                              "OTTER_INCLUDE",      "OTTER_MAN",
                                              "OTTER_DOC",          "OTTER_VERSION"};

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)

static const struct otter_setting table[] = {
    {"enabled", "OTTER_ENABLED", OTTER_SETTING_BOOL, OTTER_SETTING_UNTIL_START, "on", NULL, 0, 0,
     "record this program; off: Otter declines, and the runtime tries the next tool in its list"},
    {"trace-path", "OTTER_TRACE_PATH", OTTER_SETTING_TEXT, OTTER_SETTING_UNTIL_OPEN, ".", NULL, 0,
     0, "folder in which archives are made"},
    {"trace-name", "OTTER_TRACE_NAME", OTTER_SETTING_TEXT, OTTER_SETTING_UNTIL_OPEN, "", NULL, 0, 0,
     "name of the archive's folder, to which .<pid> is added; empty: otter-<program>-<date>-<pid>"},
    {"folder", "OTTER_FOLDER", OTTER_SETTING_TEXT, OTTER_SETTING_UNTIL_OPEN, "", NULL, 0, 0,
     "the exact folder of the archive; overrides trace-path and trace-name"},
    {"append-hostname", "OTTER_APPEND_HOSTNAME", OTTER_SETTING_BOOL, OTTER_SETTING_UNTIL_OPEN,
     "off", NULL, 0, 0, "add the host name to the names of the archive and the task graph"},
    {"report-callbacks", "OTTER_REPORT_CALLBACKS", OTTER_SETTING_BOOL, OTTER_SETTING_UNTIL_OPEN,
     "off", NULL, 0, 0, "print which callbacks the OpenMP runtime grants"},
    {"quiet", "OTTER_QUIET", OTTER_SETTING_BOOL, OTTER_SETTING_UNTIL_END, "off", NULL, 0, 0,
     "print errors only: no closing block, no warnings"},
    {"dependences", "OTTER_DEPENDENCES", OTTER_SETTING_CHOICE, OTTER_SETTING_UNTIL_OPEN, "auto",
     "auto|on|off", 0, 0,
     "record depend clauses; auto: unless this could corrupt the memory of LLVM's runtime"},
    {"chunks", "OTTER_CHUNKS", OTTER_SETTING_CHOICE, OTTER_SETTING_UNTIL_OPEN, "auto",
     "auto|mapped|memory", 0, 0,
     "where events are stored until a chunk is full; mapped: in a file, so that no event is "
     "lost if the program is killed; auto: mapped, except on network file systems, btrfs, ZFS"},
    {"chunk-size", "OTTER_CHUNK_SIZE", OTTER_SETTING_SIZE, OTTER_SETTING_UNTIL_OPEN, "256K", NULL,
     256 * KIB, 16 * MIB,
     "size of a chunk: event files grow by chunks, and each thread has one in memory"},
    {"max-size", "OTTER_MAX_SIZE", OTTER_SETTING_SIZE, OTTER_SETTING_UNTIL_OPEN, "0", NULL, 0,
     UINT64_MAX, "largest total size of an archive's event files; see when-full; 0: no limit"},
    {"when-full", "OTTER_WHEN_FULL", OTTER_SETTING_CHOICE, OTTER_SETTING_UNTIL_OPEN, "stop",
     "stop|totals", 0, 0,
     "what is recorded after max-size is reached; stop: nothing, but lost events are counted; "
     "totals: the visits and times of each region, summed"},
    {"max-memory", "OTTER_MAX_MEMORY", OTTER_SETTING_SIZE, OTTER_SETTING_UNTIL_OPEN, "0", NULL, 0,
     UINT64_MAX,
     "largest total memory of the chunks of all threads; events of further threads are counted "
     "as lost; 0: no limit"},
    {"clock", "OTTER_CLOCK", OTTER_SETTING_CHOICE, OTTER_SETTING_UNTIL_START, "auto",
     "auto|tsc|monotonic", 0, 0,
     "source of timestamps; auto: the processor's counter if it is invariant and the system "
     "trusts it"},
    {"switches", "OTTER_SWITCHES", OTTER_SETTING_BOOL, OTTER_SETTING_UNTIL_OPEN, "on", NULL, 0, 0,
     "otter record records when threads are on a processor, if the system allows perf events"},
    {"sample", "OTTER_SAMPLE", OTTER_SETTING_NUMBER, OTTER_SETTING_UNTIL_OPEN, "0", NULL, 0, 20000,
     "samples per second of processor time that otter record takes of each thread, for "
     "otter report --functions; 997 without a value; 0: none"},
    {"sample-stack", "OTTER_SAMPLE_STACK", OTTER_SETTING_SIZE, OTTER_SETTING_UNTIL_OPEN, "8K", NULL,
     0, 32 * KIB,
     "bytes of a thread's stack that each sample copies to find the callers, on x86-64 only; 0: "
     "callers are found by frame pointers"},
    {"counters", "OTTER_COUNTERS", OTTER_SETTING_TEXT, OTTER_SETTING_UNTIL_OPEN, "", NULL, 0, 0,
     "events that otter record counts in each thread, by their names in perf, separated by "
     "commas: page-faults,cycles,instructions; sets sample, too; empty: none"},
    {"chain", "OTTER_CHAIN", OTTER_SETTING_TEXT, OTTER_SETTING_UNTIL_END, "", NULL, 0, 0,
     "the next Kokkos tool (libkp_x.so), to which Otter forwards every call; empty: none"},
    {"mpi", "OTTER_MPI", OTTER_SETTING_BOOL, OTTER_SETTING_UNTIL_OPEN, "on", NULL, 0, 0,
     "record the MPI calls of a program that is linked with Open MPI or MPICH; each process of a "
     "job obeys its own value"},
    {"mpi-offsets", "OTTER_MPI_OFFSETS", OTTER_SETTING_CHOICE, OTTER_SETTING_UNTIL_END, "off",
     "off|on", 0, 0,
     "measure the offsets of the nodes' clocks at MPI_Init and MPI_Finalize; on: all ranks of "
     "MPI_COMM_WORLD must be recorded, or the program waits forever"},
    {"start", "OTTER_START", OTTER_SETTING_CHOICE, OTTER_SETTING_UNTIL_OPEN, "recording",
     "recording|paused", 0, 0,
     "state at the start; paused: nothing is recorded until the program or a signal starts "
     "recording"},
    {"only", "OTTER_ONLY", OTTER_SETTING_TEXT, OTTER_SETTING_UNTIL_OPEN, "", NULL, 0, 0,
     "record only inside these Kokkos regions and profile sections, separated by commas; empty: "
     "everywhere"},
    {"skip", "OTTER_SKIP", OTTER_SETTING_TEXT, OTTER_SETTING_UNTIL_OPEN, "", NULL, 0, 0,
     "do not record inside these Kokkos regions and profile sections, separated by commas; "
     "empty: none"},
    {"toggle-signal", "OTTER_TOGGLE_SIGNAL", OTTER_SETTING_TEXT, OTTER_SETTING_UNTIL_OPEN, "", NULL,
     0, 0, "signal that pauses recording and starts it again: USR1, USR2 or a number; empty: none"},
    {"task-graph-output", "OTTER_TASK_GRAPH_OUTPUT", OTTER_SETTING_TEXT, OTTER_SETTING_UNTIL_END,
     "", NULL, 0, 0,
     "file into which the task graph is written at the end: <name>.<pid>.gv; empty: none"},
    {"task-graph-format", "OTTER_TASK_GRAPH_FORMAT", OTTER_SETTING_CHOICE, OTTER_SETTING_UNTIL_END,
     "dot", "dot|edge|csv|json|graphml", 0, 0,
     "format of that file; dot: a picture for Graphviz; edge, csv: edges, with tables of nodes "
     "and edges"},
    {"task-graph-nodeattr", "OTTER_TASK_GRAPH_NODEATTR", OTTER_SETTING_TEXT,
     OTTER_SETTING_UNTIL_END, "", NULL, 0, 0,
     "file into which the graph's nodes are written as JSON at the end: <name>.<pid>.json; "
     "empty: none"},
};

enum { N_SETTINGS = sizeof(table) / sizeof(table[0]) };

// NULL: the default. Atomic: a thread may read a value while another sets it.
static _Atomic(const char *) values[N_SETTINGS];

const struct otter_setting *otter_settings_table(size_t *n)
{
    *n = N_SETTINGS;
    return table;
}

// Writes the table's spelling of `name` to `plain`. Returns false if `name` is empty or too long.
static bool plain_name(const char *name, char plain[MAX_NAME])
{
    size_t prefix = sizeof(variable_prefix) - 1;
    name += strncmp(name, variable_prefix, prefix) == 0 ? prefix : 0;
    name += strspn(name, "-");
    size_t length = strlen(name);
    if (length == 0 || length >= MAX_NAME) {
        return false;
    }
    for (size_t i = 0; i <= length; i++) {
        plain[i] = name[i] == '_' ? '-' : (char)tolower((unsigned char)name[i]);
    }
    return true;
}

const struct otter_setting *otter_settings_find(const char *name)
{
    char plain[MAX_NAME];
    if (!plain_name(name, plain)) {
        return NULL;
    }
    for (size_t i = 0; i < N_SETTINGS; i++) {
        if (strcmp(plain, table[i].name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

static struct otter_nearest find_nearest(const char *name)
{
    char plain[MAX_NAME];
    struct otter_nearest nearest = {0};
    for (size_t i = 0; i < N_SETTINGS && plain_name(name, plain); i++) {
        otter_nearest_offer(&nearest, plain, table[i].name);
    }
    return nearest;
}

const struct otter_setting *otter_settings_nearest(const char *name)
{
    struct otter_nearest nearest = find_nearest(name);
    bool is_near =
        nearest.name && nearest.distance <= 2 && 4 * nearest.distance <= strlen(nearest.name);
    return is_near ? otter_settings_find(nearest.name) : NULL;
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

bool otter_settings_parse_size(const char *text, uint64_t *value)
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

bool otter_setting_accepts(const struct otter_setting *setting, const char *value)
{
    bool truth;
    uint64_t size;
    switch (setting->type) {
    case OTTER_SETTING_TEXT: return true;
    case OTTER_SETTING_BOOL: return parse_bool(value, &truth);
    case OTTER_SETTING_CHOICE: return is_choice(setting->choices, value);
    case OTTER_SETTING_SIZE:
    case OTTER_SETTING_NUMBER:
        return otter_settings_parse_size(value, &size) && size >= setting->min &&
               size <= setting->max;
    }
    return false;
}

bool otter_setting_is(const struct otter_setting *setting, const char *value)
{
    const char *in_force = otter_settings_get(setting->name);
    if (!otter_setting_accepts(setting, value)) {
        return false;
    }
    bool truth = false;
    uint64_t size = 0;
    switch (setting->type) {
    case OTTER_SETTING_TEXT:
    case OTTER_SETTING_CHOICE: return strcmp(value, in_force) == 0;
    case OTTER_SETTING_BOOL:
        return parse_bool(value, &truth) && truth == otter_settings_get_bool(setting->name);
    case OTTER_SETTING_SIZE:
    case OTTER_SETTING_NUMBER:
        return otter_settings_parse_size(value, &size) &&
               size == otter_settings_get_size(setting->name);
    }
    return false;
}

enum otter_status otter_settings_set(const char *name, const char *value)
{
    const struct otter_setting *setting = otter_settings_find(name);
    if (!setting) {
        return OTTER_NOT_FOUND;
    }
    if (!otter_setting_accepts(setting, value)) {
        return OTTER_BAD_VALUE;
    }
    const char *stored = otter_text_store(value);
    if (!stored) {
        return OTTER_NO_MEMORY;
    }
    atomic_store(&values[setting - table], stored);
    return OTTER_OK;
}

// Formats a size as users write it: "256K".
static const char *size_text(uint64_t size, char text[24])
{
    static const char units[] = "KMG";
    size_t n = 0;
    while (n < sizeof(units) - 1 && size > 0 && size % KIB == 0) {
        size /= KIB;
        n++;
    }
    snprintf(text, 24, "%" PRIu64 "%.*s", size, n > 0, n > 0 ? &units[n - 1] : "");
    return text;
}

const char *otter_setting_wanted(const struct otter_setting *setting,
                                 char text[OTTER_SETTING_WANTED_SIZE])
{
    char min[24], max[24];
    switch (setting->type) {
    case OTTER_SETTING_TEXT: return "a text";
    case OTTER_SETTING_BOOL: return "on or off";
    case OTTER_SETTING_CHOICE: return setting->choices;
    case OTTER_SETTING_SIZE:
        if (setting->max == UINT64_MAX) {
            return "a size such as 10G, or 0";
        }
        snprintf(text, OTTER_SETTING_WANTED_SIZE, "a size from %s to %s",
                 size_text(setting->min, min), size_text(setting->max, max));
        return text;
    case OTTER_SETTING_NUMBER:
        snprintf(text, OTTER_SETTING_WANTED_SIZE, "a number from %" PRIu64 " to %" PRIu64,
                 setting->min, setting->max);
        return text;
    }
    return "";
}

// Suggests the nearest name, in the spelling of `name`.
static void complain_of_name(const char *name)
{
    bool is_variable = strncmp(name, variable_prefix, sizeof(variable_prefix) - 1) == 0;
    struct otter_nearest nearest = find_nearest(name);
    const struct otter_setting *meant = nearest.name ? otter_settings_find(nearest.name) : NULL;
    if (meant) {
        otter_warning("unknown setting '%s' ignored: did you mean %s? (otter info --settings)",
                      name, is_variable ? meant->environment : meant->name);
    } else {
        otter_warning("unknown setting '%s' ignored (otter info --settings lists all)", name);
    }
}

void otter_settings_complain(enum otter_status why, const char *name, const char *value)
{
    char wanted[OTTER_SETTING_WANTED_SIZE];
    const struct otter_setting *setting = otter_settings_find(name);
    if (why == OTTER_NOT_FOUND || !setting) {
        complain_of_name(name);
    } else if (why == OTTER_BAD_VALUE) {
        otter_warning("setting %s='%s' ignored: it takes %s; %s stays in force", name, value,
                      otter_setting_wanted(setting, wanted), otter_settings_get(setting->name));
    } else {
        otter_warning("setting %s ignored: %s", name, otter_status_text(why));
    }
}

static bool is_no_setting(const char *name)
{
    for (size_t i = 0; i < sizeof(other_variables) / sizeof(other_variables[0]); i++) {
        if (strcmp(other_variables[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// Copies the name of an environment entry, cut to MAX_NAME. Returns false if the entry is not a
// setting of Otter's.
static bool name_of_entry(const char *entry, char name[MAX_NAME])
{
    size_t length = strcspn(entry, "=");
    if (!entry[length] || strncmp(entry, variable_prefix, sizeof(variable_prefix) - 1) != 0) {
        return false;
    }
    snprintf(name, MAX_NAME, "%.*s", (int)length, entry);
    return !is_no_setting(name);
}

// Returns whether `otter record` has already warned of the entry: OTTER_TOLD lists such entries,
// one per line.
static bool was_reported(const char *entry)
{
    const char *reported = getenv("OTTER_TOLD");
    size_t length = strlen(entry);
    for (const char *at = reported; at && (at = strstr(at, entry)); at++) {
        if ((at == reported || at[-1] == '\n') && (at[length] == '\n' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

// Warns of an entry with an unknown name or a bad value. Returns whether it did.
static bool warn_of(const char *entry)
{
    char name[MAX_NAME];
    if (!name_of_entry(entry, name) || was_reported(entry)) {
        return false;
    }
    const struct otter_setting *setting = otter_settings_find(name);
    const char *value = strchr(entry, '=') + 1;
    if (setting && otter_setting_accepts(setting, value)) {
        return false;
    }
    otter_settings_complain(setting ? OTTER_BAD_VALUE : OTTER_NOT_FOUND, name, value);
    return true;
}

void otter_settings_load(void)
{
    char name[MAX_NAME];
    otter_texts_forget_reported();
    for (size_t i = 0; i < N_SETTINGS; i++) {
        atomic_store(&values[i], NULL);
    }
    enum otter_status status = OTTER_OK;
    for (char **entry = environ; entry && *entry && status != OTTER_NO_MEMORY; entry++) {
        const char *value = strchr(*entry, '=');
        status = name_of_entry(*entry, name) ? otter_settings_set(name, value + 1) : OTTER_OK;
        if (status == OTTER_NO_MEMORY) {
            otter_settings_complain(status, name, value + 1);
        }
    }
    for (char **entry = environ; entry && *entry && !otter_settings_get_bool("quiet"); entry++) {
        warn_of(*entry);
    }
}

void otter_settings_warn_for_all(void)
{
    const char *before = getenv("OTTER_TOLD");
    char *reported = otter_path("%s", before ? before : "");
    for (char **entry = environ; reported && *entry; entry++) {
        if (warn_of(*entry)) {
            char *longer = otter_path("%s\n%s", reported, *entry);
            free(reported);
            reported = longer;
        }
    }
    if (reported && *reported) {
        setenv("OTTER_TOLD", reported, 1); // if this fails, each process warns again
    }
    free(reported);
}

const char *otter_settings_get(const char *name)
{
    const struct otter_setting *setting = otter_settings_find(name);
    if (!setting) {
        return "";
    }
    const char *value = atomic_load(&values[setting - table]);
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
    otter_settings_parse_size(otter_settings_get(name), &value);
    return value;
}
