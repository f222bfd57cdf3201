// The lists of depend clauses that a program hands to the runtime's entry points.
//
// LLVM's runtime (14 to 19) reports these lists wrongly. For `taskwait depend`, and for the wait
// before a task with if(0), it writes the kinds mutexinoutset and inoutset of entry i to place n +
// i of an array of n: its heap is corrupted. For omp_all_memory it writes no kind there, and
// 14 and 16 write none for any task: the tool reads what the memory held before. The entry points
// are therefore redirected: functions here reorder the list so that the runtime stays within its
// array, and remember it for the callbacks.
#pragma once

#include <stdbool.h>

#include <omp-tools.h>

#include "otter/event.h"

// Redirects the entry points. Runs once, after runtime_find() and before any callback is
// registered. Returns whether every call that could corrupt the heap is redirected, also of objects
// that are loaded later.
bool depend_redirect(void);

// A call of such an entry point of which the callback for dependences has not come yet.
struct depend_call;

// The call that this thread is in, or NULL. It is valid until depend_call_end().
const struct depend_call *depend_call_current(void);
void depend_call_end(void);

// Returns the place of the call in the program; `code` is the place that the runtime reports.
const void *depend_call_code(const struct depend_call *call, const void *code);

// The kind of the i-th entry that the runtime reports.
enum otter_parameter depend_call_kind(const struct depend_call *call, int i);
