// Writes the page of a job: its ranks, each with its share of the size.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/read.h"
#include "analysis/job/each_rank.h"
#include "base/output/new_file.h"
#include "report/form/json.h"
#include "view/page.h"
#include "view/read.h"

enum {
    MIN_SHARE = 120000,    // characters of a rank: enough for its sums
    MIN_RANK = 5000,       // characters: each rank needs at least this many
    SIZE_OF_MESSAGE = 200, // characters of the page; both ends together have about 20
    RANK_ENTRY = 400,      // characters of a rank in the job's index
    STEP_SIZE = 60,
};

struct job_writer {
    struct otter_archive *archive;
    const struct otter_view_job *job;
    const struct otter_view_request *request;
    FILE *out;
    json_t *ranks;             // ranks in the file so far, for the index
    uint32_t n_chunks;         // chunks in the file
    uint64_t size, most;       // characters of the ranks in the file, and their limit
    uint64_t share;            // size of a rank, if all need the same
    uint32_t n_done;           // ranks done, including those that do not fit
    uint64_t shortest_message; // ticks
    struct otter_view_result *result;
};

// ---- a rank

static void note_rank(struct job_writer *writer, uint32_t place, const struct otter_page *page)
{
    const struct otter_rank *rank = &otter_archive_definitions(writer->archive)->ranks[place];
    json_t *object = json_object();
    otter_json_set_number(object, "rank", rank->number);
    otter_json_set_text(object, "host", rank->host);
    otter_json_set_text(object, "program", rank->program);
    otter_json_set_number(object, "deviation_ns", rank->clock_deviation_ns);
    otter_json_set_number(object, "first_chunk", writer->n_chunks);
    json_array_append_new(writer->ranks, object);
    writer->n_chunks += page->chunks.n;
    writer->result->is_complete &= page->detail.n_slices == 0;
}

static void print_rank(struct job_writer *writer, uint32_t rank, const struct otter_page *page)
{
    const struct otter_job_rank *own = &writer->job->job->ranks.items[rank];
    char *index = otter_page_print_index(page);
    uint64_t size = 0;
    otter_html_print_rank(writer->out, own->number, index, &size);
    free(index);
    writer->size += size + page->chunks.n_characters;
    otter_html_print_chunks(writer->out, &page->chunks, writer->n_chunks);
    note_rank(writer, own->place, page);
}

// A rank and its pictures. The view of a rank that is in memory is not `own`.
struct rank_page {
    struct otter_view *view, own;
    struct otter_page page;
    enum otter_status status;
    struct otter_complaint complaint;
};

static struct otter_archive *find_rank(const void *user, uint32_t place)
{
    const struct job_writer *writer = user;
    return writer->job->ranks[place].archive;
}

// Reads everything about a rank that does not depend on the sizes of other ranks.
static void read_rank(const void *user, struct otter_archive *archive, void *result)
{
    const struct job_writer *writer = user;
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    struct rank_page *rank = result;
    bool is_in_memory = writer->job->ranks;
    rank->view = is_in_memory ? writer->job->ranks[definitions->rank].view : &rank->own;
    struct otter_view *view = rank->view;
    view->size = writer->share;
    view->is_page = true;
    view->job = writer->job->job;
    view->job_rank = otter_job_find_rank(view->job, definitions->ranks[definitions->rank].number);
    view->shortest_message = writer->shortest_message;
    if (is_in_memory) {
        otter_view_end(view);
    } else {
        rank->status = otter_view_read(view, archive, &rank->complaint);
    }
    if (!rank->status) {
        otter_page_begin(&rank->page, view, writer->request);
    }
}

static void finish_rank(void *result)
{
    struct rank_page *rank = result;
    otter_page_finish(&rank->page);
    if (rank->view == &rank->own) {
        otter_view_finish(rank->view);
    } else {
        otter_view_finish_own(rank->view);
    }
}

static bool is_full(const void *user)
{
    const struct job_writer *writer = user;
    return writer->most <= writer->size + MIN_RANK;
}

// Divides the rest of the size equally among the remaining ranks. Each rank gets room for at
// least its sums, so the last ranks may be left out.
static uint64_t next_share(const struct job_writer *writer)
{
    uint64_t rest = writer->most - writer->size;
    uint64_t share = rest / (writer->job->n_numbers - writer->n_done);
    share = share > MIN_SHARE ? share : MIN_SHARE;
    return share < rest ? share : rest;
}

