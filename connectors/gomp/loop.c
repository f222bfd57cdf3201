// Corrects those loops in GCC's code that LLVM's runtime would execute wrongly, and adds the scope
// construct.
#include "gomp.h"

typedef bool start_long(long start, long end, long step, long chunk, long *begin, long *stop);
typedef bool start_long_any(long start, long end, long step, long schedule, long chunk, long *begin,
                            long *stop, uintptr_t *reductions, void **memory);
typedef bool start_ull(bool is_up, gomp_ull start, gomp_ull end, gomp_ull step, gomp_ull chunk,
                       gomp_ull *begin, gomp_ull *stop);
typedef bool start_runtime(bool is_up, gomp_ull start, gomp_ull end, gomp_ull step, gomp_ull *begin,
                           gomp_ull *stop);
typedef bool start_ull_any(bool is_up, gomp_ull start, gomp_ull end, gomp_ull step, long schedule,
                           gomp_ull chunk, gomp_ull *begin, gomp_ull *stop, uintptr_t *reductions,
                           void **memory);
typedef bool next_ull(gomp_ull *begin, gomp_ull *stop);

// ---- unsigned loops that count down

// Quirk 'gcc down loop'. An upward loop from ~start to ~end runs over the complements of the
// iterations.
static bool complement(bool has_chunk, gomp_ull *begin, gomp_ull *stop)
{
    if (has_chunk && begin) { // without `begin`, GOMP_loop_ull_start only registers reductions
        *begin = ~*begin;
        *stop = ~*stop;
    }
    return has_chunk;
}

#define START(name)                                                                                \
    GOMP_EXPORT start_ull name;                                                                    \
    bool name(bool is_up, gomp_ull start, gomp_ull end, gomp_ull step, gomp_ull chunk,             \
              gomp_ull *begin, gomp_ull *stop)                                                     \
    {                                                                                              \
        start_ull *next = GOMP_NEXT(name);                                                         \
        if (is_up) {                                                                               \
            return next(is_up, start, end, step, chunk, begin, stop);                              \
        }                                                                                          \
        gomp_set_caller(__builtin_return_address(0));                                              \
        return complement(next(true, ~start, ~end, -step, chunk, begin, stop), begin, stop);       \
    }

#define START_RUNTIME(name)                                                                        \
    GOMP_EXPORT start_runtime name;                                                                \
    bool name(bool is_up, gomp_ull start, gomp_ull end, gomp_ull step, gomp_ull *begin,            \
              gomp_ull *stop)                                                                      \
    {                                                                                              \
        start_runtime *next = GOMP_NEXT(name);                                                     \
        if (is_up) {                                                                               \
            return next(is_up, start, end, step, begin, stop);                                     \
        }                                                                                          \
        gomp_set_caller(__builtin_return_address(0));                                              \
        return complement(next(true, ~start, ~end, -step, begin, stop), begin, stop);              \
    }

#define START_ANY(name)                                                                            \
    GOMP_EXPORT start_ull_any name;                                                                \
    bool name(bool is_up, gomp_ull start, gomp_ull end, gomp_ull step, long schedule,              \
              gomp_ull chunk, gomp_ull *begin, gomp_ull *stop, uintptr_t *reductions,              \
              void **memory)                                                                       \
    {                                                                                              \
        start_ull_any *next = GOMP_NEXT(name);                                                     \
        if (is_up) {                                                                               \
            return next(is_up, start, end, step, schedule, chunk, begin, stop, reductions,         \
                        memory);                                                                   \
        }                                                                                          \
        gomp_set_caller(__builtin_return_address(0));                                              \
        return complement(                                                                         \
            next(true, ~start, ~end, -step, schedule, chunk, begin, stop, reductions, memory),     \
            begin, stop);                                                                          \
    }

// GCC's code passes the bounds of the previous chunk unchanged. Only a loop that counts down starts
// above its end.
#define NEXT(name)                                                                                 \
    GOMP_EXPORT next_ull name;                                                                     \
    bool name(gomp_ull *begin, gomp_ull *stop)                                                     \
    {                                                                                              \
        next_ull *next = GOMP_NEXT(name);                                                          \
        if (*begin < *stop) {                                                                      \
            return next(begin, stop);                                                              \
        }                                                                                          \
        return complement(next(begin, stop), begin, stop);                                         \
    }

