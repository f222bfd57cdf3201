// One short function for each hook: it forwards, to the core and to the next tool if there is one.
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "device.h"
#include "kokkosp.h"
#include "names.h"
#include "otter/record.h"
#include "sections.h"

static const char connector[] = "kokkos";

enum { MAX_TEXT = 1024, MAX_KEY = 128 };

enum { BEFORE, ATTACHED, OVER };

static atomic_int stage = BEFORE;

#define PASS_ON(hook, ...)                                                                         \
    do {                                                                                           \
        if (__builtin_expect(chain.hook != NULL, 0)) {                                             \
            chain.hook(__VA_ARGS__);                                                               \
        }                                                                                          \
    } while (0)

static pthread_once_t attach_once = PTHREAD_ONCE_INIT;

static void attach_now(void)
{
    otter_name_labels(names_show);
    otter_attach(connector);
    int before = BEFORE;
    atomic_compare_exchange_strong(&stage, &before, ATTACHED);
}

// Older versions of Kokkos call hooks before kokkosp_init_library. Threads that come meanwhile wait, so that nothing of theirs is lost.
static inline void attach(void)
{
    if (__builtin_expect(atomic_load_explicit(&stage, memory_order_acquire) == BEFORE, 0)) {
        pthread_once(&attach_once, attach_now);
    }
}

// Kokkos hands texts over, other callers may not.
static const char *text_of(const char *name)
{
    return name ? name : "";
}

// Kokkos may go on after it has said that it ends, on threads of its own; what it does then is nobody's.
static inline bool is_recording(void)
{
    attach();
    return atomic_load_explicit(&stage, memory_order_relaxed) == ATTACHED;
}

// ---- the session

