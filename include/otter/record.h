// What a connector calls while the program runs. Implemented by libotter-core.so.
//
// Every function may be called on any thread, at any time, also before otter_attach and after the session has ended:
// events that cannot be kept are dropped and counted, and nothing here ends the program, prints (but for the closing
// block and one warning a failure), or returns an error for an event. Nothing locks, allocates or enters the system but a thread's first event, a
// code address or team seen for the first time, and a full chunk (once in about 10^4 tasks).
//
// All records made by one call carry one timestamp, and no two calls on one thread share one, except where a function
// says that its record belongs to the one before, and that an undeferred task begins at the time of its creation.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otter/event.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OTTER_API __attribute__((visibility("default")))

// A task, as 64 bits that the runtime carries for us. 0: an implicit or initial task, or one that was never announced.
// Opaque to connectors; unique in the run, but for tasks that are created in pauses: of these the bits change. So whoever tells of a
// task says where the runtime has them (NULL: nowhere); there they stay as long as the task runs.
typedef uint64_t otter_task;

// A parallel region, likewise. 0: none, or one that is not to be recorded.
typedef uint64_t otter_parallel;

// ---- the session

// Joins the process's session as `connector` (a short word, "ompt"). The last one that detaches closes the archive.
// Returns false when nothing is to be recorded (switched off, or already closed): the connector should then decline its runtime. A
// connector that has detached may attach again, while another one keeps the session.
OTTER_API bool otter_attach(const char *connector);
OTTER_API void otter_detach(const char *connector);

// Returns whether `connector` has joined the session, also when it has left since. Any thread;
// locks.
OTTER_API bool otter_has_attached(const char *connector);

// Nobody wants what was recorded, as when a person asked for help alone: the session ends and leaves no archive.
OTTER_API void otter_discard(void);

// Tells something about the run that is written into the archive, as property OTTER::<name>: the runtime's version, say.
// Both strings are copied. `name` is of [A-Za-z0-9_], with :: between parts; any other is not written. A later value for a name replaces
// the earlier one.
OTTER_API void otter_describe(const char *name, const char *value);

// How completely the runtime delivers a callback (OpenMP 5.1, table 4.2: "always", "never", ...). Strings are copied.
OTTER_API void otter_describe_callback(const char *callback, const char *granted);

// The value in force of a setting (core/base/settings.c), never NULL for a name in the table; owned by the core.
OTTER_API const char *otter_setting(const char *name);

// Takes settings, name=value or --name=value, out of a connector's arguments. One warning, once for each token, for what seems to be a setting
// and is none, and for one that comes too late: most have no effect once something is recorded.
OTTER_API void otter_arguments(size_t n, char *const *tokens);

// Prints the settings on stdout, for a person who asked a runtime for its tool's help.
OTTER_API void otter_print_settings(void);

// One warning on stderr, prefixed "otter: ", unless the user asked for silence. printf-like.
OTTER_API void otter_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// ---- threads

// The calling thread begins or ends. Both are optional: a thread that never says either is recorded all the same.
OTTER_API void otter_thread_begin(enum otter_thread_kind kind);
OTTER_API void otter_thread_end(void);

// Whether the calling thread has done nothing so far but to begin, and an initial task with it.
OTTER_API bool otter_thread_is_unused(void);

// Whether the calling thread was begun by no runtime, and another such thread has not ended: where the calling one exits, the archive is
// completed by a handler of atexit that was registered when the first connector attached. Any thread.
OTTER_API bool otter_thread_others_run(void);

// ---- parallel regions and their implicit tasks

// The calling thread forks a region (ThreadFork). `requested`: threads, or teams of a league.
OTTER_API otter_parallel otter_parallel_begin(enum otter_construct construct, unsigned requested,
                                              const void *code);
OTTER_API void otter_parallel_end(otter_parallel parallel);

// The calling thread begins its implicit task as member `thread_num` of `team_size` (ThreadTeamBegin, Enter). The thread that has just
// forked a region is a member of that region, whatever `parallel` says. 0: a region that is not recorded; what is
// synchronised in it is not either.
OTTER_API void otter_implicit_task_begin(otter_parallel parallel, unsigned team_size,
                                         unsigned thread_num);

// The calling thread begins an initial task, which belongs to no team (or to the league of one that it has just forked).
OTTER_API void otter_initial_task_begin(void);

// The calling thread ends its innermost implicit or initial task (Leave, ThreadTeamEnd). Runtimes tell a worker's end late, at
// its next use: it is recorded at the moment the region ended.
OTTER_API void otter_implicit_task_end(void);

// ---- explicit tasks. `flags`: bits of enum otter_task_flag

// The task now running on the calling thread creates one (ThreadTaskCreate). `encountering`: the creator that the runtime names.
OTTER_API otter_task otter_task_create(const otter_task *encountering, unsigned flags,
                                       const void *code);

// The calling thread goes on with `next`: begins it, or resumes it (ThreadTaskSwitch, Enter).
OTTER_API void otter_task_switch(otter_task *prior, otter_task *next);

