// Corrects tasks of GCC's code: the data of undeferred tasks, and lists of dependences.
#include "gomp.h"

enum { FLAG_DEPEND = 1 << 3 };

enum { KIND_INOUTSET = 5 }; // kind of an inoutset dependence in GCC's depend objects

// GCC's depend object.
struct depend_object {
    void *address;
    uintptr_t kind;
};

// GCC's list of dependences has one of two forms:
//     n, n_out, addresses of out, addresses of in
//     0, n, n_out, n_mutexinoutset, n_in, addresses of out, of mutexinoutset, of in, depend objects
struct depend_list {
    size_t n, n_out, n_mutexinoutset, n_in;
    void **entries;
};

static struct depend_list read_list(void **depend)
{
    if (depend[0]) {
        size_t n = (size_t)depend[0], n_out = (size_t)depend[1];
        return (struct depend_list){
            .n = n, .n_out = n_out, .n_in = n - n_out, .entries = depend + 2};
    }
    return (struct depend_list){(size_t)depend[1], (size_t)depend[2], (size_t)depend[3],
                                (size_t)depend[4], depend + 5};
}

static size_t first_object(const struct depend_list *list)
{
    return list->n_out + list->n_mutexinoutset + list->n_in;
}

// Turns each depend object for inoutset into an `out` address at the end of the section of `out`.
// Each section in between shifts by one entry: its first address becomes its last.
static void make_inout(void **depend)
{
    struct depend_list list = read_list(depend);
    for (size_t i = first_object(&list); i < list.n; i++) {
        struct depend_object *object = list.entries[i];
        if (object->kind != KIND_INOUTSET) {
            continue;
        }
        size_t object_at = first_object(&list);
        size_t in_at = list.n_out + list.n_mutexinoutset;
        list.entries[i] = list.entries[object_at];
        list.entries[object_at] = list.entries[in_at];
        list.entries[in_at] = list.entries[list.n_out];
        list.entries[list.n_out++] = object->address;
        depend[2] = (void *)list.n_out;
    }
}

// Converts a list in place to the form that LLVM's runtime expects. This is safe, since GCC's code
// fills the list before each call. Quirk 'gcc depend'.
static void translate_list(void **depend)
{
    make_inout(depend);
    struct depend_list list = read_list(depend);
    for (size_t i = 0; i < list.n_out; i++) {
        if (!list.entries[i]) {
            list.entries[i] = (void *)UINTPTR_MAX;
        }
    }
}

// ---- undeferred tasks

// The original data of an undeferred task, before it is copied. The runtime executes the task once,
// in the call that creates it.
struct undeferred {
    void (*function)(void *);
    void *data;
    void (*copy)(void *, void *);
    size_t size, alignment; // size and alignment of the copy
};

static void run_undeferred(void *user)
{
    const struct undeferred *task = user;
    uintptr_t room = (uintptr_t)__builtin_alloca(task->size + task->alignment);
    void *data = (void *)((room + task->alignment - 1) / task->alignment * task->alignment);
    task->copy(data, task->data);
    task->function(data);
}

// Makes the copy for an undeferred task (quirk 'gcc undeferred'). A nested task may set another
// caller, so the previous caller is restored.
__attribute__((noinline)) void gomp_task_from(const void *caller, void (*function)(void *),
                                              void *data, void (*copy)(void *, void *), long size,
                                              long alignment, bool is_deferred, unsigned flags,
                                              void **depend, int priority, void *detach)
{
    __typeof__(&GOMP_task) next = GOMP_NEXT(GOMP_task);
    const void *caller_before = otter_gomp_caller();
    gomp_set_caller(caller);
    if (is_deferred || !copy) {
        next(function, data, copy, size, alignment, is_deferred, flags, depend, priority, detach);
    } else {
        struct undeferred task = {function, data, copy, (size_t)size, (size_t)alignment};
        next(run_undeferred, &task, NULL, 0, 1, false, flags, depend, priority, detach);
    }
    gomp_set_caller(caller_before);
}

void GOMP_task(void (*function)(void *), void *data, void (*copy)(void *, void *), long size,
               long alignment, bool is_deferred, unsigned flags, void **depend, int priority,
               void *detach)
{
    if (flags & FLAG_DEPEND) {
        translate_list(depend);
    }
    if (is_deferred || !copy) {
        return GOMP_NEXT(GOMP_task)(function, data, copy, size, alignment, is_deferred, flags,
                                    depend, priority, detach);
    }
    gomp_task_from(__builtin_return_address(0), function, data, copy, size, alignment, is_deferred,
                   flags, depend, priority, detach);
}

void GOMP_taskwait_depend(void **depend)
{
    translate_list(depend);
    return GOMP_NEXT(GOMP_taskwait_depend)(depend);
}
