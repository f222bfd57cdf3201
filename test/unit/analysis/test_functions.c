// Functions of samples in archives that no recorder writes, and without memory.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sample/function_factors.h"
#include "analysis/sample/functions.h"
#include "failing.h"
#include "trace/schema.h"

enum { N = 100 };

// Region i is the function `fi`, and context i is its code, called from context i - 1.
static struct otter_region regions[N];
static struct otter_calling_context contexts[N];
static struct otter_label labels_of_regions[N];
static char names[N][8];
static const struct otter_property owner = {.name = OTTER_SAMPLES_OF, .value = "1"};
static const struct otter_location locations[] = {
    {.kind = OTTER_LOCATION_CPU_THREAD},
    {.kind = OTTER_LOCATION_METRIC, .properties = &owner, .n_properties = 1}};
static const struct otter_property lost = {.name = "OTTER::SAMPLES_LOST", .value = "7"};
static const struct otter_definitions definitions = {.locations = locations,
                                                     .n_locations = 2,
                                                     .regions = regions,
                                                     .n_regions = N,
                                                     .contexts = contexts,
                                                     .n_contexts = N,
                                                     .properties = &lost,
                                                     .n_properties = 1};
static const struct otter_labels labels = {.regions = labels_of_regions, .n_regions = N};

static int make_definitions(void **state)
{
    for (uint32_t i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "f%u", i);
        regions[i].construct = OTTER_CONSTRUCT_CODE;
        regions[i].file = "/usr/bin/f";
        contexts[i] =
            (struct otter_calling_context){.region = i, .parent = i > 0 ? i - 1 : OTTER_NONE};
        labels_of_regions[i] =
            (struct otter_label){.what = "code", .where = "", .function = names[i], .file = ""};
    }
    return 0;
}

// One sample of the context *run. Then the file is damaged.
static enum otter_status read_sample(void *run, uint32_t location, otter_event_function *add,
                                     void *part, struct otter_complaint *damage)
{
    struct otter_event event = {
        .location = location, .kind = OTTER_RECORD_SAMPLE, .context = *(const uint32_t *)run};
    assert_int_equal(location, 1);
    add(part, &event);
    return otter_complain(damage, OTTER_BAD_ARCHIVE, "the file ends");
}

static enum otter_status read_functions(struct otter_functions *functions, uint32_t context)
{
    struct otter_analysis analysis = {.definitions = &definitions,
                                      .source = {.read = read_sample, .run = &context}};
    return otter_functions_read(functions, &analysis, &labels);
}

static void a_chain_has_as_many_frames_as_otter_records(void **state)
{
    struct otter_functions functions;
    assert_int_equal(read_functions(&functions, N - 1), OTTER_OK);
    assert_int_equal(functions.uses.n, OTTER_MAX_SAMPLE_DEPTH);
    assert_string_equal(functions.uses.items[0].function, "f99");
    assert_int_equal(functions.uses.items[0].n_self, 1);
    otter_functions_finish(&functions);
}

static void code_has_as_many_names_as_otter_writes(void **state)
{
    char text[N * 16] = "";
    struct otter_functions functions;
    for (uint32_t i = 0; i < N; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sg%u",
                 i > 0 ? OTTER_INLINED : "", i);
    }
    labels_of_regions[0].function = text;
    assert_int_equal(read_functions(&functions, 0), OTTER_OK);
    labels_of_regions[0].function = names[0];
    assert_int_equal(functions.uses.n, OTTER_MAX_INLINED + 1);
    assert_string_equal(functions.uses.items[0].function, "g0");
    otter_functions_finish(&functions);
}

