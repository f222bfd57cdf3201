// Decodes calls, jumps and loads of x86-64. Instructions begin at any byte, so bytes that only look
// like an instruction are decoded, too.
#include <string.h>

#include <elf.h>

#include "source/machine/instructions.h"

static uint64_t relative(const unsigned char *operand, uint64_t end)
{
    int32_t distance;
    memcpy(&distance, operand, sizeof distance);
    return end + (uint64_t)(int64_t)distance;
}

// call near; call *slot(%rip)
static unsigned call_at(const unsigned char *at, uint64_t n, uint64_t address,
                        struct otter_operand *target)
{
    if (n >= 5 && at[0] == 0xe8) {
        *target = (struct otter_operand){relative(at + 1, address + 5), false};
        return 5;
    }
    if (n >= 6 && at[0] == 0xff && at[1] == 0x15) {
        *target = (struct otter_operand){relative(at + 2, address + 6), true};
        return 6;
    }
    return 0;
}

// jmp near; jmp short; jmp *slot(%rip)
static unsigned jump_at(const unsigned char *at, uint64_t n, uint64_t address,
                        struct otter_operand *target)
{
    if (n >= 5 && at[0] == 0xe9) {
        *target = (struct otter_operand){relative(at + 1, address + 5), false};
        return 5;
    }
    if (n >= 2 && at[0] == 0xeb) {
        *target = (struct otter_operand){address + 2 + (uint64_t)(int64_t)(int8_t)at[1], false};
        return 2;
    }
    if (n >= 6 && at[0] == 0xff && at[1] == 0x25) {
        *target = (struct otter_operand){relative(at + 2, address + 6), true};
        return 6;
    }
    return 0;
}

// The short form and the near form of a conditional jump.
static unsigned branch_at(const unsigned char *at, uint64_t n, uint64_t address, uint64_t *target)
{
    if (n >= 2 && (at[0] & 0xf0) == 0x70) {
        *target = address + 2 + (uint64_t)(int64_t)(int8_t)at[1];
        return 2;
    }
    if (n >= 6 && at[0] == 0x0f && (at[1] & 0xf0) == 0x80) {
        *target = relative(at + 2, address + 6);
        return 6;
    }
    return 0;
}

static unsigned test_at(const unsigned char *at, uint64_t n, uint64_t address, uint64_t next[2])
{
    enum { LONGEST = 9, EQUAL = 4, NOT_EQUAL = 5 };
    static const struct test {
        unsigned char bytes[3], length, when_equal;
    } tests[] = {
        {{0x84, 0xc0}, 2, 0},       // test %al,%al
        {{0x48, 0x85, 0xc0}, 3, 0}, // test %rax,%rax
        {{0x3c, 0x01}, 2, 1},       // cmp $1,%al
    };
    for (size_t i = 0; n >= LONGEST && i < sizeof tests / sizeof *tests; i++) {
        const struct test *test = &tests[i];
        const unsigned char *jump = at + test->length;
        uint64_t target;
        unsigned length = memcmp(at, test->bytes, test->length) == 0
                              ? branch_at(jump, n - test->length, address + test->length, &target)
                              : 0;
        unsigned condition = length == 6 ? jump[1] & 0xf : jump[0] & 0xf;
        if (length > 0 && (condition == EQUAL || condition == NOT_EQUAL)) {
            unsigned taken = condition == EQUAL ? test->when_equal : !test->when_equal;
            next[taken] = target;
            next[!taken] = address + test->length + length;
            return test->length + length;
        }
    }
    return 0;
}

// lea distance(%rip),%r64; mov %r64,%r64; mov $imm32,%r32; mov $imm32,%r64
static unsigned load_at(const unsigned char *at, uint64_t n, uint64_t address,
                        struct otter_load *load)
{
    enum { LONGEST = 7 };
    if (n < LONGEST) {
        return 0;
    }
    unsigned rex = (*at & 0xf0) == 0x40 ? *at++ : 0, wide = rex & 8, prefix = rex != 0;
    unsigned high_reg = (rex & 4) << 1, high_rm = (rex & 1) << 3;
    *load = (struct otter_load){.is_address = true};
    if (wide && at[0] == 0x8d && (at[1] & 0xc7) == 0x05) {
        load->to = high_reg | (at[1] >> 3 & 7);
        load->value = relative(at + 2, address + prefix + 6);
        return prefix + 6;
    }
    if (wide && at[0] == 0x89 && at[1] >= 0xc0) {
        *load =
            (struct otter_load){.to = high_rm | (at[1] & 7), .from = high_reg | (at[1] >> 3 & 7)};
        return prefix + 2;
    }
    if (!wide && (at[0] & 0xf8) == 0xb8) {
        load->to = high_rm | (at[0] & 7);
        load->value = relative(at + 1, 0);
        return prefix + 5;
    }
    if (wide && at[0] == 0xc7 && (at[1] & 0xf8) == 0xc0) {
        load->to = high_rm | (at[1] & 7);
        load->value = relative(at + 2, 0);
        return prefix + 6;
    }
    return 0;
}

// [endbr64] [bnd] jmp *slot(%rip)
static unsigned stub_at(const unsigned char *at, uint64_t n, uint64_t address, uint64_t *slot)
{
    static const unsigned char endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
    unsigned length = n >= sizeof endbr && memcmp(at, endbr, sizeof endbr) == 0 ? sizeof endbr : 0;
    length += length < n && at[length] == 0xf2;
    struct otter_operand target = {0};
    unsigned jump = jump_at(at + length, n - length, address + length, &target);
    *slot = target.address;
    return jump > 0 && target.is_slot ? length + jump : 0;
}

enum { RBX = 3, RBP = 5, RDI = 7, R12 = 12 };

const struct otter_instructions otter_instructions_x86_64 = {
    .machine = EM_X86_64,
    .step = 1,
    .shortest_call = 5,
    .longest_call = 6,
    .shortest_load = 3,
    .longest_test = 9,
    .longest_stub = 11,
    .first_argument = RDI,
    .kept = 1 << RBX | 1 << RBP | 0xf << R12,
    .call = call_at,
    .jump = jump_at,
    .branch = branch_at,
    .test = test_at,
    .load = load_at,
    .stub = stub_at,
};
