// The Kokkos hooks: each forwards one event to the core, and to the next tool if there is one.
#include <stddef.h>
#include <stdint.h>

#include "next_tool.h"
#include "device.h"
#include "filter.h"
#include "kokkosp.h"
#include "lifecycle.h"
#include "otter/record.h"
#include "sections.h"
#include "text.h"

enum { MAX_SIDE = 500 };

// ---- kernels and fences

typedef void begin_hook(const char *name, uint32_t device, uint64_t *number);
typedef void end_hook(uint64_t number);

__attribute__((cold)) static uint64_t pass_begin(begin_hook *next, const char *name,
                                                 uint32_t device, uint64_t ours)
{
    uint64_t theirs = 0;
    next(name, device, &theirs);
    return next_tool_pair(ours, theirs);
}

// A number that next_tool_pair() did not make is known only to Otter: the next tool was not loaded
// yet, or has no hook.
__attribute__((cold)) static void end_both(uint64_t number, end_hook *next)
{
    uint64_t ours = number, theirs;
    if (!next_tool_is_pair(number)) {
        otter_label_end(number);
    } else if (!next_tool_unpair(number, &ours, &theirs)) {
        otter_unbegun();
    } else {
        otter_label_end(ours);
        if (NEXT_TOOL_HAS(next)) {
            next(theirs);
        }
    }
}

// The end of a kernel is identified only by its number (quirk 'scan end').
static inline void end(uint64_t number, end_hook *next)
{
    if (!is_recording()) {
        return;
    }
    if (__builtin_expect(next_tool.is_loaded, 0)) {
        end_both(number, next);
    } else {
        otter_label_end(number);
    }
}

static inline void begin(enum otter_construct construct, const char *name, const char *where,
                         uint32_t device, uint64_t *number, begin_hook *const *next)
{
    uint64_t ours = otter_label_begin(construct, name, where);
    if (NEXT_TOOL_HAS(*next)) {
        ours = pass_begin(*next, name, device, ours);
    }
    if (__builtin_expect(number != NULL, 1)) {
        *number = ours;
    }
}

void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *number)
{
    if (is_recording()) {
        begin(OTTER_CONSTRUCT_KOKKOS_FOR, name, device_name(device), device, number,
              &next_tool.begin_parallel_for);
    }
}

void kokkosp_begin_parallel_reduce(const char *name, uint32_t device, uint64_t *number)
{
    if (is_recording()) {
        begin(OTTER_CONSTRUCT_KOKKOS_REDUCE, name, device_name(device), device, number,
              &next_tool.begin_parallel_reduce);
    }
}

void kokkosp_begin_parallel_scan(const char *name, uint32_t device, uint64_t *number)
{
    if (is_recording()) {
        begin(OTTER_CONSTRUCT_KOKKOS_SCAN, name, device_name(device), device, number,
              &next_tool.begin_parallel_scan);
    }
}

void kokkosp_begin_fence(const char *name, uint32_t device, uint64_t *number)
{
    if (is_recording()) {
        begin(OTTER_CONSTRUCT_KOKKOS_FENCE, name, device_of_fence(device), device, number,
              &next_tool.begin_fence);
    }
}

void kokkosp_end_parallel_for(uint64_t number)
{
    end(number, next_tool.end_parallel_for);
}

void kokkosp_end_parallel_reduce(uint64_t number)
{
    end(number, next_tool.end_parallel_reduce);
}

void kokkosp_end_parallel_scan(uint64_t number)
{
    end(number, next_tool.end_parallel_scan);
}

void kokkosp_end_fence(uint64_t number)
{
    end(number, next_tool.end_fence);
}

// ---- data

// Writes "to <- from" into `room`.
static void name_copy(const char *to, const char *from, char room[2 * MAX_SIDE + 8])
{
    static const char between[] = " <- ";
    char *at = mempcpy(room, to, text_fit(to, MAX_SIDE));
    at = mempcpy(at, between, strlen(between));
    at = mempcpy(at, from, text_fit(from, MAX_SIDE));
    *at = '\0';
}

