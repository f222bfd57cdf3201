// Lines of this test program: a recorded address resolves to its line.
#include "unit.h"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "otter/record.h"
#include "source/debug_info.h"
#include "source/demangle.h"
#include "source/lines.h"

// The return address, as a runtime reports it. The function has the name of a runtime's function.
// Under another name the compiler would have replaced the call by a jump.
__attribute__((noinline)) static const void *omp_parallel_from(void)
{
    return __builtin_extract_return_addr(__builtin_return_address(0));
}

// The functions differ, since the compiler would merge equal functions.
__attribute__((noinline)) static const void *omp_taskloop_from(void)
{
    static const void *volatile code;
    code = __builtin_extract_return_addr(__builtin_return_address(0));
    return code;
}

static int flush_line, taskloop_line;

__attribute__((noinline)) static void play_constructs(void)
{
    const void *here = omp_parallel_from();
    flush_line = __LINE__ - 1;
    otter_enter(OTTER_CONSTRUCT_PARALLEL, 0, here);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, NULL); // without an address: the region's
    otter_enter(OTTER_CONSTRUCT_BARRIER_IMPLICIT, 0, NULL);
    otter_leave(OTTER_CONSTRUCT_BARRIER_IMPLICIT);
    otter_leave(OTTER_CONSTRUCT_PARALLEL);
    here = omp_taskloop_from();
    taskloop_line = __LINE__ - 1;
    otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, here);
    otter_enter(OTTER_CONSTRUCT_TASKLOOP, 0, NULL);
    otter_leave(OTTER_CONSTRUCT_TASKLOOP);
    otter_leave(OTTER_CONSTRUCT_TASKGROUP);
    otter_mark(OTTER_CONSTRUCT_ERROR, 0, (const void *)&flush_line); // no code
    otter_mark(OTTER_CONSTRUCT_CANCEL, 0, (const void *)16);         // no module
}

static void play(void)
{
    setenv("OTTER_FOLDER", in_test_folder("trace"), 1);
    setenv("OTTER_QUIET", "on", 1);
    if (!otter_attach("test")) {
        _exit(2);
    }
    play_constructs();
    otter_detach("test");
}

static struct otter_archive *archive;
static struct otter_labels labels;

static int record(void **state)
{
    if (make_test_folder(state) != 0) {
        return -1;
    }
    // Only the child knows the lines. A second play, of which nothing is recorded, prints them.
    assert_int_equal(status_of_child(play), 0);
    play_constructs();
    struct otter_complaint complaint;
    assert_int_equal(otter_archive_open(in_test_folder("trace"), &archive, &complaint), OTTER_OK);
    return 0;
}

static int close_archive(void **state)
{
    otter_archive_close(archive);
    return remove_test_folder(state);
}

static int make_labels(void **state)
{
    return otter_labels_init(&labels, otter_archive_definitions(archive));
}

static int finish_labels(void **state)
{
    otter_labels_finish(&labels);
    return 0;
}

static const struct otter_label *label_of(enum otter_construct construct)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    for (size_t i = 0; i < definitions->n_regions; i++) {
        if (definitions->regions[i].construct == construct) {
            return otter_label_of(&labels, (uint32_t)i);
        }
    }
    fail_msg("no region of construct %d", (int)construct);
    return NULL;
}

static bool has_debug_info(void)
{
    return label_of(OTTER_CONSTRUCT_PARALLEL)->line > 0;
}

static void a_construct_stands_on_the_line_of_its_call(void **state)
{
    assert_int_equal(otter_lines_resolve(archive, &labels), OTTER_OK);
    if (!has_debug_info()) {
        skip();
    }
    const struct otter_label *label = label_of(OTTER_CONSTRUCT_PARALLEL);
    char where[64], text[64];
    snprintf(where, sizeof(where), "test_lines.c:%d", flush_line);
    assert_int_equal(label->line, flush_line);
    assert_string_equal(label->where, where);
    assert_string_equal(label->function, "play_constructs");
    assert_string_equal(strrchr(label->file, '/'), "/test_lines.c");
    snprintf(where, sizeof(where), "parallel test_lines.c:%d", flush_line);
    assert_string_equal(otter_label_text(label, text, sizeof(text)), where);
}

