// Opens the archive that a command reads.
#pragma once

#include <getopt.h>
#include <stdbool.h>

#include "trace/read/reader.h"

// Value of getopt_long for --rank=N, which has no letter.
enum { OTTER_OPTION_RANK = 'R' };

// Opens the archive at `path`, and selects a rank. `rank`: the value of --rank; NULL: selects no
// rank if there are several. *Returns* false after printing an error.
bool otter_open_ranks(const char *path, const char *rank, struct otter_archive **archive);

// Reads the value of --rank. *Returns* false after printing an error.
bool otter_read_rank(const char *text, uint32_t *rank);

// Reads an option that all commands with an archive share: --rank into *rank, or --max-memory. The
// value is in optarg. Any other result of getopt_long is an error. *Returns* OTTER_EXIT_OK, or
// OTTER_EXIT_USAGE after printing an error.
int otter_shared_option(int option, const char **rank, char **argv, const struct option *options);
