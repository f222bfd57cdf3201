// Decodes calls and jumps in the machine code of a file.
#include "source/code.h"

#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "base/order.h"

// ---- reading

static int compare_slots(const void *a, const void *b)
{
    const struct otter_code_slot *x = a, *y = b;
    return OTTER_BY_1(x, y, address);
}

static void add_slots(struct otter_code *code, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Scn *symbols = elf_getscn(code->elf, header->sh_link);
    GElf_Shdr symbols_header;
    Elf_Data *data = elf_getdata(section, NULL), *symbol_data = elf_getdata(symbols, NULL);
    if (!data || !symbol_data || !gelf_getshdr(symbols, &symbols_header)) {
        return;
    }
    GElf_Rela relocation;
    for (int i = 0; gelf_getrela(data, i, &relocation); i++) {
        GElf_Sym symbol;
        bool is_import = gelf_getsym(symbol_data, (int)GELF_R_SYM(relocation.r_info), &symbol) &&
                         symbol.st_shndx == SHN_UNDEF;
        const char *name =
            is_import ? elf_strptr(code->elf, symbols_header.sh_link, symbol.st_name) : NULL;
        if (name && *name && OTTER_VECTOR_RESERVE(&code->slots)) {
            code->slots.items[code->slots.n++] =
                (struct otter_code_slot){relocation.r_offset, name};
        }
    }
}

void otter_code_init(struct otter_code *code, Elf *elf)
{
    GElf_Ehdr file;
    *code = (struct otter_code){.elf = elf};
    if (!elf || !gelf_getehdr(elf, &file) || file.e_machine != EM_X86_64) {
        return;
    }
    code->bytes = (const unsigned char *)elf_rawfile(elf, &code->n_bytes);
    for (Elf_Scn *section = NULL; code->bytes && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
            (header.sh_flags & SHF_ALLOC)) {
            add_slots(code, section, &header);
        }
    }
    OTTER_SORT(&code->slots, compare_slots);
}

void otter_code_finish(struct otter_code *code)
{
    free(code->slots.items);
}

// Returns the `n` bytes of code at an address, or NULL.
static const unsigned char *code_at(const struct otter_code *code, uint64_t address, uint64_t n)
{
    size_t n_segments;
    if (!code->bytes || elf_getphdrnum(code->elf, &n_segments) != 0) {
        return NULL;
    }
    for (size_t i = 0; i < n_segments; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(code->elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
            !(segment.p_flags & PF_X) || address < segment.p_vaddr) {
            continue;
        }
        uint64_t skipped = address - segment.p_vaddr;
        if (skipped < segment.p_filesz && n <= segment.p_filesz - skipped &&
            segment.p_offset <= code->n_bytes &&
            segment.p_filesz <= code->n_bytes - segment.p_offset) {
            return code->bytes + segment.p_offset + skipped;
        }
    }
    return NULL;
}

// ---- instructions

static uint64_t relative(const unsigned char *operand, uint64_t end)
{
    int32_t distance;
    memcpy(&distance, operand, sizeof distance);
    return end + (uint64_t)(int64_t)distance;
}

static const char *name_of_slot(const struct otter_code *code, uint64_t address)
{
    struct otter_code_slot key = {.address = address};
    uint32_t i = OTTER_SORTED_BEFORE(&code->slots, &key, compare_slots);
    bool is_found = i < code->slots.n && code->slots.items[i].address == address;
    return is_found ? code->slots.items[i].name : NULL;
}

// Returns the imported function to which the linker's stub at `address` jumps, or NULL if there is
// no stub. A stub is [endbr64] [bnd] jmp *slot(%rip).
static const char *name_of_stub(const struct otter_code *code, uint64_t address)
{
    static const unsigned char endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
    enum { LENGTH = 11 };
    const unsigned char *at = code_at(code, address, LENGTH);
    if (!at) {
        return NULL;
    }
    const unsigned char *jump = at;
    jump += memcmp(jump, endbr, sizeof endbr) == 0 ? sizeof endbr : 0;
    jump += *jump == 0xf2;
    if (jump[0] != 0xff || jump[1] != 0x25) {
        return NULL;
    }
    return name_of_slot(code, relative(jump + 2, address + (uint64_t)(jump - at) + 6));
}

enum { SHORTEST_CALL = 5, LONGEST_CALL = 6 }; // call near, call *slot(%rip)

struct otter_code_target otter_code_call_before(const struct otter_code *code, uint64_t address)
{
    struct otter_code_target target = {0};
    const unsigned char *near = code_at(code, address - SHORTEST_CALL, SHORTEST_CALL);
    const unsigned char *indirect = code_at(code, address - LONGEST_CALL, LONGEST_CALL);
    if (indirect && indirect[0] == 0xff && indirect[1] == 0x15) { // call *slot(%rip)
        target.name = name_of_slot(code, relative(indirect + 2, address));
    }
    if (!target.name && near && *near == 0xe8) {
        target.address = relative(near + 1, address);
        target.name = name_of_stub(code, target.address);
    }
    return target;
}

