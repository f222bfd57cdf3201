// Names of roles, paradigms, locations and records.
#include "trace/read/names.h"

#include "trace/read/reader.h"

static const char *const roles[] = {
    [OTF2_REGION_ROLE_FUNCTION] = "function",
    [OTF2_REGION_ROLE_WRAPPER] = "wrapper",
    [OTF2_REGION_ROLE_LOOP] = "loop",
    [OTF2_REGION_ROLE_CODE] = "code",
    [OTF2_REGION_ROLE_PARALLEL] = "parallel",
    [OTF2_REGION_ROLE_SECTIONS] = "sections",
    [OTF2_REGION_ROLE_SECTION] = "section",
    [OTF2_REGION_ROLE_WORKSHARE] = "workshare",
    [OTF2_REGION_ROLE_SINGLE] = "single",
    [OTF2_REGION_ROLE_SINGLE_SBLOCK] = "single block",
    [OTF2_REGION_ROLE_MASTER] = "master",
    [OTF2_REGION_ROLE_CRITICAL] = "critical",
    [OTF2_REGION_ROLE_CRITICAL_SBLOCK] = "critical block",
    [OTF2_REGION_ROLE_ATOMIC] = "atomic",
    [OTF2_REGION_ROLE_BARRIER] = "barrier",
    [OTF2_REGION_ROLE_IMPLICIT_BARRIER] = "implicit barrier",
    [OTF2_REGION_ROLE_FLUSH] = "flush",
    [OTF2_REGION_ROLE_ORDERED] = "ordered",
    [OTF2_REGION_ROLE_ORDERED_SBLOCK] = "ordered block",
    [OTF2_REGION_ROLE_TASK] = "task",
    [OTF2_REGION_ROLE_TASK_CREATE] = "task create",
    [OTF2_REGION_ROLE_TASK_WAIT] = "taskwait",
    [OTF2_REGION_ROLE_COLL_ALL2ONE] = "reduction",
    [OTF2_REGION_ROLE_DATA_TRANSFER] = "data transfer",
    [OTF2_REGION_ROLE_ARTIFICIAL] = "artificial",
    [OTF2_REGION_ROLE_THREAD_CREATE] = "thread create",
    [OTF2_REGION_ROLE_THREAD_WAIT] = "thread wait",
    [OTF2_REGION_ROLE_TASK_UNTIED] = "untied task",
};

const char *otter_reader_role_name(OTF2_RegionRole role)
{
    return role < sizeof roles / sizeof *roles && roles[role] ? roles[role] : "other";
}

const char *otter_reader_paradigm_name(OTF2_Paradigm paradigm)
{
    switch (paradigm) {
    case OTF2_PARADIGM_OPENMP: return "OpenMP";
    case OTF2_PARADIGM_KOKKOS: return "Kokkos";
    case OTF2_PARADIGM_MPI: return "MPI";
    case OTF2_PARADIGM_USER: return "user";
    case OTF2_PARADIGM_COMPILER: return "compiler";
    case OTF2_PARADIGM_PTHREAD: return "Pthread";
    case OTF2_PARADIGM_CUDA: return "CUDA";
    case OTF2_PARADIGM_HIP: return "HIP";
    case OTF2_PARADIGM_MEASUREMENT_SYSTEM: return "measurement";
    default: return "other";
    }
}

const char *otter_location_kind_name(enum otter_location_kind kind)
{
    switch (kind) {
    case OTTER_LOCATION_CPU_THREAD: return "thread";
    case OTTER_LOCATION_ACCELERATOR: return "device";
    case OTTER_LOCATION_METRIC: return "metric";
    case OTTER_LOCATION_UNKNOWN: break;
    }
    return "unknown";
}

const char *otter_record_name(enum otter_record record)
{
    switch (record) {
    case OTTER_RECORD_ENTER: return "enter";
    case OTTER_RECORD_LEAVE: return "leave";
    case OTTER_RECORD_FORK: return "fork";
    case OTTER_RECORD_JOIN: return "join";
    case OTTER_RECORD_TEAM_BEGIN: return "team begin";
    case OTTER_RECORD_TEAM_END: return "team end";
    case OTTER_RECORD_TASK_CREATE: return "task create";
    case OTTER_RECORD_TASK_SWITCH: return "task switch";
    case OTTER_RECORD_TASK_COMPLETE: return "task complete";
    case OTTER_RECORD_ACQUIRE_LOCK: return "acquire lock";
    case OTTER_RECORD_RELEASE_LOCK: return "release lock";
    case OTTER_RECORD_PARAMETER: return "parameter";
    case OTTER_RECORD_METRIC: return "metric";
    case OTTER_RECORD_RMA_PUT: return "put";
    case OTTER_RECORD_RMA_GET: return "get";
    case OTTER_RECORD_RMA_COMPLETE: return "transfer complete";
    case OTTER_RECORD_RMA_WINDOW: return "transfer window";
    case OTTER_RECORD_MEASUREMENT: return "measurement on or off";
    case OTTER_RECORD_BUFFER_FLUSH: return "buffer flush";
    case OTTER_RECORD_SEND: return "send";
    case OTTER_RECORD_ISEND: return "send begin";
    case OTTER_RECORD_SENT: return "send end";
    case OTTER_RECORD_RECV_POSTED: return "receive begin";
    case OTTER_RECORD_RECV: return "receive";
    case OTTER_RECORD_IRECV: return "receive end";
    case OTTER_RECORD_CANCELLED: return "request cancelled";
    case OTTER_RECORD_COLLECTIVE_BEGIN: return "collective begin";
    case OTTER_RECORD_COLLECTIVE_END: return "collective end";
    case OTTER_RECORD_SAMPLE: return "sample";
    case OTTER_RECORD_OTHER:
    case OTTER_N_RECORDS: break;
    }
    return "other";
}
