// Reads frame rules with libdw.
#include "launcher/observe/frame_rule.h"

#include <stdlib.h>

#include <dwarf.h>

static bool set_offset(int32_t *offset, Dwarf_Word value)
{
    *offset = (int32_t)value;
    return (Dwarf_Sword)value == *offset;
}

// Compilers use few forms: a register plus an offset or, in code that aligns the stack, the value
// stored at that address.
static bool read_cfa(struct otter_frame_rule *rule, Dwarf_Frame *frame)
{
    Dwarf_Op *ops;
    size_t n;
    if (dwarf_frame_cfa(frame, &ops, &n) != 0 || n == 0 || n > 2) {
        return false;
    }
    bool is_named = ops[0].atom == DW_OP_bregx;
    bool is_known = is_named || (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31);
    int number = is_named ? (int)ops[0].number : ops[0].atom - DW_OP_breg0;
    rule->is_of_frame_pointer = number == OTTER_FRAME_POINTER;
    rule->is_stored = n == 2;
    return is_known && (rule->is_of_frame_pointer || number == OTTER_STACK_POINTER) &&
           (n == 1 || ops[1].atom == DW_OP_deref) &&
           set_offset(&rule->cfa_offset, is_named ? ops[0].number2 : ops[0].number);
}

enum place { SAME, STORED, UNDEFINED, OTHER };

// Returns where the caller's value of a register is; *offset: its offset from the CFA.
static enum place read_register(Dwarf_Frame *frame, int number, int32_t *offset)
{
    Dwarf_Op room[3], *ops;
    size_t n;
    if (dwarf_frame_register(frame, number, room, &ops, &n) != 0) {
        return OTHER;
    }
    if (n == 0) {
        return ops ? UNDEFINED : SAME;
    }
    bool is_at_cfa = n == 1 && ops[0].atom == DW_OP_call_frame_cfa;
    bool is_stored = n == 2 && ops[0].atom == DW_OP_call_frame_cfa &&
                     ops[1].atom == DW_OP_plus_uconst && set_offset(offset, ops[1].number);
    *offset = is_stored ? *offset : 0;
    return is_at_cfa || is_stored ? STORED : OTHER;
}

static Dwarf_Frame *find_frame(Dwfl *dwfl, uint64_t address)
{
    Dwarf_Addr bias = 0;
    Dwarf_Frame *frame = NULL;
    Dwfl_Module *module = dwfl_addrmodule(dwfl, address);
    Dwarf_CFI *cfi = module ? dwfl_module_eh_cfi(module, &bias) : NULL;
    if (cfi && dwarf_cfi_addrframe(cfi, address - bias, &frame) == 0) {
        return frame;
    }
    cfi = module ? dwfl_module_dwarf_cfi(module, &bias) : NULL;
    return cfi && dwarf_cfi_addrframe(cfi, address - bias, &frame) == 0 ? frame : NULL;
}

void otter_frame_rule_read(struct otter_frame_rule *rule, Dwfl *dwfl, uint64_t address)
{
    Dwarf_Frame *frame = find_frame(dwfl, address);
    *rule = (struct otter_frame_rule){.has_caller = false};
    if (frame) {
        enum place of_frame_pointer =
            read_register(frame, OTTER_FRAME_POINTER, &rule->frame_pointer_offset);
        enum place of_return = read_register(frame, OTTER_RETURN_ADDRESS, &rule->return_offset);
        rule->has_frame_pointer = of_frame_pointer == STORED;
        rule->is_outermost = of_return == UNDEFINED;
        rule->has_caller = read_cfa(rule, frame) && of_frame_pointer != OTHER &&
                           of_frame_pointer != UNDEFINED && of_return == STORED;
    }
    free(frame);
}