START(GOMP_loop_ull_static_start)
START(GOMP_loop_ull_dynamic_start)
START(GOMP_loop_ull_guided_start)
START(GOMP_loop_ull_nonmonotonic_dynamic_start)
START(GOMP_loop_ull_nonmonotonic_guided_start)
START(GOMP_loop_ull_ordered_static_start)
START(GOMP_loop_ull_ordered_dynamic_start)
START(GOMP_loop_ull_ordered_guided_start)
START_RUNTIME(GOMP_loop_ull_runtime_start)
START_RUNTIME(GOMP_loop_ull_nonmonotonic_runtime_start)
START_RUNTIME(GOMP_loop_ull_maybe_nonmonotonic_runtime_start)
START_RUNTIME(GOMP_loop_ull_ordered_runtime_start)
START_ANY(GOMP_loop_ull_start)
START_ANY(GOMP_loop_ull_ordered_start)
NEXT(GOMP_loop_ull_static_next)
NEXT(GOMP_loop_ull_dynamic_next)
NEXT(GOMP_loop_ull_guided_next)
NEXT(GOMP_loop_ull_runtime_next)
NEXT(GOMP_loop_ull_nonmonotonic_dynamic_next)
NEXT(GOMP_loop_ull_nonmonotonic_guided_next)
NEXT(GOMP_loop_ull_nonmonotonic_runtime_next)
NEXT(GOMP_loop_ull_maybe_nonmonotonic_runtime_next)
NEXT(GOMP_loop_ull_ordered_static_next)
NEXT(GOMP_loop_ull_ordered_dynamic_next)
NEXT(GOMP_loop_ull_ordered_guided_next)
NEXT(GOMP_loop_ull_ordered_runtime_next)

// ---- ends of loops, whose barrier the runtime reports at the place of the region

// Quirk 'gcc end place'. A team of one thread has no barrier there.
#define END(name)                                                                                  \
    GOMP_EXPORT void name(void);                                                                   \
    void name(void)                                                                                \
    {                                                                                              \
        gomp_set_caller(__builtin_return_address(0));                                              \
        gomp_set_barrier(__builtin_return_address(0));                                             \
        GOMP_NEXT(name)();                                                                         \
        gomp_set_barrier(NULL);                                                                    \
    }

END(GOMP_loop_end)
END(GOMP_sections_end)

// ---- ordered static loops in chunks

// Quirk 'gcc ordered static'. Calls the functions that clang's code calls for such a loop.
struct place {
    int32_t reserved_1, flags, reserved_2, reserved_3;
    const char *text;
};

int32_t __kmpc_global_thread_num(struct place *place);
void __kmpc_dispatch_init_8(struct place *place, int32_t thread, int schedule, int64_t first,
                            int64_t last, int64_t step, int64_t chunk);
int __kmpc_dispatch_next_8(struct place *place, int32_t thread, int32_t *is_last, int64_t *first,
                           int64_t *last, int64_t *step);

enum { PLACE_FLAGS = 2, ORDERED_STATIC_CHUNKED = 65, SCHEDULE_STATIC = 1 };

GOMP_EXPORT start_long GOMP_loop_ordered_static_start;
bool GOMP_loop_ordered_static_start(long start, long end, long step, long chunk, long *begin,
                                    long *stop)
{
    static struct place place = {.flags = PLACE_FLAGS, .text = ";unknown;unknown;0;0;;"};
    bool is_empty = step > 0 ? start >= end : start <= end;
    if (chunk <= 0 || is_empty) {
        return GOMP_NEXT(GOMP_loop_ordered_static_start)(start, end, step, chunk, begin, stop);
    }
    gomp_set_caller(__builtin_return_address(0));
    int beyond = step > 0 ? 1 : -1;
    int32_t thread = GOMP_NEXT(__kmpc_global_thread_num)(&place);
    GOMP_NEXT(__kmpc_dispatch_init_8)
    (&place, thread, ORDERED_STATIC_CHUNKED, start, end - beyond, step, chunk);
    int64_t first, last, found_step;
    if (!GOMP_NEXT(__kmpc_dispatch_next_8)(&place, thread, NULL, &first, &last, &found_step)) {
        return false;
    }
    *begin = first;
    *stop = last + beyond;
    return true;
}

// ---- scope

// Quirk 'gcc symbols'. Without bounds, starting a loop is like starting a scope: it only registers
// reductions.
start_long_any GOMP_loop_start; // this library does not define it

GOMP_EXPORT void GOMP_scope_start(uintptr_t *reductions);
void GOMP_scope_start(uintptr_t *reductions)
{
    gomp_set_caller(__builtin_return_address(0));
    GOMP_NEXT(GOMP_loop_start)(0, 0, 1, 0, 0, NULL, NULL, reductions, NULL);
}
