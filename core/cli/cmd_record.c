// The command `otter record`: runs a program and records it.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arguments.h"
#include "base/log.h"
#include "base/text/print.h"
#include "base/settings.h"
#include "launcher/child.h"
#include "cli/command.h"
#include "launcher/environment.h"
#include "launcher/openmp.h"
#include "cli/request/options.h"
#include "launcher/outcome.h"
#include "launcher/program.h"
#include "recording/rank.h"
#include "report/form/wrap.h"

// Values that getopt_long returns for long options; greater than any character. OPTION_SETTING + i:
// setting i of the table.
enum {
    OPTION_LIBOMP = 256,
    OPTION_SETTING = 257,
};

static const char usual_rate[] =
    "997"; // --sample without a value; a prime, so as not to keep step with the program

static void print_help(FILE *out)
{
    otter_help_record(out);
    otter_print(out,
                "\nSettings, also available as environment variables (otter info --settings):\n");
    size_t n;
    const struct otter_setting *settings = otter_settings_table(&n);
    for (size_t i = 0; i < n; i++) {
        static const char *const kinds[] = {[OTTER_SETTING_TEXT] = "TEXT",
                                            [OTTER_SETTING_BOOL] = "on|off",
                                            [OTTER_SETTING_SIZE] = "SIZE",
                                            [OTTER_SETTING_NUMBER] = "NUMBER"};
        const char *values = settings[i].type == OTTER_SETTING_CHOICE ? settings[i].choices
                                                                      : kinds[settings[i].type];
        const char *preset = settings[i].default_value;
        char text[512];
        snprintf(text, sizeof text, "%s.%s%s", settings[i].help, *preset ? " Default: " : "",
                 preset);
        otter_print(out, "      --%s=%s\n", settings[i].name, values);
        otter_print_wrapped(out, 12, text);
    }
}

// ---- the command line

static bool is_rate(const struct otter_setting *setting)
{
    return strcmp(setting->name, "sample") == 0;
}

// Returns the long options of the command and one for each setting; the caller frees them. NULL if
// out of memory.
static struct option *make_options(void)
{
    static const struct option own[] = {
        {"output", required_argument, NULL, 'o'},
        {"libomp", required_argument, NULL, OPTION_LIBOMP},
        {"help", no_argument, NULL, 'h'},
    };
    enum { N_OWN = sizeof own / sizeof *own };
    size_t n;
    const struct otter_setting *settings = otter_settings_table(&n);
    struct option *options = calloc(N_OWN + n + 1, sizeof *options);
    if (!options) {
        return NULL;
    }
    memcpy(options, own, sizeof own);
    for (size_t i = 0; i < n; i++) {
        bool is_switch = settings[i].type == OTTER_SETTING_BOOL || // --quiet means --quiet=on
                         is_rate(&settings[i]);
        options[N_OWN + i] =
            (struct option){settings[i].name, is_switch ? optional_argument : required_argument,
                            NULL, OPTION_SETTING + (int)i};
    }
    return options;
}

static int parse_options(int argc, char **argv, const struct option *options,
                         struct otter_environment *request)
{
    size_t n_settings;
    const struct otter_setting *settings = otter_settings_table(&n_settings);
    for (int option; (option = getopt_long(argc, argv, "+:o:h", options, NULL)) != -1;) {
        if (option >= OPTION_SETTING) {
            const struct otter_setting *setting = &settings[option - OPTION_SETTING];
            const char *value = !optarg && is_rate(setting) ? usual_rate : optarg;
            int status = otter_environment_apply_setting(setting, value);
            if (status) {
                return status;
            }
            continue;
        }
        switch (option) {
        case 'o': request->folder = optarg; break;
        case OPTION_LIBOMP: request->libomp = optarg; break;
        default: return otter_bad_option(option, argv, options);
        }
    }
    request->arguments = argv + optind;
    if (!*request->arguments) {
        otter_error("no program given: otter record [OPTIONS] [--] PROGRAM [ARGUMENTS] (otter help "
                    "record)");
        return OTTER_EXIT_USAGE;
    }
    return OTTER_EXIT_OK;
}

// ---- running

// Returns whether a rate follows `--sample` as a word of its own, where the program is expected.
static bool is_rate_apart(char *const *arguments)
{
    return strcmp(arguments[-1], "--sample") == 0 &&
           otter_setting_accepts(otter_settings_find("sample"), arguments[0]);
}

