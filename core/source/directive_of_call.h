// The directive of a call of GCC's runtime that passes no function. Such a call has no row of its
// own in the line table.
#pragma once

#include "source/machine/code.h"
#include "source/directives.h"
#include "source/unit/units.h"

struct otter_runtime_call {
    const struct otter_code *code;
    struct otter_directives *directives;
    struct otter_units *units;
    struct otter_unit *unit;
    const char *callee; // "GOMP_single_start"
    uint64_t address;   // address to which the call returns
    uint64_t bias;      // address in the file minus address in the unit
};

struct otter_directive_place {
    const char *file;           // valid as long as the unit
    uint32_t line;              // 0: there is no such directive, or its source cannot be read
    struct otter_scope inlined; // the inlined function that contains the directive, or no scope
    bool is_certain;     // the line table or the code shows that the call belongs to the directive
    uint64_t start;      // return address of the call that begins the construct; 0: unknown
    uint32_t first, end; // lines of the function; the directive is among them
};

// Returns the place of the directive that the call begins or ends.
// - The code after the call that begins a `single`, a loop or sections shows where the body is, and
//   the directive is the last one before the body's line.
// - A `single`, a loop and sections end where that code continues without a body.
// - Otherwise the directive is near the row that covers the call.
struct otter_directive_place otter_directive_of_call(const struct otter_runtime_call *call);
