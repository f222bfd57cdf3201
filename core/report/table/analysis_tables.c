// Lists the tables of a report.
#include "report/table/analysis_tables.h"

#include "report/table/table_fill.h"

// In the order of JSON.
const struct otter_report_table otter_report_tables[] = {
    {"tasks", "tasks", otter_fill_tasks},
    {"regions", "regions", otter_fill_regions},
    {"kernels", "kernels", otter_fill_kernels},
    {"kernel_tree", "kernels=tree", otter_fill_kernel_tree},
    {"fences", "fences", otter_fill_fences},
    {"copies", "copies", otter_fill_copies},
    {"memory", "memory", otter_fill_memory},
    {"memory_spaces", "memory=spaces", otter_fill_spaces},
    {"loops", "loops", otter_fill_loops},
    {"labels", "labels", otter_fill_labels},
    {"threads", "threads", otter_fill_threads},
    {"waits", "waits", otter_fill_waits},
    {"locks", "locks", otter_fill_locks},
    {"mpi", "mpi", otter_fill_mpi},
    {"devices", "devices", otter_fill_devices},
    {"critical-path", "critical-path", otter_fill_path},
    {"path_ranks", "critical-path=ranks", NULL},
    {"chain", "critical-path=chain", otter_fill_chain},
    {"span_chain", "critical-path=span", otter_fill_span_chain},
    {"slack", "slack", otter_fill_slack},
    {"functions", "functions", otter_fill_functions},
    {"lines", "lines", otter_fill_lines},
};

const unsigned otter_n_report_tables = sizeof otter_report_tables / sizeof *otter_report_tables;

bool otter_report_table_is_of_samples(const struct otter_report_table *table)
{
    return table->fill == otter_fill_functions || table->fill == otter_fill_lines;
}

void otter_report_fill(const struct otter_report *report, const struct otter_report_table *table,
                       struct otter_sheet *sheet)
{
    *sheet = (struct otter_sheet){.name = table->name};
    if (table->fill) {
        table->fill(report, sheet);
    }
}
