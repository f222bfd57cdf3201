// The command `otter info`: prints a summary of an archive, or the table of settings.
#include <string.h>

#include "base/log.h"
#include "base/print.h"
#include "base/settings.h"
#include "cli/command.h"
#include "cli/newest.h"
#include "cli/options.h"
#include "report/info.h"
#include "report/wrap.h"

static void print_help(FILE *out)
{
    otter_print(
        out,
        "Usage: otter info [--all] [--json] [ARCHIVE]\n"
        "       otter info --settings\n"
        "\n"
        "Prints a summary of an archive: the program, its runtime, tasks, events, threads, and losses; for\n"
        "Kokkos the time of each label, copies, fences, memory, sections and events.\n"
        "ARCHIVE is the folder of an archive or its .otf2 file; without it, the newest otter-* folder here.\n"
        "Archives of other tools are shown as far as Otter understands them.\n"
        "\n"
        "Options:\n"
        "  -a, --all        print all threads, code regions, labels, metadata, callbacks and settings\n"
        "  -j, --json       print JSON, which is always complete\n"
        "  -s, --settings   print the settings, their environment variables, defaults and values in force\n"
        "  -h, --help       this text\n"
        "\n"
        "Exit status: 0; 1 if the archive cannot be read, or not completely; 2 for a wrong command line.\n");
}

static const struct option long_options[] = {
    {"all", no_argument, NULL, 'a'},
    {"json", no_argument, NULL, 'j'},
    {"settings", no_argument, NULL, 's'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

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
        if (setting->type == OTTER_SETTING_CHOICE || setting->type == OTTER_SETTING_SIZE) {
            otter_print(stdout, "    takes    %s\n", otter_setting_wanted(setting, wanted));
        }
    }
    return OTTER_EXIT_OK;
}

static int print_archive(const char *path, bool as_json, bool all)
{
    struct otter_archive *archive;
    struct otter_complaint complaint;
    struct otter_summary summary;
    if (otter_archive_open(path, &archive, &complaint)) {
        otter_error("%s", complaint.text);
        return OTTER_EXIT_FAILED;
    }
    if (otter_summary_init(&summary, archive)) {
        otter_error("cannot read archive '%s': out of memory", path);
        otter_archive_close(archive);
        return OTTER_EXIT_FAILED;
    }
    enum otter_status status = OTTER_OK;
    if (as_json) {
        status = otter_info_print_json(stdout, archive, &summary);
    } else {
        otter_info_print(stdout, archive, &summary, all);
    }
    if (summary.n_damaged > 0) {
        fflush(stdout); // before the message on stderr
        otter_error("%zu of %zu location%s cannot be read completely; the first: %s",
                    summary.n_damaged, otter_archive_definitions(archive)->n_locations,
                    otter_plural(otter_archive_definitions(archive)->n_locations),
                    summary.first_damage.text);
    }
    bool is_whole = status == OTTER_OK && summary.n_damaged == 0;
    otter_summary_finish(&summary);
    otter_archive_close(archive);
    return is_whole ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

static int run(int argc, char **argv)
{
    bool all = false, as_json = false, settings = false;
    for (int option; (option = getopt_long(argc, argv, ":ajsh", long_options, NULL)) != -1;) {
        switch (option) {
        case 'a': all = true; break;
        case 'j': as_json = true; break;
        case 's': settings = true; break;
        case 'h': print_help(stdout); return OTTER_EXIT_OK;
        default: return otter_bad_option(option, argv, long_options);
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
    char newest[NAME_MAX + 1];
    const char *path;
    int status = otter_archive_argument(argc, argv, newest, &path);
    return status ? status : print_archive(path, as_json, all);
}

const struct otter_command otter_command_info = {
    .name = "info",
    .summary = "print a summary of an archive",
    .print_help = print_help,
    .run = run,
};
