// The hooks for the initialisation, the settings and the finalisation of Kokkos.
#include "lifecycle.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "next_tool.h"
#include "device.h"
#include "filter.h"
#include "kokkosp.h"
#include "names.h"
#include "otter/record.h"
#include "text.h"

static const char connector[] = "kokkos";

enum { MAX_KEY = 128 };

atomic_int lifecycle_stage = LIFECYCLE_BEFORE;

static atomic_bool is_attached;

// ---- joining and leaving the session

static bool attach(void)
{
    bool is_live = otter_attach(connector);
    atomic_store(&is_attached, is_live);
    atomic_store(&lifecycle_stage, is_live ? LIFECYCLE_RUNS : LIFECYCLE_IDLE);
    return is_live;
}

static void attach_first(void)
{
    otter_name_labels(names_show);
    otter_qualify_labels(device_qualify);
    attach();
}

// Joins the session again, for example when Kokkos is initialised again. An OpenMP connector may
// hold the session open. Other threads do not wait; they record if there is a session.
static bool attach_again(void)
{
    return atomic_exchange(&is_attached, true) || attach();
}

// Threads wait for the first attach, so that none of their events is lost.
bool lifecycle_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, attach_first);
    int stage = atomic_load(&lifecycle_stage);
    return stage == LIFECYCLE_ENDED ? attach_again() : stage == LIFECYCLE_RUNS;
}

// The session ends only when the last connector leaves it, since OpenMP regions may follow.
void kokkosp_finalize_library(void)
{
    int runs = LIFECYCLE_RUNS;
    next_tool_end();
    if (atomic_exchange(&is_attached, false)) {
        filter_warn();
        otter_detach(connector);
        atomic_store(&lifecycle_stage, LIFECYCLE_ENDED);
    } else { // the next tool was the only reason to run the hooks until now
        atomic_compare_exchange_strong(&lifecycle_stage, &runs, LIFECYCLE_IDLE);
    }
}

// Runs even if Kokkos was not finalised, and before the core's destructor.
__attribute__((destructor)) static void end(void)
{
    if (atomic_load(&is_attached)) {
        filter_warn();
    }
}

// ---- the next tool, which the environment or Kokkos' arguments name

// The calls that Kokkos has made so far at its initialisation.
static struct {
    bool has_init, has_settings, has_interface;
    int load_sequence;
    uint64_t version;
    uint32_t n_devices, n_settings, n_functions;
    struct Kokkos_Profiling_KokkosPDeviceInfo *devices;
    struct Kokkos_Tools_ToolProgrammingInterface functions;
} initial;

// A next tool may itself load the next library of KOKKOS_TOOLS_LIBS, which may be Otter.
static bool is_repeating, calls_otter;

// Repeats the Kokkos calls for a next tool that was loaded after them. The next tool's settings
// for fences are ignored.
static void repeat_calls(void)
{
    struct Kokkos_Tools_ToolSettings settings = {0};
    if (initial.has_init) {
        next_tool_begin(initial.load_sequence + 1, initial.version, initial.n_devices,
                        initial.devices);
    }
    if (calls_otter) {
        return;
    }
    if (initial.has_settings) {
        PASS_ON(request_tool_settings, initial.n_settings, &settings);
    }
    if (initial.has_interface) {
        PASS_ON(provide_tool_programming_interface, initial.n_functions, initial.functions);
    }
}

static void begin_next_tool(const char *library)
{
    if (!next_tool_load(library)) {
        return;
    }
    is_repeating = true;
    repeat_calls();
    is_repeating = false;
    if (calls_otter) {
        otter_warn("calls are not forwarded to '%s' (setting chain): it forwards them to Otter",
                   library);
        next_tool_drop();
        return;
    }
    atomic_store(&lifecycle_stage, LIFECYCLE_RUNS);
}

static void load_next_tool(void)
{
    static const char *tried = "";
    const char *library = otter_setting("chain");
    if (!*library || strcmp(library, tried) == 0) {
        return;
    }
    tried = library;
    if (next_tool.is_loaded) {
        otter_warn("setting 'chain=%s' comes too late and is ignored: another tool is already "
                   "loaded (set the environment variable OTTER_CHAIN instead)",
                   library);
        return;
    }
    begin_next_tool(library);
}

