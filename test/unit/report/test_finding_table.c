// The table of findings: names, tables with the evidence, slices of the page.
#include "unit.h"

#include <string.h>

#include "analysis/cause/finding_kind.h"
#include "report/table/analysis_tables.h"

static bool is_table(const char *name)
{
    for (unsigned i = 0; i < otter_n_report_tables; i++) {
        if (strcmp(otter_report_tables[i].option, name) == 0) {
            return true;
        }
    }
    return false;
}

static void each_kind_has_a_name_of_its_own(void **state)
{
    for (unsigned i = 0; i < OTTER_N_FINDINGS; i++) {
        const char *name = otter_finding_name((enum otter_finding_kind)i);
        assert_non_null(name);
        assert_true(name[0] != '\0');
        for (unsigned k = 0; k < i; k++) {
            assert_string_not_equal(name, otter_finding_name((enum otter_finding_kind)k));
        }
    }
}

static void the_evidence_of_each_kind_is_a_table_of_the_report(void **state)
{
    for (unsigned i = 0; i < OTTER_N_FINDINGS; i++) {
        const char *table = otter_finding_facts_of((enum otter_finding_kind)i)->table;
        assert_non_null(table);
        if (!is_table(table)) {
            fail_msg("%s: no table --%s", otter_finding_name((enum otter_finding_kind)i), table);
        }
    }
}

static void only_kinds_of_memory_have_no_slices(void **state)
{
    for (unsigned i = 0; i < OTTER_N_FINDINGS; i++) {
        const struct otter_finding_facts *facts =
            otter_finding_facts_of((enum otter_finding_kind)i);
        bool is_of_memory = strcmp(facts->table, "memory") == 0;
        assert_int_equal(facts->state == OTTER_N_STATES, is_of_memory);
    }
}

static void blocking_first_touch_and_high_water_are_not_lost_time(void **state)
{
    unsigned n_losses = 0;
    for (unsigned i = 0; i < OTTER_N_FINDINGS; i++) {
        n_losses += otter_finding_is_loss((enum otter_finding_kind)i);
    }
    assert_int_equal(n_losses, OTTER_N_FINDINGS - 3);
    assert_false(otter_finding_is_loss(OTTER_FINDING_BLOCKED));
    assert_false(otter_finding_is_loss(OTTER_FINDING_FIRST_TOUCH));
    assert_false(otter_finding_is_loss(OTTER_FINDING_HIGH_WATER));
}

static void other_values_are_an_unknown_kind(void **state)
{
    assert_string_equal(otter_finding_name(OTTER_N_FINDINGS), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_has_a_name_of_its_own),
        cmocka_unit_test(the_evidence_of_each_kind_is_a_table_of_the_report),
        cmocka_unit_test(only_kinds_of_memory_have_no_slices),
        cmocka_unit_test(blocking_first_touch_and_high_water_are_not_lost_time),
        cmocka_unit_test(other_values_are_an_unknown_kind),
    };
    return cmocka_run_group_tests_name("finding table", tests, NULL, NULL);
}
