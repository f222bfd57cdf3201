// How users and shells see foreign text.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/visible.h"
#include "failing.h"

static void expect(const char *text, size_t length, const char *wanted)
{
    char shown[200] = "";
    struct otter_visible visible;
    for (const char *at = text; otter_visible_next(&at, text + length, &visible);) {
        strncat(shown, visible.bytes, visible.n_bytes);
    }
    assert_string_equal(shown, wanted);
    assert_int_equal(otter_visible_is_text(text), strcmp(text, wanted) == 0);
}

static void each_character_is_itself_or_an_escape(void **state)
{
    static const char *const shown[][2] = {
        {"a \xc3\xa4\xf0\x9f\x98\x80", "a \xc3\xa4\xf0\x9f\x98\x80"},
        {"\1\37\177\n\r\t", "\\x01\\x1f\\x7f\\n\\r\\t"},
        {"\xc2\x80\xc2\x9f\xc2\xa0", "\\u0080\\u009f\xc2\xa0"},
        {"\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xa8\xe2\x80\xa9",
         "\\u061c\\u200e\\u200f\\u2028\\u2029"},
        {"\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9", "\\u202a\\u202e\\u2066\\u2069"},
        {"\xef\xbf\xbf\xef\xb7\x90\xf0\x9f\xbf\xbe", "\\uffff\\ufdd0\\U0001fffe"},
        {"\x80\xff\xc3", "\\x80\\xff\\xc3"},
        {"\xed\xa0\x80\xc0\x80", "\\xed\\xa0\\x80\\xc0\\x80"},
    };
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        expect(shown[i][0], strlen(shown[i][0]), shown[i][1]);
    }
}

static void a_text_that_looks_like_an_escape_is_another_one(void **state)
{
    expect("\\n \\x1b \\u0085 \\\\", strlen("\\n \\x1b \\u0085 \\\\"),
           "\\\\n \\\\x1b \\\\u0085 \\\\\\");
    expect("C:\\dir \\ ", strlen("C:\\dir \\ "), "C:\\dir \\ ");
}

static void nothing_is_read_behind_the_end(void **state)
{
    char cut[2] = {'a', '\xc3'}; // the rest of the memory is not part of the text
    struct otter_visible visible;
    const char *at = cut;
    assert_true(otter_visible_next(&at, cut + 2, &visible));
    assert_true(otter_visible_next(&at, cut + 2, &visible));
    assert_memory_equal(visible.bytes, "\\xc3", 4);
    assert_false(otter_visible_next(&at, cut + 2, &visible));
}

static void expect_word(const char *text, const char *wanted)
{
    char *word = otter_visible_word(text);
    assert_string_equal(word, wanted);
    free(word);
}

static void a_shell_reads_a_word_as_the_text(void **state)
{
    expect_word("/a/b-1.c", "/a/b-1.c");
    expect_word("", "''");
    expect_word("a b$c", "'a b$c'");
    expect_word("~", "'~'");
    expect_word("it's", "$'it\\047s'");
    expect_word("a\\nb", "$'a\\134nb'");
    expect_word("\33\n\xff\xc2\x85 1", "$'\\033\\012\\377\\302\\205 1'");
}

static void without_memory_there_is_no_word(void **state)
{
    static const char *const texts[] = {"a", "a b", "a\nb"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fail_allocation(1);
        char *word = otter_visible_word(texts[i]);
        fail_allocation(0);
        assert_null(word);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_character_is_itself_or_an_escape),
        cmocka_unit_test(a_text_that_looks_like_an_escape_is_another_one),
        cmocka_unit_test(nothing_is_read_behind_the_end),
        cmocka_unit_test(a_shell_reads_a_word_as_the_text),
        cmocka_unit_test(without_memory_there_is_no_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
