// The `otter` command: the table of its commands, and help.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text/nearest.h"
#include "base/text/print.h"
#include "cli/command.h"
#include "cli/request/memory.h"
#include "cli/request/options.h"
#include "cli/signals.h"

static int run_help(int argc, char **argv);
static void print_help_of_help(FILE *out);

static const struct otter_command help = {
    .name = "help",
    .summary = "explain a command",
    .print_help = print_help_of_help,
    .run = run_help,
};

static const struct otter_command *const commands[] = {
    &otter_command_record,
    &otter_command_report,
    &otter_command_diff,
    &otter_command_view,
    &otter_command_export,
    &otter_command_info,
    &otter_command_graph,
    &otter_command_check,
    &otter_command_recover,
    &otter_command_merge,
    &help,
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

static const struct otter_command *find_command(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static int complain_of_command(const char *name)
{
    char names[256] = "";
    struct otter_nearest nearest = {0};
    for (size_t i = 0; i < N_COMMANDS; i++) {
        strcat(strcat(names, i ? ", " : ""), commands[i]->name);
        otter_nearest_offer(&nearest, name, commands[i]->name);
    }
    if (nearest.name) {
        otter_error("unknown command '%s': did you mean %s? (otter help)", name, nearest.name);
        return OTTER_EXIT_USAGE;
    }
    otter_error("unknown command '%s'; the commands are: %s", name, names);
    return OTTER_EXIT_USAGE;
}

static void print_overview(FILE *out)
{
    otter_print(out, "Otter records what task-parallel OpenMP and Kokkos programs do.\n"
                     "\n"
                     "Usage: otter COMMAND [OPTIONS]\n"
                     "\n"
                     "Commands:\n");
    for (size_t i = 0; i < N_COMMANDS; i++) {
        otter_print(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
    }
    otter_print(out,
                "\n"
                "Begin with:\n"
                "  otter record ./app       run a program and record it\n"
                "  otter report             print what limits the program of the newest archive\n"
                "  otter graph              write its task graph, for Graphviz\n"
                "\n"
                "'otter help COMMAND' explains a command, 'otter --version' prints the version.\n");
}

static void print_help_of_help(FILE *out)
{
    otter_print(out, "Usage: otter help [COMMAND]\n"
                     "\n"
                     "Explains a command, or lists all commands.\n");
}

static int run_help(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stdout);
        return OTTER_EXIT_OK;
    }
    const struct otter_command *command = find_command(argv[1]);
    if (!command) {
        return complain_of_command(argv[1]);
    }
    command->print_help(stdout);
    return OTTER_EXIT_OK;
}

// Reports a failed write to standard output. Returns the exit status.
static int flush_output(int status)
{
    bool failed = ferror(stdout) != 0;
    if (fflush(stdout) != 0 || failed) {
        otter_error("cannot write to standard output: %s", strerror(errno));
        return status ? status : OTTER_EXIT_FAILED;
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return OTTER_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        otter_print(stdout, "otter %s\n", OTTER_VERSION);
        return flush_output(OTTER_EXIT_OK);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_overview(stdout);
        return flush_output(OTTER_EXIT_OK);
    }
    const struct otter_command *command = find_command(name);
    if (!command) {
        return complain_of_command(name);
    }
    if (command != &otter_command_record) {
        otter_signals_begin();
        otter_memory_begin(); // while a program runs, its recording goes on without memory
    }
    int status = command->run(argc - 1, argv + 1);
    if (status == OTTER_EXIT_HELP) {
        command->print_help(stdout);
        status = OTTER_EXIT_OK;
    }
    return flush_output(status);
}