enum otter_task_end {
    OTTER_TASK_END_COMPLETE = 1,
    OTTER_TASK_END_CANCELLED = 2,
    OTTER_TASK_END_DETACHED = 3, // the body has ended, the task has not: otter_task_fulfil ends it
};

// `task` ends and the calling thread resumes `next` (Leave, ThreadTaskComplete, ThreadTaskSwitch). A task that never began may end.
OTTER_API void otter_task_end(otter_task *task, enum otter_task_end how, otter_task *next);

// The event of `task` is fulfilled by the calling thread: the task's end if its body has ended (`late`), else a remark.
OTTER_API void otter_task_fulfil(const otter_task *task, bool late);

// ---- constructs

// `code`: the return address of the runtime call; NULL where the runtime does not know: the enclosing construct's is used.
OTTER_API void otter_enter(enum otter_construct construct, uint32_t detail, const void *code);

// Ends the innermost open construct of this kind in the current task, and those left open inside it. An end without beginning is counted.
OTTER_API void otter_leave(enum otter_construct construct);

// A construct with a name of its own, a Kokkos label: one region is defined for each distinct (construct, label, qualifier); the texts
// are copied. `qualifier` says where ("OpenMP", "Host <- Cuda"): the text at its address never changes; NULL: nothing to say. Returns a
// number, of 2^63 at least, that tells this instance from all others that are open, on whatever thread; 0: not recorded.
OTTER_API uint64_t otter_label_begin(enum otter_construct construct, const char *label,
                                     const char *qualifier);

// Ends that instance, and what was left open inside it (by an exception, say). Not open any more: counted. 0 was not recorded: ignored.
OTTER_API void otter_label_end(uint64_t instance);

// The same, without duration.
OTTER_API void otter_label_mark(enum otter_construct construct, const char *label,
                                const char *qualifier);

// Ends the current task's innermost OTTER_CONSTRUCT_PHASE, which the program begins and ends as it likes. What others end (a loop, a
// taskgroup, a lock, a region of Kokkos) is not torn for that. False: no phase is open, or it was begun outside of such a construct; it goes on.
OTTER_API bool otter_leave_phase(void);

// How a label is shown, where a runtime makes names that no person wrote. Called for each new label, by any thread and
// by several at once, while no lock of ours is held: returns `raw`, or a text in `room`. The raw name is kept as the region's canonical name. Set before the first event.
typedef const char *otter_namer(enum otter_construct construct, const char *raw, char *room,
                                size_t size);
OTTER_API void otter_name_labels(otter_namer *namer);

// What is said of a new label instead of the qualifier that came with it, where that is to be read out of the label itself, which
// takes too long for each event. Likewise: `qualifier` ("" for none), or a text in `room`.
typedef const char *otter_qualifier(enum otter_construct construct, const char *raw,
                                    const char *qualifier, char *room, size_t size);
OTTER_API void otter_qualify_labels(otter_qualifier *qualifier);

// An interval that may overlap others starts or stops. It may do so many times, on any thread.
OTTER_API void otter_section(const char *label, bool is_start);

// A block in `space` was allocated, or is about to be given back: a mark of that construct (ALLOCATE, DEALLOCATE) with its bytes, and the
// bytes in use in that space, now and at most. A block that was allocated before recording began takes nothing off when it goes.
OTTER_API void otter_memory(enum otter_construct construct, const char *space, const char *label,
                            const void *block, uint64_t bytes);

// Whether that is what the calling thread has begun last and not ended; true where nothing is recorded.
OTTER_API bool otter_is_innermost(enum otter_construct construct);

// A construct without duration.
OTTER_API void otter_mark(enum otter_construct construct, uint32_t detail, const void *code);

// A number that stands for itself: what happens now.
OTTER_API void otter_remark(enum otter_parameter parameter, uint64_t value);

// A number that belongs to the record just made by this thread, and shares its timestamp.
OTTER_API void otter_parameter(enum otter_parameter parameter, uint64_t value);

// A connector counts in the archive what it cannot report otherwise: a beginning that has no end,
// an end that has no beginning.
OTTER_API void otter_repaired(void);
OTTER_API void otter_unbegun(void);

// ---- mutual exclusion. `construct`: CRITICAL, ORDERED, ATOMIC (a block is executed inside), SET_LOCK, TEST_LOCK, ... (not)

OTTER_API void otter_mutex_acquire(enum otter_construct construct, uint32_t detail, uint64_t mutex,
                                   const void *code);
OTTER_API void otter_mutex_acquired(enum otter_construct construct, uint32_t detail, uint64_t mutex,
                                    const void *code);
OTTER_API void otter_mutex_released(enum otter_construct construct, uint32_t detail, uint64_t mutex,
                                    const void *code);

// ---- devices (OpenMP 5.1, 4.5.2.25 to 4.5.2.29 and 4.6). A device is defined in the archive when it is first used

