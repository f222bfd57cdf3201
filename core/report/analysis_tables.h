// The tables of a report.
#pragma once

#include "report/analysis.h"
#include "report/sheet.h"

// Returns false when memory is short; else the caller finishes the table.
bool otter_report_fill(const struct otter_report *report, enum otter_report_table kind,
                       struct otter_sheet *table);
