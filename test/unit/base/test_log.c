// Messages on stderr: their prefix, their escapes, and a closed or full stderr.
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "folder.h"

static void warn(void)
{
    otter_warning("%d of %s", 3, "four");
}

static void a_message_is_one_write_with_our_prefix(void **state)
{
    assert_string_equal(stderr_of(warn), "otter: 3 of four\n|");
}

static void say_all(void)
{
    otter_note("a");
    otter_note_plain("b");
    otter_warning("c");
    otter_error("d");
}

static void each_kind_is_a_message_of_its_own(void **state)
{
    assert_string_equal(stderr_of(say_all), "otter: a\n|b\n|otter: c\n|otter: d\n|");
}

static void in_quiet_mode_only_errors_are_said(void **state)
{
    otter_log_set_quiet(true);
    assert_string_equal(stderr_of(say_all), "otter: d\n|");
    otter_log_set_quiet(false);
    assert_string_equal(stderr_of(warn), "otter: 3 of four\n|");
}

static void say_much(void)
{
    char text[10000];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    otter_warning("%s", text);
}

static void a_long_message_is_whole_and_one_line(void **state)
{
    const char *said = stderr_of(say_much);
    size_t n_letters = 0;
    for (const char *at = said; *at; at++) {
        n_letters += *at == 'x';
    }
    assert_int_equal(n_letters, 9999);
    assert_memory_equal(said, "otter: xxx", 10);
    assert_string_equal(strchr(said, '\n'), "\n|");
}

static void say_what_others_say(void)
{
    otter_note("'%s' is\n%s", "a\nb\33[31m", "\302\205\377");
}

static void only_the_format_begins_a_line(void **state)
{
    assert_string_equal(stderr_of(say_what_others_say),
                        "otter: 'a\\nb\\x1b[31m' is\n\\u0085\\xff\n|");
}

static void errno_is_preserved(void **state)
{
    errno = ELOOP;
    say_all();
    assert_int_equal(errno, ELOOP);

    int saved = dup(STDERR_FILENO);
    close(STDERR_FILENO);
    errno = ELOOP;
    say_all(); // fails with EBADF
    int after = errno;
    dup2(saved, STDERR_FILENO);
    close(saved);
    assert_int_equal(after, ELOOP);
}

// SIGPIPE and SIGXFSZ would end the program.
static void write_where_nobody_reads(void)
{
    int ends[2];
    if (pipe(ends) < 0 || dup2(ends[1], STDERR_FILENO) < 0) {
        _exit(2);
    }
    close(ends[0]);
    say_all();
    struct rlimit limit = {.rlim_cur = 0, .rlim_max = RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    dup2(open(in_test_folder("full"), O_WRONLY | O_CREAT, 0666), STDERR_FILENO);
    say_all();
}

static void a_stderr_that_takes_nothing_never_ends_the_program(void **state)
{
    assert_int_equal(status_of_child(write_where_nobody_reads), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_one_write_with_our_prefix),
        cmocka_unit_test(each_kind_is_a_message_of_its_own),
        cmocka_unit_test(in_quiet_mode_only_errors_are_said),
        cmocka_unit_test(a_long_message_is_whole_and_one_line),
        cmocka_unit_test(only_the_format_begins_a_line),
        cmocka_unit_test(errno_is_preserved),
        cmocka_unit_test(a_stderr_that_takes_nothing_never_ends_the_program),
    };
    return cmocka_run_group_tests_name("log", tests, make_test_folder, remove_test_folder);
}
