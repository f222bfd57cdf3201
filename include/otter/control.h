/* A program's commands to its tool, through OpenMP's omp_control_tool (5.1, 3.14), for C and C++.
   Fortran: otter_control.f90.

   These functions need no library, and the program need not use OpenMP. Without a runtime or a
   tool, each returns OTTER_CONTROL_NO_TOOL and has no other effect. LLVM's runtime also returns
   OTTER_CONTROL_NO_TOOL before the program's first parallel region. To start a run paused, set
   OTTER_START=paused. Thread: any, at any time. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first four are OpenMP's; Otter's own begin at 64. */
enum otter_command {
    OTTER_COMMAND_START = 1,
    OTTER_COMMAND_PAUSE = 2,
    OTTER_COMMAND_FLUSH = 3,
    OTTER_COMMAND_END = 4,
    OTTER_COMMAND_PHASE_BEGIN = 64, /* arg: its name; NULL: "phase N", N being the modifier */
    OTTER_COMMAND_PHASE_END = 65,   /* ends the calling task's innermost phase */
    OTTER_COMMAND_MARK = 66,        /* arg: a text; NULL: "mark N" */
    OTTER_COMMAND_QUERY = 67
};

/* The result of a command. Below 0: no tool was called. */
enum otter_control_result {
    OTTER_CONTROL_NO_TOOL = -2,
    OTTER_CONTROL_NO_CALLBACK = -1,
    OTTER_CONTROL_DONE = 0,
    /* recording has ended, the command is unknown, no phase is open to end, or a mark is set
       during a pause */
    OTTER_CONTROL_IGNORED = 1,
    /* results of QUERY */
    OTTER_CONTROL_IS_RECORDING = 65,
    OTTER_CONTROL_IS_PAUSED = 66,
    OTTER_CONTROL_HAS_ENDED = 67
};

/* Always inlined, so that the archive names the program's line. */
#define OTTER_CONTROL_INLINE static __inline__ __attribute__((always_inline)) int

/* OpenMP's function. LLVM's runtime and its derivatives provide it; GCC's runtime does not. */
extern int omp_control_tool(int command, int modifier, void *arg) __attribute__((weak));

OTTER_CONTROL_INLINE otter_command(enum otter_command command, int modifier, const char *text)
{
    /* Otter does not change the text; OpenMP's parameter is not const. */
    return omp_control_tool ? omp_control_tool(command, modifier, (void *)(uintptr_t)text)
                            : OTTER_CONTROL_NO_TOOL;
}

/* Starts or resumes recording. Has no effect if recording is on. */
OTTER_CONTROL_INLINE otter_start(void)
{
    return otter_command(OTTER_COMMAND_START, 0, 0);
}

/* Pauses recording until otter_start. Has no effect if recording is paused. During a pause,
   Otter still tracks tasks and constructs, so that later records are consistent. */
OTTER_CONTROL_INLINE otter_pause(void)
{
    return otter_command(OTTER_COMMAND_PAUSE, 0, 0);
}

/* Writes the recorded events to files. */
OTTER_CONTROL_INLINE otter_flush(void)
{
    return otter_command(OTTER_COMMAND_FLUSH, 0, 0);
}

/* Ends recording for good. The archive is complete on return. */
OTTER_CONTROL_INLINE otter_end(void)
{
    return otter_command(OTTER_COMMAND_END, 0, 0);
}

/* Begins a named part of the program: a scope of the calling task until otter_phase_end. Phases
   nest. A phase cannot end inside a construct that began in it, such as a taskgroup: the call is
   then ignored. It is also ignored if no phase is open. */
OTTER_CONTROL_INLINE otter_phase_begin(const char *name)
{
    return otter_command(OTTER_COMMAND_PHASE_BEGIN, 0, name);
}

OTTER_CONTROL_INLINE otter_phase_end(void)
{
    return otter_command(OTTER_COMMAND_PHASE_END, 0, 0);
}

/* Marks a moment. Ignored during a pause. */
OTTER_CONTROL_INLINE otter_mark_moment(const char *text)
{
    return otter_command(OTTER_COMMAND_MARK, 0, text);
}

/* Returns whether the run is recorded now: OTTER_CONTROL_IS_RECORDING, _IS_PAUSED, _HAS_ENDED, or
   a value below 0. */
OTTER_CONTROL_INLINE otter_query(void)
{
    return otter_command(OTTER_COMMAND_QUERY, 0, 0);
}

#ifdef __cplusplus
}
#endif
