// One archive as a file for other tools. README.md defines each format's contents.
#pragma once

#include "export/tables.h"

struct otter_conversion_format {
    const char *name;                 // "speedscope"
    const char *ending;               // ending of the default file: ".speedscope.json"
    const char *help;                 // a few words
    otter_conversion_function *write; // NULL: the format is a folder with all tables
    otter_conversion_end *end;        // writes the end of the file; NULL: the file needs none
    bool has_tables;                  // the format writes one table of several
    bool has_messages;                // the format shows messages between ranks
    bool has_stacks;                  // the user chooses whether stacks have functions of samples
    bool is_binary;                   // the file is not text
};

// Returns the table of formats.
const struct otter_conversion_format *otter_conversion_formats(size_t *n);

struct otter_conversion_request {
    const struct otter_conversion_format *format;
    const struct otter_conversion_table *table; // the table to write, for a format with tables
    bool has_functions;                         // stacks contain the functions of samples
    // "-" is stdout, except for a folder. An existing file, or the folder of an earlier export, is
    // replaced when the new one is complete.
    const char *path;
};

// Writes the file or folder of an archive: all ranks, unless one is selected. A rank that cannot be
// read is left out with a warning. Time: n log n for n events. Memory: as for the analysis of one
// rank. Errors: OTTER_BAD_ARCHIVE, otherwise from errno. *complaint is a sentence.
enum otter_status otter_convert_archive(struct otter_archive *archive,
                                        const struct otter_conversion_request *request,
                                        struct otter_complaint *complaint);
