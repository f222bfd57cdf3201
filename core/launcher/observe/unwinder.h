// Finds the callers in the stacks that the kernel copies with samples, for programs without frame
// pointers. It reads the call frame information of the program's files, in this process.
//
// *Thread*: one at a time.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "recording/sample_log.h"

// The kernel's mask of the registers that unwinding needs; 0: not on this kind of processor.
uint64_t otter_unwinder_registers(void);

// A thread's registers in the order of the mask's bits, and the innermost part of its stack.
struct otter_stack_copy {
    const uint64_t *registers;
    const uint8_t *bytes; // from the stack pointer on
    size_t size;
};

struct otter_unwinder;

// From this call on, this process handles SIGBUS and SIGSEGV. A child that must not inherit these
// handlers has to be started before this call. Returns NULL if it cannot unwind, or if memory has
// run out.
struct otter_unwinder *otter_unwinder_create(void);
void otter_unwinder_destroy(struct otter_unwinder *unwinder);

// The program that a process executes.
struct otter_unwound {
    uint32_t process;
    uint64_t recording; // differs if the process executes another program
};

// Stores code addresses like those of otter_kernel_sample, innermost first. They end where the copy
// ends, or where a function has no call frame information. If the outermost function is reached, a
// 0 follows its address. `time_ns`: time of the copy; mappings of a process are read again at most
// every 0.1 s.
// *Returns* their number, at least 1.
uint32_t otter_unwinder_find(struct otter_unwinder *unwinder, const struct otter_unwound *program,
                             uint64_t time_ns, const struct otter_stack_copy *stack,
                             uint64_t addresses[OTTER_MAX_SAMPLE_DEPTH]);
