// One archive as a file for other tools. README.md defines each format's contents.
#pragma once

#include "export/tables.h"

struct otter_conversion_format {
    const char *name;                 // "chrome"
    const char *ending;               // ending of the default file: ".chrome.json"
    const char *help;                 // a few words
    otter_conversion_function *write; // NULL: it writes a folder with all tables
    otter_conversion_end *end;        // NULL: nothing is written at the end of the file
    bool has_tables;                  // of which it writes one
    bool has_messages;                // between ranks
};

// Returns the table of formats.
const struct otter_conversion_format *otter_conversion_formats(size_t *n);

struct otter_conversion_request {
    const struct otter_conversion_format *format;
    const struct otter_conversion_table *table; // of a format of tables
    // An existing file is replaced once the new file is complete, and so is the folder of an
    // earlier export.
    // "-": stdout, not for a folder.
    const char *path;
};

// Writes the file or folder of an archive: all ranks, unless one is selected. A rank that cannot be
// read is left out with a warning. Time: n log n for n events. Memory: as for the analysis of one
// rank. Errors: OTTER_NO_MEMORY, OTTER_BAD_ARCHIVE, otherwise from errno. *complaint is a sentence.
enum otter_status otter_convert_archive(struct otter_archive *archive,
                                        const struct otter_conversion_request *request,
                                        struct otter_complaint *complaint);
