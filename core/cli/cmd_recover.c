// The command `otter recover`: makes an archive from the recording of a killed program.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/free.h"
#include "base/path.h"
#include "base/text/number.h"
#include "base/text/print.h"
#include "base/text/visible.h"
#include "cli/command.h"
#include "cli/request/newest.h"
#include "cli/request/options.h"
#include "merge/job_folder.h"
#include "recording/finish/finish.h"
#include "recording/folder.h"
#include "recording/finish/recording.h"
#include "recording/paths.h"
#include "source/stored_lines.h"

static const char suffix[] = OTTER_RECORDING_SUFFIX;

struct request {
    const char *output; // NULL: the name of the recording
    bool is_forced;
    bool deletes_empty;
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"force", no_argument, NULL, 'f'},
    {"delete-empty", no_argument, NULL, 'd'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

// Returns the recording's name without its suffix; the caller frees it.
static char *archive_of(const char *folder)
{
    return otter_paths_is_recording(folder) ? strndup(folder, strlen(folder) - (sizeof suffix - 1))
                                            : otter_path("%s.recovered", folder);
}

// Opens the recording `name`, or else `name` plus the suffix.
static enum otter_status open_recording(const char *name, struct otter_recording *recording)
{
    enum otter_status status = otter_recording_open(name, recording);
    if (status != OTTER_NOT_FOUND && status != OTTER_NOT_FOLDER) {
        return status;
    }
    char *shorter = otter_path_without_slashes(name);
    char *longer = otter_path("%s%s", shorter, suffix);
    status = otter_recording_open(longer, recording);
    free(longer);
    free(shorter);
    return status;
}

// Removes an empty recording of a complete archive: the process that completed the archive was
// killed before it could remove the recording.
static bool remove_rest(const char *folder, const char *archive)
{
    if (otter_recording_remove_rest(folder, archive) != OTTER_OK) {
        return false;
    }
    otter_print(stdout, "%s is complete; its empty recording was removed\n", archive);
    return true;
}

// Does the same as remove_rest() for a recording without a journal.
static bool remove_rest_without_journal(const char *name)
{
    char *given = otter_path_without_slashes(name);
    char *archive = otter_paths_is_recording(given) ? archive_of(given) : strdup(given);
    char *folder = otter_path("%s%s", archive, suffix);
    bool is_cleared = remove_rest(folder, archive);
    OTTER_FREE(folder, archive, given);
    return is_cleared;
}

static int complain_of_opening(const char *name, enum otter_status status)
{
    if (status == OTTER_NOT_FOUND && otter_paths_exists(otter_path("%s/traces.otf2", name))) {
        otter_error("'%s' is an archive, not a recording: there is nothing to recover", name);
    } else if (status == OTTER_NOT_FOUND && access(name, F_OK) < 0) {
        otter_error("cannot read recording '%s': %s", name, strerror(errno));
    } else if (status == OTTER_NOT_FOUND || status == OTTER_NOT_FOLDER) {
        otter_error("'%s' is not a recording: it contains no journal", name);
    } else if (status == OTTER_EXISTS) {
        otter_error("'%s' is being recovered by another process", name);
    } else if (status == OTTER_BAD_ARCHIVE) {
        otter_error("'%s' cannot be recovered: its journal is damaged, or was written by a "
                    "newer Otter",
                    name);
    } else {
        otter_error("cannot read recording '%s': %s", name, otter_status_text(status));
    }
    return OTTER_EXIT_FAILED;
}

static bool is_here(const struct otter_recording *recording)
{
    char host[HOST_NAME_MAX + 1] = "";
    gethostname(host, sizeof(host) - 1);
    return strcmp(host, recording->host) == 0;
}

static void complain_of_uncertainty(const struct otter_recording *recording,
                                    enum otter_recording_life life)
{
    if (recording->pid == 0 || !*recording->host) {
        otter_error(
            "the journal of '%s' is damaged and does not name its process: use --force if the "
            "program has ended",
            recording->folder);
    } else if (life == OTTER_RECORDING_UNIDENTIFIED) {
        otter_error(
            "'%s' was recorded by process %d (%s); another user's process has this number now: "
            "use --force if the program has ended",
            recording->folder, (int)recording->pid, recording->program);
    } else {
        otter_error(
            "'%s' was recorded on '%s'%s, where process %d may still be running: recover it "
            "there, or use --force if "
            "the process has ended",
            recording->folder, recording->host, is_here(recording) ? " in another container" : "",
            (int)recording->pid);
    }
}

// --force does not apply to a running program: moving its files could kill it.
static bool may_recover(struct otter_recording *recording, bool is_forced)
{
    enum otter_recording_life life = otter_recording_life(recording);
    switch (life) {
    case OTTER_RECORDING_OVER: return true;
    case OTTER_RECORDING_LIVE:
        otter_error("'%s' is still being recorded by process %d (%s): wait for its end",
                    recording->folder, (int)recording->pid,
                    recording->program ? recording->program : "which has just begun");
        return false;
    case OTTER_RECORDING_UNKNOWN:
    case OTTER_RECORDING_UNIDENTIFIED: break;
    }
    if (!is_forced) {
        complain_of_uncertainty(recording, life);
    }
    return is_forced;
}

// Deletes or reports a recording without events. `recording`: NULL if the folder has no journal.
static int end_empty(const char *folder, const struct otter_recording *recording,
                     const struct request *request)
{
    bool was_in_memory = recording && recording->is_begun && !recording->is_mapped;
    enum otter_status status =
        request->deletes_empty ? otter_recording_remove_unbegun(folder) : OTTER_EMPTY;
    if (!status) {
        otter_print(stdout, "%s: deleted, since it contained no events\n", folder);
        return OTTER_EXIT_OK;
    }
    if (status == OTTER_EMPTY) {
        char *word = otter_visible_word(folder);
        otter_error(
            "'%s' contains no events: its program was killed before %s; to delete the folder: "
            "otter recover --delete-empty %s",
            folder, was_in_memory ? "a chunk was full (chunks=memory)" : "the first event", word);
        free(word);
    } else if (status == OTTER_EXISTS) {
        otter_error("'%s' is not deleted: it contains no events, but it contains other files",
                    folder);
    } else {
        otter_error("cannot delete '%s': %s", folder, otter_status_text(status));
    }
    return OTTER_EXIT_FAILED;
}

static int complain_of_finish(const struct otter_recording *recording, const char *archive,
                              enum otter_status status)
{
    if (status == OTTER_EXISTS) {
        otter_error("'%s' exists already: choose another name with --output", archive);
    } else if (status == OTTER_NOT_FOUND || status == OTTER_NOT_FOLDER) {
        otter_error("cannot make the archive '%s': its parent folder does not exist", archive);
    } else {
        otter_error("cannot make the archive '%s': %s; nothing of the recording '%s' is lost",
                    archive, otter_status_text(status), recording->folder);
    }
    return OTTER_EXIT_FAILED;
}

// Warns about data that is missing because the journal is damaged.
static void warn_of_damage(const struct otter_finish_result *result)
{
    char n[OTTER_MAX_NUMBER];
    if (result->n_unread > 0) {
        otter_warning("its journal is damaged, %s line%s could not be read: names of threads "
                      "and code, members of teams, or counts may be missing",
                      otter_number_text(result->n_unread, n), otter_plural(result->n_unread));
    }
    if (result->n_unknown > 0) {
        otter_warning("for %s of its threads, only the events are known",
                      otter_number_text(result->n_unknown, n));
    }
    if (!result->has_start) {
        otter_warning(
            "the start of the recording is missing from its journal: the time of day is unknown");
    }
    if (!result->has_clock) {
        otter_warning(
            "the clock of the recording is missing from its journal: durations may be wrong");
    }
}

static void warn_of_removed_files(const struct otter_finish_result *result)
{
    if (result->n_missing > 0) {
        char least[OTTER_MAX_NUMBER], most[OTTER_MAX_NUMBER], number[OTTER_MAX_NUMBER];
        otter_warning("missing: at least %s and at most %s events of %s location%s, whose files "
                      "were removed or damaged",
                      otter_number_text(result->least_missing, least),
                      otter_number_text(result->most_missing, most),
                      otter_number_text(result->n_missing, number),
                      otter_plural(result->n_missing));
    }
}

static void note_missing(const struct otter_recording *recording,
                         const struct otter_finish_result *result)
{
    uint64_t n_lost = result->n_lost - result->least_missing;
    bool has_more = n_lost > 0 || result->n_unread > 0 || result->n_missing > 0;
    const char *besides = has_more ? "also " : "";
    warn_of_removed_files(result);
    if (n_lost > 0 && !recording->has_end) {
        otter_note(
            "missing: an unknown number of events that could not be stored while the program ran");
    } else if (n_lost > 0) {
        char number[OTTER_MAX_NUMBER];
        otter_note("missing: %s event%s that could not be stored while the program ran",
                   otter_number_text(n_lost, number), otter_plural(n_lost));
    }
    if (recording->has_end) {
        otter_note(has_more ? "nothing else is missing: all threads had finished recording"
                            : "nothing is missing: all threads had finished recording");
    } else if (recording->is_mapped) {
        otter_note(
            "%smissing: at most the event that each thread was recording when the program ended",
            besides);
    } else {
        otter_note("%smissing: what each thread had in memory when the program ended, less than a "
                   "chunk (chunks=memory)",
                   besides);
    }
}

static void note_stop(const struct otter_recording *recording)
{
    if (recording->is_stopped) {
        otter_note(
            "its events end where max-size was reached: 'otter info' prints the time, and region "
            "totals "
            "if there are any");
    }
}

static void store_lines(const char *archive)
{
    struct otter_stored_lines lines;
    struct otter_complaint complaint;
    if (otter_lines_store(archive, &lines, &complaint)) {
        otter_warning("source lines are not stored: %s", complaint.text);
    } else {
        otter_stored_lines_note(&lines);
    }
}

static int recover_as(const struct otter_recording *recording, const char *archive,
                      const struct request *request)
{
    struct otter_finish_result result;
    enum otter_status status = otter_finish(recording->folder, archive, &result);
    bool may_be_rest = status == OTTER_EMPTY || status == OTTER_EXISTS;
    if (may_be_rest && remove_rest(recording->folder, archive)) {
        return OTTER_EXIT_OK;
    }
    if (status) {
        return status == OTTER_EMPTY ? end_empty(recording->folder, recording, request)
                                     : complain_of_finish(recording, archive, status);
    }
    char events[OTTER_MAX_NUMBER], threads[OTTER_MAX_NUMBER];
    otter_print(stdout, "%s: %s event%s of %s thread%s\n", archive,
                otter_number_text(result.n_events, events), otter_plural(result.n_events),
                otter_number_text(result.n_locations, threads), otter_plural(result.n_locations));
    store_lines(archive);
    warn_of_damage(&result);
    note_missing(recording, &result);
    note_stop(recording);
    if (result.is_kept) {
        otter_error(
            "'%s' is not removed: its folder events/ contains event files that are damaged, or "
            "that belong to no known thread or device",
            recording->folder);
    }
    return result.is_kept ? OTTER_EXIT_FAILED : OTTER_EXIT_OK;
}

// Reports a recording that cannot be opened. A program that was killed at its start may leave no
// journal.
static int end_unopened(const char *name, enum otter_status status, const struct request *request)
{
    char *given = otter_path_without_slashes(name);
    char *folder =
        otter_paths_is_recording(given) ? strdup(given) : otter_path("%s%s", given, suffix);
    bool is_unbegun = status == OTTER_NOT_FOUND && otter_recording_is_unbegun(folder);
    int exit_status =
        is_unbegun ? end_empty(folder, NULL, request) : complain_of_opening(name, status);
    free(folder);
    free(given);
    return exit_status;
}

static int recover(const char *name, const struct request *request)
{
    struct otter_recording recording;
    enum otter_status status = open_recording(name, &recording);
    if (status == OTTER_NOT_FOUND && remove_rest_without_journal(name)) {
        return OTTER_EXIT_OK;
    }
    if (status) {
        return end_unopened(name, status, request);
    }
    int exit_status = OTTER_EXIT_FAILED;
    char *archive = request->output ? strdup(request->output) : archive_of(recording.folder);
    if (may_recover(&recording, request->is_forced)) {
        exit_status = recover_as(&recording, archive, request);
    }
    free(archive);
    otter_recording_close(&recording);
    return exit_status;
}

// Recovers the recordings in the folder of a job. The name of an archive may select one of them.
static int recover_job(const struct otter_job_folder *job, const char *name,
                       const struct request *request)
{
    int exit_status = OTTER_EXIT_OK;
    if (request->output) {
        otter_error("'%s' is the folder of a job: leave --output out, or name one recording", name);
        return OTTER_EXIT_USAGE;
    }
    for (uint32_t i = 0; i < job->n; i++) {
        int one = otter_paths_is_recording(job->items[i]) ? recover(job->items[i], request)
                                                          : OTTER_EXIT_OK;
        exit_status = one ? one : exit_status;
    }
    return exit_status;
}

static bool has_recording(const struct otter_job_folder *job)
{
    uint32_t i = 0;
    while (i < job->n && !otter_paths_is_recording(job->items[i])) {
        i++;
    }
    return i < job->n && otter_job_folder_has_ranks(job);
}

static int recover_name(const char *name, const struct request *request)
{
    struct otter_job_folder job;
    otter_job_folder_read(&job, name);
    int exit_status =
        has_recording(&job) ? recover_job(&job, name, request) : recover(name, request);
    otter_job_folder_free(&job);
    return exit_status;
}

static int recover_all(char **names, int n, const struct request *request)
{
    int exit_status = OTTER_EXIT_OK;
    for (int i = 0; i < n; i++) {
        int one = recover_name(names[i], request);
        exit_status = one ? one : exit_status;
    }
    return exit_status;
}

static int run(int argc, char **argv)
{
    struct request request = {.output = NULL};
    for (int option; (option = getopt_long(argc, argv, ":o:fdh", long_options, NULL)) != -1;) {
        switch (option) {
        case 'o': request.output = optarg; break;
        case 'f': request.is_forced = true; break;
        case 'd': request.deletes_empty = true; break;
        default: return otter_bad_option(option, argv, long_options);
        }
    }
    if (request.output && argc - optind > 1) {
        otter_error("cannot make one archive of %d recordings: leave --output out, or name one "
                    "recording",
                    argc - optind);
        return OTTER_EXIT_USAGE;
    }
    if (optind < argc) {
        return recover_all(argv + optind, argc - optind, &request);
    }
    char newest[NAME_MAX + 1];
    return otter_newest_recording(newest) ? recover(newest, &request) : OTTER_EXIT_FAILED;
}

const struct otter_command otter_command_recover = {
    .name = "recover",
    .summary = "turn a killed program's recording into an archive",
    .print_help = otter_help_recover,
    .run = run,
};
