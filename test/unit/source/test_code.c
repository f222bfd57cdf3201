// Decodes machine code of GCC's OpenMP programs. The code may end at any byte, and the next page is
// not readable.
#include "unit.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gelf.h>

#include "source/machine/code.h"
#include "source/directive_of_call.h"

enum { BASE = 0x1000, SLOT_OF_START = 0x3000, SLOT_OF_BARRIER = 0x3008 };

static struct otter_code_slot slots[] = {{SLOT_OF_START, "GOMP_single_start"},
                                         {SLOT_OF_BARRIER, "GOMP_barrier"}};

// A stub of the linker at BASE, then a function.
static const unsigned char x86_64[] = {
    0xff, 0x25, 0xfa, 0x1f, 0x00, 0x00,       // 1000 jmp *SLOT_OF_START(%rip)
    0x0f, 0x1f, 0x44, 0x00, 0x00,             // 1006 nop
    0xe8, 0xf0, 0xff, 0xff, 0xff,             // 100b call 1000
    0x84, 0xc0,                               // 1010 test %al,%al
    0x0f, 0x84, 0x07, 0x00, 0x00, 0x00,       // 1012 je 101f
    0x83, 0x05, 0x00, 0x00, 0x00, 0x00, 0x01, // 1018 addl $1,0(%rip)
    0xff, 0x15, 0xe3, 0x1f, 0x00, 0x00,       // 101f call *SLOT_OF_BARRIER(%rip)
    0x48, 0x8d, 0x3d, 0xdf, 0xff, 0xff, 0xff, // 1025 lea 100b(%rip),%rdi
    0xff, 0x15, 0xce, 0x1f, 0x00, 0x00,       // 102c call *SLOT_OF_START(%rip)
    0x3c, 0x01,                               // 1032 cmp $1,%al
    0x75, 0xd5,                               // 1034 jne 100b
    0xeb, 0xe7,                               // 1036 jmp 101f
    0xe9, 0xc3, 0xff, 0xff, 0xff,             // 1038 jmp 1000
};

// Two stubs, then the same function.
static const uint32_t aarch64[] = {
    0xd0000010, // 1000 adrp x16,3000
    0xf9400211, // 1004 ldr x17,[x16]
    0x91000210, // 1008 add x16,x16,0
    0xd61f0220, // 100c br x17
    0xd0000010, // 1010 adrp x16,3000
    0xf9400611, // 1014 ldr x17,[x16,8]
    0x91002210, // 1018 add x16,x16,8
    0xd61f0220, // 101c br x17
    0x97fffff8, // 1020 bl 1000
    0x12001c00, // 1024 and w0,w0,255
    0x34000040, // 1028 cbz w0,1030
    0xd503201f, // 102c nop
    0x97fffff8, // 1030 bl 1010
    0x90000000, // 1034 adrp x0,1000
    0x91008000, // 1038 add x0,x0,0x20
    0x97fffff1, // 103c bl 1000
    0x7100041f, // 1040 cmp w0,1
    0x54fffee1, // 1044 b.ne 1020
    0x17fffffa, // 1048 b 1030
    0x17ffffed, // 104c b 1000
};

static const struct sample {
    unsigned machine;
    const void *bytes;
    size_t n;
    uint64_t function, first_test, body, barrier, last_test, jump;
    uint64_t first_length, last_length; // of calls
} samples[] = {
    {EM_X86_64, x86_64, sizeof x86_64, 0x100b, 0x1010, 0x1018, 0x101f, 0x1032, 0x1036, 5, 6},
    {EM_AARCH64, aarch64, sizeof aarch64, 0x1020, 0x1024, 0x102c, 0x1030, 0x1040, 0x1048, 4, 4},
};

enum { N_SAMPLES = sizeof samples / sizeof *samples };

struct image {
    const struct sample *sample;
    struct {
        Elf64_Ehdr file;
        Elf64_Phdr segment;
    } *head;
    char *pages;
    Elf *elf;
    struct otter_code code;
};

