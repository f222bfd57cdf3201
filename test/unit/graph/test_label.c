// Labels of regions and tasks in graphs.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "failing.h"
#include "graph/kernel.h"
#include "graph/label.h"

static const struct otter_region regions[] = {
    {.name = "!$omp task @fib+0x1234",
     .canonical_name = "!$omp task",
     .construct = OTTER_CONSTRUCT_TASK,
     .file = "/usr/bin/fib"},
    {.name = "!$omp task @fib.c:12",
     .canonical_name = "!$omp task",
     .construct = OTTER_CONSTRUCT_TASK,
     .file = "/src/fib.c",
     .begin_line = 12},
    {.name = "!$omp implicit barrier",
     .canonical_name = "!$omp implicit barrier",
     .construct = OTTER_CONSTRUCT_BARRIER_IMPLICIT,
     .file = ""},
    {.name = "sum @ of squares",
     .canonical_name = "sum @ of squares",
     .construct = OTTER_CONSTRUCT_KOKKOS_REDUCE,
     .file = "KOKKOS"},
    {.name = "omp_set_lock @0x77",
     .canonical_name = "omp_set_lock",
     .construct = OTTER_CONSTRUCT_SET_LOCK,
     .file = ""},
    {.name = "!$omp critical sblock @0x88",
     .canonical_name = "!$omp critical sblock",
     .construct = OTTER_CONSTRUCT_CRITICAL_BLOCK,
     .file = ""},
    {.name = "", .canonical_name = "", .construct = OTTER_CONSTRUCT_KOKKOS_FOR, .file = "KOKKOS"},
};

static const struct otter_definitions definitions = {
    .regions = regions,
    .n_regions = sizeof regions / sizeof *regions,
};

static void assert_text(const struct otter_labels *labels, uint32_t region, const char *expected)
{
    char text[128];
    assert_string_equal(otter_label_text(otter_label_of(labels, region), text, sizeof text),
                        expected);
}

static void a_region_has_the_name_that_a_person_knows(void **state)
{
    struct otter_labels labels;
    assert_int_equal(otter_labels_init(&labels, &definitions), OTTER_OK);
    assert_text(&labels, 0, "task fib+0x1234");
    assert_text(&labels, 1, "task fib.c:12");
    assert_text(&labels, 2, "implicit barrier");
    assert_text(&labels, 3, "sum @ of squares");
    assert_text(&labels, 4, "omp_set_lock 0x77");
    assert_text(&labels, 5, "critical region 0x88");
    assert_text(&labels, 6, "(no label)");
    otter_labels_finish(&labels);
}

static void only_a_region_with_a_line_has_a_file(void **state)
{
    struct otter_labels labels;
    assert_int_equal(otter_labels_init(&labels, &definitions), OTTER_OK);
    assert_string_equal(otter_label_of(&labels, 0)->file, "");
    assert_int_equal(otter_label_of(&labels, 0)->line, 0);
    assert_string_equal(otter_label_of(&labels, 1)->file, "/src/fib.c");
    assert_int_equal(otter_label_of(&labels, 1)->line, 12);
    assert_string_equal(otter_label_of(&labels, 3)->file, "");
    otter_labels_finish(&labels);
}

static void what_is_no_region_is_unknown(void **state)
{
    struct otter_labels labels;
    assert_int_equal(otter_labels_init(&labels, &definitions), OTTER_OK);
    assert_text(&labels, OTTER_NONE, "unknown");
    assert_text(&labels, (uint32_t)definitions.n_regions, "unknown");
    otter_labels_finish(&labels);
}

