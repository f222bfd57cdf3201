// Finds the functions that the machine code of a file calls. Supports only x86-64 and 64-bit ARM.
// On ARM, it does not find the calls of code built with -fno-plt, which take the address from a
// register.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libelf.h>

#include "base/vector.h"

// a slot of the table in which the loader stores addresses of imported functions
struct otter_code_slot {
    uint64_t address;
    const char *name;
};

struct otter_instructions;

struct otter_code {
    Elf *elf;
    const struct otter_instructions *set; // NULL: unsupported processor
    const unsigned char *bytes;           // the whole file
    size_t n_bytes;
    struct {
        OTTER_VECTOR(struct otter_code_slot);
    } slots; // sorted by address
};

// `elf` must stay open until finish. All addresses are addresses in the file.
void otter_code_init(struct otter_code *code, Elf *elf);
void otter_code_finish(struct otter_code *code);

struct otter_code_target {
    const char *name; // name of an imported function; NULL: not imported
    uint64_t address; // address of a function of the file; 0: unknown
};

// Returns the target of the call instruction that ends at `address`.
struct otter_code_target otter_code_call_before(const struct otter_code *code, uint64_t address);

// Returns the target of the call instruction that begins at `address`.
struct otter_code_target otter_code_call_at(const struct otter_code *code, uint64_t address);

// Returns the length of the call instruction that ends at `address`.
uint64_t otter_code_length_of_call(const struct otter_code *code, uint64_t address);

// Receives the return address of a call and the name of the called function. Returns false to end
// the visit.
typedef bool otter_code_call_visitor(void *user, const char *name, uint64_t address);

// Visits the calls of imported functions in the code from `begin` to `end`, in order.
void otter_code_calls(const struct otter_code *code, uint64_t begin, uint64_t end,
                      otter_code_call_visitor *visit, void *user);

// Decodes a test of the result of the call that returns to `address`. Stores the addresses at which
// the code continues: next[0] for the result 0 or NULL, next[1] for others. Returns false if no
// such test follows immediately.
bool otter_code_test_after(const struct otter_code *code, uint64_t address, uint64_t next[2]);

// Stores the targets of at most `most` conditional jumps in the code from `begin` to `end`, in
// order. Returns their number. Bytes that only look like a jump are included, so the caller must
// check the targets.
unsigned otter_code_branches(const struct otter_code *code, uint64_t begin, uint64_t end,
                             unsigned most, uint64_t *targets);

// Decides whether the code at `address` may be the value of an argument.
typedef bool otter_code_is_wanted(void *user, uint64_t address);

// Returns the address of code that the call ending at `address` passes as its first argument, or 0.
// The calling function's code is from `begin` to `end`. Finds addresses that the function loads
// into the argument's register, directly or through another register.
uint64_t otter_code_first_argument(const struct otter_code *code, uint64_t begin, uint64_t end,
                                   uint64_t address, otter_code_is_wanted *is_wanted, void *user);

// Receives the target of a jump and the address after the jump.
typedef void otter_code_visitor(void *user, const struct otter_code_target *target, uint64_t end);

// Visits the jumps out of the code from `begin` to `end`. Any bytes that look like a jump are
// visited, so the visitor must check the target.
void otter_code_jumps(const struct otter_code *code, uint64_t begin, uint64_t end,
                      otter_code_visitor *visit, void *user);

// Returns the target of the unconditional jump at `address`. 0: there is none.
uint64_t otter_code_jump_at(const struct otter_code *code, uint64_t address);

// Receives the address of a jump.
typedef void otter_code_jump_visitor(void *user, uint64_t jump);

// Visits the conditional or the unconditional jumps to `wanted` in the code from `begin` to `end`.
void otter_code_jumps_to(const struct otter_code *code, uint64_t begin, uint64_t end,
                         uint64_t wanted, bool is_conditional, otter_code_jump_visitor *visit,
                         void *user);
