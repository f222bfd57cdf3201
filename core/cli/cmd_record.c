// The command `otter record`: runs a program and records it.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arguments.h"
#include "base/log.h"
#include "base/print.h"
#include "base/settings.h"
#include "cli/child.h"
#include "cli/command.h"
#include "cli/libraries.h"
#include "cli/openmp.h"
#include "cli/options.h"
#include "cli/outcome.h"
#include "cli/program.h"
#include "report/wrap.h"

// Values that getopt_long returns for long options, above all letters. OPTION_SETTING + i: setting
// i of the table.
enum {
    OPTION_LIBOMP = 256,
    OPTION_SETTING = 257,
};

struct request {
    const char *folder; // the archive's folder; NULL: the recorder chooses its name
    const char *libomp; // path, "none", or NULL
    char **arguments;   // the program and its arguments
};

static void print_help(FILE *out)
{
    otter_print(
        out,
        "Usage: otter record [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
        "\n"
        "Runs PROGRAM and records its OpenMP and Kokkos runtimes in an archive in OTF2 format. The program needs\n"
        "no recompiling; its input, output and exit status are unchanged.\n"
        "\n"
        "Options:\n"
        "  -o, --output=FOLDER  the archive's folder, which must not exist. Default: otter-<program>-<date>-<pid>\n"
        "      --libomp=PATH    the LLVM OpenMP runtime for programs built with GCC, whose own runtime has no tools\n"
        "                       interface. Default: the newest found. none: run them on GCC's runtime, unrecorded\n"
        "  -h, --help           this text\n"
        "\n"
        "Settings, also available as environment variables (otter info --settings):\n");
    size_t n;
    const struct otter_setting *settings = otter_settings_table(&n);
    for (size_t i = 0; i < n; i++) {
        const char *values = settings[i].type == OTTER_SETTING_BOOL     ? "on|off"
                             : settings[i].type == OTTER_SETTING_CHOICE ? settings[i].choices
                             : settings[i].type == OTTER_SETTING_SIZE   ? "SIZE"
                                                                        : "TEXT";
        const char *preset = settings[i].default_value;
        char text[512];
        snprintf(text, sizeof text, "%s.%s%s", settings[i].help, *preset ? " Default: " : "",
                 preset);
        otter_print(out, "      --%s=%s\n", settings[i].name, values);
        otter_print_wrapped(out, 12, text);
    }
    otter_print(
        out,
        "\n"
        "Exit status: that of PROGRAM; 128+N if signal N ended it; 127 if it is not found, 126 if it\n"
        "cannot be executed, 2 for a wrong command line, 1 if Otter itself failed.\n");
}

// ---- the command line

// Returns the long options of the command and one for each setting; the caller frees them. NULL if
// memory is short.
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
        bool is_switch = settings[i].type == OTTER_SETTING_BOOL; // --quiet means --quiet=on
        options[N_OWN + i] =
            (struct option){settings[i].name, is_switch ? optional_argument : required_argument,
                            NULL, OPTION_SETTING + (int)i};
    }
    return options;
}

static int apply_setting(const struct otter_setting *setting, const char *value)
{
    char wanted[OTTER_SETTING_WANTED_SIZE];
    value = value ? value : "on";
    if (otter_settings_set(setting->name, value) == OTTER_BAD_VALUE) {
        otter_error("--%s cannot be '%s': it takes %s (otter info --settings)", setting->name,
                    value, otter_setting_wanted(setting, wanted));
        return OTTER_EXIT_USAGE;
    }
    if (setenv(setting->environment, value, 1) != 0) {
        otter_error("cannot set %s: %s", setting->environment, strerror(errno));
        return OTTER_EXIT_FAILED;
    }
    return OTTER_EXIT_OK;
}

static int parse_options(int argc, char **argv, const struct option *options,
                         struct request *request, bool *wants_help)
{
    size_t n_settings;
    const struct otter_setting *settings = otter_settings_table(&n_settings);
    for (int option; (option = getopt_long(argc, argv, "+:o:h", options, NULL)) != -1;) {
        if (option >= OPTION_SETTING) {
            int status = apply_setting(&settings[option - OPTION_SETTING], optarg);
            if (status) {
                return status;
            }
            continue;
        }
        switch (option) {
        case 'o': request->folder = optarg; break;
        case OPTION_LIBOMP: request->libomp = optarg; break;
        case 'h': *wants_help = true; return OTTER_EXIT_OK;
        default: return otter_bad_option(option, argv, options);
        }
    }
    request->arguments = argv + optind;
    if (!*request->arguments) {
        otter_error(
            "no program is named: otter record [OPTIONS] [--] PROGRAM [ARGUMENTS] (otter help record)");
        return OTTER_EXIT_USAGE;
    }
    return OTTER_EXIT_OK;
}