// Makes a file of the first `n` bytes of code, which end where the readable memory ends.
static void make_image(struct image *image, const struct sample *sample, size_t n)
{
    image->sample = sample;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = sizeof *image->head + n;
    image->pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(image->pages, MAP_FAILED);
    char *begin = image->pages + page - size;
    Elf64_Ehdr file = {.e_type = ET_EXEC,
                       .e_machine = (Elf64_Half)sample->machine,
                       .e_version = EV_CURRENT,
                       .e_phoff = sizeof file,
                       .e_ehsize = sizeof file,
                       .e_phentsize = sizeof(Elf64_Phdr),
                       .e_phnum = 1};
    memcpy(file.e_ident, (unsigned char[]){0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1}, 7);
    Elf64_Phdr segment = {.p_type = PT_LOAD,
                          .p_flags = PF_R | PF_X,
                          .p_offset = sizeof *image->head,
                          .p_vaddr = BASE,
                          .p_filesz = n,
                          .p_memsz = n};
    memcpy(begin, &file, sizeof file);
    memcpy(begin + sizeof file, &segment, sizeof segment);
    memcpy(begin + sizeof *image->head, sample->bytes, n);
    assert_int_equal(mprotect(image->pages + page, page, PROT_NONE), 0);
    elf_version(EV_CURRENT);
    image->elf = elf_memory(begin, size);
    otter_code_init(&image->code, image->elf);
    assert_non_null(image->code.bytes);
    image->code.slots.items = slots;
    image->code.slots.n = 2;
}

static void remove_image(struct image *image)
{
    elf_end(image->elf);
    munmap(image->pages, 2 * (size_t)sysconf(_SC_PAGESIZE));
}

// ---- visitors

struct visits {
    unsigned n;
    uint64_t last;
};

static bool visit_call(void *user, const char *name, uint64_t address)
{
    struct visits *visits = user;
    assert_non_null(name);
    visits->n++;
    visits->last = address;
    return true;
}

static void visit_jump(void *user, const struct otter_code_target *target, uint64_t end)
{
    struct visits *visits = user;
    assert_non_null(target);
    visits->n++;
    visits->last = end;
}

static void visit_jump_to(void *user, uint64_t jump)
{
    struct visits *visits = user;
    visits->n++;
    visits->last = jump;
}

static bool is_function(void *user, uint64_t address)
{
    const uint64_t *function = user;
    return address == *function;
}

// ---- the tests

static void find_calls(const struct otter_code *code, const struct sample *sample)
{
    struct visits calls = {0};
    uint64_t function = sample->function;
    assert_string_equal(otter_code_call_at(code, sample->function).name, "GOMP_single_start");
    assert_string_equal(otter_code_call_at(code, sample->barrier).name, "GOMP_barrier");
    // another instruction, before a call
    assert_null(otter_code_call_at(code, sample->function - 1).name);
    assert_string_equal(otter_code_call_before(code, sample->first_test).name, "GOMP_single_start");
    assert_int_equal(otter_code_length_of_call(code, sample->first_test), sample->first_length);
    assert_int_equal(otter_code_length_of_call(code, sample->last_test), sample->last_length);
    otter_code_calls(code, sample->function, BASE + sample->n, visit_call, &calls);
    assert_int_equal(calls.n, 3);
    assert_int_equal(calls.last, sample->last_test);
    assert_int_equal(otter_code_first_argument(code, sample->function, BASE + sample->n,
                                               sample->last_test, is_function, &function),
                     sample->function);
}

