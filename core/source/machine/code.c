// Decodes calls and jumps in the machine code of a file.
#include "source/machine/code.h"

#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "base/order.h"
#include "source/machine/instructions.h"

// ---- reading

// Returns the instructions of the processor with this number in ELF, or NULL.
static const struct otter_instructions *instructions_of(unsigned machine)
{
    static const struct otter_instructions *const sets[] = {&otter_instructions_x86_64,
                                                            &otter_instructions_aarch64};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (sets[i]->machine == machine) {
            return sets[i];
        }
    }
    return NULL;
}

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
    code->set = elf && gelf_getehdr(elf, &file) ? instructions_of(file.e_machine) : NULL;
    if (!code->set) {
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

// ---- calls

static const char *name_of_slot(const struct otter_code *code, uint64_t address)
{
    struct otter_code_slot key = {.address = address};
    uint32_t i = OTTER_SORTED_BEFORE(&code->slots, &key, compare_slots);
    bool is_found = i < code->slots.n && code->slots.items[i].address == address;
    return is_found ? code->slots.items[i].name : NULL;
}

// Returns the imported function to which the linker's stub at `address` jumps, or NULL if there is
// no stub.
static const char *name_of_stub(const struct otter_code *code, uint64_t address)
{
    uint64_t slot, n = code->set->longest_stub;
    const unsigned char *at = code_at(code, address, n);
    return at && code->set->stub(at, n, address, &slot) > 0 ? name_of_slot(code, slot) : NULL;
}

static struct otter_code_target target_of(const struct otter_code *code,
                                          const struct otter_operand *operand)
{
    return operand->is_slot
               ? (struct otter_code_target){.name = name_of_slot(code, operand->address)}
               : (struct otter_code_target){name_of_stub(code, operand->address), operand->address};
}

// Decodes the call of this length at `address`.
static bool call_of(const struct otter_code *code, uint64_t address, uint64_t length,
                    struct otter_code_target *target)
{
    struct otter_operand operand;
    const unsigned char *at = code_at(code, address, length);
    if (!at || code->set->call(at, length, address, &operand) != length) {
        return false;
    }
    *target = target_of(code, &operand);
    return true;
}

struct otter_code_target otter_code_call_before(const struct otter_code *code, uint64_t address)
{
    struct otter_code_target target = {0};
    uint64_t shortest = code->set ? code->set->shortest_call : 1;
    for (uint64_t n = code->set ? code->set->longest_call : 0; n >= shortest; n--) {
        if (call_of(code, address - n, n, &target) && (target.name || target.address)) {
            return target;
        }
    }
    return (struct otter_code_target){0};
}

struct otter_code_target otter_code_call_at(const struct otter_code *code, uint64_t address)
{
    struct otter_code_target target = {0};
    uint64_t longest = code->set ? code->set->longest_call : 0;
    for (uint64_t n = code->set ? code->set->shortest_call : 1; n <= longest; n++) {
        if (call_of(code, address, n, &target)) {
            return target;
        }
    }
    return target;
}

uint64_t otter_code_length_of_call(const struct otter_code *code, uint64_t address)
{
    struct otter_code_target target;
    uint64_t longest = code->set ? code->set->longest_call : 0;
    for (uint64_t n = code->set ? code->set->shortest_call : 1; n < longest; n++) {
        if (call_of(code, address - n, n, &target)) {
            return n;
        }
    }
    return longest;
}

// The instructions from `begin` to `end`. `at` and `address` are those of the next one.
struct walk {
    const unsigned char *at;
    uint64_t address, end;
};

static struct walk begin_walk(const struct otter_code *code, uint64_t begin, uint64_t end)
{
    const unsigned char *at = begin < end ? code_at(code, begin, end - begin) : NULL;
    return (struct walk){at, begin, at ? end : begin};
}

static void step(const struct otter_code *code, struct walk *walk)
{
    walk->at += code->set->step;
    walk->address += code->set->step;
}

void otter_code_calls(const struct otter_code *code, uint64_t begin, uint64_t end,
                      otter_code_call_visitor *visit, void *user)
{
    struct otter_operand operand;
    for (struct walk walk = begin_walk(code, begin, end); walk.address < walk.end;
         step(code, &walk)) {
        unsigned n = code->set->call(walk.at, walk.end - walk.address, walk.address, &operand);
        const char *name = n > 0 ? target_of(code, &operand).name : NULL;
        if (name && !visit(user, name, walk.address + n)) {
            return;
        }
    }
}

// ---- conditional jumps

bool otter_code_test_after(const struct otter_code *code, uint64_t address, uint64_t next[2])
{
    uint64_t n = code->set ? code->set->longest_test : 0;
    const unsigned char *at = code_at(code, address, n);
    return at && code->set->test(at, n, address, next) > 0;
}

unsigned otter_code_branches(const struct otter_code *code, uint64_t begin, uint64_t end,
                             unsigned most, uint64_t *targets)
{
    unsigned n = 0;
    struct walk walk = begin_walk(code, begin, end);
    for (; n < most && walk.address < walk.end; step(code, &walk)) {
        n += code->set->branch(walk.at, walk.end - walk.address, walk.address, &targets[n]) > 0;
    }
    return n;
}

// ---- arguments

uint64_t otter_code_first_argument(const struct otter_code *code, uint64_t begin, uint64_t end,
                                   uint64_t address, otter_code_is_wanted *is_wanted, void *user)
{
    const struct otter_instructions *set = code->set;
    const unsigned char *bytes =
        begin < address && address <= end ? code_at(code, begin, end - begin) : NULL;
    if (!bytes) {
        return 0;
    }
    unsigned wanted = set->first_argument;
    uint64_t added = 0, at = address - set->shortest_call - set->shortest_load;
    for (; at >= begin && at < address; at -= set->step) {
        struct otter_load load;
        if (set->load(bytes + (at - begin), end - at, at, &load) > 0 && load.to == wanted) {
            if (load.is_address && is_wanted(user, load.value + added)) {
                return load.value + added;
            }
            wanted = load.is_address ? wanted : load.from;
            added = load.is_address ? 0 : added + load.value;
        }
        if (!(set->kept >> wanted & 1) && otter_code_call_before(code, at).name) {
            return 0;
        }
    }
    return 0;
}

// ---- jumps

void otter_code_jumps(const struct otter_code *code, uint64_t begin, uint64_t end,
                      otter_code_visitor *visit, void *user)
{
    struct otter_operand operand;
    for (struct walk walk = begin_walk(code, begin, end); walk.address < walk.end;
         step(code, &walk)) {
        unsigned n = code->set->jump(walk.at, walk.end - walk.address, walk.address, &operand);
        struct otter_code_target target =
            n > 0 ? target_of(code, &operand) : (struct otter_code_target){0};
        if (n > 0 && (target.name || target.address < begin || target.address >= end)) {
            visit(user, &target, walk.address + n);
        }
    }
}

uint64_t otter_code_jump_at(const struct otter_code *code, uint64_t address)
{
    struct otter_operand operand;
    uint64_t n = code->set ? code->set->shortest_call : 0; // direct jumps are not longer
    const unsigned char *at = code_at(code, address, n);
    bool is_jump = at && code->set->jump(at, n, address, &operand) > 0;
    return is_jump && !target_of(code, &operand).name ? operand.address : 0;
}

void otter_code_jumps_to(const struct otter_code *code, uint64_t begin, uint64_t end,
                         uint64_t wanted, bool is_conditional, otter_code_jump_visitor *visit,
                         void *user)
{
    struct otter_operand operand;
    for (struct walk walk = begin_walk(code, begin, end); walk.address < walk.end;
         step(code, &walk)) {
        uint64_t n = walk.end - walk.address, target = 0;
        unsigned length = is_conditional ? code->set->branch(walk.at, n, walk.address, &target)
                                         : code->set->jump(walk.at, n, walk.address, &operand);
        target = length > 0 && !is_conditional && !operand.is_slot ? operand.address : target;
        if (length > 0 && target == wanted) {
            visit(user, walk.address);
        }
    }
}
