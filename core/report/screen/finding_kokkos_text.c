// Says in words what a finding on Kokkos means and what to try.
#include <stdio.h>
#include <string.h>

#include "report/screen/finding_text.h"
#include "base/text/number.h"

static const struct otter_kokkos_cost *cost_of(const struct otter_report *report,
                                               const struct otter_finding *finding)
{
    return &report->analysis->kokkos.costs[finding->region];
}

static const char *where_of(const struct otter_report *report, const struct otter_finding *finding)
{
    return otter_kokkos_where(&report->analysis->definitions->regions[finding->region]);
}

void otter_finding_small_kernels_text(char *text, const struct otter_report *report,
                                      const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], each[OTTER_MAX_NUMBER], launch[OTTER_MAX_NUMBER];
    const struct otter_kernel_use *use =
        otter_kernel_use_of(&report->analysis->kernels, finding->region);
    // a kernel with this finding was launched, so `use` is not NULL
    bool is_median = use->duration == otter_kokkos_duration(use->cost, 50);
    snprintf(text, OTTER_FINDING_TEXT,
             "%s launches take %s each (%s), while launching itself costs %s here. Merge this "
             "kernel with its neighbours, launch it over a larger range, or run it on the Serial "
             "back end.",
             otter_number_text(finding->n, n),
             otter_duration_text(otter_report_seconds(report, use->duration), each),
             is_median ? "median" : "without waits for a processor",
             otter_duration_text(finding->value * report->analysis->tick, launch));
}

void otter_finding_fence_text(char *text, const struct otter_report *report,
                              const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], all[OTTER_MAX_NUMBER], here[OTTER_MAX_NUMBER];
    bool is_own = strncmp(where_of(report, finding), "Kokkos", strlen("Kokkos")) == 0;
    uint64_t total = cost_of(report, finding)->total;
    snprintf(text, OTTER_FINDING_TEXT, "%s fences wait for %s in all; this one for %s. %s",
             otter_number_text(finding->n, n),
             otter_duration_text(finding->value * report->analysis->tick, all),
             otter_duration_text(otter_report_seconds(report, total), here),
             is_own ? "Kokkos itself calls this fence when it copies or frees: keep views alive, "
                      "and pass deep_copy an execution space instance."
                    : "Fence only where the host needs a result, and fence one execution space "
                      "instance instead of all.");
}

// Returns whether deep_copy fills a view with one value, which the name of the source shows.
static bool is_fill(const struct otter_report *report, const struct otter_finding *finding)
{
    const char *label = report->analysis->definitions->regions[finding->region].canonical_name;
    const char *source = strstr(label, " <- ");
    return source && (strcmp(source + 4, "Scalar") == 0 || strcmp(source + 4, "(none)") == 0);
}

static void write_fill(char *text, const struct otter_report *report,
                       const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], bytes[OTTER_MAX_NUMBER];
    const struct otter_kokkos_cost *cost = cost_of(report, finding);
    snprintf(text, OTTER_FINDING_TEXT,
             "%s fill%s %s in all, with one value. Omit this if a kernel writes all elements "
             "afterwards, or let the kernel set the value.",
             otter_number_text(cost->n, n), cost->n == 1 ? " writes" : "s write",
             otter_size_text((double)cost->bytes, bytes));
}

void otter_finding_copy_text(char *text, const struct otter_report *report,
                             const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], bytes[OTTER_MAX_NUMBER];
    const struct otter_kokkos_cost *cost = cost_of(report, finding);
    if (is_fill(report, finding)) {
        write_fill(text, report, finding);
        return;
    }
    const char *where = where_of(report, finding), *arrow = strstr(where, " <- ");
    double seconds = otter_report_seconds(report, cost->total);
    bool is_same = arrow && strlen(arrow + 4) == (size_t)(arrow - where) &&
                   strncmp(where, arrow + 4, (size_t)(arrow - where)) == 0;
    snprintf(text, OTTER_FINDING_TEXT, "%s cop%s %s in all, at %.2f GB/s. %s",
             otter_number_text(cost->n, n), cost->n == 1 ? "y transfers" : "ies transfer",
             otter_size_text((double)cost->bytes, bytes),
             seconds > 0 ? (double)cost->bytes / seconds / 1e9 : 0,
             is_same ? "Both sides are in one memory space: swap the views, use a mirror view, or "
                       "copy only what changes."
                     : "Keep the data in one memory space, or copy only what changes.");
}

void otter_finding_allocation_text(char *text, const struct otter_report *report,
                                   const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], each[OTTER_MAX_NUMBER];
    (void)report;
    snprintf(text, OTTER_FINDING_TEXT,
             "The program allocates and frees this memory %s times, %s each. Allocate it once "
             "before the loop and reuse it; WithoutInitializing omits the kernel that initialises "
             "it.",
             otter_number_text(finding->n, n),
             otter_size_text(finding->value / (double)finding->n, each));
}

void otter_finding_high_water_text(char *text, const struct otter_report *report,
                                   const struct otter_finding *finding)
{
    char bytes[OTTER_MAX_NUMBER];
    snprintf(text, OTTER_FINDING_TEXT,
             "At its peak, the memory in use in %s is %.1f times its mean, and %s of it belong "
             "to this label. Free this memory earlier, allocate it later, or process the data "
             "in parts.",
             where_of(report, finding), finding->value, otter_size_text((double)finding->n, bytes));
}
