// The debug information of one file of code, which maps addresses to functions and lines.
//
// elfutils reads DWARF 2 to 5, split or compressed, from the file itself or from the file that its
// build id or .gnu_debuglink names. Without DWARF, functions come from the symbol table. Damaged
// parts of a file are skipped.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct otter_debug_info;

struct otter_code_place {
    const char *function; // the user's function: "fib" for a task in fib; "" if unknown
    const char *file;     // "" when unknown
    uint32_t line;        // 0: unknown
    bool is_of_kokkos;    // the function belongs to Kokkos; `file` is ""
    uint64_t offset; // distance of the address from the start of a Kokkos function without a line
    bool is_of_task; // the body of a task or taskloop is declared at this line
    const char *callee; // the called function of the runtime: "GOMP_parallel"; "" when unknown
};

// Opens the file `path` if it is the recorded build.
// - `build_id`: hexadecimal; "-": none, so the file must not be newer than `recorded`
// - `recorded`: nanoseconds since 1970; 0: unknown
//
// Removes DEBUGINFOD_URLS from the environment, so that elfutils contacts no server.
//
// *Errors*: OTTER_NOT_FOUND: no such file, or no code. OTTER_EXISTS: another build.
// OTTER_NO_MEMORY.
enum otter_status otter_debug_info_open(struct otter_debug_info **info, const char *path,
                                        const char *build_id, uint64_t recorded);
// Accepts NULL.
void otter_debug_info_close(struct otter_debug_info *info);

// Returns function and line of the instruction before `address`, in any code. `function` contains
// the names of functions inlined into each other (OTTER_INLINED). The texts are valid until the
// next call.
struct otter_code_place otter_debug_info_find_code(struct otter_debug_info *info, uint64_t address);

// Returns the place of the call that returns to `address`, an address in the file. The texts are
// valid until close.
struct otter_code_place otter_debug_info_find(struct otter_debug_info *info, uint64_t address);

// Finds the jump to the runtime function `callee` in the function around the call that returns to
// `address`, or in the functions to which that one jumps. Returns its place; line 0 if there is
// none, or several.
struct otter_code_place otter_debug_info_find_jump(struct otter_debug_info *info, uint64_t address,
                                                   const char *callee);
