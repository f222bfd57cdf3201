// Lists the tables of a report.
#include "report/table/analysis_tables.h"

#include "report/table/table_fill.h"

// In this order they are in the help and in JSON.
const struct otter_report_table otter_report_tables[] = {
    {"tasks", "tasks", "explicit tasks by construct: work, time in the queue", otter_fill_tasks},
    {"regions", "regions", "parallel regions and kernels: waiting, imbalance", otter_fill_regions},
    {"kernels", "kernels", "Kokkos kernels: launches, waiting and imbalance inside",
     otter_fill_kernels},
    {"kernel_tree", "kernels=tree", "Kokkos regions, and the kernels inside",
     otter_fill_kernel_tree},
    {"fences", "fences", "Kokkos fences by name", otter_fill_fences},
    {"copies", "copies", "Kokkos deep copies: bytes, GB/s", otter_fill_copies},
    {"memory", "memory", "Kokkos memory by label: in use at the high water, left",
     otter_fill_memory},
    {"memory_spaces", "memory=spaces", "Kokkos memory by space: high water and its time",
     otter_fill_spaces},
    {"loops", "loops", "loops and sections: members, chunks, imbalance", otter_fill_loops},
    {"labels", "labels", "executed time by label, and the idle time it causes", otter_fill_labels},
    {"threads", "threads", "the states of each thread", otter_fill_threads},
    {"waits", "waits", "waits by their places, with and without ready tasks", otter_fill_waits},
    {"locks", "locks", "locks, critical and ordered regions: waiting, holding", otter_fill_locks},
    {"mpi", "mpi", "calls of MPI: time, messages, bytes", otter_fill_mpi},
    {"devices", "devices", "kernels and transfers: time, bytes, waiting of the host",
     otter_fill_devices},
    {"critical-path", "critical-path", "the realised and the heaviest path, by label",
     otter_fill_path},
    {"path_ranks", "critical-path=ranks", "of a merged archive: the path and waits by rank", NULL},
    {"chain", "critical-path=chain", "the realised path, step by step", otter_fill_chain},
    {"span_chain", "critical-path=span", "the heaviest path, step by step", otter_fill_span_chain},
    {"slack", "slack", "how much longer a label may take at no cost", otter_fill_slack},
};

const unsigned otter_n_report_tables = sizeof otter_report_tables / sizeof *otter_report_tables;

bool otter_report_fill(const struct otter_report *report, const struct otter_report_table *table,
                       struct otter_sheet *sheet)
{
    *sheet = (struct otter_sheet){.name = table->name};
    if (table->fill) {
        table->fill(report, sheet);
    }
    if (sheet->is_short_of_memory) {
        otter_sheet_finish(sheet);
        return false;
    }
    return true;
}
