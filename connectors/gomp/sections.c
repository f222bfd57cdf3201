// Sections of GCC's code, which LLVM's runtime reports as loops without a place. Quirk 'gcc
// sections'.
#include "gomp.h"

// place in the program, while the runtime begins sections
static _Thread_local const void *sections_caller;

const void *otter_gomp_sections(void)
{
    return sections_caller;
}

static unsigned start(unsigned n, const void *caller)
{
    sections_caller = caller;
    unsigned first = GOMP_NEXT(GOMP_sections_start)(n);
    sections_caller = NULL;
    return first;
}

unsigned GOMP_sections_start(unsigned n)
{
    return start(n, __builtin_return_address(0));
}

// ---- parallel sections: the members begin the sections, then the construct's function asks for
// its first section

struct parallel_sections {
    void (*function)(void *);
    void *data;
    unsigned n;
    const void *caller;
};

enum { NOT_STARTED = -1 };

static _Thread_local long first_section = NOT_STARTED;

static void run_sections(void *user)
{
    const struct parallel_sections *sections = user;
    first_section = start(sections->n, sections->caller);
    sections->function(sections->data);
}

unsigned GOMP_sections_next(void)
{
    if (first_section == NOT_STARTED) {
        return GOMP_NEXT(GOMP_sections_next)();
    }
    unsigned first = (unsigned)first_section;
    first_section = NOT_STARTED;
    return first;
}

void GOMP_parallel_sections(void (*function)(void *), void *data, unsigned n_threads, unsigned n,
                            unsigned flags)
{
    struct parallel_sections sections = {function, data, n, __builtin_return_address(0)};
    gomp_set_caller(sections.caller);
    GOMP_NEXT(GOMP_parallel)(run_sections, &sections, n_threads, flags);
}