void kokkosp_begin_deep_copy(struct Kokkos_Profiling_SpaceHandle to_space, const char *to_name,
                             const void *to, struct Kokkos_Profiling_SpaceHandle from_space,
                             const char *from_name, const void *from, uint64_t bytes)
{
    char label[2 * MAX_SIDE + 8];
    if (!is_recording()) {
        return;
    }
    name_copy(text_of(to_name), text_of(from_name), label);
    const char *where = device_of_copy(to_space.name, from_space.name);
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

// The last byte of the space's name is undefined (quirk 'space name').
static void note_memory(enum otter_construct construct, struct Kokkos_Profiling_SpaceHandle *space,
                        const char *label, const void *data, uint64_t bytes)
{
    if (!is_recording()) {
        return;
    }
    space->name[SPACE_NAME_SIZE - 1] = '\0';
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

// ---- regions, sections and events of the user

void kokkosp_push_profile_region(const char *name)
{
    if (!is_recording()) {
        return;
    }
    unsigned match = filter_is_used() ? filter_push(filter_match(text_of(name))) : FILTER_NONE;
    filter_before_begin(match);
    otter_label_begin(OTTER_CONSTRUCT_KOKKOS_REGION, name, NULL);
    filter_after_begin(match);
    PASS_ON(push_profile_region, name);
}

void kokkosp_pop_profile_region(void)
{
    if (!is_recording()) {
        return;
    }
    unsigned match = filter_is_used() ? filter_pop() : FILTER_NONE;
    filter_before_end(match);
    otter_leave(OTTER_CONSTRUCT_KOKKOS_REGION);
    filter_after_end(match);
    PASS_ON(pop_profile_region);
}

// Kokkos does not initialise `*section`. If `section` is NULL, the program could not use the
// number.
void kokkosp_create_profile_section(const char *name, uint32_t *section)
{
    uint32_t theirs = 0;
    if (!section) {
        return;
    }
    *section = SECTION_NONE;
    if (!is_recording()) {
        return;
    }
    bool has_theirs = NEXT_TOOL_HAS(next_tool.create_profile_section);
    if (has_theirs) {
        next_tool.create_profile_section(name, &theirs);
    }
    *section = section_create(text_of(name), has_theirs ? &theirs : NULL);
}

static void record_section(const char *name, bool is_start)
{
    unsigned match = filter_match(name);
    if (is_start) {
        filter_before_begin(match);
        otter_section(name, true);
        filter_after_begin(match);
    } else {
        filter_before_end(match);
        otter_section(name, false);
        filter_after_end(match);
    }
}

typedef void section_hook(uint32_t number);

// Calls the next tool with the tool's own number, unless it has none for the section.
static void pass_section(const struct section *section, section_hook *next)
{
    uint32_t theirs;
    if (NEXT_TOOL_HAS(next) && section_theirs(section, &theirs)) {
        next(theirs);
    }
}

static void count_unmatched(bool is_start)
{
    if (is_start) {
        otter_repaired();
    } else {
        otter_unbegun();
    }
}

// Starting a running section, or stopping a stopped one, is only counted.
static void switch_section(uint32_t number, bool is_start, section_hook *next)
{
    struct section *section = section_use(number);
    if (!section) {
        count_unmatched(is_start);
        return;
    }
    if (section_switch(section, is_start)) {
        record_section(section_name(section), is_start);
    } else {
        count_unmatched(is_start);
    }
    pass_section(section, next);
    section_release(section);
}

void kokkosp_start_profile_section(uint32_t section)
{
    if (is_recording()) {
        switch_section(section, true, next_tool.start_profile_section);
    }
}

void kokkosp_stop_profile_section(uint32_t section)
{
    if (is_recording()) {
        switch_section(section, false, next_tool.stop_profile_section);
    }
}

static void destroy_section(struct section *section)
{
    enum section_end end = section_destroy(section);
    if (end == SECTION_WAS_STARTED) {
        record_section(section_name(section), false);
    }
    if (end != SECTION_WAS_DESTROYED) {
        pass_section(section, next_tool.destroy_profile_section);
    }
}

void kokkosp_destroy_profile_section(uint32_t number)
{
    struct section *section = is_recording() ? section_use(number) : NULL;
    if (section) {
        destroy_section(section);
        section_release(section);
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
