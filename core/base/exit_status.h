// The exit statuses of `otter`.
#pragma once

enum otter_exit {
    OTTER_EXIT_OK = 0,
    OTTER_EXIT_FAILED = 1,
    OTTER_EXIT_USAGE = 2, // wrong command line
    // `otter record` uses these values as shells do:
    OTTER_EXIT_CANNOT_EXECUTE = 126,
    OTTER_EXIT_NO_PROGRAM = 127,
    OTTER_EXIT_SIGNAL = 128, // plus the number of the signal that ended the program
};
