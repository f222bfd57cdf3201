// What the machine code of a file calls. For x86-64; of other machines nothing is known.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libelf.h>

#include "base/vector.h"

struct otter_code_slot { // holds the address of an imported function once it is loaded
    uint64_t address;
    const char *name;
};

struct otter_code {
    Elf *elf;
    const unsigned char *bytes; // of the whole file
    size_t n_bytes;
    struct {
        OTTER_VECTOR(struct otter_code_slot);
    } slots; // by address
};

// `elf` must stay open. All addresses are as the file counts.
void otter_code_init(struct otter_code *code, Elf *elf);
void otter_code_finish(struct otter_code *code);

struct otter_code_target {
    const char *name; // of an imported function, else NULL
    uint64_t address; // of a function of the file; 0: unknown
};

// What is called by the instruction that ends at `address`.
struct otter_code_target otter_code_call_before(const struct otter_code *code, uint64_t address);

// Where a jump leads, and where it ends.
typedef void otter_code_visitor(void *user, const struct otter_code_target *target, uint64_t end);

// Visits the jumps out of the code from `begin` to `end`. Bytes are taken for a jump wherever they
// look like it: the visitor knows where a jump can lead.
void otter_code_jumps(const struct otter_code *code, uint64_t begin, uint64_t end,
                      otter_code_visitor *visit, void *user);