struct otter_code_target otter_code_call_at(const struct otter_code *code, uint64_t address)
{
    static const unsigned char indirect[] = {0xff, 0x15};
    const unsigned char *near = code_at(code, address, SHORTEST_CALL);
    const unsigned char *at = code_at(code, address, LONGEST_CALL);
    if (near && *near == 0xe8) {
        return otter_code_call_before(code, address + SHORTEST_CALL);
    }
    bool is_indirect = at && memcmp(at, indirect, sizeof indirect) == 0;
    return is_indirect ? otter_code_call_before(code, address + LONGEST_CALL)
                       : (struct otter_code_target){0};
}

uint64_t otter_code_length_of_call(const struct otter_code *code, uint64_t address)
{
    const unsigned char *near = code_at(code, address - SHORTEST_CALL, SHORTEST_CALL);
    return near && *near == 0xe8 ? SHORTEST_CALL : LONGEST_CALL;
}

void otter_code_calls(const struct otter_code *code, uint64_t begin, uint64_t end,
                      otter_code_call_visitor *visit, void *user)
{
    const unsigned char *bytes = begin < end ? code_at(code, begin, end - begin) : NULL;
    for (uint64_t n = SHORTEST_CALL; bytes && n <= end - begin; n++) {
        bool may_be_call = bytes[n - SHORTEST_CALL] == 0xe8 ||
                           (n >= LONGEST_CALL && bytes[n - LONGEST_CALL] == 0xff);
        const char *name = may_be_call ? otter_code_call_before(code, begin + n).name : NULL;
        if (name && !visit(user, name, begin + n)) {
            return;
        }
    }
}

// ---- conditional jumps

// Decodes je and jne (`is_any`: each conditional jump) in the `n` bytes at `at`. Returns the
// length, or 0 if there is no such jump.
static unsigned branch_at(const unsigned char *at, uint64_t n, uint64_t address, bool is_any,
                          uint64_t *target)
{
    unsigned char mask = is_any ? 0xf0 : 0xfe, wanted = is_any ? 0 : 4;
    if (n >= 2 && (at[0] & mask) == (0x70 | wanted)) {
        *target = address + 2 + (uint64_t)(int64_t)(int8_t)at[1];
        return 2;
    }
    if (n >= 6 && at[0] == 0x0f && (at[1] & mask) == (0x80 | wanted)) {
        *target = relative(at + 2, address + 6);
        return 6;
    }
    return 0;
}

bool otter_code_test_after(const struct otter_code *code, uint64_t address, uint64_t next[2])
{
    enum { LENGTH = 9 }; // bytes of the longest test and jump together
    static const struct test {
        unsigned char bytes[3], length, when_equal;
    } tests[] = {
        {{0x84, 0xc0}, 2, 0},       // test %al,%al
        {{0x48, 0x85, 0xc0}, 3, 0}, // test %rax,%rax
        {{0x3c, 0x01}, 2, 1},       // cmp $1,%al
    };
    const unsigned char *at = code_at(code, address, LENGTH);
    for (size_t i = 0; at && i < sizeof tests / sizeof *tests; i++) {
        const struct test *test = &tests[i];
        uint64_t target, jump = address + test->length;
        unsigned length =
            memcmp(at, test->bytes, test->length) == 0
                ? branch_at(at + test->length, LENGTH - test->length, jump, false, &target)
                : 0;
        if (length > 0) {
            bool is_equal = (at[test->length + (length == 6)] & 1) == 0; // je, otherwise jne
            unsigned taken = is_equal ? test->when_equal : !test->when_equal;
            next[taken] = target;
            next[!taken] = jump + length;
            return true;
        }
    }
    return false;
}

unsigned otter_code_branches(const struct otter_code *code, uint64_t begin, uint64_t end,
                             unsigned most, uint64_t *targets)
{
    const unsigned char *bytes = begin < end ? code_at(code, begin, end - begin) : NULL;
    unsigned n = 0;
    for (uint64_t i = 0; bytes && n < most && i < end - begin; i++) {
        n += branch_at(bytes + i, end - begin - i, begin + i, true, &targets[n]) > 0;
    }
    return n;
}

// ---- arguments

enum { RBX = 3, RBP = 5, RDI = 7, R12 = 12 };

// An instruction that loads a register from another register, or with an address of code.
struct load {
    unsigned to, from;
    uint64_t value; // 0: the value comes from the register `from`
};