// ---- the program's environment

// Prepends `first` to the variable's value. Returns false if memory is short.
static bool prepend(const char *variable, const char *first, char separator)
{
    const char *rest = getenv(variable);
    if (!rest || !*rest) {
        return setenv(variable, first, 1) == 0;
    }
    char *joined;
    if (asprintf(&joined, "%s%c%s", first, separator, rest) < 0) {
        return false;
    }
    bool is_set = setenv(variable, joined, 1) == 0;
    free(joined);
    return is_set;
}

// Reports that the tools in the user's variable will not run, because `ours` precedes them.
static void note_displaced(const char *variable, const char *ours)
{
    const char *users = getenv(variable);
    if (users && *users && !strstr(users, ours) && otter_settings_get_bool("enabled")) {
        otter_note("%s names '%s', which will not run: a runtime loads one tool, and Otter is the "
                   "first (to run yours, run the program without otter record)",
                   variable, users);
    }
}

static int set_ompt(void)
{
    char *library = otter_library_find("ompt");
    if (!library) {
        otter_error(
            "cannot find libotter-ompt.so in the build tree or in the library folder beside this command: "
            "is Otter installed completely?");
        return OTTER_EXIT_FAILED;
    }
    if (strchr(library, ':')) {
        otter_error(
            "cannot put '%s' into OMP_TOOL_LIBRARIES, where a colon ends a name: move Otter to a "
            "folder without a colon",
            library);
        free(library);
        return OTTER_EXIT_FAILED;
    }
    note_displaced("OMP_TOOL_LIBRARIES", library);
    bool is_set = prepend("OMP_TOOL_LIBRARIES", library, ':');
    free(library);
    const char *ban = otter_openmp_ban();
    if (ban) {
        otter_warning("OMP_TOOL=%s is in the environment: OpenMP will not be recorded (unset it, "
                      "or set OMP_TOOL=enabled)",
                      ban);
    }
    return is_set ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

// Returns the argument that names a Kokkos tool, or NULL. Kokkos prefers it to the variables, or
// reports a conflict.
static const char *find_tool_argument(char *const *arguments)
{
    static const char *const names[] = {"--kokkos-tools-library=", "--kokkos-tools-libs="};
    for (; *arguments; arguments++) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (strncmp(*arguments, names[i], strlen(names[i])) == 0) {
                return *arguments;
            }
        }
    }
    return NULL;
}

// Whether a Kokkos that reads `variable` is in the program, or in a program that its arguments name
// (mpirun ./app).
static bool is_known(const char *variable, const struct otter_program *program,
                     char *const *arguments)
{
    enum { N_ARGUMENTS = 32 }; // a launcher's program is among its first arguments
    bool is_found = otter_program_mentions(program, variable, "kokkos") ||
                    otter_program_mentions(program, variable, "");
    for (int i = 1; !is_found && i < N_ARGUMENTS && arguments[i]; i++) {
        struct otter_program other;
        otter_program_init(&other, arguments[i]);
        is_found = otter_program_mentions(&other, variable, "kokkos");
        otter_program_finish(&other);
    }
    return is_found;
}

static const char newer_variable[] = "KOKKOS_TOOLS_LIBS";
static const char older_variable[] = "KOKKOS_PROFILE_LIBRARY";

// Kokkos before 3.7 reads only the older variable. Later versions read both, warn of the older one,
// and require equal values. A program may load Kokkos later: a newer version is assumed unless the
// user has set the older variable. A script may start a program with any version.
static bool wants_older_variable(const struct otter_program *program, char *const *arguments)
{
    if (is_known(newer_variable, program, arguments)) {
        return false;
    }
    const char *users = getenv(older_variable);
    return (users && *users) || program->kind == OTTER_PROGRAM_SCRIPT ||
           is_known(older_variable, program, arguments);
}

