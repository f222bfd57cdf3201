// The functions that a connector calls while the program runs. libotter-core.so implements them.
//
// *Thread*: any, at any time, even before otter_attach and after the session has ended. Events that
// cannot be recorded are dropped and counted. No function ends the program or returns an error for
// an event. None prints anything except the closing block and one warning per kind of failure.
//
// *Cost*: most calls take no lock, allocate nothing and make no system call. Exceptions: a thread's
// first event, a new code address or team, and a full chunk (once in about 10^4 tasks).
//
// *Time*: all records of one call have one timestamp, and no two calls on one thread share one.
// Exceptions: additions to the previous record, and the start of an undeferred task at its
// creation.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otter/event.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OTTER_API __attribute__((visibility("default")))

// A task, as 64 bits that the runtime carries for Otter; 0: an implicit or initial task, or a task
// that was never reported. Opaque to connectors; unique in the run. The bits of a task created in a
// pause may change, so calls pass the address where the runtime stores them while the task runs
// (NULL: none).
typedef uint64_t otter_task;

// A parallel region, also as 64 bits; 0: none, or a region that is not recorded.
typedef uint64_t otter_parallel;

// ---- the session

// Attaches `connector` (a short word, "ompt") to the process's session, or detaches it. The last
// connector that detaches closes the archive. A connector may attach again while another one is
// attached. *Returns* false if nothing is recorded, because the recording is closed or switched off
// (perhaps by the setting with the connector's name); the connector should then stay inactive.
OTTER_API bool otter_attach(const char *connector);
OTTER_API void otter_detach(const char *connector);

// *Returns* whether `connector` has ever attached. *Thread*: any; locks.
OTTER_API bool otter_has_attached(const char *connector);

// Starts counting the archive's processor times now, so that they exclude the start of a runtime.
// *Thread*: any; locks.
OTTER_API void otter_begin_processor_time(void);

// Ends the session without an archive, for example if a program only asked for help.
OTTER_API void otter_discard(void);

// Writes a property OTTER::<name> of the run into the archive, such as the runtime's version.
// Copies both strings. `name` consists of [A-Za-z0-9_] with :: between parts; any other name is
// ignored. A later value for a name replaces the earlier one.
OTTER_API void otter_describe(const char *name, const char *value);

// Describes how completely the runtime delivers a callback (OpenMP 5.1, table 4.2: "always",
// "never", ...). Copies both strings.
OTTER_API void otter_describe_callback(const char *callback, const char *granted);

// *Returns* the effective value of a setting (core/base/settings.c), never NULL for a name in the
// table. The core owns the text.
OTTER_API const char *otter_setting(const char *name);

// Reads settings, name=value or --name=value, from a connector's arguments. A token that looks like
// a misspelt setting causes one warning, as does a setting that comes too late: most have no effect
// once something is recorded.
OTTER_API void otter_arguments(size_t n, char *const *tokens);

// Prints the settings on stdout, for a user who asked a runtime for its tool's help.
OTTER_API void otter_print_settings(void);

// Prints one warning on stderr, prefixed "otter: ", unless the setting `quiet` forbids it.
// printf-like.
OTTER_API void otter_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// ---- threads

// Begins or ends the calling thread. Both calls are optional.
OTTER_API void otter_thread_begin(enum otter_thread_kind kind);
OTTER_API void otter_thread_end(void);

// *Returns* whether the calling thread has recorded nothing, except perhaps its own start and that
// of an initial task.
OTTER_API bool otter_thread_is_unused(void);

// *Returns* whether the calling thread was started by no runtime and another such thread is alive.
// If the calling thread then exits, an atexit handler completes the archive. The first otter_attach
// registers that handler. *Thread*: any.
OTTER_API bool otter_thread_others_run(void);

// ---- parallel regions and their implicit tasks

// Forks a region on the calling thread (ThreadFork). `requested`: the number of threads, or of
// teams in a league.
OTTER_API otter_parallel otter_parallel_begin(enum otter_construct construct, unsigned requested,
                                              const void *code);
OTTER_API void otter_parallel_end(otter_parallel parallel);

// Begins the calling thread's implicit task as member `thread_num` of `team_size` (ThreadTeamBegin,
// Enter). A thread that has just forked a region is a member of that region, whatever `parallel`
// is. `parallel` 0: neither the region nor its synchronisation is recorded.
OTTER_API void otter_implicit_task_begin(otter_parallel parallel, unsigned team_size,
                                         unsigned thread_num);

