// Decodes calls, jumps and loads of 64-bit ARM, whose instructions have 32 bits.
#include <string.h>

#include <elf.h>

#include "source/machine/instructions.h"

enum { SIZE = 4 };

// *Returns* the instruction at `at`, or 0, which is not an instruction.
static uint32_t word_at(const unsigned char *at, uint64_t n)
{
    uint32_t word = 0;
    if (n >= SIZE) {
        memcpy(&word, at, sizeof word);
    }
    return word;
}

// *Returns* the number in the `n` bits from bit `first` on, with its sign.
static int64_t signed_bits(uint32_t word, unsigned first, unsigned n)
{
    return (int32_t)(word << (32 - first - n)) >> (32 - n);
}

static uint64_t relative(uint64_t address, int64_t n_instructions)
{
    return address + (uint64_t)(n_instructions * SIZE);
}

// bl
static unsigned call_at(const unsigned char *at, uint64_t n, uint64_t address,
                        struct otter_operand *target)
{
    uint32_t word = word_at(at, n);
    *target = (struct otter_operand){relative(address, signed_bits(word, 0, 26)), false};
    return word >> 26 == 0x25 ? SIZE : 0;
}

// b
static unsigned jump_at(const unsigned char *at, uint64_t n, uint64_t address,
                        struct otter_operand *target)
{
    uint32_t word = word_at(at, n);
    *target = (struct otter_operand){relative(address, signed_bits(word, 0, 26)), false};
    return word >> 26 == 0x05 ? SIZE : 0;
}

static bool is_condition(uint32_t word) // b.eq and the like
{
    return (word & 0xff000010) == 0x54000000;
}

static bool is_zero_test(uint32_t word) // cbz, cbnz
{
    return (word & 0x7e000000) == 0x34000000;
}

static bool is_bit_test(uint32_t word) // tbz, tbnz
{
    return (word & 0x7e000000) == 0x36000000;
}

static unsigned branch_at(const unsigned char *at, uint64_t n, uint64_t address, uint64_t *target)
{
    uint32_t word = word_at(at, n);
    *target = relative(address, signed_bits(word, 5, is_bit_test(word) ? 14 : 19));
    return is_condition(word) || is_zero_test(word) || is_bit_test(word) ? SIZE : 0;
}

// cmp w0,0; cmp x0,0; tst w0,255; cmp w0,1. Stores for which result the comparison is equal.
static bool is_comparison(uint32_t word, unsigned *when_equal)
{
    const uint32_t with_1 = 0x7100041f;
    *when_equal = word == with_1;
    return word == 0x7100001f || word == 0xf100001f || word == 0x72001c1f || word == with_1;
}

// cbz, cbnz on register 0; tbz, tbnz on its bit 0
static bool is_jump_of_0(uint32_t word)
{
    bool is_bit_0 = (word & 0x80f80000) == 0;
    return (word & 0x1f) == 0 && (is_zero_test(word) || (is_bit_test(word) && is_bit_0));
}

// [and w0,w0,255] cbz. Or a comparison, then b.eq or b.ne.
static unsigned test_at(const unsigned char *at, uint64_t n, uint64_t address, uint64_t next[2])
{
    enum { AND_255 = 0x12001c00, EQUAL = 0x54000000 };
    unsigned length = word_at(at, n) == AND_255 ? SIZE : 0, when_equal = 0;
    bool is_compared = is_comparison(word_at(at + length, n - length), &when_equal);
    length += is_compared ? SIZE : 0;
    uint32_t jump = word_at(at + length, n - length);
    if (is_compared ? (jump & 0xff00001e) != EQUAL : !is_jump_of_0(jump)) {
        return 0;
    }
    bool is_not = is_compared ? jump & 1 : jump >> 24 & 1;
    unsigned taken = is_not ? !when_equal : when_equal;
    branch_at(at + length, n - length, address + length, &next[taken]);
    next[!taken] = address + length + SIZE;
    return length + SIZE;
}

// adrp and adr set a register to an address, add adds to an address, and mov copies an address.
static unsigned load_at(const unsigned char *at, uint64_t n, uint64_t address,
                        struct otter_load *load)
{
    uint32_t word = word_at(at, n);
    *load = (struct otter_load){.to = word & 0x1f, .from = word >> 5 & 0x1f};
    if ((word & 0x1f000000) == 0x10000000) {
        bool is_page = word >> 31;
        int64_t distance = signed_bits(word, 5, 19) * 4 + (word >> 29 & 3);
        load->is_address = true;
        load->value = is_page ? (address & ~UINT64_C(0xfff)) + (uint64_t)distance * 4096
                              : address + (uint64_t)distance;
        return SIZE;
    }
    if ((word & 0xffc00000) == 0x91000000) { // add x,x,#number
        load->value = word >> 10 & 0xfff;
        return SIZE;
    }
    load->from = word >> 16 & 0x1f;
    return (word & 0xffe0ffe0) == 0xaa0003e0 ? SIZE : 0; // mov x,x
}

// [bti c] adrp x16,page; ldr x17,[x16,#rest]; add x16,x16,#rest; br x17
static unsigned stub_at(const unsigned char *at, uint64_t n, uint64_t address, uint64_t *slot)
{
    enum { BTI_C = 0xd503245f, X16 = 16 };
    unsigned length = word_at(at, n) == BTI_C ? SIZE : 0;
    struct otter_load page;
    if (n < length + 2 * SIZE || !load_at(at + length, n - length, address + length, &page) ||
        !page.is_address || page.to != X16) {
        return 0;
    }
    uint32_t word = word_at(at + length + SIZE, SIZE);
    *slot = page.value + (word >> 10 & 0xfff) * 8;
    return (word & 0xffc003ff) == 0xf9400211 ? length + 4 * SIZE : 0;
}

const struct otter_instructions otter_instructions_aarch64 = {
    .machine = EM_AARCH64,
    .step = SIZE,
    .shortest_call = SIZE,
    .longest_call = SIZE,
    .shortest_load = SIZE,
    .longest_test = 3 * SIZE,
    .longest_stub = 5 * SIZE,
    .first_argument = 0,
    .kept = UINT64_C(0x3ff) << 19,
    .call = call_at,
    .jump = jump_at,
    .branch = branch_at,
    .test = test_at,
    .load = load_at,
    .stub = stub_at,
};
