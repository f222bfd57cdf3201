// The runtime's side of OMPT, as a library of its own: it finds tools, answers what they ask, and knows what they registered.
//
// The player calls what is here; tools get it by their lookup function. Facts about LLVM's runtime that it imitates: tools are
// opened lazily and locally, the first that does not decline is taken, and a tool is closed right after its finalisation.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <omp-tools.h>

#define MOCK_API __attribute__((visibility("default")))

enum { MOCK_MAX_FRAMES = 64 };

// What the runtime knows of a thread: the tasks it is in, innermost last.
struct mock_thread {
    ompt_data_t data;
    struct mock_frame {
        ompt_data_t *parallel, *implicit, *current;
    } frames[MOCK_MAX_FRAMES];
    size_t n_frames;
};

// The calling thread is this one. Before anything else it does.
MOCK_API void mock_thread_enter(struct mock_thread *thread);
MOCK_API struct mock_thread *mock_thread_self(void);

// What ompt_set_callback will say, and whether the callback is ever called (not: error, never, impossible). Before the start.
MOCK_API void mock_grant(ompt_callbacks_t callback, ompt_set_result_t result);
// An entry point that the runtime does not have. Before the start.
MOCK_API void mock_lacks(const char *entry_point);
bool mock_is_lacking(const char *entry_point);
MOCK_API void mock_describe(unsigned omp_version, const char *runtime_version, int host);

// Starts the first of `tools` (paths, joined by ':') that does not decline. Returns its place in the list from 1; 0: none did.
MOCK_API int mock_start(const char *tools);
// What initialize() returned; 0 switches the tool off.
MOCK_API int mock_initialized(void);
MOCK_API void mock_finalize(void);

// What is to be called, or NULL: not registered, not granted.
MOCK_API ompt_callback_t mock_callback(ompt_callbacks_t callback);

// The length of an error's message. Like LLVM's runtime, it does not look whether there is one.
MOCK_API size_t mock_length(const char *message);

// An address in this library's code, for events that the runtime makes for itself.
MOCK_API const void *mock_code(void);
