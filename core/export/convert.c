// The table of formats, and the steps from an archive to a file.
#include "export/convert.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/output/new_file.h"
#include "base/output/new_folder.h"
#include "base/text/print.h"
#include "export/formats.h"
#include "export/slice/messages.h"
#include "analysis/findings/read.h"
#include "view/read.h"

static const struct otter_conversion_format formats[] = {
    {.name = "perfetto",
     .ending = ".perfetto-trace",
     .help = "for ui.perfetto.dev, which reads large files",
     .write = otter_convert_to_perfetto,
     .has_messages = true,
     .is_binary = true},
    {.name = "chrome",
     .ending = ".chrome.json",
     .help = "JSON trace events, for chrome://tracing and Perfetto",
     .write = otter_convert_to_chrome,
     .end = otter_end_chrome,
     .has_messages = true},
    {.name = "collapsed",
     .ending = ".collapsed",
     .help = "stacks by path of creation, for flame graphs",
     .write = otter_convert_to_collapsed,
     .has_stacks = true},
    {.name = "speedscope",
     .ending = ".speedscope.json",
     .help = "for www.speedscope.app, a profile for each thread",
     .write = otter_convert_to_speedscope,
     .end = otter_end_speedscope},
    {.name = "csv",
     .ending = ".csv",
     .help = "a table, see --table",
     .write = otter_convert_to_csv,
     .has_tables = true},
    {.name = "json",
     .ending = ".json",
     .help = "the same as an array of objects",
     .write = otter_convert_to_json,
     .end = otter_end_json,
     .has_tables = true},
    {.name = "parquet",
     .ending = ".parquet",
     .help = "a folder with all tables, for DuckDB, pandas, Spark"},
};

const struct otter_conversion_format *otter_conversion_formats(size_t *n)
{
    *n = sizeof formats / sizeof *formats;
    return formats;
}

// ---- ranks

static enum otter_status complain(struct otter_complaint *complaint, const char *path, int error)
{
    snprintf(complaint->text, sizeof complaint->text, "cannot write '%s': %s", path,
             otter_new_file_error(error));
    return otter_status_from_errno(error);
}

static enum otter_status write_rank(const struct otter_conversion *conversion, const char *folder,
                                    const struct otter_conversion_request *request,
                                    struct otter_complaint *complaint)
{
    if (!folder) {
        request->format->write(conversion);
        return OTTER_OK;
    }
    int error = otter_parquet_write(conversion, folder);
    return error ? complain(complaint, request->path, error) : OTTER_OK;
}

static uint64_t rank_of(const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    return definitions->rank < definitions->n_ranks ? definitions->ranks[definitions->rank].number
                                                    : otter_archive_number(archive, "OTTER::RANK");
}

// Writes the part of the rank, or its files in `folder`.
static enum otter_status convert_rank(struct otter_archive *archive,
                                      const struct otter_conversion_request *request,
                                      struct otter_conversion_file *file, const char *folder,
                                      struct otter_complaint *complaint)
{
    struct otter_view *view = calloc(1, sizeof *view);
    enum otter_status status = otter_view_read(view, archive, complaint);
    if (!status) {
        struct otter_conversion conversion = {
            .view = view,
            .file = file,
            .report = {archive, &view->analysis, &view->findings, &view->labels},
            .table = request->table,
            .has_functions = request->has_functions,
            .rank = rank_of(archive),
            .out = file->out};
        if (file->has_ranks && !folder && !request->table && file->clock_begin < view->begin) {
            view->begin = file->clock_begin; // the ranks share a time axis
        }
        status = write_rank(&conversion, folder, request, complaint);
        file->n_ranks += !status;
        otter_reading_warn_of_damage(archive);
    }
    otter_view_finish(view);
    free(view);
    return status;
}

// Converts one rank after the other. Leaves out ranks that cannot be read, unless all are damaged.
static enum otter_status convert_each(struct otter_archive *archive,
                                      const struct otter_conversion_request *request,
                                      struct otter_conversion_file *file, const char *folder,
                                      const struct otter_messages *messages,
                                      struct otter_complaint *complaint)
{
    const struct otter_rank *ranks = otter_archive_definitions(archive)->ranks;
    size_t n = otter_archive_definitions(archive)->n_ranks;
    file->next_flow = messages->n_flows;
    for (uint32_t i = 0; i < n; i++) {
        file->messages = i < messages->n_ranks ? &messages->ranks[i] : NULL;
        enum otter_status status = otter_archive_select_rank(archive, i, complaint);
        OTTER_THEN(status, convert_rank(archive, request, file, folder, complaint));
        if (status && status != OTTER_BAD_ARCHIVE) {
            return status;
        }
        if (status) {
            otter_warning("%s; the export lacks rank %" PRIu32, complaint->text, ranks[i].number);
        }
    }
    return file->n_ranks > 0 ? OTTER_OK : OTTER_BAD_ARCHIVE;
}

