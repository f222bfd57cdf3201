/* What a program may say to the tool that watches it, by omp_control_tool of OpenMP (5.1, 3.14): for C and C++. Fortran: otter_control.f90.

   Nothing has to be linked, and no OpenMP is needed to compile: without a runtime or a tool nothing happens, and every function returns
   OTTER_CONTROL_NO_TOOL. LLVM's runtime answers that, and does not call the tool, also before the program's first parallel region: to
   begin a run paused, set OTTER_START=paused. Any thread may call these, at any time. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first four are OpenMP's own; from 64 on they are ours. */
enum otter_command {
    OTTER_COMMAND_START = 1,
    OTTER_COMMAND_PAUSE = 2,
    OTTER_COMMAND_FLUSH = 3,
    OTTER_COMMAND_END = 4,
    OTTER_COMMAND_PHASE_BEGIN = 64, /* arg: its name; NULL: "phase 1" by the modifier */
    OTTER_COMMAND_PHASE_END = 65,   /* of the calling task's innermost phase */
    OTTER_COMMAND_MARK = 66,        /* arg: a text; NULL: "mark 1" */
    OTTER_COMMAND_QUERY = 67
};

/* What a command returns. Below 0: no tool has heard it. */
enum otter_control_result {
    OTTER_CONTROL_NO_TOOL = -2,
    OTTER_CONTROL_NO_CALLBACK = -1,
    OTTER_CONTROL_DONE = 0,
    /* recording has ended, or the command is none of these, or there was nothing to end or to mark */
    OTTER_CONTROL_IGNORED = 1,
    /* of QUERY */
    OTTER_CONTROL_IS_RECORDING = 65,
    OTTER_CONTROL_IS_PAUSED = 66,
    OTTER_CONTROL_HAS_ENDED = 67
};

/* Inlined always, so that the archive names the program's line. */
#define OTTER_CONTROL_INLINE static __inline__ __attribute__((always_inline)) int

/* OpenMP's; not there without LLVM's runtime, or one like it. GCC's runtime has none. */
extern int omp_control_tool(int command, int modifier, void *arg) __attribute__((weak));

OTTER_CONTROL_INLINE otter_command(enum otter_command command, int modifier, const char *text)
{
    /* Otter changes nothing behind `text`; OpenMP knows no const here. */
    return omp_control_tool ? omp_control_tool(command, modifier, (void *)(uintptr_t)text)
                            : OTTER_CONTROL_NO_TOOL;
}

/* Recording begins, or goes on. Starting what is started, and pausing what is paused, is done and changes nothing. */
OTTER_CONTROL_INLINE otter_start(void)
{
    return otter_command(OTTER_COMMAND_START, 0, 0);
}

/* Nothing is recorded any more until otter_start; who runs what is followed, so that what comes after has its place. */
OTTER_CONTROL_INLINE otter_pause(void)
{
    return otter_command(OTTER_COMMAND_PAUSE, 0, 0);
}

/* What is recorded so far goes to files. */
OTTER_CONTROL_INLINE otter_flush(void)
{
    return otter_command(OTTER_COMMAND_FLUSH, 0, 0);
}

/* Recording ends for good; the archive is complete when this returns. */
OTTER_CONTROL_INLINE otter_end(void)
{
    return otter_command(OTTER_COMMAND_END, 0, 0);
}

/* A part of the program with a name: a scope of the task that calls this, until it calls otter_phase_end. Phases nest. One that is
   to end inside a construct that began in it, a taskgroup say, goes on: the call is ignored, as it is where
   no phase is open. */
OTTER_CONTROL_INLINE otter_phase_begin(const char *name)
{
    return otter_command(OTTER_COMMAND_PHASE_BEGIN, 0, name);
}

OTTER_CONTROL_INLINE otter_phase_end(void)
{
    return otter_command(OTTER_COMMAND_PHASE_END, 0, 0);
}

/* A moment to be found again. In a pause: ignored. */
OTTER_CONTROL_INLINE otter_mark_moment(const char *text)
{
    return otter_command(OTTER_COMMAND_MARK, 0, text);
}

/* Whether this run is recorded now: OTTER_CONTROL_IS_RECORDING, _IS_PAUSED, _HAS_ENDED, or below 0. */
OTTER_CONTROL_INLINE otter_query(void)
{
    return otter_command(OTTER_COMMAND_QUERY, 0, 0);
}

#ifdef __cplusplus
}
#endif
