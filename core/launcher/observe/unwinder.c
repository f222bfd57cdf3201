// Unwinds copies of stacks: a loop over frame rules, which are cached for later samples.
#include "launcher/observe/unwinder.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <elfutils/libdwfl.h>

#include "base/free.h"
#include "launcher/observe/frame_rule.h"

// The kernel's numbers for the registers: frame pointer, stack pointer, next instruction.
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
    MAX_PROCESSES = 1024, // whose mappings are stored at the same time
    PERIOD_NS = 100 * 1000 * 1000,
};

struct process {
    struct otter_unwound program;
    Dwfl *dwfl;       // NULL: unused, or its files cannot be read
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

// ---- faults

// A file that is truncated, or a fault of libdw in a damaged file, would end this process, and with
// it the program. Nothing here holds a lock or a resource that must be returned.
static _Thread_local sigjmp_buf *escape;

static void on_fault(int number)
{
    if (escape) {
        siglongjmp(*escape, 1);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_faults(void)
{
    struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGSEGV, &action, NULL);
}

// ---- begin and end

struct otter_unwinder *otter_unwinder_create(void)
{
    struct otter_unwinder *unwinder = mask ? calloc(1, sizeof(*unwinder)) : NULL;
    if (unwinder) {
        elf_version(EV_CURRENT);
        catch_faults();
    }
    return unwinder;
}

void otter_unwinder_destroy(struct otter_unwinder *unwinder)
{
    for (size_t i = 0; unwinder && i < MAX_PROCESSES; i++) {
        dwfl_end(unwinder->processes[i].dwfl);
    }
    free(unwinder);
}

// ---- processes

static _Thread_local uint32_t unwound_process;

// Opens a file as the process sees it, which may have another root or other mounts. *Returns* -1 if
// there is no regular file, or the process has ended: a device or pipe may block, or do something.
static int open_as_process(const char *name)
{
    char path[PATH_MAX];
    struct stat about;
    int n = snprintf(path, sizeof(path), "/proc/%" PRIu32 "/root%s", unwound_process, name);
    bool is_file =
        *name == '/' && n < (int)sizeof(path) && stat(path, &about) == 0 && S_ISREG(about.st_mode);
    return is_file ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
}

// Maps a file, and closes it, since there may be many files.
static int find_elf(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                    char **file_name, Elf **elf)
{
    int file = open_as_process(name);
    if (file < 0) {
        file = dwfl_linux_proc_find_elf(module, user, name, base, file_name, elf);
    }
    if (file >= 0 && !*elf) {
        *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
        if (*elf && elf_cntl(*elf, ELF_C_FDREAD) == 0) {
            close(file);
            file = -1;
        }
    }
    return file;
}

// Call frame information is in the program's own files. Separate debug files are not searched,
// since they could be far away.
static int find_no_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                        const char *file, const char *link, GElf_Word checksum, char **found)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)checksum;
    (void)found;
    return -1;
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = find_elf,
    .find_debuginfo = find_no_file,
};

// The mappings of a process that has ended are empty, so its previous ones are kept.
static void read_mappings(struct otter_unwinder *unwinder, const struct process *process)
{
    char path[64], byte;
    snprintf(path, sizeof(path), "/proc/%" PRIu32 "/maps", process->program.process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, &byte, 1) == 1) {
        dwfl_report_begin(process->dwfl);
        dwfl_linux_proc_report(process->dwfl, (pid_t)process->program.process);
        dwfl_report_end(process->dwfl, NULL, NULL);
        memset(unwinder->rules, 0, sizeof(unwinder->rules));
    }
    if (file >= 0) {
        close(file);
    }
}

static bool is_same(const struct otter_unwound *a, const struct otter_unwound *b)
{
    return a->process == b->process && a->recording == b->recording;
}

// Finds the entry of the program. A new program replaces the oldest one.
static struct process *find_process(struct otter_unwinder *unwinder,
                                    const struct otter_unwound *program)
{
    struct process *process = unwinder->processes;
    const struct process *end = process + MAX_PROCESSES;
    while (process < end && !is_same(&process->program, program)) {
        process++;
    }
    if (process == end) {
        process = &unwinder->processes[unwinder->next++ % MAX_PROCESSES];
        dwfl_end(process->dwfl);
        *process = (struct process){.program = *program, .dwfl = dwfl_begin(&callbacks)};
        memset(unwinder->rules, 0, sizeof(unwinder->rules)); // some may be of the replaced process
    }
    return process;
}

// ---- unwinding

static const struct otter_frame_rule *rule_at(struct otter_unwinder *unwinder,
                                              struct process *process, uint64_t address,
                                              uint64_t time_ns)
{
    uint64_t hash = (address ^ process->program.recording) * UINT64_C(0x9e3779b97f4a7c15);
    struct kept_rule *kept = &unwinder->rules[hash >> 32 & (N_RULES - 1)];
    if (kept->address != address || kept->process != process) {
        if (!dwfl_addrmodule(process->dwfl, address) && time_ns >= process->read_ns + PERIOD_NS) {
            process->read_ns = time_ns;
            read_mappings(unwinder, process);
        }
        otter_frame_rule_read(&kept->rule, process->dwfl, address);
        kept->address = address;
        kept->process = process;
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

// Replaces a frame by its caller's frame. *Returns* false if the caller is unknown.
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

static uint32_t unwind(struct otter_unwinder *unwinder, struct process *process, uint64_t time_ns,
                       const struct otter_stack_copy *stack,
                       uint64_t addresses[OTTER_MAX_SAMPLE_DEPTH])
{
    uint32_t n = 1;
    struct frame frame = {.frame_pointer = stack->registers[FRAME_POINTER],
                          .stack_pointer = stack->registers[STACK_POINTER],
                          .address = addresses[0]};
    // A return address may already be in the next function, so the rule of the call is looked up.
    const struct otter_frame_rule *rule = rule_at(unwinder, process, frame.address, time_ns);
    while (n < OTTER_MAX_SAMPLE_DEPTH && step(stack, rule, &frame) && frame.address > 0) {
        addresses[n++] = frame.address;
        rule = rule_at(unwinder, process, frame.address - 1, time_ns);
    }
    if (n < OTTER_MAX_SAMPLE_DEPTH && rule->is_outermost) {
        addresses[n++] = 0;
    }
    return n;
}

// Like unwind. *Returns* 0 after a fault.
static uint32_t unwind_carefully(struct otter_unwinder *unwinder, struct process *process,
                                 uint64_t time_ns, const struct otter_stack_copy *stack,
                                 uint64_t addresses[OTTER_MAX_SAMPLE_DEPTH])
{
    sigjmp_buf here;
    if (sigsetjmp(here, 0) != 0) {
        escape = NULL;
        return 0;
    }
    escape = &here;
    uint32_t n = unwind(unwinder, process, time_ns, stack, addresses);
    escape = NULL;
    return n;
}

uint32_t otter_unwinder_find(struct otter_unwinder *unwinder, const struct otter_unwound *program,
                             uint64_t time_ns, const struct otter_stack_copy *stack,
                             uint64_t addresses[OTTER_MAX_SAMPLE_DEPTH])
{
    struct process *process = find_process(unwinder, program);
    addresses[0] = stack->registers[NEXT_INSTRUCTION];
    unwound_process = program->process;
    if (!process->dwfl) {
        return 1;
    }
    uint32_t n = unwind_carefully(unwinder, process, time_ns, stack, addresses);
    if (n == 0) {
        process->dwfl = NULL; // its memory is not freed, since it may be inconsistent
    }
    return n > 0 ? n : 1;
}
