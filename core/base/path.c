// Makes paths and other short texts on the heap.
#include "base/path.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *otter_path(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *path = length < 0 ? NULL : malloc((size_t)length + 1);
    if (path) {
        vsnprintf(path, (size_t)length + 1, format, again);
    }
    va_end(again);
    va_end(arguments);
    return path;
}

static size_t length_without_slashes(const char *path, size_t length)
{
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    return length;
}

static char *beginning(const char *path, size_t length)
{
    return otter_path("%.*s", (int)length, path);
}

char *otter_path_without_slashes(const char *path)
{
    return beginning(path, length_without_slashes(path, strlen(path)));
}

const char *otter_path_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool otter_path_file_begins(const char *path, const char *prefix)
{
    return strncmp(otter_path_file(path), prefix, strlen(prefix)) == 0;
}

// Python wheels contain runtimes as "libgomp-a34b3233.so.1".
bool otter_path_is_openmp(const char *path)
{
    static const char *const names[] = {"libomp.so",   "libomp-",    "libomp5.so",
                                        "libiomp5.so", "libgomp.so", "libgomp-"};
    bool is_openmp = false;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        is_openmp = is_openmp || otter_path_file_begins(path, names[i]);
    }
    return is_openmp;
}

char *otter_path_folder(const char *path)
{
    size_t length = length_without_slashes(path, strlen(path));
    while (length > 0 && path[length - 1] != '/') {
        length--;
    }
    return length == 0 ? otter_path(".") : beginning(path, length_without_slashes(path, length));
}
