// Opens the archive that a command reads.
#pragma once

#include <getopt.h>
#include <stdbool.h>

#include "cli/request/memory.h"
#include "trace/read/reader.h"

// Value of getopt_long for --rank=N, which has no letter.
enum { OTTER_OPTION_RANK = 'R', OTTER_OPTION_JOBS = 'J' };

// The end of a list of options: the options that all commands with an archive share.
#define OTTER_SHARED_OPTIONS                                                                       \
    {"rank", required_argument, NULL, OTTER_OPTION_RANK},                                          \
        {"max-memory", required_argument, NULL, OTTER_OPTION_MEMORY},                              \
        {"jobs", required_argument, NULL, OTTER_OPTION_JOBS}, {"help", no_argument, NULL, 'h'},    \
        {NULL, 0, NULL, 0},

// Opens the archive at `path`, and selects a rank. `rank`: the value of --rank; NULL: selects no
// rank if there are several. *Returns* false after printing an error.
bool otter_open_ranks(const char *path, const char *rank, struct otter_archive **archive);

// Reads the value of --rank. *Returns* false after printing an error.
bool otter_read_rank(const char *text, uint32_t *rank);

// Reads the value of --jobs. *Returns* false after printing an error.
bool otter_set_jobs(const char *text);

// Opens the archive argument at optind, or the newest archive here, as otter_open_ranks does.
// argv[0] is the command's name. *Returns* an exit status, and prints an error unless it is
// OTTER_EXIT_OK.
int otter_open_argument(int argc, char **argv, const char *rank, struct otter_archive **archive);

// Reads a shared option: --rank into *rank, --max-memory, or --jobs. The value is in optarg. Any
// other result of getopt_long is an error. *Returns* OTTER_EXIT_OK, OTTER_EXIT_HELP, or
// OTTER_EXIT_USAGE after printing an error.
int otter_shared_option(int option, const char **rank, char **argv, const struct option *options);
