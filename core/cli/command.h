// A command of `otter`: a file cmd_<name>.c and a row in main.c.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/exit_status.h"

// Prints a short form of a command's manual (man/help.py).
typedef void otter_help_function(FILE *out);

struct otter_command {
    const char *name;
    const char *summary; // one line of help
    otter_help_function *print_help;
    // argv[0] is the command's name. Returns an exit status, or OTTER_EXIT_HELP.
    int (*run)(int argc, char **argv);
};

extern const struct otter_command otter_command_record, otter_command_info, otter_command_graph,
    otter_command_check, otter_command_recover, otter_command_report, otter_command_diff,
    otter_command_view, otter_command_export, otter_command_merge;

otter_help_function otter_help_check, otter_help_diff, otter_help_export, otter_help_graph,
    otter_help_info, otter_help_merge, otter_help_record, otter_help_recover, otter_help_report,
    otter_help_view;