// A barrier at the end of a region is part of the region. A flush without an address is somewhere
// inside.
static void
what_has_the_address_of_another_construct_has_its_line_only_when_part_of_it(void **state)
{
    assert_int_equal(otter_lines_resolve(archive, &labels), OTTER_OK);
    if (!has_debug_info()) {
        skip();
    }
    assert_int_equal(label_of(OTTER_CONSTRUCT_BARRIER_IMPLICIT)->line, flush_line);
    assert_string_equal(label_of(OTTER_CONSTRUCT_FLUSH)->where, "");
    assert_int_equal(label_of(OTTER_CONSTRUCT_FLUSH)->line, 0);
    assert_string_equal(label_of(OTTER_CONSTRUCT_FLUSH)->function, "");
    assert_int_equal(label_of(OTTER_CONSTRUCT_TASKGROUP)->line, taskloop_line);
    // whether the taskgroup belongs to the taskloop is unknown here
    assert_string_equal(label_of(OTTER_CONSTRUCT_TASKLOOP)->where, "");
    assert_string_equal(label_of(OTTER_CONSTRUCT_TASKLOOP)->function, "play_constructs");
}

static void what_is_no_code_keeps_its_address(void **state)
{
    assert_int_equal(otter_lines_resolve(archive, &labels), OTTER_OK);
    assert_non_null(strstr(label_of(OTTER_CONSTRUCT_ERROR)->where, "test_lines+0x"));
    assert_int_equal(label_of(OTTER_CONSTRUCT_ERROR)->line, 0);
    assert_string_equal(label_of(OTTER_CONSTRUCT_CANCEL)->where, "0x10");
}

static enum otter_status opened(const char *path, const char *build_id, uint64_t recorded)
{
    struct otter_debug_info *info;
    enum otter_status status = otter_debug_info_open(&info, path, build_id, recorded);
    assert_true((status == OTTER_OK) == (info != NULL));
    otter_debug_info_close(info);
    return status;
}

static void what_is_no_file_of_code_is_not_found(void **state)
{
    write_file(in_test_folder("text"), "hello", 5);
    write_file(in_test_folder("empty"), "", 0);
    write_file(in_test_folder("head"), "\177ELF\2\1\1\0", 8);
    assert_int_equal(mkfifo(in_test_folder("pipe"), 0600), 0);
    for (size_t i = 0; i < 6; i++) {
        static const char *const names[] = {"none", "text", "empty", "head", "pipe", "trace"};
        assert_int_not_equal(opened(in_test_folder("%s", names[i]), "00", 0), OTTER_OK);
    }
    assert_int_equal(opened(in_test_folder("none"), "00", 0), OTTER_NOT_FOUND);
    assert_int_equal(opened(in_test_folder("pipe"), "00", 0), OTTER_NOT_FOUND);
    assert_int_equal(opened("/proc/self/exe", "0123456789", 0), OTTER_EXISTS);
}

// Without a build id, the time of the file decides.
static void a_younger_file_is_another_build(void **state)
{
    // Under valgrind, the link names the program but refers to valgrind.
    char *program = realpath("/proc/self/exe", NULL);
    assert_non_null(program);
    struct stat file;
    assert_int_equal(stat(program, &file), 0);
    uint64_t built = (uint64_t)file.st_mtim.tv_sec * 1000000000u;
    assert_int_equal(opened(program, "-", built - 1000000000u), OTTER_EXISTS);
    assert_int_equal(opened(program, "-", built + 1000000000u), OTTER_OK);
    assert_int_equal(opened(program, "-", 0), OTTER_OK);
    free(program);
}

static void any_address_may_be_asked_for(void **state)
{
    struct otter_debug_info *info;
    assert_int_equal(otter_debug_info_open(&info, "/proc/self/exe", "-", 0), OTTER_OK);
    static const uint64_t addresses[] = {0, 1, UINT64_C(1) << 47, UINT64_MAX};
    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
        struct otter_code_place place = otter_debug_info_find(info, addresses[i]);
        assert_string_equal(place.function, "");
        assert_int_equal(place.line, 0);
    }
    otter_debug_info_close(info);
}

