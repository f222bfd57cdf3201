// Compares the hooks that Otter declares with Kokkos' own header. The test is the compilation:
// nothing runs.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <impl/Kokkos_Profiling_C_Interface.h>

namespace ours
{
extern "C" {
#include "../../connectors/kokkos/kokkosp.h"
}
} // namespace ours

// The type in Kokkos' header for each of Otter's types.
template <class T> struct Theirs {
    using type = T;
};
template <class T> struct Theirs<T *> {
    using type = typename Theirs<T>::type *;
};
template <class... Arguments> struct Theirs<void(Arguments...)> {
    using type = void(typename Theirs<Arguments>::type...);
};

#define SAME_STRUCT(tag)                                                                           \
    template <> struct Theirs<ours::tag> {                                                         \
        using type = ::tag;                                                                        \
    };

SAME_STRUCT(Kokkos_Profiling_KokkosPDeviceInfo)
SAME_STRUCT(Kokkos_Profiling_SpaceHandle)
SAME_STRUCT(Kokkos_Tools_ToolSettings)
SAME_STRUCT(Kokkos_Tools_ToolProgrammingInterface)

#define SAME_SIZE(tag)                                                                             \
    static_assert(sizeof(ours::tag) == sizeof(::tag) && alignof(ours::tag) == alignof(::tag), #tag)
#define SAME_MEMBER(tag, member)                                                                   \
    static_assert(offsetof(ours::tag, member) == offsetof(::tag, member) &&                        \
                      std::is_same<Theirs<decltype(ours::tag::member)>::type,                      \
                                   decltype(::tag::member)>::value,                                \
                  #tag "." #member)

SAME_SIZE(Kokkos_Profiling_SpaceHandle);
SAME_SIZE(Kokkos_Tools_ToolSettings);
SAME_SIZE(Kokkos_Tools_ToolProgrammingInterface);
SAME_MEMBER(Kokkos_Profiling_SpaceHandle, name);
SAME_MEMBER(Kokkos_Tools_ToolSettings, requires_global_fencing);
SAME_MEMBER(Kokkos_Tools_ToolProgrammingInterface, fence);

#define SAME_HOOK(hook, member)                                                                    \
    static_assert(std::is_same<Theirs<decltype(ours::kokkosp_##hook)>::type *,                     \
                               decltype(Kokkos_Profiling_EventSet::member)>::value,                \
                  "kokkosp_" #hook)

SAME_HOOK(init_library, init);
SAME_HOOK(finalize_library, finalize);
SAME_HOOK(parse_args, parse_args);
SAME_HOOK(print_help, print_help);
SAME_HOOK(request_tool_settings, request_tool_settings);
SAME_HOOK(provide_tool_programming_interface, provide_tool_programming_interface);
SAME_HOOK(declare_metadata, declare_metadata);
SAME_HOOK(begin_parallel_for, begin_parallel_for);
SAME_HOOK(end_parallel_for, end_parallel_for);
SAME_HOOK(begin_parallel_reduce, begin_parallel_reduce);
SAME_HOOK(end_parallel_reduce, end_parallel_reduce);
SAME_HOOK(begin_parallel_scan, begin_parallel_scan);
SAME_HOOK(end_parallel_scan, end_parallel_scan);
SAME_HOOK(begin_fence, begin_fence);
SAME_HOOK(end_fence, end_fence);
SAME_HOOK(push_profile_region, push_region);
SAME_HOOK(pop_profile_region, pop_region);
SAME_HOOK(create_profile_section, create_profile_section);
SAME_HOOK(start_profile_section, start_profile_section);
SAME_HOOK(stop_profile_section, stop_profile_section);
SAME_HOOK(destroy_profile_section, destroy_profile_section);
SAME_HOOK(profile_event, profile_event);
SAME_HOOK(allocate_data, allocate_data);
SAME_HOOK(deallocate_data, deallocate_data);
SAME_HOOK(begin_deep_copy, begin_deep_copy);
SAME_HOOK(end_deep_copy, end_deep_copy);
SAME_HOOK(dual_view_sync, sync_dual_view);
SAME_HOOK(dual_view_modify, modify_dual_view);
