// Errors in the options of a command.
#pragma once

#include <getopt.h>

// Reports the option that getopt_long has just refused by returning `answer` (':' or '?') for
// `options`. argv[0] is the command's name. Returns OTTER_EXIT_USAGE.
int otter_bad_option(int answer, char **argv, const struct option *options);
