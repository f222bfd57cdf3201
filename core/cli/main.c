// The `otter` command: the table of its commands, and help.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/nearest.h"
#include "base/print.h"
#include "cli/command.h"

static int run_help(int argc, char **argv);
static void print_help_of_help(FILE *out);

static const struct otter_command help = {
    .name = "help",
    .summary = "explain a command",
    .print_help = print_help_of_help,
    .run = run_help,
};

static const struct otter_command *const commands[] = {
    &otter_command_record, &otter_command_info,    &otter_command_graph,
    &otter_command_check,  &otter_command_recover, &help,
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
    for (size_t i = 0; i < N_COMMANDS; i++) {
        strcat(strcat(names, i ? ", " : ""), commands[i]->name);
    }
    otter_error("unknown command '%s'; the commands are: %s", name, names);
    return OTTER_EXIT_USAGE;
}

static void print_overview(FILE *out)
{
    otter_print(out, "Otter records what task-parallel OpenMP and Kokkos programs did.\n"
                     "\n"
                     "Usage: otter COMMAND [OPTIONS]\n"
                     "\n"
                     "Commands:\n");
    for (size_t i = 0; i < N_COMMANDS; i++) {
        otter_print(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
    }
    otter_print(out,
                "\n"
                "To begin with:\n"
                "  otter record ./app       run a program and record it\n"
                "  otter info               what the newest archive in this folder holds\n"
                "  otter graph              its task graph, to be drawn by Graphviz\n"
                "\n"
                "'otter help COMMAND' explains a command, 'otter --version' prints the version.\n");
}

static void print_help_of_help(FILE *out)
{
    otter_print(out, "Usage: otter help [COMMAND]\n"
                     "\n"
                     "Explains a command, or lists all.\n");
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

// Writes the names of the options that begin with the first `length` bytes of `word` to `text`.
// Returns their number.
static unsigned list_options(const struct option *options, const char *word, size_t length,
                             char *text, size_t size)
{
    unsigned n = 0;
    *text = '\0';
    for (; options->name; options++) {
        if (strncmp(options->name, word, length) == 0) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%s--%s", n++ ? ", " : "", options->name);
        }
    }
    return n;
}

// Suggests the nearest option, or lists all options if there are few.
static void complain_of_unknown_option(const char *command, const char *word, int length,
                                       const struct option *options)
{
    enum { FEW = 12 };
    char names[1024];
    unsigned n = list_options(options, "", 0, names, sizeof names);
    struct otter_nearest nearest = {0};
    char *name = strndup(word + 2, (size_t)length - 2);
    for (; name && options->name; options++) {
        otter_nearest_offer(&nearest, name, options->name);
    }
    free(name);
    if (nearest.name) {
        otter_error("option '%.*s' is unknown: did you mean --%s? (otter help %s)", length, word,
                    nearest.name, command);
    } else if (n <= FEW) {
        otter_error("option '%.*s' is unknown; there are %s (otter help %s)", length, word, names,
                    command);
    } else {
        otter_error("option '%.*s' is unknown (otter help %s)", length, word, command);
    }
}

static void complain_of_long_option(const char *command, const char *word,
                                    const struct option *options)
{
    char names[1024];
    int length = (int)strcspn(word, "=");
    unsigned n = list_options(options, word + 2, (size_t)length - 2, names, sizeof names);
    if (n > 1) {
        otter_error("option '%.*s' could mean %s (otter help %s)", length, word, names, command);
    } else if (n == 1) {
        otter_error("option '%.*s' takes no value (otter help %s)", length, word, command);
    } else {
        complain_of_unknown_option(command, word, length, options);
    }
}

int otter_bad_option(const char *command, int answer, char **argv, const struct option *options)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    const char *word =
        argv[optind - 1]; // the long option; for a letter in a group, the word before the group
    bool is_long =
        strncmp(word, "--", 2) == 0 && (optopt == 0 || answer == ':' || strchr(word, '='));
    if (answer == ':') {
        otter_error("option '%s' needs a value (otter help %s)", is_long ? word : letter, command);
    } else if (is_long) {
        complain_of_long_option(command, word, options);
    } else {
        otter_error("option '%s' is unknown (otter help %s)", letter, command);
    }
    return OTTER_EXIT_USAGE;
}

// Reports an error of standard output. Returns the exit status.
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
    return flush_output(command->run(argc - 1, argv + 1));
}
