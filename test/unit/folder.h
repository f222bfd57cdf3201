// A folder of its own for each test program, what is often done in it, and what the program says on stderr.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Group set-up and tear-down for cmocka.
int make_test_folder(void **state);
int remove_test_folder(void **state);

// A path in the folder. Lives until eight others were asked for.
const char *in_test_folder(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The bytes of a file, with a zero behind them; the caller frees. NULL: there is none.
uint8_t *read_file(const char *path, size_t *size);
void write_file(const char *path, const void *bytes, size_t size);
bool exists(const char *path);

// What `function` writes on stderr, each write by itself and with a '|' behind it. Lives until the next call.
const char *stderr_of(void (*function)(void));

// The status with which a child ended that did `function`, as waitpid() tells it.
int status_of_child(void (*function)(void));