static void note_step(const struct job_writer *writer, uint32_t number)
{
    char step[STEP_SIZE];
    snprintf(step, sizeof step, "drawing rank %" PRIu32 " (%" PRIu32 " of %" PRIu32 ")", number,
             writer->n_done + 1, writer->job->n_numbers);
    otter_view_step(writer->request, step);
}

// Counts ranks that could not be opened, and were skipped, as done.
static void skip_to(struct job_writer *writer, uint32_t number)
{
    const struct otter_view_job *job = writer->job;
    while (writer->n_done + 1 < job->n_numbers && job->numbers[writer->n_done] != number) {
        writer->n_done++;
    }
}

// A rank that does not fit, or cannot be read, is left out.
static bool write_rank(void *user, struct otter_archive *archive, void *result)
{
    struct job_writer *writer = user;
    struct rank_page *rank = result;
    struct otter_complaint *failure = &writer->result->failure;
    uint32_t number = otter_selected_rank(archive)->number;
    skip_to(writer, number);
    note_step(writer, number);
    rank->view->size = next_share(writer);
    OTTER_THEN(rank->status, otter_page_end(&rank->page, &rank->complaint));
    if (!rank->status) {
        print_rank(writer, rank->view->job_rank, &rank->page);
    }
    if (rank->status && rank->status != OTTER_FULL && !failure->text[0]) {
        *failure = rank->complaint;
    }
    writer->n_done++;
    return true;
}

static uint32_t *places_of(const struct otter_view_job *job, uint32_t *n)
{
    uint32_t *places = calloc(job->n_numbers + (size_t)1, sizeof *places);
    *n = 0;
    for (uint32_t i = 0; i < job->n_numbers; i++) {
        uint32_t rank = otter_job_find_rank(job->job, job->numbers[i]);
        if (rank != OTTER_NONE) {
            places[(*n)++] = job->job->ranks.items[rank].place;
        }
    }
    return places;
}

static void write_ranks(struct job_writer *writer, uint64_t size)
{
    uint32_t n, n_failed = 0, *places = places_of(writer->job, &n);
    const struct otter_rank_steps steps = {.size = sizeof(struct rank_page),
                                           .read = read_rank,
                                           .use = write_rank,
                                           .finish = finish_rank,
                                           .is_enough = is_full,
                                           .places = places,
                                           .n_places = n,
                                           .find = writer->job->ranks ? find_rank : NULL};
    writer->most = size;
    writer->share = n > 0 && size / n > MIN_SHARE ? size / n : MIN_SHARE;
    if (!is_full(writer)) {
        n_failed = otter_each_rank(writer->archive, &steps, writer);
    }
    writer->result->n_unread = n_failed;
    writer->result->n_left_out = n - (uint32_t)json_array_size(writer->ranks);
    free(places);
}

// ---- the job

static int compare_numbers(const json_t *a, const json_t *b)
{
    json_int_t x = json_integer_value(json_object_get(a, "rank"));
    json_int_t y = json_integer_value(json_object_get(b, "rank"));
    return (x > y) - (x < y);
}

// Returns the index's entries of ranks in order of the ranks' numbers.
static json_t *sorted_ranks(const json_t *ranks)
{
    json_t *sorted = json_array();
    for (size_t i = 0; i < json_array_size(ranks); i++) {
        json_t *rank = json_array_get(ranks, i);
        size_t at = json_array_size(sorted);
        while (at > 0 && compare_numbers(rank, json_array_get(sorted, at - 1)) < 0) {
            at--;
        }
        json_array_insert(sorted, at, rank);
    }
    return sorted;
}

static void set_clock(json_t *root, const struct job_writer *writer)
{
    const struct otter_definitions *definitions = otter_archive_definitions(writer->archive);
    const struct otter_job *job = writer->job->job;
    uint64_t resolution = definitions->clock.resolution;
    json_t *clock = json_object();
    otter_json_set_number(clock, "resolution", resolution ? resolution : 1000000000);
    otter_json_set_number(clock, "begin", job->begin);
    otter_json_set_number(clock, "end", job->end - job->begin);
    otter_json_set_number(clock, "realtime_ns", definitions->clock.realtime);
    otter_json_set(root, "clock", clock);
}

