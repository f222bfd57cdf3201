// Finds the width and the capabilities of a terminal.
#include "report/form/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

unsigned otter_terminal_width(FILE *out)
{
    enum { LEAST = 20, USUAL = 80, MOST = 10000 };
    const char *text = getenv("COLUMNS");
    char *end;
    unsigned long columns = text && *text != '-' ? strtoul(text, &end, 10) : 0;
    if (columns > 0 && *end == '\0') {
        return columns < LEAST ? LEAST : columns > MOST ? MOST : (unsigned)columns;
    }
    struct winsize size;
    if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return USUAL;
    }
    return size.ws_col < LEAST ? LEAST : size.ws_col;
}

bool otter_terminal_has_bold(FILE *out)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(fileno(out)) && !(no_colour && *no_colour) && terminal &&
           strcmp(terminal, "dumb") != 0;
}