static void the_recorder_and_what_it_calls_are_one_function(void **state)
{
    struct otter_functions functions;
    for (uint32_t i = 3; i < 5; i++) {
        regions[i].file = "/usr/lib/libotter-core.so.0";
    }
    regions[1].file = "/usr/lib/libotter-mpi.so"; // calls MPI
    assert_int_equal(read_functions(&functions, 6), OTTER_OK);
    for (uint32_t i = 0; i < 5; i++) {
        regions[i].file = "/usr/bin/f";
    }
    assert_int_equal(functions.uses.n, 4);
    assert_string_equal(functions.uses.items[0].function, "[recording]");
    assert_int_equal(functions.uses.items[0].n_self, 1);
    assert_string_equal(functions.uses.items[1].function, "f0");
    assert_string_equal(functions.uses.items[2].function, "f1");
    assert_string_equal(functions.uses.items[3].function, "f2");
    uint64_t n = 0;
    struct otter_function_use *line = &functions.lines.items[0];
    assert_string_equal(line->function, "[recording]");
    line->state = OTTER_STATE_EXECUTING;
    assert_null(otter_functions_hottest(&functions, line->label, &n)); // the program's code is hot
    assert_int_equal(n, 1);
    otter_functions_finish(&functions);
}

static void damage_and_losses_are_known(void **state)
{
    struct otter_functions functions;
    assert_int_equal(read_functions(&functions, 1), OTTER_OK);
    assert_string_equal(functions.samples.damage.text, "the file ends");
    assert_int_equal(functions.samples.n, 1);
    assert_int_equal(functions.samples.n_lost, 7);
    otter_functions_finish(&functions);
}

static void without_memory_there_are_no_functions(void **state)
{
    labels_of_regions[1].function = ""; // has its module
    labels_of_regions[1].where = "libm+0x1.so+0x12";
    regions[0].file = "/usr/lib/libotter-core.so.0";
    bool has_failed = true;
    for (size_t nth = 1; has_failed; nth++) {
        struct otter_functions functions;
        fail_allocation(nth);
        enum otter_status status = read_functions(&functions, 2);
        has_failed = nth <= n_allocations();
        fail_allocation(0);
        assert_int_equal(status, has_failed ? OTTER_NO_MEMORY : OTTER_OK);
        otter_functions_finish(&functions);
    }
    regions[0].file = "/usr/bin/f";
    struct otter_functions functions;
    assert_int_equal(read_functions(&functions, 1), OTTER_OK);
    assert_string_equal(functions.uses.items[0].function, "[libm+0x1.so]");
    otter_functions_finish(&functions);
}

static void a_function_has_the_last_part_of_its_name(void **state)
{
    static const struct {
        const char *function, *name;
        bool has_name;
    } cases[] = {
        {"m::leaf<a::b>", "m::leaf<a::b>", true},
        {"m::leaf<a::b>", "leaf", true},
        {"m::leaf<a::b>", "b>", false},
        {"m::leaf<a::b>", "lea", false},
        {"m::Solver<int>::run(int)", "run", true},
        {"ns::solve(std::string)", "solve", true},
        {"ns::solve(std::string)", "ns::solve", true},
        {"ns::solve(std::string)", "solve(std::string)", true},
        {"ns::solve(std::string)", "string)", false},
        {"(anonymous namespace)::anon(a::b)", "anon", true},
        {"(anonymous namespace)::anon(a::b)", "(anonymous namespace)::anon", true},
        {"T::operator()(a::b)", "operator()", true},
        {"T::operator<(a::b)", "operator<", true},
        {"T::operator->*(a::b)", "b)", false},
        {"T::operator<<(a::b)", "b)", false},
        {"operators::run(int)", "run", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (otter_function_has_name(cases[i].function, cases[i].name) != cases[i].has_name) {
            fail_msg("%s, %s", cases[i].function, cases[i].name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_has_as_many_frames_as_otter_records),
        cmocka_unit_test(code_has_as_many_names_as_otter_writes),
        cmocka_unit_test(the_recorder_and_what_it_calls_are_one_function),
        cmocka_unit_test(damage_and_losses_are_known),
        cmocka_unit_test(a_function_has_the_last_part_of_its_name),
        cmocka_unit_test(without_memory_there_are_no_functions),
    };
    return cmocka_run_group_tests(tests, make_definitions, NULL);
}