#define JOIN(a, b) a##b
#define TWICE(a, b) JOIN(a, b)
#define NAME_40 TWICE(TWICE(name_of_10, name_of_10), TWICE(name_of_10, name_of_10))
#define NAME_160 TWICE(TWICE(NAME_40, NAME_40), TWICE(NAME_40, NAME_40))
#define NAME_640 TWICE(TWICE(NAME_160, NAME_160), TWICE(NAME_160, NAME_160))
#define NAME_2560 TWICE(TWICE(NAME_640, NAME_640), TWICE(NAME_640, NAME_640))
#define NAME_5120 TWICE(NAME_2560, NAME_2560)

__attribute__((noinline)) static void NAME_5120(void)
{
    flush_line++;
}

static int note_bias(struct dl_phdr_info *program, size_t size, void *bias)
{
    *(uint64_t *)bias = program->dlpi_addr;
    return 1;
}

static void a_long_name_of_a_function_is_cut_off(void **state)
{
    struct otter_debug_info *info;
    uint64_t bias = 0;
    dl_iterate_phdr(note_bias, &bias);
    NAME_5120();
    assert_int_equal(otter_debug_info_open(&info, "/proc/self/exe", "-", 0), OTTER_OK);
    struct otter_code_place place =
        otter_debug_info_find_code(info, (uint64_t)(uintptr_t)NAME_5120 - bias + 1);
    assert_in_range(strlen(place.function), 4000, 4095);
    assert_memory_equal(place.function, "name_of_10name_of_10", 20);
    otter_debug_info_close(info);
}

// Each text is the user's function, whatever name the compiler gave it.
static void names_are_demangled_where_there_is_a_library_for_it(void **state)
{
    static const char *const names[][2] = {
        {"_ZN2ns6SolverIiE3runEPi", "ns::Solver<int>::run"},
        {"_ZN12_GLOBAL__N_14anonEPi", "(anonymous namespace)::anon"},
        {"_ZN1T3getIiEET_v", "T::get<int>"},
        {"_ZNK1TclEi", "T::operator()"},
        {"_ZNK1TcvbEv", "T::operator bool"},
        {"_ZNK1TltERKS_", "T::operator<"},
        {"_ZNK1TpmEi", "T::operator->*"},
        {"_ZltRK1SS1_", "operator<"},
        {"_ZlsI1TEbRKT_i", "operator<< <T>"},
        {"_ZnwmP1T", "operator new"},
        {"_ZZ4mainENKUliE_clEi", "main"},
        {"_ZZ4mainENK3$_0clEi", "main"},
        {"_ZZZ4mainENKUliE_clEiENKUliE_clEi", "main"},
        {"_ZZ3fooiENKUlT_E_clIiEEDaS_", "foo"},
        {"_ZZN12_GLOBAL__N_13hidEiENKUliE_clEi", "(anonymous namespace)::hid"},
    };
    char *plain = otter_demangle("fib"), *wrong = otter_demangle("_Z");
    assert_string_equal(plain, "fib");
    assert_string_equal(wrong, "_Z");
    free(plain);
    free(wrong);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *name = otter_demangle(names[i][0]);
        if (name[0] != '_') {
            assert_string_equal(name, names[i][1]);
        }
        free(name);
    }
}

#define WITH_LABELS(story) cmocka_unit_test_setup_teardown(story, make_labels, finish_labels)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_LABELS(a_construct_stands_on_the_line_of_its_call),
        WITH_LABELS(what_has_the_address_of_another_construct_has_its_line_only_when_part_of_it),
        WITH_LABELS(what_is_no_code_keeps_its_address),
        cmocka_unit_test(what_is_no_file_of_code_is_not_found),
        cmocka_unit_test(a_younger_file_is_another_build),
        cmocka_unit_test(any_address_may_be_asked_for),
        cmocka_unit_test(a_long_name_of_a_function_is_cut_off),
        cmocka_unit_test(names_are_demangled_where_there_is_a_library_for_it),
    };
    return cmocka_run_group_tests_name("lines", tests, record, close_archive);
}
