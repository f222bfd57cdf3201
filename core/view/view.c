// Makes a page: computes the tables, chooses the detail, writes the file.
#include "view/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/new_file.h"
#include "view/page.h"
#include "view/read.h"

enum { RESERVE = 2000 }; // characters: numbers of the index that are known at the end

// ---- the page

static char *print_report(const struct otter_report *report)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        otter_report_print_summary(out, report, (struct otter_screen){.width = 80});
        fclose(out);
    }
    return text;
}

// The index as text, which the caller frees; NULL when memory is short.
static char *print_index(const struct otter_page *page)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    enum otter_status status = out ? otter_index_print(out, page) : OTTER_NO_MEMORY;
    if (out && fclose(out) != 0) {
        status = OTTER_NO_MEMORY;
    }
    if (status) {
        free(text);
        return NULL;
    }
    return text;
}

// The tables that are in every page, whatever its size.
static enum otter_status write_tables(struct otter_page *page, struct otter_view *view,
                                      const struct otter_view_tasks *tasks,
                                      struct otter_complaint *complaint)
{
    struct otter_chunks *chunks = &page->chunks;
    enum otter_status status = otter_pyramid_init(&page->pyramid, view, chunks);
    status = status ? status : otter_view_write_profile(view, chunks, &page->profile_step);
    status = status ? status : otter_view_write_memory(view, chunks, &page->memory);
    status = status ? status : otter_view_write_paths(view, chunks);
    status = status ? status : otter_view_write_flame(view, chunks);
    status = status ? status : otter_view_write_histogram(tasks, chunks);
    status = status ? status : otter_drawn_graph_init(&page->drawn, view, complaint);
    if (status) {
        return status;
    }
    page->evidence = otter_evidence_create(view);
    page->report_text = print_report(&page->report);
    page->report_json = otter_report_json(&page->report);
    bool has_report = page->report_text && page->report_json;
    return page->evidence && has_report ? OTTER_OK : OTTER_NO_MEMORY;
}

// Characters of the file but for the chunks and their entries in the index. A character of the
// report may become six.
static uint64_t fixed_size(const struct otter_page *page, const char *index)
{
    return strlen(otter_view_page_head) + strlen(otter_view_page_report) +
           strlen(otter_view_page_data) + strlen(otter_view_page_tail) +
           6 * (strlen(page->report_text) + strlen(otter_page_title(page))) + strlen(index) +
           RESERVE;
}

// Adds as much detail as fits.
static enum otter_status write_detail(struct otter_page *page,
                                      const struct otter_view_request *request,
                                      const struct otter_view_tasks *tasks,
                                      struct otter_complaint *complaint)
{
    struct otter_chunks present = page->chunks;
    page->chunks = (struct otter_chunks){0};
    char *index = print_index(page);
    page->chunks = present;
    if (!index) {
        return OTTER_NO_MEMORY;
    }
    uint64_t fixed = fixed_size(page, index);
    free(index);
    if (fixed + page->chunks.n_characters > request->size) {
        snprintf(complaint->text, sizeof complaint->text,
                 "the page of '%s' needs %.1f MB without any detail: give a larger --size",
                 page->view->definitions->folder,
                 (double)(fixed + page->chunks.n_characters) * 1.1e-6);
        return OTTER_FULL;
    }
    struct otter_detail_request detail = {.n_characters = request->size - fixed,
                                          .has_window = page->has_window,
                                          .begin = page->window_begin,
                                          .end = page->window_end};
    return otter_detail_write(&page->detail, tasks, page->evidence, &detail, &page->chunks);
}

static enum otter_status complain(struct otter_complaint *complaint, const char *path, int error)
{
    snprintf(complaint->text, sizeof complaint->text, "cannot write page '%s': %s", path,
             strerror(error));
    return otter_status_from_errno(error);
}

static enum otter_status write_file(const struct otter_page *page, const char *path, uint64_t *size,
                                    struct otter_complaint *complaint)
{
    struct otter_new_file file;
    char *index = print_index(page);
    if (!index) {
        return OTTER_NO_MEMORY;
    }
    int error = otter_new_file_open(&file, path);
    if (!error) {
        otter_html_print(file.stream, page, index);
        long end = ftell(file.stream);
        *size = end > 0 ? (uint64_t)end : 0;
        error = otter_new_file_close(&file);
    }
    error = error ? error : otter_new_file_publish(&file);
    enum otter_status status = error ? complain(complaint, path, error) : OTTER_OK;
    otter_new_file_finish(&file);
    free(index);
    return status;
}

static void set_window(struct otter_page *page, const struct otter_view_request *request)
{
    double length = (double)(page->view->end - page->view->begin);
    double begin = request->from / page->view->analysis.tick;
    double end = request->to / page->view->analysis.tick;
    page->has_window = request->has_window;
    page->window_begin = (uint64_t)((begin < length ? begin : length) + 0.5);
    page->window_end = (uint64_t)((end < length ? end : length) + 0.5);
}

static void finish_page(struct otter_page *page)
{
    otter_chunks_finish(&page->chunks);
    otter_pyramid_finish(&page->pyramid);
    otter_drawn_graph_finish(&page->drawn);
    free(page->memory.spaces);
    free(page->evidence);
    free(page->report_text);
    json_decref(page->report_json);
}

static enum otter_status write_page(struct otter_view *view,
                                    const struct otter_view_request *request,
                                    struct otter_view_result *result,
                                    struct otter_complaint *complaint)
{
    struct otter_page page = {
        .view = view, .report = {view->archive, &view->analysis, &view->findings, &view->labels}};
    struct otter_view_tasks tasks;
    enum otter_status status = otter_view_tasks_init(&tasks, view);
    if (status) {
        return status;
    }
    set_window(&page, request);
    status = otter_view_tasks_find_slack(&tasks);
    status = status ? status : write_tables(&page, view, &tasks, complaint);
    status = status ? status : write_detail(&page, request, &tasks, complaint);
    otter_view_tasks_finish(&tasks);
    status = status ? status : write_file(&page, request->output, &result->size, complaint);
    result->is_complete = page.detail.n_slices == 0;
    finish_page(&page);
    return status;
}

enum otter_status otter_view_write(struct otter_archive *archive,
                                   const struct otter_view_request *request,
                                   struct otter_view_result *result,
                                   struct otter_complaint *complaint)
{
    struct otter_view *view = calloc(1, sizeof *view);
    *result = (struct otter_view_result){0};
    if (!view) {
        snprintf(complaint->text, sizeof complaint->text, "not enough memory");
        return OTTER_NO_MEMORY;
    }
    view->size = request->size;
    enum otter_status status = otter_view_read(view, archive, complaint);
    status = status ? status : write_page(view, request, result, complaint);
    otter_view_finish(view);
    free(view);
    return status;
}
