// Joins the session at MPI_Init and leaves it at MPI_Finalize.
#include "lifecycle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "communicator.h"
#include "offset.h"
#include "otter/record.h"

static const char connector[] = "mpi";

void lifecycle_attach(void)
{
    if (!otter_attach(connector)) {
        call_switch_off();
    }
}

static const char *thread_level(int provided)
{
    switch (provided) {
    case MPI_THREAD_SINGLE: return "single";
    case MPI_THREAD_FUNNELED: return "funneled";
    case MPI_THREAD_SERIALIZED: return "serialized";
    case MPI_THREAD_MULTIPLE: return "multiple";
    default: return "unknown";
    }
}

static void describe_rank(void)
{
    char text[16];
    int rank = 0, size = 1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(text, sizeof(text), "%d", rank);
    otter_describe("RANK", text);
    snprintf(text, sizeof(text), "%d", size);
    otter_describe("RANKS", text);
}

// The first line of the library's version text: later lines describe its build.
static void describe_library(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    if (PMPI_Get_library_version(text, &length) == MPI_SUCCESS) {
        text[strcspn(text, "\n")] = '\0';
        for (char *at = text; *at; at++) {
            *at = *at == '\t' ? ' ' : *at;
        }
        otter_describe("MPI_LIBRARY", text);
    }
}

void lifecycle_begin(void)
{
    struct offset offset;
    int before = errno, level = -1;
    PMPI_Query_thread(&level);
    describe_rank();
    otter_describe("MPI_THREAD_LEVEL", thread_level(level));
    describe_library();
    communicator_begin();
    if (offset_measure(&offset)) {
        otter_describe("MPI_OFFSET_BEGIN", offset.text);
    }
    otter_begin_processor_time();
    errno = before;
}

void lifecycle_finish(void)
{
    struct offset offset;
    int before = errno;
    if (offset_measure(&offset)) {
        otter_describe("MPI_OFFSET_END", offset.text);
    }
    errno = before;
}

void lifecycle_detach(void)
{
    if (!call_is_off()) {
        otter_detach(connector);
    }
}