// Kokkos loads only the first tool of its list. Otter becomes the first, and the user's first tool
// becomes the next tool (the setting `chain`), unless the user has set `chain`.
static bool forward_to_first(const char *variable, const char *list, const char *ours)
{
    if (*otter_settings_get("chain") || !otter_settings_get_bool("enabled")) {
        note_displaced(variable, ours);
        return true;
    }
    char *first = strndup(list, strcspn(list, ";"));
    if (!first) {
        return false;
    }
    bool is_set = !*first || apply_setting(otter_settings_find("chain"), first) == OTTER_EXIT_OK;
    if (*first) {
        otter_note("%s names '%s': Otter runs first and forwards the calls of Kokkos to it "
                   "(--chain)",
                   variable, first);
    }
    free(first);
    return is_set;
}

// Puts the connector first in Kokkos's list of tools. Kokkos loads only that one, so a disabled
// Otter must not be in the list.
static bool set_kokkos(const struct otter_program *program, char *const *arguments)
{
    bool is_used = otter_settings_get_bool("enabled") || *otter_settings_get("chain");
    char *library = is_used ? otter_library_find("kokkos") : NULL;
    const char *other = library ? find_tool_argument(arguments) : NULL;
    if (other) {
        otter_warning(
            "'%s' names another tool: Kokkos will not be recorded (leave the argument out; "
            "--chain=LIBRARY runs both)",
            other);
        free(library);
        return true;
    }
    if (!library) {
        return true;
    }
    bool wants_older = wants_older_variable(program, arguments);
    const char *users = getenv(newer_variable);
    const char *name = users && *users ? newer_variable : older_variable;
    const char *list = getenv(name);
    bool is_there = list && strstr(list, otter_file_name(library));
    bool is_set = is_there || !list || !*list || forward_to_first(name, list, library);
    is_set = is_set && (is_there || prepend(name, library, ';')) &&
             setenv(newer_variable, getenv(name), 1) == 0 &&
             setenv(older_variable, getenv(name), 1) == 0;
    free(library);
    return is_set && (wants_older || unsetenv(older_variable) == 0);
}

// Makes the path absolute: the program may change its working folder before the recording begins.
static int set_folder(const char *folder)
{
    char here[PATH_MAX] = "";
    char path[2 * PATH_MAX];
    bool is_relative = *folder != '/';
    if (is_relative && !getcwd(here, sizeof here)) {
        otter_error("cannot determine the working folder: %s", strerror(errno));
        return OTTER_EXIT_FAILED;
    }
    int length = snprintf(path, sizeof path, "%s%s%s", here, is_relative ? "/" : "", folder);
    for (; length > 1 && path[length - 1] == '/'; length--) {
        path[length - 1] = '\0';
    }
    if (*folder == '\0' || length >= PATH_MAX) {
        otter_error("'%s' cannot be the archive's folder: %s", folder,
                    *folder ? "the path is too long (choose a shorter path)" : "the path is empty");
        return OTTER_EXIT_USAGE;
    }
    if (access(path, F_OK) == 0) {
        otter_error(
            "the archive's folder '%s' exists already: name another folder, or remove this folder",
            folder);
        return OTTER_EXIT_FAILED;
    }
    return apply_setting(otter_settings_find("folder"), path);
}

// Exports the working folder of this command, in which archives are created: the program may change
// its own.
static bool set_working_folder(void)
{
    static const char variable[] = "OTTER_WORKING_FOLDER";
    char here[PATH_MAX];
    return getcwd(here, sizeof here) ? setenv(variable, here, 1) == 0 : unsetenv(variable) == 0;
}

static bool set_if_unset(const char *variable, const char *value)
{
    return setenv(variable, value, 0) == 0;
}

// Preloads the shim, which corrects LLVM's runtime for GCC's code, before the runtime. LLVM's
// runtime creates at most as many teams as the machine has processors, and warns of routines that
// GCC's accepts: two variables change that.
static bool set_preload(const struct otter_openmp *openmp, const struct otter_program *program)
{
    // The address sanitizer ends the program if another library precedes it.
    const char *sanitizer = otter_program_library(program, "libasan.so");
    return prepend("LD_PRELOAD", openmp->preload, ':') &&
           prepend("LD_PRELOAD", openmp->shim, ':') &&
           (!sanitizer || prepend("LD_PRELOAD", sanitizer, ':')) &&
           set_if_unset("KMP_TEAMS_THREAD_LIMIT", "32768") && set_if_unset("KMP_WARNINGS", "off");
}

