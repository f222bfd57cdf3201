#include "base/path.h"

#include <stdarg.h>
#include <stdio.h>

char *otter_path(const char *format, ...)
{
    char *path = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&path, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : path;
}
