// The debug information of one file of code: the function and the line that an address in it belongs to.
//
// elfutils reads it: DWARF 2 to 5, split or compressed, in the file itself or in the one that its build id or .gnu_debuglink names.
// Without any, the table of symbols tells functions. A damaged file gives fewer answers.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct otter_debug_info;

struct otter_code_place {
    const char *function; // the person's: "fib" for a task in fib; "" when unknown
    const char *file;     // "" when unknown
    uint32_t line;        // 0: unknown
    bool is_of_kokkos;    // the function is Kokkos' own, and the file is left out
    uint64_t offset;      // in a function of Kokkos without a line
    bool is_of_task;      // the body of a task or taskloop is declared at this line
    const char *callee; // the runtime's function that was called: "GOMP_parallel"; "" when unknown
};

// `build_id` in hexadecimal; "-": none, then the file must not be younger than `recorded` (nanoseconds since 1970; 0: unknown).
// OTTER_NOT_FOUND: no such file, or not of code; OTTER_EXISTS: the file is there, but of another build; OTTER_NO_MEMORY.
// Takes DEBUGINFOD_URLS out of the environment: elfutils shall ask no server.
enum otter_status otter_debug_info_open(struct otter_debug_info **info, const char *path,
                                        const char *build_id, uint64_t recorded);
// Accepts NULL.
void otter_debug_info_close(struct otter_debug_info *info);

// Where the call stands that returns to `address`, which is as the file counts. The texts live until close.
struct otter_code_place otter_debug_info_find(struct otter_debug_info *info, uint64_t address);