// Decodes lea distance(%rip),%r64; mov %r64,%r64; mov $imm32,%r32; mov $imm32,%r64.
static bool load_at(const unsigned char *at, uint64_t address, struct load *load)
{
    unsigned rex = (*at & 0xf0) == 0x40 ? *at++ : 0, wide = rex & 8;
    unsigned high_reg = (rex & 4) << 1, high_rm = (rex & 1) << 3;
    address += rex != 0;
    *load = (struct load){0};
    if (wide && at[0] == 0x8d && (at[1] & 0xc7) == 0x05) {
        load->to = high_reg | (at[1] >> 3 & 7);
        load->value = relative(at + 2, address + 6);
    } else if (wide && at[0] == 0x89 && at[1] >= 0xc0) {
        load->from = high_reg | (at[1] >> 3 & 7);
        load->to = high_rm | (at[1] & 7);
        return true;
    } else if (!wide && (at[0] & 0xf8) == 0xb8) {
        load->to = high_rm | (at[0] & 7);
        load->value = relative(at + 1, 0);
    } else if (wide && at[0] == 0xc7 && (at[1] & 0xf8) == 0xc0) {
        load->to = high_rm | (at[1] & 7);
        load->value = relative(at + 2, 0);
    }
    return load->value != 0;
}

static bool is_kept_by_calls(unsigned reg)
{
    return reg == RBX || reg == RBP || reg >= R12;
}

uint64_t otter_code_first_argument(const struct otter_code *code, uint64_t begin, uint64_t end,
                                   uint64_t address, otter_code_is_wanted *is_wanted, void *user)
{
    const unsigned char *bytes =
        begin < address && address <= end ? code_at(code, begin, end - begin) : NULL;
    enum { SHORTEST_LOAD = 3 };
    unsigned wanted = RDI;
    uint64_t at = address - SHORTEST_CALL - SHORTEST_LOAD;
    for (; bytes && at >= begin && at < address; at--) {
        struct load load;
        if (load_at(bytes + (at - begin), at, &load) && load.to == wanted) {
            if (load.value && is_wanted(user, load.value)) {
                return load.value;
            }
            wanted = load.value ? wanted : load.from;
        }
        if (!is_kept_by_calls(wanted) && otter_code_call_before(code, at).name) {
            return 0;
        }
    }
    return 0;
}

// ---- jumps

// Decodes the jump in the `n` bytes at `at`: jmp near, jmp short, jmp *slot(%rip). Returns its
// length, or 0 if there is no jump.
static unsigned jump_at(const struct otter_code *code, const unsigned char *at, uint64_t n,
                        uint64_t address, struct otter_code_target *target)
{
    *target = (struct otter_code_target){0};
    if (n >= 5 && at[0] == 0xe9) {
        target->address = relative(at + 1, address + 5);
        target->name = name_of_stub(code, target->address);
        return 5;
    }
    if (n >= 2 && at[0] == 0xeb) {
        target->address = address + 2 + (uint64_t)(int64_t)(int8_t)at[1];
        return 2;
    }
    if (n >= 6 && at[0] == 0xff && at[1] == 0x25) {
        target->name = name_of_slot(code, relative(at + 2, address + 6));
        return 6;
    }
    return 0;
}

void otter_code_jumps(const struct otter_code *code, uint64_t begin, uint64_t end,
                      otter_code_visitor *visit, void *user)
{
    const unsigned char *bytes = begin < end ? code_at(code, begin, end - begin) : NULL;
    for (uint64_t i = 0; bytes && i < end - begin; i++) {
        struct otter_code_target target;
        unsigned length = jump_at(code, bytes + i, end - begin - i, begin + i, &target);
        bool is_outside = target.name || target.address < begin || target.address >= end;
        if (length > 0 && is_outside) {
            visit(user, &target, begin + i + length);
        }
    }
}

uint64_t otter_code_jump_at(const struct otter_code *code, uint64_t address)
{
    enum { LENGTH = 5 };
    struct otter_code_target target = {0};
    const unsigned char *at = code_at(code, address, LENGTH);
    return at && jump_at(code, at, LENGTH, address, &target) && !target.name ? target.address : 0;
}

void otter_code_jumps_to(const struct otter_code *code, uint64_t begin, uint64_t end,
                         uint64_t wanted, bool is_conditional, otter_code_jump_visitor *visit,
                         void *user)
{
    const unsigned char *bytes = begin < end ? code_at(code, begin, end - begin) : NULL;
    for (uint64_t i = 0, n = end - begin; bytes && i < n; i++) {
        struct otter_code_target target;
        unsigned length = is_conditional
                              ? branch_at(bytes + i, n - i, begin + i, true, &target.address)
                              : jump_at(code, bytes + i, n - i, begin + i, &target);
        if (length > 0 && target.address == wanted) {
            visit(user, begin + i);
        }
    }
}
