// A folder for each test program, operations in it, and the text that a function writes on stderr.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Set-up and tear-down of a group of tests.
int make_test_folder(void **state);
int remove_test_folder(void **state);

// Returns a path in the folder. Valid until eight other paths were requested.
const char *in_test_folder(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Returns the bytes of a file, followed by a zero. The caller frees them. NULL: there is no file.
uint8_t *read_file(const char *path, size_t *size);
void write_file(const char *path, const void *bytes, size_t size);
bool exists(const char *path);

// Returns the output of `function` on stderr, with a '|' after each write. Valid until the next
// call.
const char *stderr_of(void (*function)(void));

// Runs `function` in a child. *Returns* its status as waitpid() does.
int status_of_child(void (*function)(void));
