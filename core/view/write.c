// Writes the page of one archive.
#include "view/view.h"

#include <stdlib.h>

#include "base/output/new_file.h"
#include "view/page.h"
#include "view/read.h"

enum otter_status otter_page_publish(struct otter_new_file *file, int error, const char *path,
                                     uint64_t *size, struct otter_complaint *complaint)
{
    if (!error) {
        long end = ftell(file->stream);
        *size = end > 0 ? (uint64_t)end : 0;
        error = otter_new_file_close(file);
    }
    error = error ? error : otter_new_file_publish(file);
    if (error) {
        snprintf(complaint->text, sizeof complaint->text, "cannot write page '%s': %s", path,
                 otter_new_file_error(error));
    }
    otter_new_file_finish(file);
    return error ? otter_status_from_errno(error) : OTTER_OK;
}

static enum otter_status write_file(const struct otter_page *page, const char *path, uint64_t *size,
                                    struct otter_complaint *complaint)
{
    struct otter_new_file file;
    char *index = otter_page_print_index(page);
    int error = otter_new_file_open(&file, path);
    if (!error) {
        otter_html_begin(file.stream, otter_page_title(page), page->report_text);
        otter_html_print_index(file.stream, index);
        otter_html_print_chunks(file.stream, &page->chunks, 0);
        otter_html_end(file.stream);
    }
    free(index);
    return otter_page_publish(&file, error, path, size, complaint);
}

static enum otter_status write_page(struct otter_view *view,
                                    const struct otter_view_request *request,
                                    struct otter_view_result *result,
                                    struct otter_complaint *complaint)
{
    struct otter_page page;
    double length = (double)(view->end - view->begin) * view->analysis.tick;
    if (request->from >= length && request->from > 0) {
        snprintf(complaint->text, sizeof complaint->text,
                 "--from=%gs is after the end of '%s', which takes %.3g s", request->from,
                 view->definitions->folder, length);
        return OTTER_BAD_VALUE;
    }
    enum otter_status status = otter_page_init(&page, view, request, complaint);
    OTTER_THEN(status, write_file(&page, request->output, &result->size, complaint));
    result->is_complete = page.detail.n_slices == 0;
    otter_page_finish(&page);
    return status;
}

enum otter_status otter_view_write(struct otter_archive *archive,
                                   const struct otter_view_request *request,
                                   struct otter_view_result *result,
                                   struct otter_complaint *complaint)
{
    struct otter_view *view = calloc(1, sizeof *view);
    *result = (struct otter_view_result){0};
    view->size = request->size;
    view->is_page = true;
    enum otter_status status = otter_view_read(view, archive, complaint);
    OTTER_THEN(status, write_page(view, request, result, complaint));
    otter_view_finish(view);
    free(view);
    return status;
}
