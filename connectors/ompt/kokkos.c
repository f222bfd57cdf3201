#include "kokkos.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "otter/record.h"

enum { LIST_SIZE = 8192, MAX_OBJECTS = 512 };

static const char connector[] = "libotter-kokkos.so";

static char tools[LIST_SIZE]; // as the environment named them at the start, if Otter is among them
static const char *variable;
static pid_t owner; // a forked child says nothing

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

static bool is_loaded(const char *library)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle) {
        dlclose(handle);
    }
    return handle != NULL;
}

// Kokkos, or the first tool, loads the tools of the variable. Otter as the first tool attaches when Kokkos loads it, so that another
// reason for its presence says nothing.
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

// Kokkos::is_initialized() and, from 3.7 on, Kokkos::is_finalized(). A program that is linked statically does not export them.
static bool has_run(void *handle)
{
    static const char *const questions[] = {"_ZN6Kokkos14is_initializedEv",
                                            "_ZN6Kokkos12is_finalizedEv"};
    for (size_t i = 0; i < 2; i++) {
        bool (*ask)(void) = (bool (*)(void))dlsym(handle, questions[i]);
        if (ask && ask()) {
            return true;
        }
    }
    return false;
}

struct objects {
    size_t n;
    char *names[MAX_OBJECTS];
};

static int note_object(struct dl_phdr_info *info, size_t size, void *user)
{
    struct objects *objects = user;
    char *name = objects->n < MAX_OBJECTS && info->dlpi_name ? strdup(info->dlpi_name) : NULL;
    if (name) {
        objects->names[objects->n++] = name;
    }
    return 0;
}

static bool has_run_in(const char *library)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    bool answer = handle && has_run(handle);
    if (handle) {
        dlclose(handle);
    }
    return answer;
}

// Kokkos may belong to a library that was loaded for itself alone.
static bool has_run_anywhere(void)
{
    bool answer = has_run(RTLD_DEFAULT);
    struct objects objects = {.n = 0};
    dl_iterate_phdr(note_object, &objects);
    for (size_t i = 0; i < objects.n; i++) {
        answer = answer || has_run_in(objects.names[i]);
        free(objects.names[i]);
    }
    return answer;
}

// ---- what is said

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
        otter_warn("Kokkos ran without Otter: it loads the first tool of %s, '%.*s', which passes "
                   "nothing on; name %s alone there, and set OTTER_CHAIN='%.*s' to run both",
                   variable, length, tools, connector, length, tools);
    } else {
        otter_warn("Kokkos ran without Otter, which %s names. Kokkos before 3.7 reads "
                   "KOKKOS_PROFILE_LIBRARY alone: set both. Later versions prefer what "
                   "--kokkos-tools-libs or the program names: leave that out; without "
                   "Kokkos_ENABLE_LIBDL they load no tool: rebuild Kokkos",
                   variable);
    }
}
