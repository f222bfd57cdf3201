// Executes those taskloops in GCC's code that LLVM's runtime would execute wrongly. Quirk 'gcc
// taskloop'.
#include "gomp.h"

#include <string.h>

enum {
    FLAGS_OF_TASKS = 0x17, // untied, final, mergeable, priority
    FLAG_UP = 1 << 8,
    FLAG_GRAINSIZE = 1 << 9,
    FLAG_IF = 1 << 10,
    FLAG_NOGROUP = 1 << 11,
    FLAG_REDUCTION = 1 << 12,
    FLAG_STRICT = 1 << 14,
};

_Static_assert(sizeof(long) == sizeof(gomp_ull), "both kinds of taskloop have the same bounds");

// The data of each task begins with its bounds. The data of a construct with a reduction begins
// with struct reduction.
struct bounds {
    gomp_ull start, end;
};

struct reduction {
    struct bounds bounds;
    uintptr_t *reductions;
};

struct taskloop {
    void (*function)(void *);
    void *data;
    void (*copy)(void *, void *); // NULL: the data is copied bytewise
    long size, alignment;
    unsigned flags;
    int priority;
    gomp_ull start, step, n; // iterations
    const void *caller;
};

// The source of one task's data.
struct source {
    const struct taskloop *loop;
    struct bounds bounds;
};

static void copy_data(void *to, void *user)
{
    const struct source *source = user;
    const struct taskloop *loop = source->loop;
    if (loop->copy) {
        loop->copy(to, loop->data);
    } else {
        memcpy(to, loop->data, (size_t)loop->size);
    }
    *(struct bounds *)to = source->bounds;
}

// ---- how iterations are divided

// The first `n_longer` of `n` tasks have `size` + 1 iterations, the others `size`. With a strict
// grain size the last task may have fewer.
struct division {
    gomp_ull n, size, n_longer;
};

int omp_get_num_threads(void); // defined by the next library

static struct division divide(const struct taskloop *loop, unsigned long number)
{
    bool is_grainsize = (loop->flags & FLAG_GRAINSIZE) && number > 0;
    if (is_grainsize && (loop->flags & FLAG_STRICT)) {
        return (struct division){.n = (loop->n - 1) / number + 1, .size = number};
    }
    gomp_ull n = is_grainsize ? loop->n / number : number;
    if (!is_grainsize && n == 0) {
        n = (gomp_ull)GOMP_NEXT(omp_get_num_threads)();
    }
    n = n == 0 ? 1 : n > loop->n ? loop->n : n;
    return (struct division){n, loop->n / n, loop->n % n};
}

static void create_tasks(const struct taskloop *loop, unsigned long number)
{
    struct division division = divide(loop, number);
    gomp_ull n_left = loop->n;
    struct source source = {loop, {loop->start, loop->start}};
    for (gomp_ull i = 0; i < division.n; i++) {
        gomp_ull size = division.size + (i < division.n_longer);
        size = size < n_left ? size : n_left;
        n_left -= size;
        source.bounds.start = source.bounds.end;
        source.bounds.end += size * loop->step;
        gomp_task_from(loop->caller, loop->function, &source, copy_data, loop->size,
                       loop->alignment, loop->flags & FLAG_IF, loop->flags & FLAGS_OF_TASKS, NULL,
                       loop->priority, NULL);
    }
}

// As in libgomp, a taskgroup encloses the tasks. With a reduction, it encloses an empty loop, too.
// The function is not inlined, so that the entry points forward by sibling calls.
__attribute__((noinline)) static void
run_taskloop(void (*function)(void *), void *data, void (*copy)(void *, void *), long size,
             long alignment, unsigned flags, unsigned long number, int priority, gomp_ull start,
             gomp_ull step, gomp_ull n, const void *caller)
{
    struct taskloop loop = {function, data,  copy, size, alignment, flags,
                            priority, start, step, n,    caller};
    bool has_group = !(flags & FLAG_NOGROUP);
    bool has_reduction = has_group && (flags & FLAG_REDUCTION);
    if (n == 0 && !has_reduction) {
        return;
    }
    gomp_set_caller(caller);
    if (has_group) {
        GOMP_NEXT(GOMP_taskgroup_start)();
    }
    if (has_reduction) {
        GOMP_NEXT(GOMP_taskgroup_reduction_register)(((struct reduction *)data)->reductions);
    }
    if (n > 0) {
        create_tasks(&loop, number);
    }
    gomp_set_caller(caller);
    if (has_group) {
        GOMP_NEXT(GOMP_taskgroup_end)();
    }
}

// ---- entry points

static gomp_ull count(long start, long end, long step)
{
    if (step > 0 ? start >= end : start <= end) {
        return 0;
    }
    gomp_ull distance =
        step > 0 ? (gomp_ull)end - (gomp_ull)start : (gomp_ull)start - (gomp_ull)end;
    gomp_ull stride = step > 0 ? (gomp_ull)step : -(gomp_ull)step;
    return (distance - 1) / stride + 1;
}

static gomp_ull count_ull(bool is_up, gomp_ull start, gomp_ull end, gomp_ull step)
{
    if (is_up ? start >= end : start <= end) {
        return 0;
    }
    return is_up ? (end - start - 1) / step + 1 : (start - end - 1) / -step + 1;
}

// Returns whether the next library executes this taskloop correctly, so that quirk 'gcc taskloop'
// does not matter.
static bool is_for_next(void (*copy)(void *, void *), long size, unsigned flags, gomp_ull n)
{
    enum { LONGEST_READ = 1024 }; // bytes that can be read safely above any stack frame
    return (flags & FLAG_UP) && n > 0 && !(flags & FLAG_STRICT) &&
           (!copy || (!(flags & FLAG_NOGROUP) && size <= LONGEST_READ));
}

void GOMP_taskloop(void (*function)(void *), void *data, void (*copy)(void *, void *), long size,
                   long alignment, unsigned flags, unsigned long number, int priority, long start,
                   long end, long step)
{
    gomp_ull n = count(start, end, step);
    if (is_for_next(copy, size, flags, n)) {
        return GOMP_NEXT(GOMP_taskloop)(function, data, copy, size, alignment, flags, number,
                                        priority, start, end, step);
    }
    run_taskloop(function, data, copy, size, alignment, flags, number, priority, (gomp_ull)start,
                 (gomp_ull)step, n, __builtin_return_address(0));
}

void GOMP_taskloop_ull(void (*function)(void *), void *data, void (*copy)(void *, void *),
                       long size, long alignment, unsigned flags, unsigned long number,
                       int priority, gomp_ull start, gomp_ull end, gomp_ull step)
{
    gomp_ull n = count_ull(flags & FLAG_UP, start, end, step);
    if (is_for_next(copy, size, flags, n)) {
        return GOMP_NEXT(GOMP_taskloop_ull)(function, data, copy, size, alignment, flags, number,
                                            priority, start, end, step);
    }
    run_taskloop(function, data, copy, size, alignment, flags, number, priority, start, step, n,
                 __builtin_return_address(0));
}