// Returns the command line of the first rank.
static const char *title_of(const struct otter_archive *archive)
{
    struct otter_definitions first = *otter_archive_definitions(archive);
    first.properties = first.ranks[0].properties;
    first.n_properties = first.ranks[0].n_properties;
    const char *command = otter_definitions_property(&first, "OTTER::COMMAND_LINE");
    return command && *command ? command : first.folder;
}

static void print_index(const struct job_writer *writer)
{
    json_t *root = json_object(), *numbers = json_array();
    char *text = NULL;
    size_t size;
    for (uint32_t i = 0; i < writer->job->n_numbers; i++) {
        json_array_append_new(numbers, otter_json_number(writer->job->numbers[i]));
    }
    otter_json_set_number(root, "version", 1);
    otter_json_set_text(root, "otter", OTTER_VERSION);
    otter_json_set_text(root, "title", title_of(writer->archive));
    otter_json_set(root, "report", json_deep_copy(writer->job->report));
    otter_json_set_text(root, "report_text", writer->job->report_text);
    otter_json_set(root, "sentences", json_deep_copy(writer->job->sentences));
    set_clock(root, writer);
    otter_json_set(root, "ranks", sorted_ranks(writer->ranks));
    otter_json_set(root, "outliers", numbers);
    otter_json_set_number(root, "shortest_message", writer->shortest_message);
    otter_json_set_number(root, "left_out", writer->result->n_left_out);
    FILE *out = open_memstream(&text, &size);
    otter_json_print_script(out, root);
    fclose(out);
    otter_html_print_index(writer->out, text);
    free(text);
}

// Returns the characters of the file without the ranks. Counts six for each character of the
// report's text, which may be escaped.
static uint64_t fixed_size(const struct job_writer *writer)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    otter_json_print_script(out, json_deep_copy(writer->job->report));
    fclose(out);
    free(text);
    return otter_html_fixed_size() + size + 12 * strlen(writer->job->report_text) +
           (uint64_t)RANK_ENTRY * writer->job->job->ranks.n;
}

static void write_job(struct job_writer *writer)
{
    uint64_t fixed = fixed_size(writer), size = writer->request->size;
    otter_html_begin(writer->out, title_of(writer->archive), writer->job->report_text);
    writer->result->is_complete = true;
    writer->shortest_message =
        otter_view_shortest_message(writer->job->job, size / SIZE_OF_MESSAGE);
    write_ranks(writer, size > fixed ? size - fixed : 0);
    print_index(writer);
    otter_html_end(writer->out);
}

static void complain_of_ranks(const struct job_writer *writer, struct otter_complaint *complaint)
{
    if (writer->result->failure.text[0]) {
        *complaint = writer->result->failure;
        return;
    }
    if (writer->result->n_unread > 0 || writer->job->n_numbers == 0) {
        complaint->text[0] = '\0'; // each rank has its message
        return;
    }
    snprintf(
        complaint->text, sizeof complaint->text,
        "no rank of '%s' fits into the page: give a larger --size, or choose one with --rank=N",
        otter_archive_definitions(writer->archive)->folder);
}

enum otter_status otter_view_write_job(struct otter_archive *archive,
                                       const struct otter_view_job *job,
                                       const struct otter_view_request *request,
                                       struct otter_view_result *result,
                                       struct otter_complaint *complaint)
{
    struct otter_new_file file;
    struct job_writer writer = {archive, job, request, .ranks = json_array(), .result = result};
    *result = (struct otter_view_result){0};
    int error = otter_new_file_open(&file, request->output);
    if (!error) {
        writer.out = file.stream;
        write_job(&writer);
    }
    bool is_empty = json_array_size(writer.ranks) == 0;
    json_decref(writer.ranks);
    if (!error && is_empty) {
        complain_of_ranks(&writer, complaint);
        otter_new_file_finish(&file);
        return OTTER_FULL;
    }
    return otter_page_publish(&file, error, request->output, &result->size, complaint);
}

// ---- ranks in memory

size_t otter_view_rank_size(void)
{
    return sizeof(struct otter_view);
}

void otter_view_rank_begin(void *rank, struct otter_archive *archive, struct otter_reading *reading)
{
    struct otter_view *view = rank;
    view->is_page = true;
    otter_view_begin(view, archive);
    *reading = (struct otter_reading){&view->labels, &view->analysis, &view->findings,
                                      otter_view_add, reading->user};
}

void otter_view_rank_finish(void *rank)
{
    otter_view_finish_own(rank);
}
