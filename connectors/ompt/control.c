// Executes the commands of omp_control_tool: the commands of OpenMP 5.1, table 3.3, and Otter's
// own.
#include "control.h"

#include <stddef.h>
#include <stdio.h>

#include "ompt/base/runtime.h"
#include "ompt/device/device.h"
#include "otter/control.h"
#include "otter/record.h"

enum { MAX_NAME = 64 };

static int result(bool is_done)
{
    return is_done ? OTTER_CONTROL_DONE : OTTER_CONTROL_IGNORED;
}

// Records the call before a command that pauses or ends the recording, and after a command that
// starts it.
static void mark(enum otter_command command, const void *code)
{
    otter_mark(OTTER_CONSTRUCT_CONTROL_TOOL, command, runtime_user_code(code));
}

static int start(const void *code)
{
    bool is_done = otter_control_start();
    mark(OTTER_COMMAND_START, code);
    device_traces_switch(true);
    return result(is_done);
}

static int pause_recording(const void *code)
{
    mark(OTTER_COMMAND_PAUSE, code);
    bool is_done = otter_control_pause();
    device_traces_switch(false);
    return result(is_done);
}

static int flush(const void *code)
{
    mark(OTTER_COMMAND_FLUSH, code);
    bool is_done = otter_control_flush();
    device_traces_flush();
    return result(is_done);
}

static int end(const void *code)
{
    mark(OTTER_COMMAND_END, code);
    device_traces_stop();
    return result(otter_control_end());
}

// Returns `text`, or "`word` `modifier`" in `room`: Fortran programs cannot pass a text.
static const char *name_of(const char *word, uint64_t modifier, const char *text, char *room)
{
    if (text) {
        return text;
    }
    snprintf(room, MAX_NAME, "%s %d", word, (int)modifier);
    return room;
}

static int begin_phase(uint64_t modifier, const char *text, const void *code)
{
    char room[MAX_NAME];
    mark(OTTER_COMMAND_PHASE_BEGIN, code);
    otter_label_begin(OTTER_CONSTRUCT_PHASE, name_of("phase", modifier, text, room), NULL);
    return OTTER_CONTROL_DONE;
}

static int end_phase(const void *code)
{
    bool is_done = otter_leave_phase();
    mark(OTTER_COMMAND_PHASE_END, code);
    return result(is_done);
}

static int mark_moment(uint64_t modifier, const char *text)
{
    char room[MAX_NAME];
    otter_label_mark(OTTER_CONSTRUCT_MARK, name_of("mark", modifier, text, room), NULL);
    return result(otter_control_query() == OTTER_CONTROL_RECORDING);
}

static int query(void)
{
    switch (otter_control_query()) {
    case OTTER_CONTROL_RECORDING: return OTTER_CONTROL_IS_RECORDING;
    case OTTER_CONTROL_PAUSED: return OTTER_CONTROL_IS_PAUSED;
    case OTTER_CONTROL_ENDED: break;
    }
    return OTTER_CONTROL_HAS_ENDED;
}

int control_on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *code)
{
    bool is_over = otter_control_query() == OTTER_CONTROL_ENDED;
    if (is_over && command != OTTER_COMMAND_QUERY) {
        return OTTER_CONTROL_IGNORED;
    }
    switch (command) {
    case OTTER_COMMAND_START: return start(code);
    case OTTER_COMMAND_PAUSE: return pause_recording(code);
    case OTTER_COMMAND_FLUSH: return flush(code);
    case OTTER_COMMAND_END: return end(code);
    case OTTER_COMMAND_PHASE_BEGIN: return begin_phase(modifier, arg, code);
    case OTTER_COMMAND_PHASE_END: return end_phase(code);
    case OTTER_COMMAND_MARK: return mark_moment(modifier, arg);
    case OTTER_COMMAND_QUERY: return query();
    default: return OTTER_CONTROL_IGNORED;
    }
}