// Begins an initial task on the calling thread. It belongs to no team, or to the league that the
// thread has just forked.
OTTER_API void otter_initial_task_begin(void);

// Ends the calling thread's innermost implicit or initial task (Leave, ThreadTeamEnd). Runtimes
// report the end of a worker's task late, when they next use the worker; the recorded time is then
// the end of the region.
OTTER_API void otter_implicit_task_end(void);

// ---- explicit tasks. `flags`: bits of enum otter_task_flag

// Creates a task of the calling thread's current task (ThreadTaskCreate). `encountering`: the
// creator that the runtime names.
OTTER_API otter_task otter_task_create(const otter_task *encountering, unsigned flags,
                                       const void *code);

// Begins or resumes `next` on the calling thread (ThreadTaskSwitch, Enter).
OTTER_API void otter_task_switch(otter_task *prior, otter_task *next);

enum otter_task_end {
    OTTER_TASK_END_COMPLETE = 1,
    OTTER_TASK_END_CANCELLED = 2,
    OTTER_TASK_END_DETACHED = 3, // the body has ended, the task has not: otter_task_fulfil ends it
};

// Ends `task` and resumes `next` on the calling thread (Leave, ThreadTaskComplete,
// ThreadTaskSwitch). `task` may be one that never began.
OTTER_API void otter_task_end(otter_task *task, enum otter_task_end how, otter_task *next);

// Fulfils the event of `task` on the calling thread. `late`: the task's body has already ended, so
// the task ends now; otherwise the call is only recorded.
OTTER_API void otter_task_fulfil(const otter_task *task, bool late);

// ---- constructs

// Begins a construct. `code`: the return address of the runtime call; NULL: unknown, so the
// enclosing construct's address is used.
OTTER_API void otter_enter(enum otter_construct construct, uint32_t detail, const void *code);

// Ends the innermost open construct of this kind in the current task, and constructs left open
// inside it. An end without start is counted.
OTTER_API void otter_leave(enum otter_construct construct);

// Begins a construct with a name of its own, such as a Kokkos label. Each distinct (construct,
// label, qualifier) has one region; the texts are copied. `qualifier`: where the construct runs
// ("OpenMP", "Host <- Cuda"; NULL: unknown); the text at its address never changes. *Returns* a
// number, at least 2^63, that identifies this instance among all open ones of all threads; 0: not
// recorded.
OTTER_API uint64_t otter_label_begin(enum otter_construct construct, const char *label,
                                     const char *qualifier);

// Ends the instance and all constructs left open inside it (for example by an exception). An
// instance that is not open is only counted; 0 is ignored.
OTTER_API void otter_label_end(uint64_t instance);

// Records a construct with a name of its own and without duration.
OTTER_API void otter_label_mark(enum otter_construct construct, const char *label,
                                const char *qualifier);

// Ends the current task's innermost OTTER_CONSTRUCT_PHASE, which the program begins and ends
// freely. *Returns* false if no phase is open, or if it began outside of another open construct (a
// loop, a taskgroup, a lock, a Kokkos region). The phase then stays open.
OTTER_API bool otter_leave_phase(void);

// *Returns* the text to display for a label that was generated, such as a mangled type name: `raw`,
// or a text in `room`. Called for each new label, without holding a lock of Otter's, perhaps by
// several threads at once. The raw name remains the region's canonical name. Set before the first
// event.
typedef const char *otter_namer(enum otter_construct construct, const char *raw, char *room,
                                size_t size);
OTTER_API void otter_name_labels(otter_namer *namer);

// *Returns* the qualifier of a new label: `qualifier` ("" for none), or a text in `room`. Meant for
// a qualifier that must be parsed from the label, since parsing at each event would be too slow.
// Called like otter_namer.
typedef const char *otter_qualifier(enum otter_construct construct, const char *raw,
                                    const char *qualifier, char *room, size_t size);
OTTER_API void otter_qualify_labels(otter_qualifier *qualifier);

// Starts or stops an interval, such as a Kokkos profile section. Intervals may overlap; each may
// start and stop any number of times, on any thread.
OTTER_API void otter_section(const char *label, bool is_start);