static int set_runtime(const struct request *request, const struct otter_openmp *openmp,
                       const struct otter_program *program)
{
    if (!openmp->preload || program->is_privileged) {
        return OTTER_EXIT_OK;
    }
    const char *name = otter_file_name(program->path);
    const char *fault = otter_openmp_fault(openmp);
    if (fault) {
        otter_error("cannot run '%s' on --libomp=%s: %s (leave the option out, or name LLVM's "
                    "libomp.so.5; --libomp=none runs the program on GCC's, unrecorded)",
                    name, request->libomp ? request->libomp : openmp->preload, fault);
        return OTTER_EXIT_FAILED;
    }
    if (!openmp->shim || strpbrk(openmp->shim, " :")) {
        otter_error(
            "cannot run '%s' on LLVM's OpenMP runtime: libotter-gomp.so, which is preloaded, %s "
            "(--libomp=none runs the program on GCC's, unrecorded)",
            name,
            openmp->shim ? "is in a folder with a blank or a colon in its path"
                         : "is not found: is Otter installed completely?");
        return OTTER_EXIT_FAILED;
    }
    otter_note("'%s' uses GCC's OpenMP runtime, which cannot be traced: running it on LLVM's, %s "
               "(--libomp=none switches that off)",
               name, openmp->preload);
    return set_preload(openmp, program) ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

static int set_environment(const struct request *request, const struct otter_openmp *openmp,
                           const struct otter_program *program)
{
    int status = request->folder ? set_folder(request->folder) : OTTER_EXIT_OK;
    status = status ? status : set_ompt();
    status = status ? status : set_runtime(request, openmp, program);
    if (!status && !(set_kokkos(program, request->arguments) && set_working_folder())) {
        status = OTTER_EXIT_FAILED;
    }
    return status;
}

// ---- running

static int exit_status(const struct otter_child *child, const char *name)
{
    if (!child->is_started) {
        otter_error("cannot run '%s': %s", name, strerror(child->error));
        return child->error == ENOENT ? OTTER_EXIT_NO_PROGRAM : OTTER_EXIT_CANNOT_EXECUTE;
    }
    return child->signal ? OTTER_EXIT_SIGNAL + child->signal : child->exit_status;
}

static int run_program(const struct request *request, const struct otter_openmp *openmp,
                       const struct otter_program *program)
{
    struct otter_child child;
    struct otter_outcome outcome;
    char *report = otter_report_create();
    bool has_report = report != NULL;
    fflush(NULL);
    bool is_run = otter_child_run(request->arguments, &child);
    otter_report_read(report, &outcome);
    if (!is_run) {
        otter_error("cannot start a process: %s", strerror(child.error));
        return OTTER_EXIT_FAILED;
    }
    int status = exit_status(&child, request->arguments[0]);
    if (child.is_started && has_report) {
        otter_outcome_explain(&outcome, program, openmp, &child);
    }
    otter_outcome_finish(&outcome);
    return status;
}

// Applies the settings in arguments for Kokkos, as the recorder does later. The recorder warns of
// wrong ones, so this is quiet.
static void apply_arguments(char *const *arguments)
{
    otter_log_set_quiet(true);
    otter_arguments_apply_variable();
    for (; *arguments; arguments++) {
        otter_arguments_apply_option(*arguments);
    }
}

static int record(const struct request *request)
{
    struct otter_program program;
    struct otter_openmp openmp;
    apply_arguments(request->arguments);
    otter_log_set_quiet(otter_settings_get_bool("quiet"));
    otter_settings_warn_for_all();
    otter_program_init(&program, request->arguments[0]);
    otter_openmp_init(&openmp, &program, request->libomp);
    int status = set_environment(request, &openmp, &program);
    if (!status) {
        status = run_program(request, &openmp, &program);
    }
    otter_openmp_finish(&openmp);
    otter_program_finish(&program);
    return status;
}

static int run(int argc, char **argv)
{
    struct request request = {0};
    bool wants_help = false;
    struct option *options = make_options();
    if (!options) {
        otter_error("out of memory");
        return OTTER_EXIT_FAILED;
    }
    otter_log_set_quiet(true); // --quiet is not parsed yet
    otter_settings_load();
    otter_log_set_quiet(false);
    int status = parse_options(argc, argv, options, &request, &wants_help);
    free(options);
    if (status) {
        return status;
    }
    if (wants_help) {
        print_help(stdout);
        return OTTER_EXIT_OK;
    }
    return record(&request);
}

const struct otter_command otter_command_record = {
    .name = "record",
    .summary = "run a program and record it",
    .print_help = print_help,
    .run = run,
};
