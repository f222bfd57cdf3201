// Prints a finding: its title, and below it the evidence and what to try.
#include "report/screen/finding_print.h"

#include "base/text/print.h"
#include "report/screen/finding_text.h"
#include "report/screen/samples_text.h"
#include "base/text/number.h"
#include "report/form/plain.h"
#include "report/form/wrap.h"

enum { COST_WIDTH = 19, MIN_PLACE = 8 };

// Returns the columns used.
static int print_place(FILE *out, const struct otter_report *report,
                       const struct otter_finding *finding, int room)
{
    char text[OTTER_LABEL_SIZE];
    if (finding->region == OTTER_NONE) {
        return 0;
    }
    otter_print(out, ": ");
    otter_report_label(report, finding->region, text);
    return 2 + (int)otter_plain_print(out, text, (size_t)(room > MIN_PLACE ? room : MIN_PLACE));
}

void otter_finding_print_title(FILE *out, const struct otter_screen *screen,
                               const struct otter_report *report, uint32_t index)
{
    const struct otter_finding *finding = &report->findings->items[index];
    const struct otter_account *account = &report->analysis->account;
    const char *name = otter_finding_name(finding->kind);
    char cost[OTTER_MAX_NUMBER];
    int used = 0;
    for (const char *at = name; *at; at++) {
        used++;
    }
    otter_print(out, screen->has_bold ? "%2u. \033[1m%s\033[0m" : "%2u. %s", index + 1, name);
    used += 4;
    used += print_place(out, report, finding, screen->width - COST_WIDTH - used - 2);
    int gap = screen->width - COST_WIDTH - used;
    if (finding->kind == OTTER_FINDING_HIGH_WATER) {
        otter_print(out, "%*s %10s\n", gap > 0 ? gap : 0, "",
                    otter_size_text((double)finding->n, cost));
        return;
    }
    if (finding->kind == OTTER_FINDING_BLOCKED || finding->kind == OTTER_FINDING_FIRST_TOUCH) {
        otter_print(out, "%*s %10s\n", gap > 0 ? gap : 0, "",
                    otter_duration_text(finding->value * report->analysis->tick, cost));
        return;
    }
    otter_print(out, "%*s %10s %5.1f %%\n", gap > 0 ? gap : 0, "",
                otter_duration_text(otter_report_seconds(report, finding->cost), cost),
                100.0 * (double)finding->cost / (double)account->total);
}

void otter_finding_print(FILE *out, const struct otter_screen *screen,
                         const struct otter_report *report, uint32_t index)
{
    char text[OTTER_FINDING_TEXT];
    const struct otter_finding *finding = &report->findings->items[index];
    otter_finding_print_title(out, screen, report, index);
    otter_print_wrapped_at(out, screen->width, 4, otter_finding_text(report, finding, text));
    otter_hottest_print(out, report, finding, screen->width);
}
