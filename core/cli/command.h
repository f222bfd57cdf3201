// A command of `otter`: a file cmd_<name>.c and a row in main.c.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/exit_status.h"

struct otter_command {
    const char *name;
    const char *summary; // a line
    void (*print_help)(FILE *out);
    // argv[0] is the command's name. Returns an exit status, or OTTER_EXIT_HELP.
    int (*run)(int argc, char **argv);
};

extern const struct otter_command otter_command_record, otter_command_info, otter_command_graph,
    otter_command_check, otter_command_recover, otter_command_report, otter_command_diff,
    otter_command_view, otter_command_export, otter_command_merge;

// Print what the manual says of a command, in short (man/help.py).
void otter_help_check(FILE *out);
void otter_help_diff(FILE *out);
void otter_help_export(FILE *out);
void otter_help_graph(FILE *out);
void otter_help_info(FILE *out);
void otter_help_merge(FILE *out);
void otter_help_record(FILE *out);
void otter_help_recover(FILE *out);
void otter_help_report(FILE *out);
void otter_help_view(FILE *out);
