// The words of the schema, written to an archive and read back.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <otf2/otf2.h>

#include "trace/schema.h"

static bool is_defined(unsigned construct)
{
    return construct == OTTER_CONSTRUCT_UNKNOWN ||
           strcmp(otter_construct_name((enum otter_construct)construct), "unknown") != 0;
}

// The reader understands every construct that the writer writes, with every detail that determines
// its kind.
static void constructs_survive_an_archive(void **state)
{
    unsigned n = 0;
    for (unsigned i = 1; i < OTTER_N_CONSTRUCTS; i++) {
        if (!is_defined(i)) {
            continue;
        }
        char detail[128];
        enum otter_construct construct = (enum otter_construct)i;
        otter_construct_detail_text(construct, 0, detail, sizeof(detail));
        assert_int_equal(otter_construct_from_name(otter_construct_name(construct), detail),
                         construct);
        n++;
    }
    assert_true(n >= 45);
}

static void names_of_others_are_unknown(void **state)
{
    assert_int_equal(otter_construct_from_name("main", ""), OTTER_CONSTRUCT_UNKNOWN);
    assert_int_equal(otter_construct_from_name("", ""), OTTER_CONSTRUCT_UNKNOWN);
    assert_int_equal(otter_construct_from_name("!$omp", ""), OTTER_CONSTRUCT_UNKNOWN);
    assert_int_equal(otter_construct_from_name("unknown", ""), OTTER_CONSTRUCT_UNKNOWN);
}

static void numbers_out_of_range_have_names_too(void **state)
{
    assert_string_equal(otter_construct_name((enum otter_construct)OTTER_N_CONSTRUCTS), "unknown");
    assert_string_equal(otter_construct_name((enum otter_construct) - 1), "unknown");
    assert_string_equal(otter_construct_name((enum otter_construct)5),
                        "unknown"); // an unused number
    assert_int_equal(otter_construct_role((enum otter_construct)4711, 0), OTF2_REGION_ROLE_UNKNOWN);
    assert_string_equal(otter_parameter_name((enum otter_parameter)OTTER_N_PARAMETERS), "unknown");
    assert_string_equal(otter_parameter_name((enum otter_parameter) - 1), "unknown");
    assert_string_equal(otter_thread_kind_name((enum otter_thread_kind)9), "unknown");
}

static void every_parameter_has_a_name_of_its_own(void **state)
{
    for (unsigned i = 0; i < OTTER_N_PARAMETERS; i++) {
        const char *name = otter_parameter_name((enum otter_parameter)i);
        assert_non_null(name);
        for (unsigned k = 0; k < i; k++) {
            assert_string_not_equal(name, otter_parameter_name((enum otter_parameter)k));
        }
    }
}

static const char *detail_of(enum otter_construct construct, uint32_t detail)
{
    static char text[128];
    return otter_construct_detail_text(construct, detail, text, sizeof(text));
}

static void details_are_told_in_words(void **state)
{
    assert_string_equal(detail_of(OTTER_CONSTRUCT_TASK, 0), "");
    assert_string_equal(detail_of(OTTER_CONSTRUCT_TASK, OTTER_TASK_UNTIED | OTTER_TASK_FINAL),
                        "untied, final");
    assert_string_equal(detail_of(OTTER_CONSTRUCT_TASK, 0x3f),
                        "undeferred, untied, final, mergeable, merged, target");
    assert_string_equal(detail_of(OTTER_CONSTRUCT_LOOP, OTTER_LOOP_GUIDED), "guided");
    assert_string_equal(detail_of(OTTER_CONSTRUCT_LOOP, 99), "");
    assert_string_equal(
        detail_of(OTTER_CONSTRUCT_CANCEL, OTTER_CANCEL_LOOP | OTTER_CANCEL_ACTIVATED),
        "loop, activated");
    assert_string_equal(detail_of(OTTER_CONSTRUCT_WORK_UNKNOWN, 12), "kind 12");
    assert_string_equal(detail_of(OTTER_CONSTRUCT_BARRIER_PARALLEL, 0), "parallel");
    assert_string_equal(detail_of(OTTER_CONSTRUCT_TASKWAIT, 0), "");
}

static void details_stay_in_their_room(void **state)
{
    for (size_t size = 1; size < 60; size++) {
        char text[64];
        memset(text, 'Z', sizeof(text));
        otter_construct_detail_text(OTTER_CONSTRUCT_TASK, 0x3f, text, size);
        assert_true(strlen(text) < size);
        for (size_t i = size; i < sizeof(text); i++) {
            assert_int_equal(text[i], 'Z');
        }
    }
}

static void roles_are_those_that_viewers_know(void **state)
{
    assert_int_equal(otter_construct_role(OTTER_CONSTRUCT_TASK, 0), OTF2_REGION_ROLE_TASK);
    assert_int_equal(otter_construct_role(OTTER_CONSTRUCT_TASK, OTTER_TASK_UNTIED),
                     OTF2_REGION_ROLE_TASK_UNTIED);
    assert_int_equal(otter_construct_role(OTTER_CONSTRUCT_PARALLEL, 0), OTF2_REGION_ROLE_PARALLEL);
    assert_int_equal(otter_construct_role(OTTER_CONSTRUCT_TASKWAIT, 0), OTF2_REGION_ROLE_TASK_WAIT);
    assert_int_equal(otter_construct_role(OTTER_CONSTRUCT_BARRIER_PARALLEL, 0),
                     OTF2_REGION_ROLE_IMPLICIT_BARRIER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constructs_survive_an_archive),
        cmocka_unit_test(names_of_others_are_unknown),
        cmocka_unit_test(numbers_out_of_range_have_names_too),
        cmocka_unit_test(every_parameter_has_a_name_of_its_own),
        cmocka_unit_test(details_are_told_in_words),
        cmocka_unit_test(details_stay_in_their_room),
        cmocka_unit_test(roles_are_those_that_viewers_know),
    };
    return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