// ---- the hooks of the initialisation

void kokkosp_init_library(int load_sequence, uint64_t interface_version, uint32_t n_devices,
                          struct Kokkos_Profiling_KokkosPDeviceInfo *devices)
{
    char version[32];
    if (is_repeating) {
        calls_otter = true;
        return;
    }
    device_set_version(interface_version);
    names_set_version(interface_version);
    lifecycle_begin();
    snprintf(version, sizeof(version), "%" PRIu64, interface_version);
    otter_describe("KOKKOS_INTERFACE", version);
    initial.has_init = true;
    initial.load_sequence = load_sequence;
    initial.version = interface_version;
    initial.n_devices = n_devices;
    initial.devices = devices;
    if (next_tool.is_loaded) {
        next_tool_begin(load_sequence + 1, interface_version, n_devices, devices);
    } else {
        load_next_tool();
    }
}

// By default Kokkos fences around each event of a tool. This changes the measured times, and can
// deadlock valid programs (quirk 'global fences').
void kokkosp_request_tool_settings(uint32_t n, struct Kokkos_Tools_ToolSettings *settings)
{
    const char *wish = getenv("KOKKOS_TOOLS_GLOBALFENCES");
    initial.has_settings = true;
    initial.n_settings = n;
    PASS_ON(request_tool_settings, n, settings);
    if (settings) {
        settings->requires_global_fencing = wish && atoi(wish) != 0;
    }
}

void kokkosp_provide_tool_programming_interface(
    uint32_t n, struct Kokkos_Tools_ToolProgrammingInterface functions)
{
    initial.has_interface = true;
    initial.n_functions = n;
    initial.functions = functions;
    PASS_ON(provide_tool_programming_interface, n, functions);
}

// Returns whether a token is part of the program's path: Kokkos splits the command line at blanks,
// even inside the path (quirk 'kokkos arguments').
static bool is_of_program(const char *token)
{
    size_t length = strlen(token);
    for (const char *at = program_invocation_name; length > 0 && (at = strstr(at, token)); at++) {
        bool begins = at == program_invocation_name || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

// Returns whether a token is not one of the user's arguments: it may be the program's name, or
// Kokkos' word for "none" (quirk 'kokkos arguments').
static bool is_of_kokkos(const char *token)
{
    const char *users = getenv("KOKKOS_TOOLS_ARGS");
    users = users ? users + strspn(users, " \t") : "";
    bool is_word = token[0] != '-' && !strchr(token, '=');
    return is_word && strncmp(users, token, strlen(token)) != 0;
}

// Depending on the Kokkos version, the first tokens are the program's name or arguments (quirk
// 'kokkos arguments').
void kokkosp_parse_args(int argc, char **argv)
{
    int n = 0;
    lifecycle_begin();
    while (n < argc && is_of_program(argv[n])) {
        n++;
    }
    n += n == 0 && argc > 0 && is_of_kokkos(argv[0]);
    otter_arguments(argc > n ? (size_t)(argc - n) : 0, argv + n);
    load_next_tool();
    PASS_ON(parse_args, argc, argv);
}

// After this call, the program exits without doing any work. Regions of Kokkos itself may have been
// recorded.
void kokkosp_print_help(char *program)
{
    otter_print_settings();
    PASS_ON(print_help, program);
    otter_discard();
}

// "Kokkos Version" becomes the property OTTER::KOKKOS::KOKKOS_VERSION. A property's name consists
// of [A-Z0-9_:], and no part is empty.
void kokkosp_declare_metadata(const char *key, const char *value)
{
    char name[MAX_KEY] = "KOKKOS::";
    size_t n = strlen(name);
    lifecycle_begin();
    for (const char *at = key && *key ? key : "_"; *at && n < sizeof(name) - 1; at++) {
        bool is_lower = *at >= 'a' && *at <= 'z';
        bool is_kept = (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9');
        name[n++] = is_lower ? (char)(*at - 'a' + 'A') : is_kept ? *at : '_';
    }
    name[n] = '\0';
    otter_describe(name, text_of(value));
    PASS_ON(declare_metadata, key, value);
}
