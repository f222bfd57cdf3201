// One short function for each hook: it forwards.
#include "kokkosp.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#include "otter/record.h"

static const char connector[] = "kokkos";

enum { BEFORE, ATTACHED, OVER };

static atomic_int stage = BEFORE;

// Older versions of Kokkos call hooks before kokkosp_init_library.
static void attach(void)
{
    int before = BEFORE;
    if (atomic_load_explicit(&stage, memory_order_relaxed) == BEFORE &&
        atomic_compare_exchange_strong(&stage, &before, ATTACHED)) {
        otter_attach(connector);
    }
}

void kokkosp_init_library(int load_sequence, uint64_t interface_version, uint32_t n_devices,
                          struct Kokkos_Profiling_KokkosPDeviceInfo *devices)
{
    char version[32];
    attach();
    snprintf(version, sizeof(version), "%" PRIu64, interface_version);
    otter_describe("KOKKOS_INTERFACE", version);
}

// OpenMP regions may follow: the session ends with the last connector that leaves it.
void kokkosp_finalize_library(void)
{
    if (atomic_exchange(&stage, OVER) == ATTACHED) {
        otter_detach(connector);
    }
}

// By default Kokkos fences around every event of a tool, which changes what is measured and can deadlock valid programs.
void kokkosp_request_tool_settings(uint32_t n, struct Kokkos_Tools_ToolSettings *settings)
{
    settings->requires_global_fencing = false;
}

// The first token may be the program's name or the first argument, depending on the version of Kokkos.
void kokkosp_parse_args(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        otter_argument(argv[i]);
    }
}

void kokkosp_print_help(char *program)
{
    otter_print_settings();
}

static void begin(enum otter_construct construct, const char *name, uint64_t *kernel)
{
    attach();
    *kernel = otter_label_begin(construct, name);
}

void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *kernel)
{
    begin(OTTER_CONSTRUCT_KOKKOS_FOR, name, kernel);
}

void kokkosp_begin_parallel_reduce(const char *name, uint32_t device, uint64_t *kernel)
{
    begin(OTTER_CONSTRUCT_KOKKOS_REDUCE, name, kernel);
}

void kokkosp_begin_parallel_scan(const char *name, uint32_t device, uint64_t *kernel)
{
    begin(OTTER_CONSTRUCT_KOKKOS_SCAN, name, kernel);
}

// A kernel ends by its number alone: some tools that sit in front of us end a reduction as a scan.
void kokkosp_end_parallel_for(uint64_t kernel)
{
    otter_label_end(kernel);
}

void kokkosp_end_parallel_reduce(uint64_t kernel)
{
    otter_label_end(kernel);
}

void kokkosp_end_parallel_scan(uint64_t kernel)
{
    otter_label_end(kernel);
}

void kokkosp_push_profile_region(const char *name)
{
    attach();
    otter_label_begin(OTTER_CONSTRUCT_KOKKOS_REGION, name);
}

void kokkosp_pop_profile_region(void)
{
    otter_leave(OTTER_CONSTRUCT_KOKKOS_REGION);
}