// Marks that a block in `space` was allocated, or is about to be freed (ALLOCATE, DEALLOCATE).
// Records the block's size, and the space's current and peak bytes in use. Freeing a block that was
// allocated before recording began subtracts nothing.
OTTER_API void otter_memory(enum otter_construct construct, const char *space, const char *label,
                            const void *block, uint64_t bytes);

// *Returns* whether `construct` is the calling thread's innermost open one; true if nothing is
// recorded.
OTTER_API bool otter_is_innermost(enum otter_construct construct);

// Records a construct without duration.
OTTER_API void otter_mark(enum otter_construct construct, uint32_t detail, const void *code);

// Records a number that belongs to no other record, with its own timestamp.
OTTER_API void otter_remark(enum otter_parameter parameter, uint64_t value);

// Adds a number to the thread's previous record, with its timestamp.
OTTER_API void otter_parameter(enum otter_parameter parameter, uint64_t value);

// Count a construct whose end (otter_repaired) or start (otter_unbegun) the connector cannot
// report.
OTTER_API void otter_repaired(void);
OTTER_API void otter_unbegun(void);

// ---- mutual exclusion. `construct`: CRITICAL, ORDERED or ATOMIC, which have a block; or SET_LOCK,
// TEST_LOCK, ..., which have none

OTTER_API void otter_mutex_acquire(enum otter_construct construct, uint32_t detail, uint64_t mutex,
                                   const void *code);
OTTER_API void otter_mutex_acquired(enum otter_construct construct, uint32_t detail, uint64_t mutex,
                                    const void *code);
OTTER_API void otter_mutex_released(enum otter_construct construct, uint32_t detail, uint64_t mutex,
                                    const void *code);

// ---- messages between processes (MPI). Calls are constructs with labels: otter_label_begin

// A communicator of processes.
struct otter_communicator {
    // number that is the same in all processes of the job and belongs only to this communicator
    uint64_t identity;
    const char *name;      // "" for none
    const uint32_t *ranks; // each member's rank in MPI_COMM_WORLD
    uint32_t n_ranks;
};

// Defines a communicator, and copies its name and ranks. *Returns* a number for the calls below; 0:
// the communicator's messages are not recorded, because recording is off or there are too many
// communicators.
OTTER_API uint32_t otter_communicator_define(const struct otter_communicator *communicator);

struct otter_message {
    uint32_t communicator;
    uint32_t partner; // rank in the communicator
    uint32_t tag;
    uint64_t bytes;
    uint64_t request;
};

// Records an event of a message. SEND, ISEND and RECV_POSTED have the time of the thread's previous
// record, which is the start of the call.
OTTER_API void otter_message(enum otter_message_kind kind, const struct otter_message *message);

struct otter_collective_operation {
    enum otter_collective operation;
    uint32_t communicator;
    uint32_t root;           // rank in the communicator, or OTTER_NO_ROOT
    uint64_t sent, received; // bytes
    uint64_t request;        // number of a nonblocking operation's request, otherwise 0
};

// Begins a collective operation, with the time of the thread's previous record. `request`: 0 for a
// blocking operation.
OTTER_API void otter_collective_begin(uint64_t request);
OTTER_API void otter_collective_end(const struct otter_collective_operation *operation);

// ---- devices (OpenMP 5.1, 4.5.2.25 to 4.5.2.29 and 4.6). A device is defined in the archive at
// its first use

// Describes the runtime's devices, before all calls below. `host`: the runtime's device number for
// the host, which Otter does not count as a device; -1: none. `reports_operations`: the runtime
// reports operations on data to host threads. A transfer is then recorded as an RMA operation only
// by its thread, otherwise only in the device's stream.
OTTER_API void otter_devices_begin(int host, bool reports_operations);

// Describes the type of a device in the runtime's words ("generic-64bit"), before the device is
// first used. Copies the text. The described number is a device, even if it was `host`.
OTTER_API void otter_device_describe(int device, const char *type);

// Begins a target construct of the current task (TARGET, TARGET_ENTER_DATA, ...); otter_leave ends
// it. `target`: the runtime's id; 0: Otter makes one. *Returns* the id; 0: not recorded.
OTTER_API uint64_t otter_target_begin(enum otter_construct construct, uint32_t detail, int device,
                                      uint64_t target, const void *code);

