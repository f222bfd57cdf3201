// The vocabulary of Otter's records: constructs, threads, task flags, parameters.
//
// The terms come from OpenMP 5.1 and the Kokkos Tools interface. Connectors translate their
// runtime's enums into these. The archive's region definitions are made from them, and the reader
// translates the definitions back. The values are part of the journal and the archive: add at the
// end of a group, never renumber.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A construct with a start and an end on one thread. Each distinct (construct, detail, code
// address) becomes one OTF2 region. `detail` is 0 unless a comment below defines it.
enum otter_construct {
    OTTER_CONSTRUCT_UNKNOWN = 0, // detail: the runtime's own number

    // tasks
    OTTER_CONSTRUCT_INITIAL_TASK = 1,
    OTTER_CONSTRUCT_PARALLEL = 2, // one member's part of the region: its implicit task
    OTTER_CONSTRUCT_TEAMS = 3,    // one team of a league: its initial task
    OTTER_CONSTRUCT_TASK = 4,     // detail: enum otter_task_flag

    // work
    OTTER_CONSTRUCT_LOOP = 16, // detail: enum otter_loop_schedule
    OTTER_CONSTRUCT_SECTIONS = 17,
    OTTER_CONSTRUCT_SINGLE = 18,       // on the thread that executes the block
    OTTER_CONSTRUCT_SINGLE_OTHER = 19, // on a thread that skips the block
    OTTER_CONSTRUCT_WORKSHARE = 20,
    OTTER_CONSTRUCT_DISTRIBUTE = 21,
    OTTER_CONSTRUCT_TASKLOOP = 22,
    OTTER_CONSTRUCT_SCOPE = 23,
    OTTER_CONSTRUCT_MASKED = 24,
    OTTER_CONSTRUCT_WORK_UNKNOWN = 25, // detail: the runtime's own number

    // synchronisation: the thread waits between begin and end, and may execute other tasks
    OTTER_CONSTRUCT_BARRIER = 32,
    OTTER_CONSTRUCT_BARRIER_EXPLICIT = 33,
    // at the end of a worksharing construct or a parallel region; the runtime does not say which
    OTTER_CONSTRUCT_BARRIER_IMPLICIT = 34,
    OTTER_CONSTRUCT_BARRIER_WORKSHARE = 35,
    OTTER_CONSTRUCT_BARRIER_PARALLEL = 36,
    OTTER_CONSTRUCT_BARRIER_TEAMS = 37,
    OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION = 38,
    OTTER_CONSTRUCT_TASKWAIT = 39,
    OTTER_CONSTRUCT_TASKWAIT_DEPEND = 40, // also waits before undeferred tasks with dependences
    OTTER_CONSTRUCT_TASKGROUP_WAIT = 41,  // the wait that ends a taskgroup
    OTTER_CONSTRUCT_SYNC_UNKNOWN = 42,    // detail: the runtime's own number
    OTTER_CONSTRUCT_TASKGROUP = 43,       // the whole construct; contains the wait
    OTTER_CONSTRUCT_REDUCTION = 44,

    // mutual exclusion
    OTTER_CONSTRUCT_CRITICAL = 64, // from the wait for the lock to the end of the block
    OTTER_CONSTRUCT_CRITICAL_BLOCK = 65,
    OTTER_CONSTRUCT_ORDERED = 66,
    OTTER_CONSTRUCT_ORDERED_BLOCK = 67,
    OTTER_CONSTRUCT_ATOMIC = 68,
    OTTER_CONSTRUCT_ATOMIC_BLOCK = 69,
    OTTER_CONSTRUCT_SET_LOCK = 70,
    OTTER_CONSTRUCT_UNSET_LOCK = 71,
    OTTER_CONSTRUCT_TEST_LOCK = 72,
    OTTER_CONSTRUCT_SET_NEST_LOCK = 73,
    OTTER_CONSTRUCT_UNSET_NEST_LOCK = 74,
    OTTER_CONSTRUCT_TEST_NEST_LOCK = 75,
    OTTER_CONSTRUCT_INIT_LOCK = 76,
    OTTER_CONSTRUCT_INIT_NEST_LOCK = 77,
    OTTER_CONSTRUCT_DESTROY_LOCK = 78,
    OTTER_CONSTRUCT_DESTROY_NEST_LOCK = 79,
    OTTER_CONSTRUCT_MUTEX_UNKNOWN = 80, // detail: the runtime's own number

