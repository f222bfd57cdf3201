// The instructions of a processor, as far as code.c needs them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The target of a call or jump: code, or the loader's slot that contains the address of code.
struct otter_operand {
    uint64_t address;
    bool is_slot;
};

// An instruction that sets a register.
struct otter_load {
    unsigned to;
    bool is_address; // to an address of code; otherwise to the register `from`
    unsigned from;
    uint64_t value; // the address, or what is added to the register
};

// Each function decodes the instruction at `at`, of which `n` bytes can be read, and whose address
// is `address`. It *returns* the length of the instruction, or 0 if it is of another kind.
struct otter_instructions {
    unsigned machine; // the number of the processor in ELF
    unsigned step;    // bytes: every instruction begins at a multiple of it
    // bytes
    unsigned shortest_call, longest_call, shortest_load, longest_test, longest_stub;
    unsigned first_argument; // the register of the first argument
    uint64_t kept;           // a bit for each register that calls do not change
    // A call of a known target.
    unsigned (*call)(const unsigned char *at, uint64_t n, uint64_t address,
                     struct otter_operand *target);
    // An unconditional jump to a known target.
    unsigned (*jump)(const unsigned char *at, uint64_t n, uint64_t address,
                     struct otter_operand *target);
    // A conditional jump.
    unsigned (*branch)(const unsigned char *at, uint64_t n, uint64_t address, uint64_t *target);
    // The instructions that test the result of a call and jump. Stores where the code continues:
    // next[0] for the result 0 or NULL, next[1] for others.
    unsigned (*test)(const unsigned char *at, uint64_t n, uint64_t address, uint64_t next[2]);
    unsigned (*load)(const unsigned char *at, uint64_t n, uint64_t address,
                     struct otter_load *load);
    // The linker's stub that jumps to an imported function. Stores the address of its slot.
    unsigned (*stub)(const unsigned char *at, uint64_t n, uint64_t address, uint64_t *slot);
};

extern const struct otter_instructions otter_instructions_x86_64, otter_instructions_aarch64;
