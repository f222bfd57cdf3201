// The environment of the recorded program: its tools, its OpenMP runtime and its settings.
#pragma once

#include "base/settings.h"
#include "launcher/openmp.h"
#include "launcher/program.h"

struct otter_environment {
    const char *folder; // the archive's folder; NULL: the recorder chooses its name
    const char *libomp; // the path of a libomp, "none", or NULL
    char **arguments;   // the program and its arguments
};

// Sets a setting in this process and in the environment. `value`: NULL means "on".
// Returns an exit status; prints an error unless it is OTTER_EXIT_OK.
int otter_environment_apply_setting(const struct otter_setting *setting, const char *value);

// Sets, in the current environment, all variables that the recorded program needs.
// Returns an exit status.
int otter_environment_set(const struct otter_environment *request,
                          const struct otter_openmp *openmp, const struct otter_program *program);
