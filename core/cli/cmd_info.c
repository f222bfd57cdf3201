// The command `otter info`: prints a summary of an archive, or the table of settings.
#include <inttypes.h>
#include <string.h>

#include "base/log.h"
#include "base/text/print.h"
#include "base/settings.h"
#include "cli/command.h"
#include "analysis/job/each_rank.h"
#include "cli/request/open.h"
#include "report/form/terminal.h"
#include "report/ranks/rank_summaries.h"
#include "report/info/info.h"
#include "source/lines.h"
#include "report/form/wrap.h"

static const struct option long_options[] = {{"all", no_argument, NULL, 'a'},
                                             {"json", no_argument, NULL, 'j'},
                                             {"settings", no_argument, NULL, 's'},
                                             OTTER_SHARED_OPTIONS};

static int print_settings(void)
{
    size_t n;
    char wanted[OTTER_SETTING_WANTED_SIZE];
    const struct otter_setting *settings = otter_settings_table(&n);
    otter_settings_load();
    for (size_t i = 0; i < n; i++) {
        const struct otter_setting *setting = &settings[i];
        const char *value = otter_settings_get(setting->name);
        bool is_default = strcmp(value, setting->default_value) == 0;
        otter_print(stdout, i ? "\n%s\n" : "%s\n", setting->name);
        otter_print_wrapped(stdout, 4, setting->help);
        otter_print(stdout, "    variable %-24s default '%s'%s%s%s\n", setting->environment,
                    setting->default_value, is_default ? "" : ", in force '",
                    is_default ? "" : value, is_default ? "" : "'");
        if (setting->type != OTTER_SETTING_TEXT && setting->type != OTTER_SETTING_BOOL) {
            otter_print(stdout, "    takes    %s\n", otter_setting_wanted(setting, wanted));
        }
    }
    return OTTER_EXIT_OK;
}

// Returns OTTER_OK if the archive can be read completely.
static enum otter_status print_summary(struct otter_archive *archive,
                                       const struct otter_labels *labels, bool as_json)
{
    struct otter_summary summary;
    enum otter_status status = OTTER_OK;
    otter_summary_init(&summary, archive);
    if (as_json) {
        status = otter_info_print_json(stdout, archive, &summary, labels);
    } else {
        otter_info_print(stdout, archive, &summary, labels, otter_terminal_width(stdout));
    }
    if (summary.n_damaged > 0) {
        fflush(stdout); // before the message on stderr
        otter_error("%zu of %zu location%s cannot be read completely; the first: %s",
                    summary.n_damaged, otter_archive_definitions(archive)->n_locations,
                    otter_plural(otter_archive_definitions(archive)->n_locations),
                    summary.first_damage.text);
    }
    status = summary.n_damaged > 0 ? OTTER_BAD_ARCHIVE : status;
    otter_summary_finish(&summary);
    return status;
}

// Short lists need no labels and therefore no debug information.
static bool print_labelled(struct otter_archive *archive, bool as_json, bool all)
{
    struct otter_labels labels = {0};
    bool has_labels = all || as_json;
    // regions are not merged, so that each copy of a construct has a row with its function
    if (has_labels) {
        otter_lines_label(archive, &labels);
    }
    enum otter_status status = print_summary(archive, has_labels ? &labels : NULL, as_json);
    otter_labels_finish(&labels);
    return status == OTTER_OK;
}

static void read_nothing(const void *user, struct otter_archive *archive, void *result)
{
}

static bool print_rank(void *user, struct otter_archive *archive, void *result)
{
    otter_print(stdout, "\nrank %" PRIu32 "\n", otter_selected_rank(archive)->number);
    return print_labelled(archive, false, true);
}

static uint32_t print_job(struct otter_archive *archive, bool as_json, bool all)
{
    if (as_json) {
        return otter_rank_summaries_print_json(archive);
    }
    static const struct otter_rank_steps steps = {
        .size = 1, .read = read_nothing, .use = print_rank};
    uint32_t n_failed = otter_rank_summaries_print(archive);
    return n_failed + (all ? otter_each_rank(archive, &steps, NULL) : 0);
}

static int print_archive(struct otter_archive *archive, bool as_json, bool all)
{
    bool is_good = otter_has_ranks(archive) ? print_job(archive, as_json, all) == 0
                                            : print_labelled(archive, as_json, all);
    otter_archive_close(archive);
    return is_good ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

static int run(int argc, char **argv)
{
    bool all = false, as_json = false, settings = false;
    const char *rank = NULL;
    int status = OTTER_EXIT_OK;
    for (int option; (option = getopt_long(argc, argv, ":ajsh", long_options, NULL)) != -1;) {
        switch (option) {
        case 'a': all = true; break;
        case 'j': as_json = true; break;
        case 's': settings = true; break;
        default: status = otter_shared_option(option, &rank, argv, long_options);
        }
        if (status) {
            return status;
        }
    }
    if (settings && argc > optind) {
        otter_error("'otter info --settings' accepts no archive: leave '%s' out (otter help info)",
                    argv[optind]);
        return OTTER_EXIT_USAGE;
    }
    if (settings) {
        return print_settings();
    }
    struct otter_archive *archive;
    status = otter_open_argument(argc, argv, rank, &archive);
    return status ? status : print_archive(archive, as_json, all);
}

const struct otter_command otter_command_info = {
    .name = "info",
    .summary = "print a summary of an archive",
    .print_help = otter_help_info,
    .run = run,
};
