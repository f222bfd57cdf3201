// Forwards OpenMP routines: LLVM's runtime exports some of them with a symbol version that differs
// from libgomp's, and lacks those for Fortran with 64-bit integers. Quirk 'gcc symbols'.
#include "gomp.h"

#include <limits.h>

typedef uintptr_t handle;

// Declares a function, and defines it as a call of the next library's function.
#define PASS_ON(result, name, parameters, arguments)                                               \
    GOMP_EXPORT result name parameters;                                                            \
    result name parameters                                                                         \
    {                                                                                              \
        return GOMP_NEXT(name) arguments;                                                          \
    }

PASS_ON(handle, omp_init_allocator, (handle space, int n, const void *traits), (space, n, traits))
PASS_ON(void, omp_destroy_allocator, (handle allocator), (allocator))
PASS_ON(void, omp_set_default_allocator, (handle allocator), (allocator))
PASS_ON(handle, omp_get_default_allocator, (void), ())
PASS_ON(void *, omp_alloc, (size_t size, handle allocator), (size, allocator))
PASS_ON(void *, omp_aligned_alloc, (size_t alignment, size_t size, handle allocator),
        (alignment, size, allocator))
PASS_ON(void *, omp_calloc, (size_t n, size_t size, handle allocator), (n, size, allocator))
PASS_ON(void *, omp_aligned_calloc, (size_t alignment, size_t n, size_t size, handle allocator),
        (alignment, n, size, allocator))
PASS_ON(void *, omp_realloc, (void *memory, size_t size, handle allocator, handle old),
        (memory, size, allocator, old))
PASS_ON(void, omp_free, (void *memory, handle allocator), (memory, allocator))
PASS_ON(int, omp_get_supported_active_levels, (void), ())
PASS_ON(int, omp_get_device_num, (void), ())
PASS_ON(void, omp_set_num_teams, (int n), (n))
PASS_ON(int, omp_get_max_teams, (void), ())
PASS_ON(void, omp_set_teams_thread_limit, (int limit), (limit))
PASS_ON(int, omp_get_teams_thread_limit, (void), ())
PASS_ON(void, omp_display_env, (int is_verbose), (is_verbose))

// ---- Fortran: arguments by reference

typedef int32_t of_32;
typedef int64_t of_64;

static int to_int(int64_t value)
{
    return value < INT_MIN ? INT_MIN : value > INT_MAX ? INT_MAX : (int)value;
}

// Defines `name`_ or `name`_8_, which calls the next library's C function `name`.
#define FORTRAN(result, name, suffix, parameters, arguments)                                       \
    GOMP_EXPORT result name##suffix parameters;                                                    \
    result name##suffix parameters                                                                 \
    {                                                                                              \
        return GOMP_NEXT(name) arguments;                                                          \
    }

FORTRAN(handle, omp_init_allocator, _, (const handle *space, const of_32 *n, const void *traits),
        (*space, *n, traits))
FORTRAN(handle, omp_init_allocator, _8_, (const handle *space, const of_64 *n, const void *traits),
        (*space, to_int(*n), traits))
FORTRAN(void, omp_destroy_allocator, _, (const handle *allocator), (*allocator))
FORTRAN(void, omp_set_default_allocator, _, (const handle *allocator), (*allocator))
FORTRAN(handle, omp_get_default_allocator, _, (void), ())
FORTRAN(int, omp_get_supported_active_levels, _, (void), ())
FORTRAN(int, omp_get_device_num, _, (void), ())
FORTRAN(void, omp_set_num_teams, _, (const of_32 *n), (*n))
FORTRAN(void, omp_set_num_teams, _8_, (const of_64 *n), (to_int(*n)))
FORTRAN(int, omp_get_max_teams, _, (void), ())
FORTRAN(void, omp_set_teams_thread_limit, _, (const of_32 *limit), (*limit))
FORTRAN(void, omp_set_teams_thread_limit, _8_, (const of_64 *limit), (to_int(*limit)))
FORTRAN(int, omp_get_teams_thread_limit, _, (void), ())
FORTRAN(void, omp_display_env, _, (const of_32 *is_verbose), (*is_verbose))
FORTRAN(void, omp_display_env, _8_, (const of_64 *is_verbose), (*is_verbose != 0))

// This library does not define these C functions.
void omp_set_num_threads(int n);
void omp_set_dynamic(int is_dynamic);
void omp_set_nested(int is_nested);
void omp_set_max_active_levels(int n);
void omp_set_schedule(int kind, int chunk);
void omp_get_schedule(int *kind, int *chunk);
int omp_get_ancestor_thread_num(int level);
int omp_get_team_size(int level);
int omp_get_place_num_procs(int place);
void omp_set_default_device(int device);

FORTRAN(void, omp_set_num_threads, _8_, (const of_64 *n), (to_int(*n)))
FORTRAN(void, omp_set_dynamic, _8_, (const of_64 *is_dynamic), (*is_dynamic != 0))
FORTRAN(void, omp_set_nested, _8_, (const of_64 *is_nested), (*is_nested != 0))
FORTRAN(void, omp_set_max_active_levels, _8_, (const of_64 *n), (to_int(*n)))
FORTRAN(void, omp_set_schedule, _8_, (const of_32 *kind, const of_64 *chunk),
        (*kind, to_int(*chunk)))
FORTRAN(int, omp_get_ancestor_thread_num, _8_, (const of_64 *level), (to_int(*level)))
FORTRAN(int, omp_get_team_size, _8_, (const of_64 *level), (to_int(*level)))
FORTRAN(int, omp_get_place_num_procs, _8_, (const of_64 *place), (to_int(*place)))
FORTRAN(void, omp_set_default_device, _8_, (const of_64 *device), (to_int(*device)))

GOMP_EXPORT void omp_get_schedule_8_(of_32 *kind, of_64 *chunk);
void omp_get_schedule_8_(of_32 *kind, of_64 *chunk)
{
    int found_kind, found_chunk;
    GOMP_NEXT(omp_get_schedule)(&found_kind, &found_chunk);
    *kind = found_kind;
    *chunk = found_chunk;
}
