#include "record/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arguments.h"

enum { MAX_ARGUMENTS = 128 * 1024 };

// Kokkos splits at blanks and tabs and knows no quoting, but for a pair of quotes around the whole. Whether the tool is Otter will be seen
// later: what is unknown here may be another tool's.
static void take_tokens(char *text)
{
    size_t length = strlen(text), n = 0;
    char **tokens = calloc(length + 1, sizeof(*tokens));
    if (!tokens) {
        return;
    }
    if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
        text[length - 1] = '\0';
        text++;
    }
    for (char *rest = text, *token; (token = strsep(&rest, " \t"));) {
        tokens[n++] = token;
    }
    otter_arguments_take(n, tokens, OTTER_SETTING_UNTIL_START);
    free(tokens);
}

static void take_environment(void)
{
    const char *value = getenv("KOKKOS_TOOLS_ARGS");
    char *copy = value ? strdup(value) : NULL;
    if (copy) {
        take_tokens(copy);
        free(copy);
    }
}

static ssize_t read_command_line(char *line, size_t size)
{
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return 0;
    }
    ssize_t length = 0, n;
    while ((n = read(file, line + length, size - 1 - (size_t)length)) > 0) {
        length += n;
    }
    close(file);
    line[length] = '\0';
    return length;
}

static void take_command_line(void)
{
    static const char option[] = "--kokkos-tools-args=";
    char *line = malloc(MAX_ARGUMENTS);
    if (!line) {
        return;
    }
    ssize_t length = read_command_line(line, MAX_ARGUMENTS);
    free(text);
    free(line);
    for (char *argument = line; argument < line + length; argument += strlen(argument) + 1) {
        if (strncmp(argument, option, sizeof(option) - 1) == 0) {
            size_t n = strlen(argument);
            take_tokens(argument + sizeof(option) - 1);
            argument +=
                n - strlen(argument); // tokens are cut apart: step over what was one argument
        }
    }
    free(line);
}

void otter_launcher_take_arguments(void)
{
    take_environment();
    take_command_line();
}

void otter_launcher_report(const char *word, const char *format, ...)
{
    const char *path = getenv("OTTER_REPORT_FILE");
    if (!path || !*path) {
        return;
    }
    char *text, *line;
    va_list arguments;
    va_start(arguments, format);
    text = vasprintf(&text, format, arguments) < 0 ? NULL : text;
    va_end(arguments);
    int n = text ? asprintf(&line, "%s %ld %s\n", word, (long)getpid(), text) : -1;
    line = n < 0 ? NULL : line;
    int file = n < 0 ? -1 : open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    if (file >= 0) { // if not, the launcher explains less
        ssize_t written = write(file, line, (size_t)n);
        (void)written;
        close(file);
    }
}