// An operation on data. Unknown members are NULL, 0 or -1.
struct otter_data_op {
    enum otter_construct construct; // DEVICE_ALLOCATE ... DATA_OP_UNKNOWN
    uint32_t detail;
    const void *source, *destination;
    int source_device, destination_device;
    uint64_t bytes;
    const void *code;
    uint64_t target; // id of the target construct, perhaps of another thread; 0: unknown
};

// Begins an operation on data on the calling thread. `operation`: the runtime's id (host_op_id); 0:
// Otter makes one, unique in the run. *Returns* the id; 0: not recorded.
OTTER_API uint64_t otter_data_op_begin(const struct otter_data_op *op, uint64_t operation);
OTTER_API void otter_data_op_end(enum otter_construct construct);
// Records an operation without duration, for a runtime that reports only the start.
OTTER_API uint64_t otter_data_op_mark(const struct otter_data_op *op, uint64_t operation);

// Launches a kernel on the device of the calling thread's innermost target construct.
// otter_leave(TARGET_SUBMIT) ends the launch. `teams`: the requested number; 0: unknown. Ids as for
// otter_data_op_begin. If the thread has no open target construct, the id in `target` determines
// the device.
OTTER_API uint64_t otter_submit_begin(uint64_t target, uint64_t operation, unsigned teams);
// Records a launch without duration.
OTTER_API uint64_t otter_submit_mark(uint64_t target, uint64_t operation, unsigned teams);

// The items that a target construct maps. Each array may be NULL.
struct otter_mapping {
    size_t n;
    void *const *host, *const *device;
    const size_t *bytes;
    const unsigned *flags;
};
OTTER_API void otter_target_map(const struct otter_mapping *mapping, const void *code);

// Code for a device. Unknown members are NULL, 0 or -1.
struct otter_device_module {
    uint64_t id; // the runtime's number
    const char *file;
    int64_t offset; // position of the code in `file`
    uint64_t bytes;
};

// Records an event of a whole device: DEVICE_INITIALIZE ... DEVICE_UNLOAD. `module`: the loaded or
// unloaded code, otherwise NULL. The archive names the files of the first 256 modules.
OTTER_API void otter_device_mark(enum otter_construct construct, int device,
                                 const struct otter_device_module *module);

// A device's late report of one operation. Times are values of otter_now(). Unknown members are 0
// or -1.
struct otter_device_record {
    enum otter_construct construct; // DEVICE_KERNEL, or as in struct otter_data_op
    uint32_t detail;
    int device;
    uint64_t operation, begin, end;
    unsigned teams_requested, teams_granted;
    struct otter_data_op data; // not used for a kernel
};

// Buffers a record of a device; the core writes it sorted by time to one of the device's streams.
// *Thread*: any; locks.
OTTER_API void otter_device_record(const struct otter_device_record *record);

// Writes the device's buffered records. The end of the session does so too.
OTTER_API void otter_device_flush(int device);

// Counts and drops an impossible report of a device: its end precedes its start, or its time is
// outside the run.
OTTER_API void otter_device_refuse(int device);

// *Returns* the current time of the timestamps' clock, in ticks.
OTTER_API uint64_t otter_now(void);

// ---- control (OpenMP 5.1, table 3.3). *Thread*: any; in signal handlers only
// otter_control_toggle

enum otter_control_state {
    OTTER_CONTROL_RECORDING = 1,
    OTTER_CONTROL_PAUSED = 2,
    OTTER_CONTROL_ENDED = 3,
};

OTTER_API enum otter_control_state otter_control_query(void);

// Start or pause recording. Starting a running recording, or pausing a paused one, succeeds without
// effect. A paused thread records nothing, but keeps its state up to date so that later records are
// consistent. *Returns* false if recording has ended.
OTTER_API bool otter_control_start(void);
OTTER_API bool otter_control_pause(void);
// Writes the recorded events to files: the calling thread's immediately, other threads' with their
// next event.
OTTER_API bool otter_control_flush(void);
// Closes the archive for good; it is complete when this returns.
OTTER_API bool otter_control_end(void);
// Starts a paused recording and pauses a running one. *Thread*: any, even in signal handlers.
OTTER_API void otter_control_toggle(void);

#ifdef __cplusplus
}
#endif