    // points in time: start and end coincide
    OTTER_CONSTRUCT_FLUSH = 96,
    OTTER_CONSTRUCT_ERROR = 97,  // detail: the runtime's severity
    OTTER_CONSTRUCT_CANCEL = 98, // detail: enum otter_cancel_flag

    // Kokkos; named by their labels (otter_label_begin)
    OTTER_CONSTRUCT_KOKKOS_FOR = 112,
    OTTER_CONSTRUCT_KOKKOS_REDUCE = 113,
    OTTER_CONSTRUCT_KOKKOS_SCAN = 114,
    OTTER_CONSTRUCT_KOKKOS_REGION = 115,
    OTTER_CONSTRUCT_KOKKOS_COPY = 116, // deep_copy
    OTTER_CONSTRUCT_KOKKOS_FENCE = 117,
    // points in time, except SECTION
    OTTER_CONSTRUCT_KOKKOS_ALLOCATE = 118,
    OTTER_CONSTRUCT_KOKKOS_DEALLOCATE = 119,
    OTTER_CONSTRUCT_KOKKOS_EVENT = 120,
    OTTER_CONSTRUCT_KOKKOS_DUAL_VIEW_SYNC = 121,
    OTTER_CONSTRUCT_KOKKOS_DUAL_VIEW_MODIFY = 122,
    OTTER_CONSTRUCT_KOKKOS_SECTION = 123, // an interval: see OTTER_PARAMETER_SECTION_START

    // devices, as seen from the host; detail: bits of enum otter_target_flag
    OTTER_CONSTRUCT_TARGET = 128,
    OTTER_CONSTRUCT_TARGET_ENTER_DATA = 129, // also the beginning of `target data`
    OTTER_CONSTRUCT_TARGET_EXIT_DATA = 130,  // also the end of `target data`
    OTTER_CONSTRUCT_TARGET_UPDATE = 131,
    OTTER_CONSTRUCT_TARGET_UNKNOWN = 132, // detail: the runtime's own number
    OTTER_CONSTRUCT_TARGET_SUBMIT = 133,  // a kernel is launched
    // operations on data, on the host or in a device's own stream
    OTTER_CONSTRUCT_DEVICE_ALLOCATE = 134,
    OTTER_CONSTRUCT_DEVICE_DELETE = 135,
    OTTER_CONSTRUCT_TRANSFER_TO_DEVICE = 136,
    OTTER_CONSTRUCT_TRANSFER_FROM_DEVICE = 137,
    OTTER_CONSTRUCT_DEVICE_ASSOCIATE = 138,
    OTTER_CONSTRUCT_DEVICE_DISASSOCIATE = 139,
    OTTER_CONSTRUCT_DATA_OP_UNKNOWN = 140, // detail: the runtime's own number
    // points in time
    OTTER_CONSTRUCT_TARGET_MAP = 141,
    OTTER_CONSTRUCT_DEVICE_INITIALIZE = 142,
    OTTER_CONSTRUCT_DEVICE_FINALIZE = 143,
    OTTER_CONSTRUCT_DEVICE_LOAD = 144,
    OTTER_CONSTRUCT_DEVICE_UNLOAD = 145,
    // a kernel that runs on a device, in the device's stream
    OTTER_CONSTRUCT_DEVICE_KERNEL = 146,

    // commands of omp_control_tool
    OTTER_CONSTRUCT_CONTROL_TOOL = 148, // a point in time; detail: the command
    OTTER_CONSTRUCT_PHASE = 149,        // named by a label, like MARK
    OTTER_CONSTRUCT_MARK = 150,         // a point in time

    // MPI calls; named by the function (otter_label_begin)
    OTTER_CONSTRUCT_MPI = 152,       // any call that the kinds below do not cover
    OTTER_CONSTRUCT_MPI_POINT = 153, // sends or receives a message
    OTTER_CONSTRUCT_MPI_COLLECTIVE = 154,
    OTTER_CONSTRUCT_MPI_WAIT = 155, // waits for requests, or for a message
    // tests for requests or a message without waiting; often called in a loop
    OTTER_CONSTRUCT_MPI_TEST = 156,
    OTTER_CONSTRUCT_MPI_ONE_SIDED = 157, // accesses a window
    OTTER_CONSTRUCT_MPI_FILE = 158,

