// Corrects the lists of dependences that a program passes to LLVM's runtime (quirks 'depend heap',
// 'depend kinds').
#include "depend.h"

#include <stdint.h>

#include "ompt/base/runtime.h"
#include "importers.h"
#include "redirect.h"

// LLVM's kmp_depend_info_t.
struct entry {
    uintptr_t address;
    size_t length;
    uint8_t flags;
};

enum { IS_IN = 1, IS_OUT = 2, IS_MUTEXINOUTSET = 4, IS_INOUTSET = 8, IS_ALL_MEMORY = 0x80 };

// The entries of a list in the runtime's order: [0, n_plain) as the program wrote them, [n_plain,
// n_rest) mutexinoutset, [n_rest, n) inoutset.
struct depend_call {
    const struct entry *list, *other_list;
    int n_plain, n_rest, n;
    const void *code;
};

static _Thread_local const struct depend_call *current;

typedef void wait_deps(void *location, int32_t thread, int32_t n, struct entry *list,
                       int32_t n_other, struct entry *other_list);
typedef void taskwait_deps(void *location, int32_t thread, int32_t n, struct entry *list,
                           int32_t n_other, struct entry *other_list, int32_t has_no_wait);
typedef int32_t task_with_deps(void *location, int32_t thread, void *task, int32_t n,
                               struct entry *list, int32_t n_other, struct entry *other_list);

static wait_deps *runtime_wait_deps;
static taskwait_deps *runtime_taskwait_deps;
static task_with_deps *runtime_task_with_deps;

// ---- the list of a wait

static bool is_of(const struct entry *entry, uint8_t kind)
{
    return !(entry->flags & (IS_IN | IS_OUT)) && entry->flags & kind;
}

// Moves the entries of `kind` to the end of the list. *Returns* the number of entries before them.
static int move_to_end(struct entry *list, int n, uint8_t kind)
{
    for (int i = n; i-- > 0;) {
        if (is_of(&list[i], kind)) {
            struct entry moved = list[i];
            list[i] = list[--n];
            list[n] = moved;
        }
    }
    return n;
}

static void make_writers(struct entry *list, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        list[i].flags = IS_OUT;
    }
}

// Orders the list of a wait so that the runtime reports it correctly.
//
// Since a wait holds no lock, the runtime itself treats mutexinoutset as out, right after its
// report. The runtime reports the second list correctly, and compilers leave that list empty. An
// entry has the same effect in both lists, since no later task depends on a wait.
static struct depend_call begin_wait(struct entry *list, int n, int n_other,
                                     const struct entry *other_list, const void *code)
{
    int n_rest = move_to_end(list, n, IS_INOUTSET);
    int n_plain = move_to_end(list, n_rest, IS_MUTEXINOUTSET);
    make_writers(list, n_plain, n_other ? n : n_rest);
    return (struct depend_call){list, other_list, n_plain, n_rest, n, code};
}

static void on_wait_deps(void *location, int32_t thread, int32_t n, struct entry *list,
                         int32_t n_other, struct entry *other_list)
{
    struct depend_call call = begin_wait(list, n, n_other, other_list, __builtin_return_address(0));
    current = &call;
    if (n_other) {
        runtime_wait_deps(location, thread, n, list, n_other, other_list);
    } else {
        runtime_wait_deps(location, thread, call.n_rest, list, n - call.n_rest, list + call.n_rest);
    }
    current = NULL;
}

static void on_taskwait_deps(void *location, int32_t thread, int32_t n, struct entry *list,
                             int32_t n_other, struct entry *other_list, int32_t has_no_wait)
{
    struct depend_call call = begin_wait(list, n, n_other, other_list, __builtin_return_address(0));
    current = &call;
    if (n_other) {
        runtime_taskwait_deps(location, thread, n, list, n_other, other_list, has_no_wait);
    } else {
        runtime_taskwait_deps(location, thread, call.n_rest, list, n - call.n_rest,
                              list + call.n_rest, has_no_wait);
    }
    current = NULL;
}