// What the runtime says before all of this. `host`: its number for what the program itself runs on, which is none of the devices here; -1: none.
// `tells_operations`: the threads are told of the operations on data that they ask for. Then a transfer is an RMA operation of its thread
// alone, else of its device's stream.
OTTER_API void otter_devices_begin(int host, bool tells_operations);

// What kind of device `device` is, as its runtime says ("generic-64bit"); copied. Before its first use. What is described is a device, whatever was
// said of `host`.
OTTER_API void otter_device_describe(int device, const char *type);

// The current task enters a target construct (TARGET, TARGET_ENTER_DATA, ...); otter_leave ends it. `target`: the runtime's id of it, 0: one is
// made. Returns the id; 0: not recorded.
OTTER_API uint64_t otter_target_begin(enum otter_construct construct, uint32_t detail, int device,
                                      uint64_t target, const void *code);

// An operation on data, as far as it is known: NULL, 0 and -1 for what is not.
struct otter_data_op {
    enum otter_construct construct; // DEVICE_ALLOCATE ... DATA_OP_UNKNOWN
    uint32_t detail;
    const void *source, *destination;
    int source_device, destination_device;
    uint64_t bytes;
    const void *code;
    uint64_t target; // id of the construct that it is for, of any thread; 0: not known
};

// The calling thread begins an operation on data. `operation`: the runtime's id of it (host_op_id), 0: one is made. Returns the id, which
// is unique in the run if it was made here; 0: not recorded.
OTTER_API uint64_t otter_data_op_begin(const struct otter_data_op *op, uint64_t operation);
OTTER_API void otter_data_op_end(enum otter_construct construct);
// The same, without duration, for a runtime that tells only of the beginning.
OTTER_API uint64_t otter_data_op_mark(const struct otter_data_op *op, uint64_t operation);

// The calling thread launches a kernel on the device of its innermost target construct; otter_leave(TARGET_SUBMIT) ends that.
// `teams`: requested, 0: not said. Ids as above; that of the construct, where no construct is open here, says what the device is.
OTTER_API uint64_t otter_submit_begin(uint64_t target, uint64_t operation, unsigned teams);
// The same, without duration.
OTTER_API uint64_t otter_submit_mark(uint64_t target, uint64_t operation, unsigned teams);

// Items that a target construct maps; each array may be NULL.
struct otter_mapping {
    size_t n;
    void *const *host, *const *device;
    const size_t *bytes;
    const unsigned *flags;
};
OTTER_API void otter_target_map(const struct otter_mapping *mapping, const void *code);

// Code for a device, as far as it is known: NULL, 0 and -1 for what is not.
struct otter_device_module {
    uint64_t id; // its runtime's
    const char *file;
    int64_t offset; // in the file
    uint64_t bytes;
};

// What happens to a device as a whole: DEVICE_INITIALIZE ... DEVICE_UNLOAD. `module`: what is loaded or unloaded, else NULL. The files
// of the first 256 are kept.
OTTER_API void otter_device_mark(enum otter_construct construct, int device,
                                 const struct otter_device_module *module);

// What a device tells of one operation, afterwards. Times are those of otter_now(); -1 and 0 for what is not known.
struct otter_device_record {
    enum otter_construct construct; // DEVICE_KERNEL, or as in struct otter_data_op
    uint32_t detail;
    int device;
    uint64_t operation, begin, end;
    unsigned teams_requested, teams_granted;
    struct otter_data_op data; // not of a kernel
};

// Keeps a record of a device, to be written in order of time to one of the device's streams. Any thread; locks.
OTTER_API void otter_device_record(const struct otter_device_record *record);

// Writes what is kept of this device. Done by the session's end as well.
OTTER_API void otter_device_flush(int device);

// A device told something that makes no sense (an end before its beginning, a time outside the run): counted, not recorded.
OTTER_API void otter_device_refuse(int device);

// The clock of all timestamps, in ticks.
OTTER_API uint64_t otter_now(void);

// ---- control (OpenMP 5.1, table 3.3). Any thread; not in signal handlers, but for otter_control_toggle

enum otter_control_state {
    OTTER_CONTROL_RECORDING = 1,
    OTTER_CONTROL_PAUSED = 2,
    OTTER_CONTROL_ENDED = 3,
};

OTTER_API enum otter_control_state otter_control_query(void);

// False: recording has ended, so nothing happens. Starting what is started and pausing what is paused succeeds and changes nothing.
// While paused nothing is recorded, but who runs what is followed, so that what comes after a restart has its place.
OTTER_API bool otter_control_start(void);
OTTER_API bool otter_control_pause(void);
// What is recorded so far goes to files: of the calling thread at once, of others with their next event.
OTTER_API bool otter_control_flush(void);
// Closes the archive, for good: it is complete when this returns.
OTTER_API bool otter_control_end(void);
// Starts what is paused and pauses what is not. The only function here for signal handlers.
OTTER_API void otter_control_toggle(void);

#ifdef __cplusplus
}
#endif
