// The tables of a report. Options and JSON follow this list; the manual describes each table.
#pragma once

#include "report/form/analysis.h"
#include "report/form/sheet.h"

struct otter_report_table {
    const char *name;   // "tasks": in JSON
    const char *option; // "tasks", "critical-path=chain": without --
    // NULL: only merged archives have the table (report/job/job_path.h).
    void (*fill)(const struct otter_report *report, struct otter_sheet *table);
};

extern const struct otter_report_table otter_report_tables[];
extern const unsigned otter_n_report_tables;

// Returns whether only samples fill the table.
bool otter_report_table_is_of_samples(const struct otter_report_table *table);

// The caller finishes the sheet.
void otter_report_fill(const struct otter_report *report, const struct otter_report_table *table,
                       struct otter_sheet *sheet);
