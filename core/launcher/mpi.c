// Finds the MPI library of the recorded program, and the connector for its binary interface.
#include "launcher/mpi.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/path.h"
#include "base/settings.h"
#include "launcher/libraries.h"

// Libraries with the same binary interface have the same name and number, whoever built them.
static const struct {
    const char *library, *connector, *package;
} interfaces[] = {
    {"libmpi.so.40", "mpi-openmpi", "Open MPI"},
    {"libmpich.so.12", "mpi-mpich", "MPICH"},
    {"libmpi.so.12", "mpi-mpich", "MPICH"}, // Intel MPI, MVAPICH2 and others
};

// Returns the path of the program's MPI library, or NULL. *interface: its index, or -1.
static const char *find_library(const struct otter_program *program, int *interface)
{
    *interface = -1;
    for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces; i++) {
        const char *path = otter_program_library(program, interfaces[i].library);
        if (path) {
            *interface = (int)i;
            return path;
        }
    }
    const char *path = otter_program_library(program, "libmpi.so.");
    return path ? path : otter_program_library(program, "libmpich.so.");
}

static char *find_connector(const struct otter_program *program, const char *library, int interface)
{
    const char *name = otter_path_file(program->path);
    if (interface < 0) {
        otter_warning("'%s' uses '%s', an MPI that Otter does not know: MPI calls are not "
                      "recorded, and count as execution (Otter knows Open MPI from version 4 "
                      "on, and the MPICH ABI)",
                      name, library);
        return NULL;
    }
    char *connector = otter_library_find(interfaces[interface].connector);
    if (!connector) {
        otter_warning("'%s' uses %s, for which this build of Otter has no connector: MPI calls "
                      "are not recorded and count as execution (rebuild Otter where the mpi.h of "
                      "%s is installed)",
                      name, interfaces[interface].package, interfaces[interface].package);
    } else if (strpbrk(connector, " :")) {
        otter_warning(
            "'%s' cannot be preloaded, because its path has a blank or a colon: MPI calls "
            "are not recorded (move Otter to another folder)",
            connector);
        free(connector);
        return NULL;
    }
    return connector;
}

static bool has_library(const struct otter_program *program)
{
    int interface;
    return find_library(program, &interface) != NULL;
}

// ---- programs that load MPI later, as Python does

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

// *Returns* the connector for the MPI to which the launcher `program` belongs, or which started
// this command; NULL: neither. In a process without MPI, a connector does nothing.
static const char *connector_of_launcher(const struct otter_program *program)
{
    char real[PATH_MAX];
    bool is_found = program->path && realpath(program->path, real);
    if (otter_program_library(program, "libopen-rte.so") ||
        otter_program_library(program, "libprrte.so") || is_set("OMPI_COMM_WORLD_RANK")) {
        return "mpi-openmpi";
    }
    bool is_hydra = is_found && strstr(otter_path_file(real), "hydra");
    return is_hydra || is_set("PMI_RANK") ? "mpi-mpich" : NULL;
}

bool otter_mpi_is_launched(const struct otter_program *program)
{
    return connector_of_launcher(program) != NULL;
}

static char *find_for_launcher(const char *command)
{
    struct otter_program launcher;
    otter_program_init(&launcher, command);
    const char *name = connector_of_launcher(&launcher);
    otter_program_finish(&launcher);
    char *connector = name ? otter_library_find(name) : NULL;
    if (connector && strpbrk(connector, " :")) {
        free(connector);
        connector = NULL;
    }
    return connector;
}

char *otter_mpi_connector(const struct otter_program *program, char *const *arguments)
{
    int interface;
    if (!otter_settings_get_bool("mpi") || !otter_settings_get_bool("enabled")) {
        return NULL;
    }
    const char *library = find_library(program, &interface);
    if (library) {
        return program->is_privileged ? NULL : find_connector(program, library, interface);
    }
    struct otter_program launched;
    if (!otter_program_init_launched(&launched, arguments, has_library)) {
        return find_for_launcher(arguments[0]);
    }
    library = find_library(&launched, &interface);
    char *connector = find_connector(&launched, library, interface);
    otter_program_finish(&launched);
    return connector;
}
