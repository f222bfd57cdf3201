// Finds Otter's own libraries.
#include "launcher/libraries.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifndef OTTER_LIBDIR_RELATIVE
#define OTTER_LIBDIR_RELATIVE                                                                      \
    "../lib" // relative to the command's folder; meson.build defines the right value
#endif

// Writes the folder of this command to `folder`, with links resolved.
static bool own_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    const char *started = (const char *)getauxval(AT_EXECFN);
    folder[length > 0 ? length : 0] = '\0';
    if (length <= 0 && !(started && realpath(started, folder))) { // the system may lack /proc
        return false;
    }
    char *slash = strrchr(folder, '/');
    if (slash) {
        *slash = '\0';
    }
    return slash != NULL;
}

char *otter_library_find(const char *connector)
{
    static const char *const places[] = {
        "../connectors/%s",              // the build tree, with the command in core/
        "../../connectors/%s",           // the build tree, with the command in core/cli/
        OTTER_LIBDIR_RELATIVE, "../lib", // an installation, and files moved by hand
    };
    char folder[PATH_MAX], *path = NULL;
    if (!own_folder(folder)) {
        return NULL;
    }
    for (size_t i = 0; !path && i < sizeof places / sizeof *places; i++) {
        char place[PATH_MAX], file[2 * PATH_MAX + 64];
        const char *name = strstr(places[i], "%s");
        // The folder of "mpi-openmpi" in the build tree is "mpi".
        int length = name ? (int)strcspn(connector, "-") : 0;
        snprintf(place, sizeof place, "%.*s%.*s", name ? (int)(name - places[i]) : PATH_MAX - 1,
                 places[i], length, connector);
        bool is_absolute = *place == '/';
        snprintf(file, sizeof file, "%s%s%s/libotter-%s.so", is_absolute ? "" : folder,
                 is_absolute ? "" : "/", place, connector);
        path = realpath(file, NULL);
    }
    return path;
}
