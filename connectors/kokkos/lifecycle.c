// Beginning, settings and end, as Kokkos tells them.
#include "lifecycle.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "device.h"
#include "kokkosp.h"
#include "names.h"
#include "otter/record.h"

static const char connector[] = "kokkos";

enum { MAX_KEY = 128 };

atomic_int lifecycle_stage = LIFECYCLE_BEFORE;

static pthread_once_t attach_once = PTHREAD_ONCE_INIT;

static void attach_now(void)
{
    otter_name_labels(names_show);
    otter_attach(connector);
    int before = LIFECYCLE_BEFORE;
    atomic_compare_exchange_strong(&lifecycle_stage, &before, LIFECYCLE_ATTACHED);
}

void lifecycle_attach(void)
{
    pthread_once(&attach_once, attach_now);
}

void kokkosp_init_library(int load_sequence, uint64_t interface_version, uint32_t n_devices,
                          struct Kokkos_Profiling_KokkosPDeviceInfo *devices)
{
    char version[32];
    device_set_version(interface_version);
    names_set_version(interface_version);
    is_recording();
    snprintf(version, sizeof(version), "%" PRIu64, interface_version);
    otter_describe("KOKKOS_INTERFACE", version);
    const char *next = otter_setting("chain");
    if (*next && chain_load(next)) {
        PASS_ON(init_library, load_sequence + 1, interface_version, n_devices, devices);
    }
}

// OpenMP regions may follow: the session ends with the last connector that leaves it.
void kokkosp_finalize_library(void)
{
    PASS_ON(finalize_library);
    if (atomic_exchange(&lifecycle_stage, LIFECYCLE_OVER) == LIFECYCLE_ATTACHED) {
        otter_detach(connector);
    }
}

// By default Kokkos fences around every event of a tool, which changes what is measured and can deadlock valid programs.
void kokkosp_request_tool_settings(uint32_t n, struct Kokkos_Tools_ToolSettings *settings)
{
    const char *wish = getenv("KOKKOS_TOOLS_GLOBALFENCES");
    PASS_ON(request_tool_settings, n, settings);
    settings->requires_global_fencing = wish && atoi(wish) != 0;
}

void kokkosp_provide_tool_programming_interface(
    uint32_t n, struct Kokkos_Tools_ToolProgrammingInterface functions)
{
    PASS_ON(provide_tool_programming_interface, n, functions);
}

// The first token may be the program's name or the first argument, depending on the version of Kokkos.
void kokkosp_parse_args(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        otter_argument(argv[i]);
    }
    PASS_ON(parse_args, argc, argv);
}

void kokkosp_print_help(char *program)
{
    otter_print_settings();
    PASS_ON(print_help, program);
}

// "Kokkos Version" becomes the property OTTER::KOKKOS::KOKKOS_VERSION: names of properties are of [A-Z0-9_:].
void kokkosp_declare_metadata(const char *key, const char *value)
{
    char name[MAX_KEY] = "KOKKOS::";
    size_t n = strlen(name);
    is_recording();
    for (const char *at = text_of(key); *at && n < sizeof(name) - 1; at++) {
        bool is_lower = *at >= 'a' && *at <= 'z';
        bool is_kept = (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9');
        name[n++] = is_lower ? (char)(*at - 'a' + 'A') : is_kept ? *at : '_';
    }
    name[n] = '\0';
    otter_describe(name, text_of(value));
    PASS_ON(declare_metadata, key, value);
}
