// The runtime's side of OMPT, as a library: it opens tools, implements entry points and stores
// callbacks.
//
// The player calls these functions; tools use the lookup function. Like LLVM's runtime, the library
// opens tools lazily and locally. It uses the first tool that does not decline, and closes a tool
// right after its finalisation.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <omp-tools.h>

#define MOCK_API __attribute__((visibility("default")))

enum { MOCK_MAX_FRAMES = 64 };

// A thread's tasks, innermost last.
struct mock_thread {
    ompt_data_t data;
    struct mock_frame {
        ompt_data_t *parallel, *implicit, *current;
    } frames[MOCK_MAX_FRAMES];
    size_t n_frames;
};

// Names the calling thread. Must be its first call.
MOCK_API void mock_thread_enter(struct mock_thread *thread);
MOCK_API struct mock_thread *mock_thread_self(void);

// Sets the result of ompt_set_callback. After error, never and impossible, the callback is never
// called. Call this before the start.
MOCK_API void mock_grant(ompt_callbacks_t callback, ompt_set_result_t result);
// Removes an entry point. Call this before the start.
MOCK_API void mock_lacks(const char *entry_point);
bool mock_is_lacking(const char *entry_point);
MOCK_API void mock_describe(unsigned omp_version, const char *runtime_version, int host);

// Starts the first of `tools` (paths, joined by ':') that does not decline. *Returns* its number
// from 1; 0: all declined.
MOCK_API int mock_start(const char *tools);
// Returns the result of the tool's initialize(); 0: the tool is inactive.
MOCK_API int mock_initialized(void);
MOCK_API void mock_finalize(void);

// Returns the callback for an event; NULL: not registered, or not granted.
MOCK_API ompt_callback_t mock_callback(ompt_callbacks_t callback);

// Returns the length of an error's message. As in LLVM's runtime, NULL is not accepted.
MOCK_API size_t mock_length(const char *message);

// Returns a code address of this library, for events that the runtime itself causes.
MOCK_API const void *mock_code(void);
