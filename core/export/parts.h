// An archive for a format, and names that formats share.
#pragma once

#include <stdio.h>

#include "export/stacks.h"
#include "report/analysis.h"

struct otter_conversion_table;

struct otter_conversion {
    const struct otter_view *view;
    struct otter_report report;                 // of the view
    const struct otter_conversion_table *table; // the one to write, of a format of tables
    uint64_t rank;
    uint64_t clock_begin; // ticks: the first of all ranks
    FILE *out;            // not of a folder
};

// Writes the whole file. Write errors: see ferror(). Returns OTTER_NO_MEMORY or OTTER_OK.
typedef enum otter_status otter_conversion_function(const struct otter_conversion *conversion);

// Returns the name of a slice, in `text`.
const char *otter_conversion_name(const struct otter_conversion *conversion, uint32_t label,
                                  enum otter_category category, char text[OTTER_LABEL_SIZE]);

// Returns the program's command line, or the archive's name.
const char *otter_conversion_title(const struct otter_conversion *conversion);

// Returns the process' number, 1 if it is unknown.
uint64_t otter_conversion_process(const struct otter_conversion *conversion);

enum { OTTER_TASK_ID_SIZE = 32 };

// Writes the id of a task, "1:17". Returns false for a task without an id and for OTTER_NONE.
bool otter_conversion_task(const struct otter_conversion *conversion, uint32_t task,
                           char text[OTTER_TASK_ID_SIZE]);
