// The data that a format writes, and names that formats share.
#pragma once

#include <stdio.h>

#include "export/slice/stacks.h"
#include "report/form/analysis.h"

struct otter_conversion_table;
struct otter_message_ends;

// State shared by the ranks of one file; all zero at first.
struct otter_conversion_file {
    FILE *out;                                 // NULL for a folder
    bool has_ranks;                            // the archive is merged; names contain the rank
    uint32_t n_ranks;                          // ranks written so far
    uint64_t clock_begin;                      // ticks: the earliest of all ranks
    bool has_item;                             // an array already has an element
    uint64_t next_flow;                        // first flow number of the next rank
    uint64_t next_frame;                       // first frame number of the next rank
    const struct otter_message_ends *messages; // messages of the current rank; NULL: none
    FILE *frames;                              // text to be written after all ranks; NULL: none
    char *frames_text;
    size_t frames_size;
};

struct otter_conversion {
    const struct otter_view *view;
    struct otter_conversion_file *file;
    struct otter_report report;                 // the report of the view
    const struct otter_conversion_table *table; // the table to write, for a format of tables
    bool has_functions;                         // stacks contain the functions of samples
    uint64_t rank;
    FILE *out; // stream of the file
};

// Writes the part of a rank; the first one also writes the start of the file. Write errors: see
// ferror().
typedef void otter_conversion_function(const struct otter_conversion *conversion);
// Writes the end of the file, after at least one rank. Write errors: see ferror().
typedef void otter_conversion_end(struct otter_conversion_file *file);

// Returns the name of a slice, in `text`.
const char *otter_conversion_name(const struct otter_conversion *conversion, uint32_t label,
                                  enum otter_category category, char text[OTTER_LABEL_SIZE]);

// Returns the program's command line, or the archive's name.
const char *otter_conversion_title(const struct otter_conversion *conversion);

enum { OTTER_PROCESS_NAME_SIZE = 1024 };

// Writes the name of the process: its title, preceded by "rank 3: " if the file has ranks. Returns
// `text`.
const char *otter_conversion_process_name(const struct otter_conversion *conversion,
                                          char text[OTTER_PROCESS_NAME_SIZE]);

// Returns the process' number, 1 if it is unknown. In a file of ranks the number is the rank plus
// 1: viewers take process 0 for the system's idle process.
uint64_t otter_conversion_process(const struct otter_conversion *conversion);

enum { OTTER_TASK_ID_SIZE = 32 };

// Writes the id of a task, "1:17". Returns false for a task without an id and for OTTER_NONE.
bool otter_conversion_task(const struct otter_conversion *conversion, uint32_t task,
                           char text[OTTER_TASK_ID_SIZE]);
