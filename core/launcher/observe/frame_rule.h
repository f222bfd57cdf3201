// The rule by which the caller of a code address is found, read from the file's call frame
// information.
//
// *Thread*: one at a time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdwfl.h>

// The registers that rules use, by their numbers in DWARF.
#if defined(__x86_64__)
enum { OTTER_FRAME_POINTER = 6, OTTER_STACK_POINTER = 7, OTTER_RETURN_ADDRESS = 16 };
#else
enum { OTTER_FRAME_POINTER = -1, OTTER_STACK_POINTER = -2, OTTER_RETURN_ADDRESS = -3 };
#endif

// The canonical frame address (CFA) is the caller's stack pointer.
struct otter_frame_rule {
    bool has_caller;   // false: there is no caller, or the rule is of an unsupported kind
    bool is_outermost; // there is no caller: a program or a thread starts here
    bool is_of_frame_pointer, is_stored;
    bool has_frame_pointer;
    int32_t cfa_offset;           // CFA: frame or stack pointer plus this, or what is stored there
    int32_t return_offset;        // offset of the stored return address from the CFA
    int32_t frame_pointer_offset; // likewise for the caller's frame pointer, if stored
};

// Sets the rule for the instruction at `address`.
void otter_frame_rule_read(struct otter_frame_rule *rule, Dwfl *dwfl, uint64_t address);