__attribute__((noinline)) static int32_t call_with_list(void *location, int32_t thread, void *task,
                                                        int32_t n, struct entry *list,
                                                        int32_t n_other, struct entry *other_list,
                                                        const void *code)
{
    struct depend_call call = {list, other_list, n, n, n, code};
    current = &call;
    int32_t result = runtime_task_with_deps(location, thread, task, n, list, n_other, other_list);
    current = NULL;
    return result;
}

// For a task without entries (after an empty iterator, for instance), the runtime reports its own
// caller as the place. With optimisation that is the program, since the call is a sibling call.
static int32_t on_task_with_deps(void *location, int32_t thread, void *task, int32_t n,
                                 struct entry *list, int32_t n_other, struct entry *other_list)
{
    return n + n_other > 0
               ? call_with_list(location, thread, task, n, list, n_other, other_list,
                                __builtin_return_address(0))
               : runtime_task_with_deps(location, thread, task, n, list, n_other, other_list);
}

bool depend_redirect(void)
{
    redirect_function("__kmpc_omp_task_with_deps", on_task_with_deps,
                      (void **)&runtime_task_with_deps);
    bool is_redirected =
        redirect_function("__kmpc_omp_wait_deps", on_wait_deps, (void **)&runtime_wait_deps);
    if (runtime_function("__kmpc_omp_taskwait_deps_51")) { // LLVM 14's runtime lacks it
        is_redirected &= redirect_function("__kmpc_omp_taskwait_deps_51", on_taskwait_deps,
                                           (void **)&runtime_taskwait_deps);
    }
    // The entry points for GCC's code call the functions above.
    return is_redirected && (redirect_reaches_runtime("__kmpc_omp_wait_deps") ||
                             redirect_reaches_runtime("__kmpc_omp_taskwait_deps_51"));
}

// The functions that call the faulty one: clang's for `taskwait depend` and `task if() depend`,
// GCC's, and libomptarget's for `interop depend`.
bool depend_may_corrupt(void)
{
    static const char *const names[] = {"__kmpc_omp_taskwait_deps_51",
                                        "__kmpc_omp_wait_deps",
                                        "GOMP_task",
                                        "GOMP_taskwait_depend",
                                        "__tgt_interop_init",
                                        "__tgt_interop_use",
                                        "__tgt_interop_destroy",
                                        NULL};
    // A program that contains the runtime imports none of its functions.
    return !runtime_size || imports_are_loaded(names);
}

// ---- for the callbacks

const struct depend_call *depend_call_current(void)
{
    return current;
}

void depend_call_end(void)
{
    current = NULL;
}

const void *depend_call_code(const struct depend_call *call, const void *code)
{
    // For GCC's code the runtime calls the entry point itself.
    return runtime_contains(call->code) ? code : call->code;
}

static enum otter_parameter kind_of(const struct entry *entry)
{
    if (entry->flags & IS_ALL_MEMORY || entry->address == UINTPTR_MAX) {
        return OTTER_PARAMETER_DEPEND_OUT_ALL_MEMORY;
    }
    switch (entry->flags & (IS_IN | IS_OUT)) {
    case IS_IN: return OTTER_PARAMETER_DEPEND_IN;
    case IS_OUT: return OTTER_PARAMETER_DEPEND_OUT;
    case IS_IN | IS_OUT: return OTTER_PARAMETER_DEPEND_INOUT;
    default: break;
    }
    return entry->flags & IS_MUTEXINOUTSET ? OTTER_PARAMETER_DEPEND_MUTEXINOUTSET
           : entry->flags & IS_INOUTSET    ? OTTER_PARAMETER_DEPEND_INOUTSET
                                           : OTTER_PARAMETER_DEPEND_UNKNOWN;
}

enum otter_parameter depend_call_kind(const struct depend_call *call, int i)
{
    if (i >= call->n) {
        return kind_of(&call->other_list[i - call->n]);
    }
    if (i >= call->n_plain) {
        return i < call->n_rest ? OTTER_PARAMETER_DEPEND_MUTEXINOUTSET
                                : OTTER_PARAMETER_DEPEND_INOUTSET;
    }
    return kind_of(&call->list[i]);
}
