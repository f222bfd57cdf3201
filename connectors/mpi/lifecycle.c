// Joins the session at MPI_Init and leaves it at MPI_Finalize.
#include "lifecycle.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "communicator.h"
#include "foreign.h"
#include "offset.h"
#include "otter/record.h"

static const char connector[] = "mpi";

// The program has called MPI_Init or MPI_Init_thread through the connector.
static atomic_bool has_begun;

void lifecycle_attach(void)
{
    atomic_store(&has_begun, true);
    if (foreign_withdraw() || !otter_attach(connector)) {
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

// Describes the library by the first line of its version text; later lines describe its build.
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

// A program that looks up MPI's functions in the library bypasses the wrappers. atexit() runs this
// before the destructors of libraries.
static void check_use(void)
{
    void *library = atomic_load(&has_begun) ? NULL : late_library();
    int (*is_initialized)(int *) = library ? (int (*)(int *))dlsym(library, "PMPI_Initialized") : 0;
    int flag = 0;
    if (is_initialized && is_initialized(&flag) == MPI_SUCCESS && flag) {
        otter_warn("MPI calls are not recorded: the program looks up MPI's functions with "
                   "dlsym, which bypasses Otter");
    }
}

__attribute__((constructor)) static void begin(void)
{
    atexit(check_use);
}
