// Unwinds copies of stacks: a loop over rules of frames, which are kept for the next sample.
#include "launcher/observe/unwinder.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdwfl.h>

#include "base/free.h"
#include "launcher/observe/frame_rule.h"

// The kernel's numbers of the registers: frame pointer, stack pointer, next instruction.
#if defined(__x86_64__)
#include <asm/perf_regs.h>

#define BIT(number) (UINT64_C(1) << (number))
static const uint64_t mask = BIT(PERF_REG_X86_BP) | BIT(PERF_REG_X86_SP) | BIT(PERF_REG_X86_IP);
#else
static const uint64_t mask = 0;
#endif

enum {
    FRAME_POINTER,
    STACK_POINTER,
    NEXT_INSTRUCTION, // in the order of the mask's bits
    N_RULES = 1 << 14,
    MAX_PROCESSES = 256, // whose mappings are known at a time
    PERIOD_NS = 100 * 1000 * 1000,
};

struct process {
    uint32_t number; // 0: unused
    Dwfl *dwfl;
    uint64_t read_ns; // when the mappings were read
};

struct kept_rule {
    uint64_t address;
    const struct process *process; // NULL: unused
    struct otter_frame_rule rule;
};

struct otter_unwinder {
    struct process processes[MAX_PROCESSES];
    size_t next; // the process to replace
    struct kept_rule rules[N_RULES];
};

uint64_t otter_unwinder_registers(void)
{
    return mask;
}

struct otter_unwinder *otter_unwinder_create(void)
{
    return mask ? calloc(1, sizeof(struct otter_unwinder)) : NULL;
}

void otter_unwinder_destroy(struct otter_unwinder *unwinder)
{
    for (size_t i = 0; unwinder && i < MAX_PROCESSES; i++) {
        dwfl_end(unwinder->processes[i].dwfl);
    }
    free(unwinder);
}

// ---- processes

// Call frame information is in the program's files. Separate files could be far away.
static int find_no_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                        const char *file, const char *link, GElf_Word checksum, char **found)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)checksum;
    (void)found;
    return -1;
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_linux_proc_find_elf,
    .find_debuginfo = find_no_file,
};

// Mappings of a process that has ended are empty, so the former ones stay.
static void read_mappings(struct otter_unwinder *unwinder, const struct process *process)
{
    char path[64], byte;
    snprintf(path, sizeof(path), "/proc/%" PRIu32 "/maps", process->number);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, &byte, 1) == 1) {
        dwfl_report_begin(process->dwfl);
        dwfl_linux_proc_report(process->dwfl, (pid_t)process->number);
        dwfl_report_end(process->dwfl, NULL, NULL);
        memset(unwinder->rules, 0, sizeof(unwinder->rules));
    }
    if (file >= 0) {
        close(file);
    }
}

// Returns NULL if libdw fails.
static struct process *find_process(struct otter_unwinder *unwinder, uint32_t number)
{
    struct process *process = unwinder->processes;
    const struct process *end = process + MAX_PROCESSES;
    while (process < end && process->number != number) {
        process++;
    }
    if (process == end) {
        process = &unwinder->processes[unwinder->next++ % MAX_PROCESSES];
        dwfl_end(process->dwfl);
        *process = (struct process){.number = number, .dwfl = dwfl_begin(&callbacks)};
    }
    return process->dwfl ? process : NULL;
}

// ---- unwinding

static const struct otter_frame_rule *rule_at(struct otter_unwinder *unwinder,
                                              const struct process *process, uint64_t address)
{
    uint64_t hash = (address ^ process->number) * UINT64_C(0x9e3779b97f4a7c15);
    struct kept_rule *kept = &unwinder->rules[hash >> 32 & (N_RULES - 1)];
    if (kept->address != address || kept->process != process) {
        kept->address = address;
        kept->process = process;
        otter_frame_rule_read(&kept->rule, process->dwfl, address);
    }
    return &kept->rule;
}

// Reads a word of the stack. *Returns* false if the copy does not have it.
static bool read_word(const struct otter_stack_copy *stack, uint64_t address, uint64_t *word)
{
    uint64_t offset = address - stack->registers[STACK_POINTER];
    if (stack->size < sizeof(*word) || offset > stack->size - sizeof(*word)) {
        return false;
    }
    memcpy(word, stack->bytes + offset, sizeof(*word));
    return true;
}

struct frame {
    uint64_t frame_pointer, stack_pointer, address;
};

// Replaces a frame by its caller's. *Returns* false if that is unknown.
static bool step(const struct otter_stack_copy *stack, const struct otter_frame_rule *rule,
                 struct frame *frame)
{
    uint64_t below = frame->stack_pointer;
    uint64_t cfa = (rule->is_of_frame_pointer ? frame->frame_pointer : below) +
                   (uint64_t)(int64_t)rule->cfa_offset;
    bool is_known = rule->has_caller && (!rule->is_stored || read_word(stack, cfa, &cfa)) &&
                    read_word(stack, cfa + (uint64_t)(int64_t)rule->return_offset, &frame->address);
    if (is_known && rule->has_frame_pointer) {
        is_known = read_word(stack, cfa + (uint64_t)(int64_t)rule->frame_pointer_offset,
                             &frame->frame_pointer);
    }
    frame->stack_pointer = cfa;
    return is_known && cfa > below;
}

uint32_t otter_unwinder_find(struct otter_unwinder *unwinder, uint32_t process_number,
                             uint64_t time_ns, const struct otter_stack_copy *stack,
                             uint64_t addresses[OTTER_MAX_SAMPLE_DEPTH])
{
    uint32_t n = 0;
    struct frame frame = {.frame_pointer = stack->registers[FRAME_POINTER],
                          .stack_pointer = stack->registers[STACK_POINTER],
                          .address = stack->registers[NEXT_INSTRUCTION]};
    struct process *process = find_process(unwinder, process_number);
    addresses[n++] = frame.address;
    if (!process) {
        return n;
    }
    if (!dwfl_addrmodule(process->dwfl, frame.address) && time_ns - process->read_ns >= PERIOD_NS) {
        read_mappings(unwinder, process);
        process->read_ns = time_ns;
    }
    // The return address may be that of the next function, so its call is looked up.
    while (n < OTTER_MAX_SAMPLE_DEPTH &&
           step(stack, rule_at(unwinder, process, frame.address - (n > 1)), &frame) &&
           frame.address > 0) {
        addresses[n++] = frame.address;
    }
    return n;
}