    OTTER_CONSTRUCT_CODE = 159, // an address in a sample's call chain; no event uses it

    OTTER_N_CONSTRUCTS = 160
};

// The mode of a target construct or of an operation on data. Bits, used as the construct's detail.
enum otter_target_flag {
    OTTER_TARGET_NOWAIT = 1 << 0, // nowait on a construct; for an operation: asynchronous
};

// The properties of an explicit task at its creation (OpenMP 5.1, 4.4.4.19). Bits, used as the
// detail of OTTER_CONSTRUCT_TASK.
enum otter_task_flag {
    OTTER_TASK_UNDEFERRED = 1 << 0,
    OTTER_TASK_UNTIED = 1 << 1,
    OTTER_TASK_FINAL = 1 << 2,
    OTTER_TASK_MERGEABLE = 1 << 3,
    OTTER_TASK_MERGED = 1 << 4,
    OTTER_TASK_TARGET = 1 << 5,
};

enum otter_loop_schedule {
    OTTER_LOOP_UNKNOWN = 0,
    OTTER_LOOP_STATIC = 1,
    OTTER_LOOP_DYNAMIC = 2,
    OTTER_LOOP_GUIDED = 3,
    OTTER_LOOP_OTHER = 4,
};

// The cancelled construct and the kind of cancellation (OpenMP 5.1, 4.4.4.25). Bits, used as the
// detail of OTTER_CONSTRUCT_CANCEL.
enum otter_cancel_flag {
    OTTER_CANCEL_PARALLEL = 0x01,
    OTTER_CANCEL_SECTIONS = 0x02,
    OTTER_CANCEL_LOOP = 0x04,
    OTTER_CANCEL_TASKGROUP = 0x08,
    OTTER_CANCEL_ACTIVATED = 0x10,
    OTTER_CANCEL_DETECTED = 0x20,
    OTTER_CANCEL_DISCARDED_TASK = 0x40,
};

// A named number that supplements another record of the same thread.
enum otter_parameter {
    OTTER_PARAMETER_UNKNOWN = 0,

    // address in a depend clause; for SOURCE and SINK, the iteration
    OTTER_PARAMETER_DEPEND_UNKNOWN = 1,
    OTTER_PARAMETER_DEPEND_IN = 2,
    OTTER_PARAMETER_DEPEND_OUT = 3,
    OTTER_PARAMETER_DEPEND_INOUT = 4,
    OTTER_PARAMETER_DEPEND_MUTEXINOUTSET = 5,
    OTTER_PARAMETER_DEPEND_INOUTSET = 6,
    OTTER_PARAMETER_DEPEND_OUT_ALL_MEMORY = 7,
    OTTER_PARAMETER_DEPEND_INOUT_ALL_MEMORY = 8,
    OTTER_PARAMETER_DEPEND_SOURCE = 9,
    OTTER_PARAMETER_DEPEND_SINK = 10,

    // number of iterations of the worksharing construct just entered, or of its chunk
    OTTER_PARAMETER_ITERATIONS = 11,
    OTTER_PARAMETER_CHUNK_LOOP = 12, // first iteration of a chunk of a worksharing loop
    // first iteration of a taskloop's chunk, recorded by the task that executes it
    OTTER_PARAMETER_CHUNK_TASKLOOP = 13,
    OTTER_PARAMETER_CHUNK_DISTRIBUTE = 14, // first iteration of a distribute construct's chunk
    OTTER_PARAMETER_ITERATION = 15,
    OTTER_PARAMETER_SECTION = 16, // code address of the section
    // after a task's creation: id of the creator that the runtime names, if it is not the current
    // task
    OTTER_PARAMETER_ENCOUNTERING_TASK = 17,
    // before the end of a task that never ran: the task's region
    OTTER_PARAMETER_TASK_NEVER_RAN = 18,
    // before the end of a cancelled task: the task's id
    OTTER_PARAMETER_TASK_CANCELLED = 19,
    // id of a detached task whose body has ended; the task ends when its event is fulfilled
    OTTER_PARAMETER_TASK_DETACHED = 20,
    // id of a task whose event was fulfilled before its body ended
    OTTER_PARAMETER_TASK_FULFILLED = 21,
    OTTER_PARAMETER_DISPATCH_UNKNOWN = 22, // a dispatch of a kind newer than this build
    OTTER_PARAMETER_BYTES = 23, // bytes of the copy, allocation or deallocation just entered
    // region of a Kokkos profile section that starts or stops. Sections overlap, so they have no
    // Enter and Leave
    OTTER_PARAMETER_SECTION_START = 24,
    OTTER_PARAMETER_SECTION_STOP = 25,

