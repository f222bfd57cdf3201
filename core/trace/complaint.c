// Formats the sentence that says why an archive cannot be read.
#include "trace/complaint.h"

#include <stdarg.h>
#include <stdio.h>

enum otter_status otter_complain(struct otter_complaint *complaint, enum otter_status status,
                                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
    va_end(arguments);
    return status;
}
