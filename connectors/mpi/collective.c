// Records collective operations.
#include "collective.h"

#include "communicator.h"
#include "request.h"

uint64_t collective_bytes(MPI_Count count, MPI_Datatype type)
{
    MPI_Count size = 0;
    if (count <= 0 || type == MPI_DATATYPE_NULL) {
        return 0;
    }
    PMPI_Type_size_x(type, &size);
    return size > 0 ? (uint64_t)size * (uint64_t)count : 0;
}

// Operations between the groups of an intercommunicator are recorded only as calls.
struct collective collective_begin_on(enum otter_collective operation, struct communicator about,
                                      int root, bool blocks)
{
    struct collective collective = {.operation = {.operation = operation,
                                                  .root = root < 0 ? OTTER_NO_ROOT : (uint32_t)root,
                                                  .request = blocks ? 0 : request_number()},
                                    .size = about.size,
                                    .rank = about.rank,
                                    .is_root = root >= 0 && (uint32_t)root == about.rank};
    collective.operation.communicator = about.is_inter ? 0 : about.id;
    if (collective.operation.communicator) {
        otter_collective_begin(collective.operation.request);
    }
    return collective;
}

struct collective collective_begin(enum otter_collective operation, MPI_Comm comm, int root,
                                   bool blocks)
{
    return collective_begin_on(operation, communicator_of(comm), root, blocks);
}

void collective_end(const struct collective *collective)
{
    if (collective->operation.communicator) {
        otter_collective_end(&collective->operation);
    }
}

void collective_start(const struct collective *collective, MPI_Request handle)
{
    const struct request request = {.kind = REQUEST_COLLECTIVE,
                                    .collective = collective->operation};
    if (collective->operation.communicator) {
        request_add(handle, &request);
    }
}
