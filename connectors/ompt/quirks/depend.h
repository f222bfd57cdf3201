// The lists of depend clauses that a program passes to the runtime.
//
// Functions of the connector replace the runtime's entry points. They reorder the list, so that the
// runtime stays within its array, and store it for the callbacks.
#pragma once

#include <stdbool.h>

#include <omp-tools.h>

#include "otter/event.h"

// Redirects the entry points. Runs once, after runtime_find() and before any callback is
// registered.
// *Returns* whether every call that could corrupt the heap is redirected, including those from
// objects loaded later.
bool depend_redirect(void);

// After depend_redirect() has failed: *returns* whether the callback `dependences` may corrupt the
// heap. It may if a loaded object imports an affected entry point, or if the runtime is linked into
// the program.
bool depend_may_corrupt(void);

// A call of a redirected entry point whose dependences the runtime has not reported yet.
struct depend_call;

// *Returns* this thread's current call, or NULL. It is valid until depend_call_end().
const struct depend_call *depend_call_current(void);
void depend_call_end(void);

// *Returns* the place of the call in the program. `code`: the place that the runtime reports.
const void *depend_call_code(const struct depend_call *call, const void *code);

// *Returns* the kind of the i-th entry that the runtime reports.
enum otter_parameter depend_call_kind(const struct depend_call *call, int i);
