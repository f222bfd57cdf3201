// Plays a text of events into the analysis and prints all tables of a report, its findings, and the
// best changes: driver WIDTH FILE
//
// A terminal of WIDTH columns would show this text.
#include <stdio.h>
#include <stdlib.h>

#include "analysis/kokkos/memory.h"
#include "analysis/time/between.h"
#include "report/table/analysis_tables.h"
#include "report/predict/predict.h"
#include "report/screen/recording_text.h"
#include "report/screen/samples_text.h"
#include "scene.h"

void scene_give_up(void)
{
    exit(2);
}

static enum otter_status read_location(void *run, uint32_t location, otter_event_function *add,
                                       void *part, struct otter_complaint *damage)
{
    const struct scene *scene = run;
    bool goes_on = true;
    for (size_t e = 0; e < scene->n_events && goes_on; e++) {
        goes_on = scene->events[e].location != location || add(part, &scene->events[e]);
    }
    return OTTER_OK;
}

static void read_scene(struct scene *scene, otter_event_function *add, void *part)
{
    for (uint32_t i = 0; i < scene->definitions.n_locations; i++) {
        read_location(scene, i, add, part, NULL);
    }
}

static bool analyse(struct otter_analysis *analysis, struct scene *scene)
{
    bool is_good = !otter_analysis_begin(analysis, &scene->definitions);
    if (is_good) {
        read_scene(scene, otter_analysis_add, analysis);
        is_good = !otter_analysis_end(analysis);
    }
    if (is_good && analysis->has_kokkos) {
        read_scene(scene, otter_memory_uses_add, &analysis->memory);
        otter_memory_uses_end(&analysis->memory);
    }
    analysis->source = (struct otter_event_source){read_location, scene};
    return is_good;
}

// Tables without rows and sums are left out.
static void print_tables(const struct otter_report *report, unsigned width)
{
    for (unsigned i = 0; i < otter_n_report_tables; i++) {
        struct otter_sheet sheet;
        otter_report_fill(report, &otter_report_tables[i], &sheet);
        if (sheet.rows.n > 0 || sheet.sums.n > 0) {
            printf("--%s\n", otter_report_tables[i].option);
            otter_sheet_print(stdout, &sheet, 20, width);
            printf("\n");
        }
        otter_sheet_finish(&sheet);
    }
}

static bool print(const struct otter_analysis *analysis, struct scene *scene, unsigned width)
{
    struct otter_labels labels;
    struct otter_findings findings = {0};
    if (otter_labels_init(&labels, &scene->definitions)) {
        return false;
    }
    otter_kernel_uses_set_lines(&analysis->kernels, &labels);
    bool is_good = !otter_betweens_name(&analysis->timeline, &labels) &&
                   !otter_findings_init(&findings, analysis);
    if (is_good) {
        struct otter_report report = {.analysis = analysis,
                                      .findings = &findings,
                                      .labels = &labels,
                                      .counts = &findings.counts};
        print_tables(&report, width);
        otter_report_print_findings(stdout, &report, (struct otter_screen){.width = (int)width});
        otter_recording_print(stdout, &report, (int)width);
        struct otter_functions own;
        report.functions = otter_report_functions(&report, &own);
        otter_path_functions_print(stdout, &report, (int)width);
        otter_functions_finish(&own);
        report.functions = NULL;
        otter_predict_best(stdout, &report, (int)width);
        otter_findings_finish(&findings);
    }
    otter_labels_finish(&labels);
    return is_good;
}

int main(int argc, char **argv)
{
    static struct scene scene;
    FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;
    unsigned long width = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
    if (!file || width == 0) {
        fprintf(stderr, "usage: driver WIDTH FILE\n");
        return 2;
    }
    scene_read(&scene, argv[2], file);
    fclose(file);
    struct otter_analysis analysis;
    bool is_good = analyse(&analysis, &scene) && print(&analysis, &scene, (unsigned)width);
    otter_analysis_finish(&analysis);
    return is_good ? 0 : 1;
}
