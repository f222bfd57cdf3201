// The tables of names and roles of an archive.
#include "trace/schema.h"

#include <stdio.h>
#include <string.h>

#include <otf2/otf2.h>

#include "otter/control.h"

struct construct {
    const char *name;
    OTF2_RegionRole role;
};

// Names and roles follow Score-P, so that viewers show what their users expect.
static const struct construct constructs[OTTER_N_CONSTRUCTS] = {
    [OTTER_CONSTRUCT_UNKNOWN] = {"unknown", OTF2_REGION_ROLE_UNKNOWN},
    [OTTER_CONSTRUCT_INITIAL_TASK] = {"!$omp initial task", OTF2_REGION_ROLE_ARTIFICIAL},
    [OTTER_CONSTRUCT_PARALLEL] = {"!$omp parallel", OTF2_REGION_ROLE_PARALLEL},
    [OTTER_CONSTRUCT_TEAMS] = {"!$omp teams", OTF2_REGION_ROLE_PARALLEL},
    [OTTER_CONSTRUCT_TASK] = {"!$omp task", OTF2_REGION_ROLE_TASK},
    [OTTER_CONSTRUCT_LOOP] = {"!$omp for", OTF2_REGION_ROLE_LOOP},
    [OTTER_CONSTRUCT_SECTIONS] = {"!$omp sections", OTF2_REGION_ROLE_SECTIONS},
    [OTTER_CONSTRUCT_SINGLE] = {"!$omp single", OTF2_REGION_ROLE_SINGLE},
    [OTTER_CONSTRUCT_SINGLE_OTHER] = {"!$omp single", OTF2_REGION_ROLE_SINGLE},
    [OTTER_CONSTRUCT_WORKSHARE] = {"!$omp workshare", OTF2_REGION_ROLE_WORKSHARE},
    [OTTER_CONSTRUCT_DISTRIBUTE] = {"!$omp distribute", OTF2_REGION_ROLE_LOOP},
    [OTTER_CONSTRUCT_TASKLOOP] = {"!$omp taskloop", OTF2_REGION_ROLE_LOOP},
    [OTTER_CONSTRUCT_SCOPE] = {"!$omp scope", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_MASKED] = {"!$omp masked", OTF2_REGION_ROLE_MASTER},
    [OTTER_CONSTRUCT_WORK_UNKNOWN] = {"!$omp work", OTF2_REGION_ROLE_UNKNOWN},
    [OTTER_CONSTRUCT_BARRIER] = {"!$omp unspecified barrier", OTF2_REGION_ROLE_BARRIER},
    [OTTER_CONSTRUCT_BARRIER_EXPLICIT] = {"!$omp barrier", OTF2_REGION_ROLE_BARRIER},
    [OTTER_CONSTRUCT_BARRIER_IMPLICIT] = {"!$omp implicit barrier",
                                          OTF2_REGION_ROLE_IMPLICIT_BARRIER},
    [OTTER_CONSTRUCT_BARRIER_WORKSHARE] = {"!$omp implicit barrier",
                                           OTF2_REGION_ROLE_IMPLICIT_BARRIER},
    [OTTER_CONSTRUCT_BARRIER_PARALLEL] = {"!$omp implicit barrier",
                                          OTF2_REGION_ROLE_IMPLICIT_BARRIER},
    [OTTER_CONSTRUCT_BARRIER_TEAMS] = {"!$omp implicit barrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER},
    [OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION] = {"!$omp implementation barrier",
                                                OTF2_REGION_ROLE_IMPLICIT_BARRIER},
    [OTTER_CONSTRUCT_TASKWAIT] = {"!$omp taskwait", OTF2_REGION_ROLE_TASK_WAIT},
    [OTTER_CONSTRUCT_TASKWAIT_DEPEND] = {"!$omp taskwait depend", OTF2_REGION_ROLE_TASK_WAIT},
    [OTTER_CONSTRUCT_TASKGROUP_WAIT] = {"!$omp taskgroup wait", OTF2_REGION_ROLE_TASK_WAIT},
    [OTTER_CONSTRUCT_SYNC_UNKNOWN] = {"!$omp synchronisation", OTF2_REGION_ROLE_BARRIER},
    [OTTER_CONSTRUCT_TASKGROUP] = {"!$omp taskgroup", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_REDUCTION] = {"!$omp reduction", OTF2_REGION_ROLE_COLL_ALL2ONE},
    [OTTER_CONSTRUCT_CRITICAL] = {"!$omp critical", OTF2_REGION_ROLE_CRITICAL},
    [OTTER_CONSTRUCT_CRITICAL_BLOCK] = {"!$omp critical sblock", OTF2_REGION_ROLE_CRITICAL_SBLOCK},
    [OTTER_CONSTRUCT_ORDERED] = {"!$omp ordered", OTF2_REGION_ROLE_ORDERED},
    [OTTER_CONSTRUCT_ORDERED_BLOCK] = {"!$omp ordered sblock", OTF2_REGION_ROLE_ORDERED_SBLOCK},
    [OTTER_CONSTRUCT_ATOMIC] = {"!$omp atomic", OTF2_REGION_ROLE_ATOMIC},
    [OTTER_CONSTRUCT_ATOMIC_BLOCK] = {"!$omp atomic sblock", OTF2_REGION_ROLE_ATOMIC},
    [OTTER_CONSTRUCT_SET_LOCK] = {"omp_set_lock", OTF2_REGION_ROLE_WRAPPER},
    [OTTER_CONSTRUCT_UNSET_LOCK] = {"omp_unset_lock", OTF2_REGION_ROLE_WRAPPER},
    [OTTER_CONSTRUCT_TEST_LOCK] = {"omp_test_lock", OTF2_REGION_ROLE_WRAPPER},
    [OTTER_CONSTRUCT_SET_NEST_LOCK] = {"omp_set_nest_lock", OTF2_REGION_ROLE_WRAPPER},
    [OTTER_CONSTRUCT_UNSET_NEST_LOCK] = {"omp_unset_nest_lock", OTF2_REGION_ROLE_WRAPPER},
    [OTTER_CONSTRUCT_TEST_NEST_LOCK] = {"omp_test_nest_lock", OTF2_REGION_ROLE_WRAPPER},
    [OTTER_CONSTRUCT_INIT_LOCK] = {"omp_init_lock", OTF2_REGION_ROLE_WRAPPER},
    [OTTER_CONSTRUCT_INIT_NEST_LOCK] = {"omp_init_nest_lock", OTF2_REGION_ROLE_WRAPPER},
    [OTTER_CONSTRUCT_DESTROY_LOCK] = {"omp_destroy_lock", OTF2_REGION_ROLE_WRAPPER},
    [OTTER_CONSTRUCT_DESTROY_NEST_LOCK] = {"omp_destroy_nest_lock", OTF2_REGION_ROLE_WRAPPER},
    [OTTER_CONSTRUCT_MUTEX_UNKNOWN] = {"!$omp mutex", OTF2_REGION_ROLE_UNKNOWN},
    [OTTER_CONSTRUCT_KOKKOS_FOR] = {"Kokkos parallel_for", OTF2_REGION_ROLE_PARALLEL},
    [OTTER_CONSTRUCT_KOKKOS_REDUCE] = {"Kokkos parallel_reduce", OTF2_REGION_ROLE_PARALLEL},
    [OTTER_CONSTRUCT_KOKKOS_SCAN] = {"Kokkos parallel_scan", OTF2_REGION_ROLE_PARALLEL},
    [OTTER_CONSTRUCT_KOKKOS_REGION] = {"Kokkos region", OTF2_REGION_ROLE_FUNCTION},
    [OTTER_CONSTRUCT_KOKKOS_COPY] = {"Kokkos deep_copy", OTF2_REGION_ROLE_DATA_TRANSFER},
    [OTTER_CONSTRUCT_KOKKOS_FENCE] = {"Kokkos fence", OTF2_REGION_ROLE_BARRIER},
    [OTTER_CONSTRUCT_KOKKOS_ALLOCATE] = {"Kokkos allocate", OTF2_REGION_ROLE_ALLOCATE},
    [OTTER_CONSTRUCT_KOKKOS_DEALLOCATE] = {"Kokkos deallocate", OTF2_REGION_ROLE_DEALLOCATE},
    [OTTER_CONSTRUCT_KOKKOS_EVENT] = {"Kokkos event", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_KOKKOS_DUAL_VIEW_SYNC] = {"Kokkos dual_view sync",
                                               OTF2_REGION_ROLE_DATA_TRANSFER},
    [OTTER_CONSTRUCT_KOKKOS_DUAL_VIEW_MODIFY] = {"Kokkos dual_view modify", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_KOKKOS_SECTION] = {"Kokkos section", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_TARGET] = {"!$omp target", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_TARGET_ENTER_DATA] = {"!$omp target enter data", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_TARGET_EXIT_DATA] = {"!$omp target exit data", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_TARGET_UPDATE] = {"!$omp target update", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_TARGET_UNKNOWN] = {"!$omp target construct", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_TARGET_SUBMIT] = {"!$omp target submit", OTF2_REGION_ROLE_WRAPPER},
    [OTTER_CONSTRUCT_DEVICE_ALLOCATE] = {"!$omp target alloc", OTF2_REGION_ROLE_ALLOCATE},
    [OTTER_CONSTRUCT_DEVICE_DELETE] = {"!$omp target delete", OTF2_REGION_ROLE_DEALLOCATE},
    [OTTER_CONSTRUCT_TRANSFER_TO_DEVICE] = {"!$omp target transfer to device",
                                            OTF2_REGION_ROLE_DATA_TRANSFER},
    [OTTER_CONSTRUCT_TRANSFER_FROM_DEVICE] = {"!$omp target transfer from device",
                                              OTF2_REGION_ROLE_DATA_TRANSFER},
    [OTTER_CONSTRUCT_DEVICE_ASSOCIATE] = {"!$omp target associate", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_DEVICE_DISASSOCIATE] = {"!$omp target disassociate", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_DATA_OP_UNKNOWN] = {"!$omp target data operation", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_TARGET_MAP] = {"!$omp target map", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_DEVICE_INITIALIZE] = {"device initialize", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_DEVICE_FINALIZE] = {"device finalize", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_DEVICE_LOAD] = {"device load", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_DEVICE_UNLOAD] = {"device unload", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_DEVICE_KERNEL] = {"!$omp target kernel", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_CONTROL_TOOL] = {"omp_control_tool", OTF2_REGION_ROLE_WRAPPER},
    [OTTER_CONSTRUCT_PHASE] = {"phase", OTF2_REGION_ROLE_FUNCTION},
    [OTTER_CONSTRUCT_MARK] = {"mark", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_MPI] = {"MPI call", OTF2_REGION_ROLE_FUNCTION},
    [OTTER_CONSTRUCT_MPI_POINT] = {"MPI point-to-point", OTF2_REGION_ROLE_POINT2POINT},
    [OTTER_CONSTRUCT_MPI_COLLECTIVE] = {"MPI collective", OTF2_REGION_ROLE_COLL_OTHER},
    [OTTER_CONSTRUCT_MPI_WAIT] = {"MPI wait", OTF2_REGION_ROLE_POINT2POINT},
    [OTTER_CONSTRUCT_MPI_TEST] = {"MPI test", OTF2_REGION_ROLE_POINT2POINT},
    [OTTER_CONSTRUCT_MPI_ONE_SIDED] = {"MPI one-sided", OTF2_REGION_ROLE_RMA},
    [OTTER_CONSTRUCT_MPI_FILE] = {"MPI file", OTF2_REGION_ROLE_FILE_IO},
    [OTTER_CONSTRUCT_CODE] = {"code", OTF2_REGION_ROLE_FUNCTION},
    [OTTER_CONSTRUCT_FLUSH] = {"!$omp flush", OTF2_REGION_ROLE_FLUSH},
    [OTTER_CONSTRUCT_ERROR] = {"!$omp error", OTF2_REGION_ROLE_CODE},
    [OTTER_CONSTRUCT_CANCEL] = {"!$omp cancel", OTF2_REGION_ROLE_CODE},
};

static const char *const parameters[OTTER_N_PARAMETERS] = {
    [OTTER_PARAMETER_UNKNOWN] = "unknown",
    [OTTER_PARAMETER_DEPEND_UNKNOWN] = "depend unknown",
    [OTTER_PARAMETER_DEPEND_IN] = "depend in",
    [OTTER_PARAMETER_DEPEND_OUT] = "depend out",
    [OTTER_PARAMETER_DEPEND_INOUT] = "depend inout",
    [OTTER_PARAMETER_DEPEND_MUTEXINOUTSET] = "depend mutexinoutset",
    [OTTER_PARAMETER_DEPEND_INOUTSET] = "depend inoutset",
    [OTTER_PARAMETER_DEPEND_OUT_ALL_MEMORY] = "depend out all memory",
    [OTTER_PARAMETER_DEPEND_INOUT_ALL_MEMORY] = "depend inout all memory",
    [OTTER_PARAMETER_DEPEND_SOURCE] = "depend source",
    [OTTER_PARAMETER_DEPEND_SINK] = "depend sink",
    [OTTER_PARAMETER_ITERATIONS] = "iterations",
    [OTTER_PARAMETER_CHUNK_LOOP] = "loop chunk",
    [OTTER_PARAMETER_CHUNK_TASKLOOP] = "taskloop chunk",
    [OTTER_PARAMETER_CHUNK_DISTRIBUTE] = "distribute chunk",
    [OTTER_PARAMETER_ITERATION] = "iteration",
    [OTTER_PARAMETER_SECTION] = "section",
    [OTTER_PARAMETER_ENCOUNTERING_TASK] = "encountering task",
    [OTTER_PARAMETER_TASK_NEVER_RAN] = "task never ran",
    [OTTER_PARAMETER_TASK_CANCELLED] = "task cancelled",
    [OTTER_PARAMETER_TASK_DETACHED] = "task detached",
    [OTTER_PARAMETER_TASK_FULFILLED] = "task fulfilled",
    [OTTER_PARAMETER_DISPATCH_UNKNOWN] = "dispatch",
    [OTTER_PARAMETER_BYTES] = "bytes",
    [OTTER_PARAMETER_SECTION_START] = "section start",
    [OTTER_PARAMETER_SECTION_STOP] = "section stop",
    [OTTER_PARAMETER_OPERATION] = "operation",
    [OTTER_PARAMETER_DEVICE] = "device",
    [OTTER_PARAMETER_TEAMS_REQUESTED] = "teams requested",
    [OTTER_PARAMETER_TEAMS_GRANTED] = "teams granted",
    [OTTER_PARAMETER_SOURCE_ADDRESS] = "source address",
    [OTTER_PARAMETER_DESTINATION_ADDRESS] = "destination address",
    [OTTER_PARAMETER_SOURCE_DEVICE] = "source device",
    [OTTER_PARAMETER_DESTINATION_DEVICE] = "destination device",
    [OTTER_PARAMETER_MAP_FLAGS] = "map flags",
    [OTTER_PARAMETER_BARRIERS_PASSED] = "barriers passed",
    [OTTER_PARAMETER_PARALLEL] = "parallel region",
    [OTTER_PARAMETER_MODULE] = "module",
    [OTTER_PARAMETER_FILE_OFFSET] = "file offset",
    [OTTER_PARAMETER_TARGET] = "target construct",
    [OTTER_PARAMETER_CHUNK_TICKS] = "chunk ticks",
};

static const struct construct *find(enum otter_construct construct)
{
    if ((unsigned)construct < OTTER_N_CONSTRUCTS && constructs[construct].name) {
        return &constructs[construct];
    }
    return &constructs[OTTER_CONSTRUCT_UNKNOWN];
}

const char *otter_construct_name(enum otter_construct construct)
{
    return find(construct)->name;
}

uint8_t otter_construct_role(enum otter_construct construct, uint32_t detail)
{
    if (construct == OTTER_CONSTRUCT_TASK && (detail & OTTER_TASK_UNTIED)) {
        return OTF2_REGION_ROLE_TASK_UNTIED;
    }
    return find(construct)->role;
}

struct word {
    uint32_t bit;
    const char *text;
};

static const struct word task_words[] = {
    {OTTER_TASK_UNDEFERRED, "undeferred"},
    {OTTER_TASK_UNTIED, "untied"},
    {OTTER_TASK_FINAL, "final"},
    {OTTER_TASK_MERGEABLE, "mergeable"},
    {OTTER_TASK_MERGED, "merged"},
    {OTTER_TASK_TARGET, "target"},
    {0, NULL},
};

static const struct word cancel_words[] = {
    {OTTER_CANCEL_PARALLEL, "parallel"},
    {OTTER_CANCEL_SECTIONS, "sections"},
    {OTTER_CANCEL_LOOP, "loop"},
    {OTTER_CANCEL_TASKGROUP, "taskgroup"},
    {OTTER_CANCEL_ACTIVATED, "activated"},
    {OTTER_CANCEL_DETECTED, "detected"},
    {OTTER_CANCEL_DISCARDED_TASK, "discarded task"},
    {0, NULL},
};

static char *join_words(const struct word *words, uint32_t bits, char *text, size_t size)
{
    size_t n = 0;
    for (; words->text; words++) {
        if ((bits & words->bit) && n + strlen(words->text) + 3 < size) {
            n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", words->text);
        }
    }
    return text;
}

static const char *schedule_word(uint32_t schedule)
{
    switch (schedule) {
    case OTTER_LOOP_STATIC: return "static";
    case OTTER_LOOP_DYNAMIC: return "dynamic";
    case OTTER_LOOP_GUIDED: return "guided";
    case OTTER_LOOP_OTHER: return "other";
    default: return "";
    }
}

// Returns the word for the command of an omp_control_tool call.
static const char *command_word(uint32_t command)
{
    switch (command) {
    case OTTER_COMMAND_START: return "start";
    case OTTER_COMMAND_PAUSE: return "pause";
    case OTTER_COMMAND_FLUSH: return "flush";
    case OTTER_COMMAND_END: return "end";
    case OTTER_COMMAND_PHASE_BEGIN: return "phase begin";
    case OTTER_COMMAND_PHASE_END: return "phase end";
    default: return "";
    }
}

static bool is_of_target(enum otter_construct construct)
{
    return construct >= OTTER_CONSTRUCT_TARGET && construct <= OTTER_CONSTRUCT_DEVICE_KERNEL &&
           construct != OTTER_CONSTRUCT_TARGET_UNKNOWN &&
           construct != OTTER_CONSTRUCT_DATA_OP_UNKNOWN;
}

// Returns the word that distinguishes constructs with the same name; NULL for the plain construct.
static const char *kind_word(enum otter_construct construct)
{
    switch (construct) {
    case OTTER_CONSTRUCT_SINGLE_OTHER: return "other";
    case OTTER_CONSTRUCT_BARRIER_WORKSHARE: return "worksharing";
    case OTTER_CONSTRUCT_BARRIER_PARALLEL: return "parallel";
    case OTTER_CONSTRUCT_BARRIER_TEAMS: return "teams";
    default: return NULL;
    }
}

// The description of a labelled region starts with its construct: "Kokkos parallel_for, OpenMP".
static enum otter_construct labelled_construct(const char *description)
{
    for (unsigned i = 1; i < OTTER_N_CONSTRUCTS; i++) {
        if (!otter_construct_is_labelled((enum otter_construct)i) || !constructs[i].name) {
            continue;
        }
        size_t length = strlen(constructs[i].name);
        if (strncmp(constructs[i].name, description, length) == 0 &&
            (description[length] == '\0' || description[length] == ',')) {
            return (enum otter_construct)i;
        }
    }
    return OTTER_CONSTRUCT_UNKNOWN;
}

enum otter_construct otter_construct_from_name(const char *name, const char *description)
{
    enum otter_construct plain = OTTER_CONSTRUCT_UNKNOWN;
    enum otter_construct labelled = labelled_construct(description);
    if (labelled) {
        return labelled;
    }
    for (unsigned i = OTTER_N_CONSTRUCTS - 1; i > 0; i--) {
        if (!constructs[i].name || strcmp(constructs[i].name, name) != 0) {
            continue;
        }
        const char *word = kind_word((enum otter_construct)i);
        if (word && strcmp(word, description) == 0) {
            return (enum otter_construct)i;
        }
        if (!word) {
            plain = (enum otter_construct)i;
        }
    }
    return plain;
}

char *otter_construct_detail_text(enum otter_construct construct, uint32_t detail, char *text,
                                  size_t size)
{
    *text = '\0';
    switch (construct) {
    case OTTER_CONSTRUCT_TASK: return join_words(task_words, detail, text, size);
    case OTTER_CONSTRUCT_CANCEL: return join_words(cancel_words, detail, text, size);
    case OTTER_CONSTRUCT_LOOP: snprintf(text, size, "%s", schedule_word(detail)); return text;
    case OTTER_CONSTRUCT_CONTROL_TOOL:
        snprintf(text, size, "%s", command_word(detail));
        return text;
    default: break;
    }
    if (kind_word(construct)) {
        snprintf(text, size, "%s", kind_word(construct));
        return text;
    }
    if (is_of_target(construct)) {
        snprintf(text, size, "%s", detail & OTTER_TARGET_NOWAIT ? "nowait" : "");
        return text;
    }
    if (detail) {
        snprintf(text, size, "kind %u", (unsigned)detail);
    }
    return text;
}

const char *otter_parameter_name(enum otter_parameter parameter)
{
    return (unsigned)parameter < OTTER_N_PARAMETERS ? parameters[parameter]
                                                    : parameters[OTTER_PARAMETER_UNKNOWN];
}

const char *otter_thread_kind_name(enum otter_thread_kind kind)
{
    switch (kind) {
    case OTTER_THREAD_UNKNOWN: return "unknown";
    case OTTER_THREAD_INITIAL: return "initial";
    case OTTER_THREAD_WORKER: return "worker";
    case OTTER_THREAD_OTHER: return "other";
    }
    return "unknown";
}