// `arguments`: the program and its arguments, after the words of this command.
static int exit_status(const struct otter_child *child, char *const *arguments)
{
    const char *name = arguments[0];
    if (!child->is_started) {
        if (is_rate_apart(arguments)) {
            otter_error("cannot run '%s': %s; if this is the sampling rate: --sample=%s", name,
                        strerror(child->error), name);
        } else if (!strchr(name, '/') && otter_program_is_executable(name)) {
            otter_error("cannot run '%s': it is not in PATH; to run the one in this folder: otter "
                        "record ./%s",
                        name, name);
        } else {
            otter_error("cannot run '%s': %s", name, strerror(child->error));
        }
        return child->error == ENOENT ? OTTER_EXIT_NO_PROGRAM : OTTER_EXIT_CANNOT_EXECUTE;
    }
    return child->signal ? OTTER_EXIT_SIGNAL + child->signal : child->exit_status;
}

// The program may be the launcher of a job. Its ranks then record into one folder, and this command
// prints their closing block.
static void begin_job(void)
{
    char name[32];
    otter_rank_note();
    if (!*otter_rank()->rank) {
        time_t now = time(NULL);
        struct tm date;
        size_t n = strftime(name, sizeof name, "%Y%m%d-%H%M%S", gmtime_r(&now, &date));
        snprintf(name + n, sizeof name - n, "-%ld", (long)getpid());
        setenv("OTTER_JOB", name, 0);
    }
}

static int run_program(const struct otter_environment *request, const struct otter_openmp *openmp,
                       const struct otter_program *program)
{
    struct otter_child child;
    struct otter_outcome outcome;
    char *report = otter_report_create();
    begin_job();
    bool has_report = report != NULL;
    fflush(NULL);
    struct otter_sampling sampling = {
        .rate = (uint32_t)otter_settings_get_size("sample"),
        .stack_size = (uint32_t)otter_settings_get_size("sample-stack"),
    };
    bool is_wanted = otter_settings_get_bool("switches");
    struct otter_observer *observer =
        is_wanted && report
            ? otter_observer_create(report, &sampling, otter_settings_get("counters"))
            : NULL;
    if (sampling.rate > 0 && !observer) {
        otter_warning("no samples will be recorded: %s",
                      is_wanted ? "they need a file in TMPDIR, and memory"
                                : "they need switches=on");
    }
    bool is_run = otter_child_run(request->arguments, observer, &child);
    otter_observer_destroy(observer);
    otter_report_read(report, &outcome);
    if (!is_run) {
        otter_error("cannot start a process: %s", strerror(child.error));
        return OTTER_EXIT_FAILED;
    }
    int status = exit_status(&child, request->arguments);
    if (child.is_started && has_report) {
        otter_outcome_explain(&outcome, program, openmp, &child);
    }
    otter_outcome_store_lines(&outcome);
    if (!*otter_rank()->rank) {
        otter_outcome_print_job(&outcome);
    }
    otter_outcome_finish(&outcome);
    return status;
}

// Applies the settings in arguments for Kokkos, as the recorder does later. Prints no warnings,
// since the recorder prints them.
static void apply_arguments(char *const *arguments)
{
    otter_log_set_quiet(true);
    otter_arguments_apply_variable();
    for (; *arguments; arguments++) {
        otter_arguments_apply_option(*arguments);
    }
}

// Counters are stored with samples. If only counters were requested, samples have no stacks, which
// would take room from the counters.
static void sample_counters(void)
{
    if (*otter_settings_get("counters") && otter_settings_get_size("sample") == 0) {
        otter_environment_apply_setting(otter_settings_find("sample"), usual_rate);
        otter_environment_apply_setting(otter_settings_find("sample-stack"), "0");
    }
}

static int record(const struct otter_environment *request)
{
    struct otter_program program, launched;
    struct otter_openmp openmp;
    apply_arguments(request->arguments);
    sample_counters();
    otter_log_set_quiet(otter_settings_get_bool("quiet"));
    otter_settings_warn_for_all();
    otter_program_init(&program, request->arguments[0]);
    bool is_launcher = otter_openmp_find_launched(&launched, &program, request->arguments);
    const struct otter_program *recorded = is_launcher ? &launched : &program;
    otter_openmp_init(&openmp, recorded, request->libomp);
    int status = otter_environment_set(request, &openmp, recorded);
    if (!status) {
        status = run_program(request, &openmp, recorded);
    }
    otter_openmp_finish(&openmp);
    if (is_launcher) {
        otter_program_finish(&launched);
    }
    otter_program_finish(&program);
    return status;
}

static int run(int argc, char **argv)
{
    struct otter_environment request = {0};
    struct option *options = make_options();
    if (!options) {
        otter_error("not enough memory");
        return OTTER_EXIT_FAILED;
    }
    otter_log_set_quiet(true); // --quiet is not parsed yet
    otter_settings_load();
    otter_log_set_quiet(false);
    int status = parse_options(argc, argv, options, &request);
    free(options);
    if (status) {
        return status;
    }
    return record(&request);
}

const struct otter_command otter_command_record = {
    .name = "record",
    .summary = "run a program and record it",
    .print_help = print_help,
    .run = run,
};
