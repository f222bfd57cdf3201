// Directives in the text of a source.
#include "unit.h"

#include <string.h>

#include "folder.h"
#include "source/directives.h"

static struct otter_directives directives;

static int make(void **state)
{
    directives = (struct otter_directives){.newest = UINT64_MAX};
    return make_test_folder(state);
}

static int finish(void **state)
{
    otter_directives_finish(&directives);
    return remove_test_folder(state);
}

// Returns the line of the directive nearest to the last line of `text`.
static uint32_t nearest_in(const char *text, const char *callee)
{
    const char *path = in_test_folder("source-%zu", (size_t)directives.texts.n);
    uint32_t n_lines = 0;
    for (const char *at = text; *at; at++) {
        n_lines += *at == '\n';
    }
    write_file(path, text, strlen(text));
    return otter_directives_nearest(&directives, path, callee, 1, n_lines + 1, n_lines);
}

static void nowait_in_fortran_is_at_the_end_of_the_construct(void **state)
{
    assert_int_equal(nearest_in("!$omp do\n"
                                "!$omp end do\n"
                                "!$OMP DO schedule(static)\n"
                                "!$omp single\n"
                                "!$omp end single nowait\n"
                                "!$omp end  do nowait ! the last\n",
                                "GOMP_barrier"),
                     1);
    assert_int_equal(nearest_in("!$omp do\n"
                                "!$omp do ! without nowait\n"
                                "!$omp end do ! nowait is not here\n",
                                "GOMP_barrier"),
                     2);
    assert_int_equal(nearest_in("!$omp do\n!$omp end do nowait\n", "GOMP_loop_start"), 1);
    assert_int_equal(nearest_in("!$omp do\n"
                                "!$omp parallel\n"
                                "!$omp do\n"
                                "!$omp end do\n"
                                "!$omp end parallel\n"
                                "!$omp end do nowait\n",
                                "GOMP_barrier"),
                     3);
}

static void nowait_is_a_clause_and_no_argument(void **state)
{
    assert_int_equal(nearest_in("#pragma omp for\n"
                                "#pragma omp for firstprivate(nowait) // never nowait\n"
                                "#pragma omp for schedule(static, n / 2) nowait\n"
                                "#pragma omp for /* rows (all */ nowait\n",
                                "GOMP_barrier"),
                     2);
}

static void continued_directive_has_all_clauses_and_the_first_line(void **state)
{
    assert_int_equal(nearest_in("#pragma omp for\n"
                                "#pragma omp for schedule(static) \\\n"
                                "    nowait\n",
                                "GOMP_barrier"),
                     1);
    assert_int_equal(nearest_in("!$omp do schedule(static) & ! no end\n"
                                "!$omp & private(i)\n"
                                "!$omp end do &\n"
                                "!$omp& nowait\n"
                                "!$omp single ! of a & b\n"
                                "!$omp do\n",
                                "GOMP_barrier"),
                     6);
    const char *path = in_test_folder("source-%zu", (size_t)directives.texts.n - 1);
    assert_int_equal(otter_directives_first_line(&directives, path, 2), 1);
    assert_int_equal(otter_directives_first_line(&directives, path, 4), 3);
    assert_int_equal(otter_directives_first_line(&directives, path, 6), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nowait_in_fortran_is_at_the_end_of_the_construct),
        cmocka_unit_test(nowait_is_a_clause_and_no_argument),
        cmocka_unit_test(continued_directive_has_all_clauses_and_the_first_line),
    };
    return cmocka_run_group_tests(tests, make, finish);
}
