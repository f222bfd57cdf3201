// Passes the command line of a program from the launcher to the recorder.
#include "recording/command_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

enum { MAX_PASSED = 4096 };

static char at_start[MAX_PASSED]; // arguments, separated by blanks; "": unknown
// value: process id and arguments, separated by blanks
static const char variable[] = "OTTER_COMMAND_LINE";

void otter_command_line_pass(char **argv)
{
    char text[MAX_PASSED];
    size_t length = (size_t)snprintf(text, sizeof(text), "%ld", (long)getpid());
    for (char **argument = argv; *argument && length < sizeof(text); argument++) {
        length += (size_t)snprintf(text + length, sizeof(text) - length, " %s", *argument);
    }
    if (length < sizeof(text)) {
        setenv(variable, text, 1);
    } else {
        unsetenv(variable);
    }
}

void otter_command_line_store(char **argv)
{
    size_t length = 0;
    for (char **argument = argv; *argument && length < sizeof(at_start); argument++) {
        length += (size_t)snprintf(at_start + length, sizeof(at_start) - length, "%s%s",
                                   argument > argv ? " " : "", *argument);
    }
}

// *Returns* the arguments that the launcher passed to this process, or NULL.
static const char *passed(void)
{
    char *end;
    const char *text = getenv(variable);
    long process = text ? strtol(text, &end, 10) : 0;
    return process == (long)getpid() && *end == ' ' ? end + 1 : NULL;
}

void otter_command_line_read(char *line, size_t size)
{
    size_t length = otter_file_read_text("/proc/self/cmdline", line, size);
    size_t first = strlen(line); // the file has a zero byte after each argument
    const char *text = passed();
    if (text && length == strlen(text) + 1 && strncmp(text, line, first) == 0 &&
        (text[first] == ' ' || text[first] == '\0')) {
        memcpy(line, text, length);
        return;
    }
    if (*at_start && size >= sizeof(at_start)) {
        memcpy(line, at_start, sizeof(at_start));
        return;
    }
    while (length > 0 && line[length - 1] == '\0') {
        length--;
    }
    for (size_t i = 0; i < length; i++) {
        line[i] = line[i] == '\0' ? ' ' : line[i];
    }
    line[length] = '\0';
}
