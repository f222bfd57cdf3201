// Warns at the end of the run if Kokkos ran without Otter.
#include "kokkos.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/objects.h"
#include "otter/record.h"

enum { LIST_SIZE = 8192, MAX_ANSWERS = 64 };

static const char connector[] = "libotter-kokkos.so";

static char tools[LIST_SIZE]; // the list in the environment, if Otter is in it
static const char *variable;
static pid_t owner; // a forked child prints no warning

void kokkos_note_start(void)
{
    static const char *const variables[] = {"KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY"};
    owner = getpid();
    for (size_t i = 0; i < 2 && !*tools; i++) {
        const char *value = getenv(variables[i]);
        if (value && strstr(value, connector) && strlen(value) < LIST_SIZE) {
            strcpy(tools, value);
            variable = variables[i];
        }
    }
}

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool has_name(const struct object *object, void *user)
{
    const char **file = user, *path = object->info->dlpi_name;
    return path && strcmp(file_of(path), *file) == 0;
}

static bool is_loaded(const char *library)
{
    const char *file = file_of(library);
    return objects_visit(has_name, &file);
}

// Kokkos, or the first tool, loads the tools of the list. *Returns* whether any of them is loaded.
static bool is_any_loaded(const char *list)
{
    char copy[LIST_SIZE], *rest = copy;
    strcpy(copy, list);
    for (char *tool; (tool = strsep(&rest, ";"));) {
        if (*tool && is_loaded(tool)) {
            return true;
        }
    }
    return false;
}

// ---- asking Kokkos itself

typedef bool answer(void);

struct answers {
    size_t n;
    answer *functions[MAX_ANSWERS];
};

// Collects Kokkos::is_initialized() and, since Kokkos 3.7, Kokkos::is_finalized(). A statically
// linked program does not export them.
static bool note_answers(const struct object *object, void *user)
{
    static const char *const names[] = {"_ZN6Kokkos14is_initializedEv",
                                        "_ZN6Kokkos12is_finalizedEv"};
    struct answers *answers = user;
    for (size_t i = 0; i < 2 && answers->n < MAX_ANSWERS; i++) {
        void *function = object_definition(object, names[i]);
        if (function) {
            memcpy(&answers->functions[answers->n++], &function, sizeof function);
        }
    }
    return false;
}

// Asks each Kokkos copy in the process: a library that was loaded with RTLD_LOCAL may have one.
static bool has_run_anywhere(void)
{
    struct answers answers = {.n = 0};
    objects_visit(note_answers, &answers);
    bool has_run = false;
    for (size_t i = 0; i < answers.n && !has_run; i++) {
        has_run = answers.functions[i]();
    }
    return has_run;
}

// ---- the warning

// One possible cause is quirk 'old variable'.
void kokkos_warn_of_absence(void)
{
    int length = (int)strcspn(tools, ";");
    const char *ours = strstr(tools, connector);
    bool is_behind = ours && ours > tools + length;
    if (!ours || getpid() != owner || otter_has_attached("kokkos") ||
        !((is_behind && is_any_loaded(tools)) || has_run_anywhere())) {
        return;
    }
    if (is_behind) {
        otter_warn("Kokkos ran without Otter: it loads the first tool of %s, '%.*s', which does "
                   "not forward calls; name only %s there, and set OTTER_CHAIN='%.*s' to run "
                   "both",
                   variable, length, tools, connector, length, tools);
    } else {
        otter_warn("Kokkos ran without Otter, although %s names it. Kokkos before 3.7 reads "
                   "only KOKKOS_PROFILE_LIBRARY: set both. In later versions, a tool named by "
                   "--kokkos-tools-libs or by the program has precedence: do not name one. A "
                   "Kokkos built without Kokkos_ENABLE_LIBDL loads no tools: rebuild it",
                   variable);
    }
}
