// Reads and checks the command line of `otter graph`.
#include "cli/request/graph_request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/log.h"
#include "cli/request/memory.h"
#include "cli/request/open.h"

enum { OPTION_HASH = 256, OPTION_FOLD_TEAM };

static const struct option long_options[] = {{"format", required_argument, NULL, 'f'},
                                             {"output", required_argument, NULL, 'o'},
                                             {"hash", no_argument, NULL, OPTION_HASH},
                                             {"view", required_argument, NULL, 'v'},
                                             {"fold-team", no_argument, NULL, OPTION_FOLD_TEAM},
                                             {"root", required_argument, NULL, 'r'},
                                             {"depth", required_argument, NULL, 'd'},
                                             {"group", required_argument, NULL, 'g'},
                                             {"all", no_argument, NULL, 'a'},
                                             OTTER_SHARED_OPTIONS};

// Reads a number up to 4294967294. `*rest`: the text after the number.
static bool read_number(const char *text, uint32_t *number, const char **rest)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *rest = end;
    *number = (uint32_t)value;
    return *text >= '0' && *text <= '9' && errno == 0 && value < OTTER_NONE;
}

static bool set_root(struct otter_graph_request *request, const char *text)
{
    const char *rest;
    request->root = text;
    request->root_rank = OTTER_NONE;
    bool is_number = read_number(text, &request->root_number, &rest);
    bool has_rank = is_number && *rest == '/';
    if (has_rank) {
        request->root_rank = request->root_number;
        is_number = read_number(rest + 1, &request->root_number, &rest) && *rest == ':';
    }
    request->is_root_a_node = is_number && *rest == '\0';
    if (is_number && *rest == ':') {
        request->root_location = request->root_number;
        is_number = read_number(rest + 1, &request->root_number, &rest);
    }
    if (!is_number || *rest != '\0') {
        otter_error(
            "'%s' is not a task: name a task (1:17; of several ranks 0/1:17) or a node (42) "
            "(otter help graph)",
            text);
        return false;
    }
    return true;
}

static bool set_depth(struct otter_graph_request *request, const char *text)
{
    const char *rest;
    request->has_depth = read_number(text, &request->depth, &rest) && *rest == '\0';
    if (!request->has_depth) {
        otter_error("'--depth=%s' is not a number of levels (otter help graph)", text);
    }
    return request->has_depth;
}

static bool set_view(struct otter_graph_request *request, const char *text)
{
    if (strcmp(text, "structure") != 0 && strcmp(text, "fragments") != 0) {
        otter_error("view '%s' is unknown; the views are structure, fragments (otter help graph)",
                    text);
        return false;
    }
    request->view = *text == 's' ? OTTER_VIEW_STRUCTURE : OTTER_VIEW_FRAGMENTS;
    return true;
}

static bool set_format(struct otter_graph_request *request, const char *text)
{
    request->exporter = otter_exporter_find(text);
    if (!request->exporter) {
        size_t n;
        char names[128] = "";
        const struct otter_exporter *table = otter_exporters_table(&n);
        for (size_t i = 0; i < n; i++) {
            strcat(strcat(names, i ? ", " : ""), table[i].name);
        }
        otter_error("format '%s' is unknown; the formats are %s (otter help graph)", text, names);
    }
    return request->exporter != NULL;
}

static bool set_group(struct otter_graph_request *request, const char *text)
{
    request->wants_groups = strcmp(text, "label") == 0;
    if (!request->wants_groups) {
        otter_error("'--group=%s' is unknown; use --group=label (otter help graph)", text);
    }
    return request->wants_groups;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), n = strlen(ending);
    return length >= n && strcmp(text + length - n, ending) == 0;
}

// Chooses the format by the ending of the output file, unless --format is given.
static bool choose_format(struct otter_graph_request *request)
{
    static const char *const pictures[] = {".svg", ".png", ".pdf", ".ps", ".jpg"};
    size_t n;
    const struct otter_exporter *table = otter_exporters_table(&n);
    const char *output = request->output ? request->output : "";
    for (size_t i = 0; i < n && !request->exporter; i++) {
        if (ends_with(output, table[i].ending)) {
            request->exporter = &table[i];
        }
    }
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures && !request->exporter; i++) {
        if (ends_with(output, pictures[i])) {
            otter_error(
                "cannot write '%s': Graphviz makes such pictures (otter graph -o FILE.gv, then dot "
                "-T%s -O FILE.gv)",
                output, pictures[i] + 1);
            return false;
        }
    }
    request->exporter = request->exporter ? request->exporter : &table[0];
    return true;
}

// Refuses options that contradict each other.
static bool is_sensible(const struct otter_graph_request *request)
{
    const char *complaint = NULL;
    if (request->has_depth && !request->root) {
        complaint = "'--depth' counts from a task: name the task with --root";
    } else if (request->wants_groups && request->wants_all) {
        complaint = "'--group' and '--all' exclude each other";
    } else if (request->wants_fold && request->view != OTTER_VIEW_STRUCTURE) {
        complaint = "'--fold-team' folds the structure only: fragments depend on the threads";
    } else if (request->wants_hash && request->view != OTTER_VIEW_STRUCTURE) {
        complaint = "'--hash' describes the structure only: fragments differ from run to run";
    } else if (request->wants_hash && (request->output || request->exporter ||
                                       request->wants_groups || request->wants_all)) {
        complaint = "'--hash' prints a hash and writes no file: leave out --output, --format, "
                    "--group and --all";
    }
    if (complaint) {
        otter_error("%s (otter help graph)", complaint);
    }
    return !complaint;
}

// Applies an option with a value. Returns false for a bad value.
static bool set_value(struct otter_graph_request *request, int option, const char *value)
{
    switch (option) {
    case 'f': return set_format(request, value);
    case 'v': return set_view(request, value);
    case 'r': return set_root(request, value);
    case 'd': return set_depth(request, value);
    default: return set_group(request, value);
    }
}

int otter_graph_request_read(struct otter_graph_request *request, int argc, char **argv)
{
    *request = (struct otter_graph_request){.depth = UINT32_MAX};
    for (int option;
         (option = getopt_long(argc, argv, ":f:o:v:r:d:g:ah", long_options, NULL)) != -1;) {
        int status = OTTER_EXIT_OK;
        switch (option) {
        case 'f':
        case 'v':
        case 'r':
        case 'd':
        case 'g': status = set_value(request, option, optarg) ? status : OTTER_EXIT_USAGE; break;
        case 'o': request->output = optarg; break;
        case 'a': request->wants_all = true; break;
        case OPTION_HASH: request->wants_hash = true; break;
        case OPTION_FOLD_TEAM: request->wants_fold = true; break;
        default: status = otter_shared_option(option, &request->rank, argv, long_options);
        }
        if (status) {
            return status;
        }
    }
    return is_sensible(request) && choose_format(request) ? OTTER_EXIT_OK : OTTER_EXIT_USAGE;
}
