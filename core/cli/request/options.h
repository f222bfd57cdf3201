// Errors in the options of a command.
#pragma once

#include <getopt.h>

// A command returns this if its help is requested: main() prints the help.
enum { OTTER_EXIT_HELP = -1 };

// Reports the option that getopt_long has just refused by returning `answer` (':' or '?') for
// `options`. argv[0] is the command's name. Returns OTTER_EXIT_USAGE; for 'h' OTTER_EXIT_HELP.
int otter_bad_option(int answer, char **argv, const struct option *options);
