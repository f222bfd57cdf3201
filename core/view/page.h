// Everything that one page contains.
#pragma once

#include "base/output/new_file.h"
#include "report/form/analysis.h"
#include "view/lane/chunk.h"
#include "view/detail.h"
#include "view/lane/groups.h"
#include "view/lane/pyramid.h"
#include "view/table/tables.h"
#include "view/view.h"

struct otter_page {
    const struct otter_view *view;
    struct otter_report report;
    struct otter_chunks chunks;
    struct otter_pyramid pyramid;
    uint64_t profile_step; // ticks
    struct otter_memory memory;
    struct otter_page_samples samples;
    uint64_t shortest_off;           // ticks; shorter times on no processor are left out
    struct otter_evidence *evidence; // one for each finding
    struct otter_drawn_graph drawn;
    struct otter_detail detail;
    bool has_window;
    uint64_t window_begin, window_end; // ticks since the view's start
    struct otter_view_tasks tasks;
    char *report_text; // NULL: a rank of a job
    json_t *report_json;
};

// Computes the page of an archive or rank that has been read. The page has at most `view->size`
// characters. Even after a failure, the caller calls otter_page_finish. *Errors*:
// OTTER_FULL: the size is too small for a page without detail.
enum otter_status otter_page_init(struct otter_page *page, struct otter_view *view,
                                  const struct otter_view_request *request,
                                  struct otter_complaint *complaint);
void otter_page_finish(struct otter_page *page);

// The steps of otter_page_init: first everything that does not depend on the size, then the detail.
// *page must be zeros at first.
void otter_page_begin(struct otter_page *page, struct otter_view *view,
                      const struct otter_view_request *request);
enum otter_status otter_page_end(struct otter_page *page, struct otter_complaint *complaint);

// Prints the index as JSON. It describes the chunks that the page has so far. Returns OTTER_IO or
// OTTER_OK.
enum otter_status otter_index_print(FILE *out, const struct otter_page *page);
// Returns the index as text, which the caller frees.
char *otter_page_print_index(const struct otter_page *page);

// Returns the program's command line, or the archive's name.
const char *otter_page_title(const struct otter_page *page);

// ---- the file, from its start to its end; errors: see ferror()

void otter_html_begin(FILE *out, const char *title, const char *report_text);
void otter_html_print_index(FILE *out, const char *index);
// Numbers the elements of the chunks from `first` on.
void otter_html_print_chunks(FILE *out, const struct otter_chunks *chunks, uint32_t first);
// Prints the index of a rank of a job. Sets *size to its number of characters.
void otter_html_print_rank(FILE *out, uint32_t rank, const char *index, uint64_t *size);
void otter_html_end(FILE *out);
// Returns the characters of the parts that do not depend on the archive.
uint64_t otter_html_fixed_size(void);

// Closes a file and gives it its name. `error`: the errno from opening the file. Sets *size to its
// number of characters. *Errors*: from errno.
enum otter_status otter_page_publish(struct otter_new_file *file, int error, const char *path,
                                     uint64_t *size, struct otter_complaint *complaint);