    // attached to a target construct, an operation on a device, or its record in the device's
    // stream
    OTTER_PARAMETER_OPERATION =
        26, // the same in the host's and the device's records of one operation (host_op_id)
    OTTER_PARAMETER_DEVICE = 27, // the device's number
    OTTER_PARAMETER_TEAMS_REQUESTED = 28,
    OTTER_PARAMETER_TEAMS_GRANTED = 29,
    OTTER_PARAMETER_SOURCE_ADDRESS = 30,
    OTTER_PARAMETER_DESTINATION_ADDRESS = 31,
    OTTER_PARAMETER_SOURCE_DEVICE = 32,
    OTTER_PARAMETER_DESTINATION_DEVICE = 33,
    OTTER_PARAMETER_MAP_FLAGS = 34,

    // after a pause: barriers that an implicit task passed during it, as depth of the task << 32 |
    // number of barriers
    OTTER_PARAMETER_BARRIERS_PASSED = 35,
    // a fork or a member's start that is recorded late: its region, as forker's location << 32 |
    // running number; in a resumed recording, the last region that this thread forked
    OTTER_PARAMETER_PARALLEL = 36,
    // code loaded onto a device or unloaded: the runtime's number for it, and its offset in the
    // file
    OTTER_PARAMETER_MODULE = 37,
    OTTER_PARAMETER_FILE_OFFSET = 38,

    // an operation requested by a thread other than its target construct's: the OPERATION of that
    // construct
    OTTER_PARAMETER_TARGET = 39,

    // after some chunks of a worksharing loop: ticks that the thread spent getting the chunk
    OTTER_PARAMETER_CHUNK_TICKS = 40,

    OTTER_N_PARAMETERS
};

// An event of a message between processes; each comment lists the data of the event. Request
// numbers are unique within a process.
enum otter_message_kind {
    OTTER_MESSAGE_SEND = 0,        // comm, partner, tag, bytes
    OTTER_MESSAGE_ISEND = 1,       // ... and request
    OTTER_MESSAGE_SENT = 2,        // request
    OTTER_MESSAGE_RECV_POSTED = 3, // request
    OTTER_MESSAGE_RECV = 4,        // comm, partner, tag, bytes
    OTTER_MESSAGE_IRECV = 5,       // ... and request
    OTTER_MESSAGE_CANCELLED = 6,   // request
};

// A collective operation. The values equal OTF2_CollectiveOp.
enum otter_collective {
    OTTER_COLLECTIVE_BARRIER = 0,
    OTTER_COLLECTIVE_BCAST = 1,
    OTTER_COLLECTIVE_GATHER = 2,
    OTTER_COLLECTIVE_GATHERV = 3,
    OTTER_COLLECTIVE_SCATTER = 4,
    OTTER_COLLECTIVE_SCATTERV = 5,
    OTTER_COLLECTIVE_ALLGATHER = 6,
    OTTER_COLLECTIVE_ALLGATHERV = 7,
    OTTER_COLLECTIVE_ALLTOALL = 8,
    OTTER_COLLECTIVE_ALLTOALLV = 9,
    OTTER_COLLECTIVE_ALLTOALLW = 10,
    OTTER_COLLECTIVE_ALLREDUCE = 11,
    OTTER_COLLECTIVE_REDUCE = 12,
    OTTER_COLLECTIVE_REDUCE_SCATTER = 13,
    OTTER_COLLECTIVE_SCAN = 14,
    OTTER_COLLECTIVE_EXSCAN = 15,
    OTTER_COLLECTIVE_REDUCE_SCATTER_BLOCK = 16,
    OTTER_COLLECTIVE_CREATE_HANDLE = 17, // a communicator or window is created
    OTTER_COLLECTIVE_DESTROY_HANDLE = 18,
};

#define OTTER_NO_ROOT UINT32_MAX // a collective operation without root

enum otter_thread_kind {
    OTTER_THREAD_UNKNOWN = 0, // never reported by a runtime
    OTTER_THREAD_INITIAL = 1,
    OTTER_THREAD_WORKER = 2,
    OTTER_THREAD_OTHER = 3,
};

#ifdef __cplusplus
}
#endif
