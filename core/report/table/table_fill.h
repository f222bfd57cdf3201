// The functions that fill the tables of a report, and what they share.
#pragma once

#include "report/form/analysis.h"
#include "report/form/sheet.h"

void otter_fill_tasks(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_regions(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_labels(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_threads(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_waits(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_loops(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_locks(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_devices(const struct otter_report *report, struct otter_sheet *table);
// Both paths, step by step.
void otter_fill_chain(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_span_chain(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_slack(const struct otter_report *report, struct otter_sheet *table);
// The realised path and the span path, by label.
void otter_fill_path(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_kernels(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_kernel_tree(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_fences(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_memory(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_spaces(const struct otter_report *report, struct otter_sheet *table);
void otter_fill_copies(const struct otter_report *report, struct otter_sheet *table);

void otter_fill_mpi(const struct otter_report *report, struct otter_sheet *table);

// 0 where `whole` is 0.
static inline double otter_percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}
