// Tests predictions that are outside of their bounds.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "report/predict/predict.h"
#include "report/predict/predict_labels.h"

struct fixture {
    struct otter_analysis analysis;
    struct otter_report report;
    struct otter_prediction item;
    struct otter_predictions predictions;
};

// A run of 10 s, and a prediction of 12 to 13 s between `lower` and 20 s.
static void begin(struct fixture *fixture, uint64_t lower)
{
    *fixture = (struct fixture){.item = {4, {12, 13, {{12, 12}, {13, 13}, {12, 13}}, lower, 20}}};
    fixture->analysis.tick = 1;
    fixture->analysis.account.wall = 10;
    fixture->report.analysis = &fixture->analysis;
    fixture->predictions.observed =
        (struct otter_prediction){2, {10, 10, {{10, 10}, {10, 10}, {10, 10}}, 8, 20}};
    fixture->predictions.items.items = &fixture->item;
    fixture->predictions.items.n = 1;
}

static void print(const struct fixture *fixture, char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    assert_non_null(out);
    otter_predictions_print(out, &fixture->report, &fixture->predictions);
    assert_int_equal(otter_predictions_print_json(out, &fixture->report, &fixture->predictions),
                     OTTER_OK);
    fclose(out);
}

static void a_prediction_within_its_bounds_has_its_times(void **state)
{
    struct fixture fixture;
    char text[4000] = "";
    begin(&fixture, 12);

    print(&fixture, text, sizeof text);

    assert_int_equal(otter_predictions_check(&fixture.predictions), OTTER_OK);
    assert_non_null(strstr(text, "12.0 s"));
    assert_null(strstr(text, "outside of its bounds"));
}

static void a_prediction_outside_of_its_bounds_has_no_number(void **state)
{
    struct fixture fixture;
    char text[4000] = "";
    begin(&fixture, 14);

    print(&fixture, text, sizeof text);

    assert_int_equal(otter_predictions_check(&fixture.predictions), OTTER_DEFECT);
    assert_non_null(strstr(text, "predicted       4  outside of its bounds\n"));
    assert_non_null(strstr(text, "\"defect\": \"outside of its bounds\""));
    assert_null(strstr(text, "12.0"));
}

// The two policies differ, and the change has no effect on either.
static void each_policy_is_compared_with_itself(void **state)
{
    struct fixture fixture;
    double least, most;
    begin(&fixture, 12);
    fixture.item.times.of[2].most = 12;
    fixture.predictions.observed.times = fixture.item.times;

    otter_prediction_changes(&fixture.predictions, &fixture.item, &least, &most);

    assert_true(least == 0);
    assert_true(most == 0);
    assert_true(otter_prediction_change(&fixture.predictions, &fixture.item) == 0);
}

static void a_replay_longer_than_all_of_the_graph_is_a_defect(void **state)
{
    struct fixture fixture;
    begin(&fixture, 12);

    fixture.predictions.observed.times.most = 21;

    assert_int_equal(otter_predictions_check(&fixture.predictions), OTTER_DEFECT);
}

static void fine_grain_is_a_note_on_predictions(void **state)
{
    struct fixture fixture;
    char text[4000] = "";
    begin(&fixture, 12);
    fixture.analysis.recording.is_grain_fine = true;

    print(&fixture, text, sizeof text);

    assert_non_null(strstr(text, "Many pieces last less than 10 times"));
}

static void more_threads_than_one_have_a_note_on_what_they_cost_each_other(void **state)
{
    struct fixture fixture;
    char text[4000] = "";
    struct otter_graph_task tasks[2] = {{.kind = OTTER_TASK_KIND_EXPLICIT, .creator = OTTER_NONE},
                                        {.kind = OTTER_TASK_KIND_EXPLICIT, .creator = 0}};
    struct otter_graph graph = {.tasks = tasks, .n_tasks = 2};
    begin(&fixture, 12);
    fixture.analysis.graph = &graph;
    fixture.analysis.recording.event = 0.1;
    struct otter_thread_line line = {0};
    fixture.analysis.timeline.lines = &line;
    fixture.analysis.timeline.n_lines = 1;

    print(&fixture, text, sizeof text);

    assert_non_null(strstr(text, "takes 1.5 times"));
    assert_non_null(strstr(text, "3.00 s"));
    assert_non_null(strstr(text, "A search that"));
}

static void name_several_functions(void)
{
    static const char *const functions[] = {"main", "T::solve(int)", "T::single", "solve(double)"};
    struct otter_what_if change = {.kind = OTTER_WHAT_IF_FUNCTION, .label = "solve"};
    struct otter_known_labels known = {0};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        otter_known_labels_add(&known, functions[i]);
    }
    otter_change_complain(&known, &change);
    otter_known_labels_finish(&known);
}

static void a_name_of_several_functions_lists_them(void **state)
{
    assert_string_equal(
        stderr_of(name_several_functions),
        "otter: several functions in this run are called 'solve': give the whole name\n|"
        "otter:   function: 'T::solve(int)'\n|otter:   function: 'solve(double)'\n|");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prediction_within_its_bounds_has_its_times),
        cmocka_unit_test(a_name_of_several_functions_lists_them),
        cmocka_unit_test(a_prediction_outside_of_its_bounds_has_no_number),
        cmocka_unit_test(each_policy_is_compared_with_itself),
        cmocka_unit_test(a_replay_longer_than_all_of_the_graph_is_a_defect),
        cmocka_unit_test(fine_grain_is_a_note_on_predictions),
        cmocka_unit_test(more_threads_than_one_have_a_note_on_what_they_cost_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
