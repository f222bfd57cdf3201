// Computes everything that the page of one archive, or of one rank of a job, contains.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/free.h"

#include "analysis/sample/functions.h"
#include "view/page.h"

// characters reserved for numbers of the index that are known only at the end
enum { RESERVE = 2000 };

// characters of the page for each step of a table of the report; a step needs about 150
enum { SIZE_OF_STEP = 4000, MIN_STEPS = 100 };

static char *print_report(const struct otter_report *report)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    otter_report_print_summary(out, report, (struct otter_screen){.width = 80});
    fclose(out);
    return text;
}

char *otter_page_print_index(const struct otter_page *page)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    otter_index_print(out, page);
    fclose(out);
    return text;
}

// ---- in parallel to the main thread

// A part of the page that another thread makes. Only one of the two threads reads the archive. For
// a rank of a job, the rank's own thread makes the part, because it holds back messages and owns
// large arrays.
struct part {
    struct otter_page *page;
    struct otter_view *view;
    pthread_t thread;
    bool has_thread;
};

static void begin_part(struct part *part, void *(*make)(void *))
{
    part->has_thread = !part->view->job && pthread_create(&part->thread, NULL, make, part) == 0;
    if (!part->has_thread) {
        make(part);
    }
}

static void end_part(struct part *part)
{
    if (part->has_thread) {
        pthread_join(part->thread, NULL);
    }
}

static void *make_drawing(void *user)
{
    struct part *part = user;
    struct otter_page *page = part->page;
    otter_drawn_graph_init(&page->drawn, part->view);
    otter_drawn_graph_place(&page->drawn);
    return NULL;
}

static void *make_report(void *user)
{
    struct part *part = user;
    part->page->report_json = otter_report_json(&part->page->report);
    return NULL;
}

// ---- the tables that are in every page, whatever its size

// Also prints the report, except for a rank of a job: only the job's report is in the page.
static void find_slack(struct otter_page *page, struct otter_view_tasks *tasks)
{
    otter_view_tasks_find_slack(tasks);
    page->report_text = page->view->job ? NULL : print_report(&page->report);
}

static void write_complete_tables(struct otter_page *page, struct otter_view *view,
                                  const struct otter_view_tasks *tasks)
{
    struct otter_chunks *chunks = &page->chunks;
    otter_pyramid_init(&page->pyramid, view, chunks);
    otter_view_write_profile(view, chunks, &page->profile_step);
    otter_view_write_memory(view, chunks, &page->memory);
    otter_view_write_paths(view, chunks);
    otter_view_write_messages(view, chunks);
    otter_view_write_flame(view, chunks);
    otter_view_write_off(view, chunks, &page->shortest_off);
    otter_view_write_samples(view, &page->samples, chunks);
    otter_view_write_histogram(tasks, chunks);
    page->evidence = otter_evidence_create(view);
}

static void write_report_and_tables(struct otter_page *page, struct otter_view *view,
                                    struct otter_view_tasks *tasks)
{
    struct part part = {.page = page, .view = view};
    begin_part(&part, make_drawing);
    find_slack(page, tasks);
    end_part(&part);
    page->report.slack = &tasks->nodes;
    begin_part(&part, make_report);
    write_complete_tables(page, view, tasks);
    end_part(&part);
    page->report.slack = NULL;
    otter_node_slack_finish(&tasks->nodes);
}

// Computes once what both forms of the report need: functions of samples, and labels of paths.
static void write_tables(struct otter_page *page, struct otter_view *view,
                         struct otter_view_tasks *tasks)
{
    struct otter_functions functions = {.n_on_path = 0};
    struct otter_path_labels paths = {0};
    otter_view_samples_init(&page->samples.all, view);
    otter_path_labels_init(&paths, &view->analysis);
    page->report.path_labels = &paths;
    if (view->definitions->n_contexts > 0) {
        otter_functions_read(&functions, &view->analysis, &view->labels);
        page->report.functions = &functions;
    }
    write_report_and_tables(page, view, tasks);
    page->report.functions = NULL;
    page->report.path_labels = NULL;
    otter_path_labels_finish(&paths);
    otter_functions_finish(&functions);
}

// ---- detail

// Returns the characters of the file except the chunks and their entries in the index. Counts six
// characters for each one of the report, which may be escaped. The index of a job's rank is
// compressed and has no other parts.
static uint64_t fixed_size(const struct otter_page *page, const char *index)
{
    if (page->view->job) {
        struct otter_chunk chunk;
        otter_chunk_compress(&chunk, index, strlen(index));
        free(chunk.bytes);
        return chunk.n_bytes * 3 / 2 + RESERVE;
    }
    return otter_html_fixed_size() +
           6 * (strlen(page->report_text) + strlen(otter_page_title(page))) + strlen(index) +
           RESERVE;
}

// Adds as much detail as fits.
static enum otter_status write_detail(struct otter_page *page, const struct otter_view_tasks *tasks,
                                      struct otter_complaint *complaint)
{
    struct otter_chunks present = page->chunks;
    page->chunks = (struct otter_chunks){0};
    char *index = otter_page_print_index(page);
    page->chunks = present;
    uint64_t fixed = fixed_size(page, index);
    free(index);
    if (fixed + page->chunks.n_characters > page->view->size) {
        snprintf(complaint->text, sizeof complaint->text,
                 "the page of '%s' needs %.1f MB even without details: give a larger --size",
                 page->view->definitions->folder,
                 (double)(fixed + page->chunks.n_characters) * 1.1e-6);
        return OTTER_FULL;
    }
    struct otter_detail_request detail = {.n_characters = page->view->size - fixed,
                                          .has_window = page->has_window,
                                          .begin = page->window_begin,
                                          .end = page->window_end};
    otter_detail_write(&page->detail, tasks, page->evidence, &detail, &page->chunks);
    return OTTER_OK;
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

void otter_page_finish(struct otter_page *page)
{
    otter_view_tasks_finish(&page->tasks);
    otter_chunks_finish(&page->chunks);
    otter_pyramid_finish(&page->pyramid);
    otter_drawn_graph_finish(&page->drawn);
    otter_page_samples_finish(&page->samples);
    OTTER_FREE(page->memory.spaces, page->evidence, page->report_text);
    json_decref(page->report_json);
}

void otter_page_begin(struct otter_page *page, struct otter_view *view,
                      const struct otter_view_request *request)
{
    *page = (struct otter_page){.view = view,
                                .report = {.archive = view->archive,
                                           .analysis = &view->analysis,
                                           .findings = &view->findings,
                                           .labels = &view->labels,
                                           .loop_walk = view->loop_walk,
                                           .lock_walk = view->lock_walk}};
    uint64_t n_steps = view->size / SIZE_OF_STEP;
    page->report.max_steps = n_steps > MIN_STEPS ? (uint32_t)n_steps : MIN_STEPS;
    otter_view_tasks_init(&page->tasks, view);
    set_window(page, request);
    if (!view->job) {
        otter_view_step(request, "drawing the task graph and the timeline");
    }
    write_tables(page, view, &page->tasks);
}

enum otter_status otter_page_end(struct otter_page *page, struct otter_complaint *complaint)
{
    return write_detail(page, &page->tasks, complaint);
}

enum otter_status otter_page_init(struct otter_page *page, struct otter_view *view,
                                  const struct otter_view_request *request,
                                  struct otter_complaint *complaint)
{
    otter_page_begin(page, view, request);
    if (!view->job) {
        otter_view_step(request, "writing the page");
    }
    return otter_page_end(page, complaint);
}
