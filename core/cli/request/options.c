// Explains why getopt_long refused an option.
#include "cli/request/options.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/log.h"
#include "base/text/nearest.h"

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
    enum { FEW = 14 };
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
        otter_error("option '%.*s' is unknown; the options are %s (otter help %s)", length, word,
                    names, command);
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
        otter_error("option '%.*s' is ambiguous: %s (otter help %s)", length, word, names, command);
    } else if (n == 1) {
        otter_error("option '%.*s' accepts no value (otter help %s)", length, word, command);
    } else {
        complain_of_unknown_option(command, word, length, options);
    }
}

int otter_bad_option(int answer, char **argv, const struct option *options)
{
    if (answer == 'h') {
        return OTTER_EXIT_HELP;
    }
    const char *command = argv[0];
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