static void a_line_that_the_label_names_is_not_repeated(void **state)
{
    static const struct {
        struct otter_label label;
        const char *expected;
    } cases[] = {
        {{"lambda all.cpp:27", "all.cpp:27", "", "/src/all.cpp", 27, NULL}, "lambda all.cpp:27"},
        {{"lambda all.cpp:27:64", "all.cpp:27", "", "/src/all.cpp", 27, NULL},
         "lambda all.cpp:27:64"},
        {{"lambda all.cpp:28 / Tag", "all.cpp:27", "", "/src/all.cpp", 27, NULL},
         "lambda all.cpp:28 / Tag"},
        {{"src/all.cpp:27", "all.cpp:27", "", "/src/all.cpp", 27, NULL}, "src/all.cpp:27"},
        {{"lambda small.cpp:27", "all.cpp:27", "", "/src/all.cpp", 27, NULL},
         "lambda small.cpp:27 all.cpp:27"},
        {{"all.cpp: first", "all.cpp:27", "", "/src/all.cpp", 27, NULL},
         "all.cpp: first all.cpp:27"},
        {{":1", "all.cpp:27", "", "/src/all.cpp", 27, NULL}, ":1 all.cpp:27"},
        {{"sum", "all.cpp:27", "", "/src/all.cpp", 27, NULL}, "sum all.cpp:27"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        assert_string_equal(otter_label_text(&cases[i].label, text, sizeof text),
                            cases[i].expected);
    }
}

static void a_text_that_is_too_long_is_cut(void **state)
{
    const struct otter_label label = {"task", "fib.c:12", "", "", 0, NULL};
    char text[8];
    assert_string_equal(otter_label_text(&label, text, sizeof text), "task fi");
}

static void kept_texts_are_copies_and_live_with_the_labels(void **state)
{
    struct otter_labels labels;
    const char *kept[100];
    assert_int_equal(otter_labels_init(&labels, &definitions), OTTER_OK);
    for (unsigned i = 0; i < 100; i++) {
        char text[16];
        snprintf(text, sizeof text, "text %u", i);
        kept[i] = otter_labels_copy(&labels, text);
    }
    for (unsigned i = 0; i < 100; i++) {
        char text[16];
        snprintf(text, sizeof text, "text %u", i);
        assert_string_equal(kept[i], text);
    }
    otter_labels_finish(&labels);
}

// A Kokkos kernel, and regions that it forks.
static void add_lines(struct otter_label kernel[5], size_t n, const uint32_t *forked)
{
    static const struct otter_label region = {.where = "a.cpp:7", .file = "a.cpp", .line = 7};
    struct otter_label labels[5] = {
        {.where = "", .function = "", .file = ""},
        region,
        region,
        {.where = "a.cpp:8", .file = "a.cpp", .line = 8},
        {.where = "b.cpp:7", .file = "b.cpp", .line = 7},
    };
    memcpy(kernel, labels, sizeof labels);
    struct otter_labels all = {.regions = kernel, .n_regions = 5};
    for (size_t i = 0; i < n; i++) {
        otter_kernel_add_line(&all, 0, forked[i]);
    }
    otter_kernels_end_lines(&all);
}

static void a_kernel_has_the_line_of_all_its_regions(void **state)
{
    struct otter_label kernel[5];
    add_lines(kernel, 2, (const uint32_t[]){1, 2});
    assert_int_equal(kernel[0].line, 7);
    assert_string_equal(kernel[0].where, "a.cpp:7");
    assert_string_equal(kernel[0].file, "a.cpp");
}

static void a_kernel_with_regions_at_several_lines_has_none(void **state)
{
    struct otter_label kernel[5];
    add_lines(kernel, 2, (const uint32_t[]){1, 3}); // another line
    assert_int_equal(kernel[0].line, 0);
    assert_string_equal(kernel[0].where, "");
    add_lines(kernel, 3, (const uint32_t[]){1, 4, 1}); // the same line of another file
    assert_int_equal(kernel[0].line, 0);
    assert_string_equal(kernel[0].file, "");
}

static void without_memory_nothing_is_left(void **state)
{
    struct otter_labels labels;
    fail_allocation(0);
    assert_int_equal(otter_labels_init(&labels, &definitions), OTTER_OK);
    otter_labels_finish(&labels);
    size_t n = n_allocations();
    assert_true(n > 1);
    for (size_t i = 1; i <= n; i++) {
        fail_allocation(i);
        assert_int_equal(otter_labels_init(&labels, &definitions), OTTER_NO_MEMORY);
        assert_null(labels.regions);
    }
    fail_allocation(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_region_has_the_name_that_a_person_knows),
        cmocka_unit_test(only_a_region_with_a_line_has_a_file),
        cmocka_unit_test(what_is_no_region_is_unknown),
        cmocka_unit_test(a_line_that_the_label_names_is_not_repeated),
        cmocka_unit_test(a_text_that_is_too_long_is_cut),
        cmocka_unit_test(kept_texts_are_copies_and_live_with_the_labels),
        cmocka_unit_test(a_kernel_has_the_line_of_all_its_regions),
        cmocka_unit_test(a_kernel_with_regions_at_several_lines_has_none),
        cmocka_unit_test(without_memory_nothing_is_left),
    };
    return cmocka_run_group_tests_name("label", tests, NULL, NULL);
}
