// Everything that one page contains.
#pragma once

#include "report/analysis.h"
#include "view/chunk.h"
#include "view/detail.h"
#include "view/groups.h"
#include "view/pyramid.h"
#include "view/tables.h"

struct otter_page {
    const struct otter_view *view;
    struct otter_report report;
    struct otter_chunks chunks;
    struct otter_pyramid pyramid;
    uint64_t profile_step; // ticks
    struct otter_memory memory;
    struct otter_evidence *evidence; // of each finding
    struct otter_drawn_graph drawn;
    struct otter_detail detail;
    bool has_window;
    uint64_t window_begin, window_end; // ticks since the view's begin
    char *report_text;
    json_t *report_json;
};

// Prints the index as JSON, which describes the present chunks.
// Returns OTTER_IO or OTTER_OK.
enum otter_status otter_index_print(FILE *out, const struct otter_page *page);

// Returns the program's command line, or the archive's name.
const char *otter_page_title(const struct otter_page *page);

// The parts of the file that do not depend on the archive; core/view/page has their sources.
extern const char otter_view_page_head[], otter_view_page_report[], otter_view_page_data[],
    otter_view_page_tail[];

// Prints the whole file; `index` is the output of otter_index_print. Errors: see ferror().
void otter_html_print(FILE *out, const struct otter_page *page, const char *index);