static void read_messages(struct otter_messages *messages, struct otter_archive *archive)
{
    otter_messages_read(messages, archive);
    if (messages->n_unmatched > 0) {
        otter_warning("no flow for %" PRIu64 " send%s or receive%s without a partner in another "
                      "rank",
                      messages->n_unmatched, otter_plural(messages->n_unmatched),
                      otter_plural(messages->n_unmatched));
    }
}

static enum otter_status convert_ranks(struct otter_archive *archive,
                                       const struct otter_conversion_request *request,
                                       struct otter_conversion_file *file, const char *folder,
                                       struct otter_complaint *complaint)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    file->clock_begin = definitions->clock.offset;
    file->has_ranks = definitions->n_ranks > 0 && definitions->rank == OTTER_NONE;
    if (!file->has_ranks) {
        return convert_rank(archive, request, file, folder, complaint);
    }
    struct otter_messages messages = {0};
    if (request->format->has_messages) {
        read_messages(&messages, archive);
    }
    enum otter_status status = convert_each(archive, request, file, folder, &messages, complaint);
    otter_messages_finish(&messages);
    return status;
}

// ---- the file

static enum otter_status write_ranks(struct otter_archive *archive,
                                     const struct otter_conversion_request *request,
                                     struct otter_conversion_file *file,
                                     struct otter_complaint *complaint)
{
    enum otter_status status = convert_ranks(archive, request, file, NULL, complaint);
    if (!status && request->format->end) {
        request->format->end(file);
    }
    if (file->frames) {
        fclose(file->frames);
    }
    free(file->frames_text);
    return status;
}

static enum otter_status convert_to_file(struct otter_archive *archive,
                                         const struct otter_conversion_request *request,
                                         struct otter_complaint *complaint)
{
    struct otter_conversion_file content = {.out = stdout};
    if (strcmp(request->path, "-") == 0) {
        return write_ranks(archive, request, &content, complaint); // main() reports errors
    }
    struct otter_new_file file;
    enum otter_status status = OTTER_OK;
    int error = otter_new_file_open(&file, request->path);
    if (!error) {
        content.out = file.stream;
        status = write_ranks(archive, request, &content, complaint);
        error = otter_new_file_close(&file);
    }
    if (!status && !error) {
        error = otter_new_file_publish(&file);
    }
    if (!status && error) {
        status = complain(complaint, request->path, error);
    }
    otter_new_file_finish(&file);
    return status;
}

// ---- the folder

static enum otter_status create_folder(struct otter_new_folder *folder, const char *path,
                                       struct otter_complaint *complaint)
{
    int error = otter_new_folder_create(folder, path, otter_parquet_is_export);
    if (error == EEXIST) {
        snprintf(complaint->text, sizeof complaint->text,
                 "cannot write '%s': it contains other files; name another folder with --output",
                 path);
        return OTTER_EXISTS;
    }
    return error ? complain(complaint, path, error) : OTTER_OK;
}

static enum otter_status convert_to_folder(struct otter_archive *archive,
                                           const struct otter_conversion_request *request,
                                           struct otter_complaint *complaint)
{
    struct otter_new_folder folder;
    enum otter_status status = create_folder(&folder, request->path, complaint);
    struct otter_conversion_file none = {.out = NULL};
    OTTER_THEN(status, convert_ranks(archive, request, &none, folder.temporary, complaint));
    int error = status ? 0 : otter_new_folder_publish(&folder);
    otter_new_folder_finish(&folder);
    return error ? complain(complaint, request->path, error) : status;
}

enum otter_status otter_convert_archive(struct otter_archive *archive,
                                        const struct otter_conversion_request *request,
                                        struct otter_complaint *complaint)
{
    return request->format->write ? convert_to_file(archive, request, complaint)
                                  : convert_to_folder(archive, request, complaint);
}