void kokkosp_init_library(int load_sequence, uint64_t interface_version, uint32_t n_devices,
                          struct Kokkos_Profiling_KokkosPDeviceInfo *devices)
{
    char version[32];
    device_set_version(interface_version);
    names_set_version(interface_version);
    attach();
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
    if (atomic_exchange(&stage, OVER) == ATTACHED) {
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
    attach();
    for (const char *at = text_of(key); *at && n < sizeof(name) - 1; at++) {
        bool is_lower = *at >= 'a' && *at <= 'z';
        bool is_kept = (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9');
        name[n++] = is_lower ? (char)(*at - 'a' + 'A') : is_kept ? *at : '_';
    }
    name[n] = '\0';
    otter_describe(name, text_of(value));
    PASS_ON(declare_metadata, key, value);
}

// ---- kernels and fences

typedef void begin_hook(const char *name, uint32_t device, uint64_t *number);
typedef void end_hook(uint64_t number);

// With a next tool, Kokkos is given a number that stands for both.
__attribute__((cold)) static void pass_begin(begin_hook *next, const char *name, uint32_t device,
                                             uint64_t *number)
{
    uint64_t theirs = 0;
    next(name, device, &theirs);
    *number = chain_remember(*number, theirs);
}

static inline void begin(enum otter_construct construct, const char *name, const char *where,
                         uint64_t *number)
{
    *number = otter_label_begin(construct, name, where);
}

// A kernel ends by its number alone: some tools that sit in front of us end a reduction as a scan.
static inline void end(uint64_t number, end_hook *next)
{
    if (!is_recording()) {
        return;
    }
    uint64_t ours = number, theirs = 0;
    bool is_passed = __builtin_expect(chain.is_loaded, 0) && chain_recall(number, &ours, &theirs);
    otter_label_end(ours);
    if (is_passed && next) {
        next(theirs);
    }
}

#define BEGIN(hook, construct, where)                                                              \
    if (!is_recording()) {                                                                         \
        return;                                                                                    \
    }                                                                                              \
    begin(construct, name, where, number);                                                         \
    if (__builtin_expect(chain.hook != NULL, 0)) {                                                 \
        pass_begin(chain.hook, name, device, number);                                              \
    }

void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *number)
{
    BEGIN(begin_parallel_for, OTTER_CONSTRUCT_KOKKOS_FOR, device_name(device));
}

void kokkosp_begin_parallel_reduce(const char *name, uint32_t device, uint64_t *number)
{
    BEGIN(begin_parallel_reduce, OTTER_CONSTRUCT_KOKKOS_REDUCE, device_name(device));
}

void kokkosp_begin_parallel_scan(const char *name, uint32_t device, uint64_t *number)
{
    BEGIN(begin_parallel_scan, OTTER_CONSTRUCT_KOKKOS_SCAN, device_name(device));
}

void kokkosp_begin_fence(const char *name, uint32_t device, uint64_t *number)
{
    BEGIN(begin_fence, OTTER_CONSTRUCT_KOKKOS_FENCE, device_of_fence(device, text_of(name)));
}

void kokkosp_end_parallel_for(uint64_t number)
{
    end(number, chain.end_parallel_for);
}

void kokkosp_end_parallel_reduce(uint64_t number)
{
    end(number, chain.end_parallel_reduce);
}

void kokkosp_end_parallel_scan(uint64_t number)
{
    end(number, chain.end_parallel_scan);
}

void kokkosp_end_fence(uint64_t number)
{
    end(number, chain.end_fence);
}

// ---- data

void kokkosp_begin_deep_copy(struct Kokkos_Profiling_SpaceHandle to_space, const char *to_name,
                             const void *to, struct Kokkos_Profiling_SpaceHandle from_space,
                             const char *from_name, const void *from, uint64_t bytes)
{
    char label[MAX_TEXT], where[2 * sizeof(to_space.name) + 8];
    if (!is_recording()) {
        return;
    }
    snprintf(label, sizeof(label), "%.500s <- %.500s", text_of(to_name), text_of(from_name));
    snprintf(where, sizeof(where), "%.63s <- %.63s", to_space.name, from_space.name);
    if (otter_label_begin(OTTER_CONSTRUCT_KOKKOS_COPY, label, where)) {
        otter_parameter(OTTER_PARAMETER_BYTES, bytes);
    }
    PASS_ON(begin_deep_copy, to_space, to_name, to, from_space, from_name, from, bytes);
}

void kokkosp_end_deep_copy(void)
{
    if (!is_recording()) {
        return;
    }
    otter_leave(OTTER_CONSTRUCT_KOKKOS_COPY);
    PASS_ON(end_deep_copy);
}

// Byte 63 of the name may be anything.
static void note_memory(enum otter_construct construct, struct Kokkos_Profiling_SpaceHandle *space,
                        const char *label, const void *data, uint64_t bytes)
{
    if (!is_recording()) {
        return;
    }
    space->name[sizeof(space->name) - 1] = '\0';
    otter_memory(construct, space->name, label, data, bytes);
}

void kokkosp_allocate_data(struct Kokkos_Profiling_SpaceHandle space, const char *label,
                           const void *data, uint64_t bytes)
{
    note_memory(OTTER_CONSTRUCT_KOKKOS_ALLOCATE, &space, label, data, bytes);
    PASS_ON(allocate_data, space, label, data, bytes);
}

void kokkosp_deallocate_data(struct Kokkos_Profiling_SpaceHandle space, const char *label,
                             const void *data, uint64_t bytes)
{
    note_memory(OTTER_CONSTRUCT_KOKKOS_DEALLOCATE, &space, label, data, bytes);
    PASS_ON(deallocate_data, space, label, data, bytes);
}

static const char *side(bool is_device)
{
    return is_device ? "device" : "host";
}

void kokkosp_dual_view_sync(const char *label, const void *data, bool is_device)
{
    if (!is_recording()) {
        return;
    }
    otter_label_mark(OTTER_CONSTRUCT_KOKKOS_DUAL_VIEW_SYNC, label, side(is_device));
    PASS_ON(dual_view_sync, label, data, is_device);
}

void kokkosp_dual_view_modify(const char *label, const void *data, bool is_device)
{
    if (!is_recording()) {
        return;
    }
    otter_label_mark(OTTER_CONSTRUCT_KOKKOS_DUAL_VIEW_MODIFY, label, side(is_device));
    PASS_ON(dual_view_modify, label, data, is_device);
}

// ---- what a person marks

void kokkosp_push_profile_region(const char *name)
{
    if (!is_recording()) {
        return;
    }
    otter_label_begin(OTTER_CONSTRUCT_KOKKOS_REGION, name, NULL);
    PASS_ON(push_profile_region, name);
}

void kokkosp_pop_profile_region(void)
{
    if (!is_recording()) {
        return;
    }
    otter_leave(OTTER_CONSTRUCT_KOKKOS_REGION);
    PASS_ON(pop_profile_region);
}

void kokkosp_create_profile_section(const char *name, uint32_t *section)
{
    if (!is_recording()) {
        return;
    }
    *section = section_create(text_of(name));
    if (chain.create_profile_section) {
        uint32_t theirs = 0;
        chain.create_profile_section(name, &theirs);
        chain_remember_section(*section, theirs);
    }
}

static void switch_section(uint32_t section, bool is_start)
{
    char name[SECTION_NAME_SIZE];
    enum section_change change = section_change(section, is_start, name);
    if (change != SECTION_UNKNOWN) {
        otter_section(name, is_start);
    }
    if (change != SECTION_CHANGED) {
        otter_repaired();
    }
}

void kokkosp_start_profile_section(uint32_t section)
{
    if (!is_recording()) {
        return;
    }
    switch_section(section, true);
    PASS_ON(start_profile_section, chain_recall_section(section));
}

void kokkosp_stop_profile_section(uint32_t section)
{
    if (!is_recording()) {
        return;
    }
    switch_section(section, false);
    PASS_ON(stop_profile_section, chain_recall_section(section));
}

void kokkosp_destroy_profile_section(uint32_t section)
{
    if (!is_recording()) {
        return;
    }
    char name[SECTION_NAME_SIZE];
    PASS_ON(destroy_profile_section, chain_recall_section(section));
    if (section_destroy(section, name)) {
        otter_section(name, false);
    }
}

void kokkosp_profile_event(const char *name)
{
    if (!is_recording()) {
        return;
    }
    otter_label_mark(OTTER_CONSTRUCT_KOKKOS_EVENT, text_of(name), NULL);
    PASS_ON(profile_event, name);
}