static void find_jumps(const struct otter_code *code, const struct sample *sample)
{
    struct visits jumps = {0}, to_barrier = {0};
    uint64_t next[2], targets[3], end = BASE + sample->n;
    assert_true(otter_code_test_after(code, sample->first_test, next));
    assert_int_equal(next[0], sample->barrier);
    assert_int_equal(next[1], sample->body);
    assert_true(otter_code_test_after(code, sample->last_test, next));
    assert_int_equal(next[0], sample->function);
    assert_int_equal(next[1], sample->jump);
    assert_false(otter_code_test_after(code, sample->function, next));
    assert_int_equal(otter_code_branches(code, sample->function, end, 3, targets), 2);
    assert_int_equal(targets[1], sample->function);
    otter_code_jumps(code, sample->function, end, visit_jump, &jumps);
    assert_int_equal(jumps.last, end);
    otter_code_jumps_to(code, sample->function, end, sample->barrier, false, visit_jump_to,
                        &to_barrier);
    assert_int_equal(to_barrier.n, 1);
    assert_int_equal(to_barrier.last, sample->jump);
    assert_int_equal(otter_code_jump_at(code, sample->jump), sample->barrier);
}

static void calls_and_jumps_are_found(void **state)
{
    for (int i = 0; i < N_SAMPLES; i++) {
        struct image image;
        make_image(&image, &samples[i], samples[i].n);
        find_calls(&image.code, &samples[i]);
        find_jumps(&image.code, &samples[i]);
        remove_image(&image);
    }
}

// The lines of this unit are unknown, so that only the decoding of its code is tried.
static void find_directives(const struct otter_code *code, const struct sample *sample,
                            uint64_t end)
{
    struct otter_unit_scope scope = {.linkage = ""};
    struct otter_unit unit = {.is_read = true, .scopes = {&scope, 1, 1}};
    struct otter_directives directives = {0};
    otter_ranges_add(&unit.codes, (struct otter_range){sample->function, end, 0});
    otter_ranges_sort(&unit.codes);
    static const char *const callees[] = {"GOMP_single_start", "GOMP_sections_start",
                                          "GOMP_loop_dynamic_start", "GOMP_barrier",
                                          "GOMP_sections_end"};
    for (uint64_t address = sample->function + 1; address <= BASE + sample->n; address++) {
        struct otter_runtime_call call = {.code = code,
                                          .directives = &directives,
                                          .unit = &unit,
                                          .callee = callees[address % 5],
                                          .address = address};
        assert_int_equal(otter_directive_of_call(&call).line, 0);
    }
    otter_ranges_finish(&unit.codes);
    otter_directives_finish(&directives);
}

// Decodes at each address. `end` may be after the end of the code.
static void decode(const struct otter_code *code, const struct sample *sample, uint64_t end)
{
    struct visits ignored = {0};
    uint64_t next[2], targets[4];
    for (uint64_t address = BASE - 8; address <= BASE + sample->n + 8; address++) {
        otter_code_call_before(code, address);
        otter_code_call_at(code, address);
        otter_code_length_of_call(code, address);
        otter_code_calls(code, address, end, visit_call, &ignored);
        otter_code_test_after(code, address, next);
        otter_code_branches(code, address, end, 4, targets);
        otter_code_first_argument(code, BASE, end, address, is_function, (void *)sample);
        otter_code_jumps(code, address, end, visit_jump, &ignored);
        otter_code_jump_at(code, address);
        otter_code_jumps_to(code, address, end, sample->barrier, true, visit_jump_to, &ignored);
        otter_code_jumps_to(code, address, end, sample->barrier, false, visit_jump_to, &ignored);
    }
    find_directives(code, sample, end);
}

static unsigned n_calls_up_to(const struct sample *sample, uint64_t end)
{
    return (end >= sample->first_test) + (end >= sample->barrier + sample->last_length) +
           (end >= sample->last_test);
}

static void truncated_code_is_not_read_after_its_end(void **state)
{
    for (int i = 0; i < N_SAMPLES; i++) {
        for (size_t n = 0; n <= samples[i].n; n++) {
            struct image image;
            make_image(&image, &samples[i], n);
            decode(&image.code, &samples[i], BASE + n);
            decode(&image.code, &samples[i], BASE + samples[i].n + 100);
            struct visits calls = {0};
            otter_code_calls(&image.code, samples[i].function, BASE + n, visit_call, &calls);
            assert_int_equal(calls.n, n_calls_up_to(&samples[i], BASE + n));
            remove_image(&image);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_and_jumps_are_found),
        cmocka_unit_test(truncated_code_is_not_read_after_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
