// The limits of UTF-8, and the repair of texts.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "failing.h"

static void characters_are_read_as_far_as_they_are_utf8(void **state)
{
    static const struct {
        const char *text;
        uint32_t characters[4];
    } cases[] = {
        {"", {0}},
        {"a", {'a'}},
        {"\xc3\xbc", {0xfc}},
        {"\xe2\x82\xac", {0x20ac}},
        {"\xf0\x9f\xa6\xa6", {0x1f9a6}},
        {"\xc3", {0xc3}},           // cut off
        {"\xe2\x82", {0xe2, 0x82}}, // likewise
        {"\xc0\x80", {0xc0, 0x80}}, // overlong
        {"\xe0\x80\x80", {0xe0, 0x80, 0x80}},
        {"\xed\xa0\x80", {0xed, 0xa0, 0x80}},           // half of a surrogate pair
        {"\xf4\x90\x80\x80", {0xf4, 0x90, 0x80, 0x80}}, // beyond the last code point
        {"\xff\xc3z", {0xff, 0xc3, 'z'}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = cases[i].text;
        size_t n = 0;
        for (; *at != '\0'; n++) {
            assert_int_equal(otter_utf8_next(&at), cases[i].characters[n]);
        }
        assert_int_equal(otter_utf8_next(&at), 0);
        assert_true(n == 4 || cases[i].characters[n] == 0);
    }
}

static void what_is_written_is_read_again(void **state)
{
    static const uint32_t characters[] = {1, 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff};
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++) {
        char text[OTTER_UTF8_MAX + 1] = "";
        const char *at = text;
        size_t n = otter_utf8_encode(characters[i], text);
        assert_int_equal(strlen(text), n);
        assert_int_equal(otter_utf8_next(&at), characters[i]);
        assert_ptr_equal(at, text + n);
    }
}

static void no_character_is_cut(void **state)
{
    static const char text[] = "a\xc3\xbc\xe2\x82\xacz";
    static const size_t lengths[] = {0, 1, 1, 3, 3, 3, 6, 7, 7};
    for (size_t most = 0; most < sizeof lengths / sizeof *lengths; most++) {
        assert_int_equal(otter_utf8_cut(text, most), lengths[most]);
    }
    assert_int_equal(otter_utf8_cut("\xfc\xfc", 1), 1); // not UTF-8
}

static void a_copy_is_utf8_whatever_the_text_is(void **state)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"a label", "a label"},
        {"\xc3\xbc \xe2\x82\xac \xf0\x9f\xa6\xa6", "\xc3\xbc \xe2\x82\xac \xf0\x9f\xa6\xa6"},
        {"\xfc", "\xc3\xbc"}, // Latin-1
        {"\xff\xfe\xc3", "\xc3\xbf\xc3\xbe\xc3\x83"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *copy = otter_utf8_copy(cases[i][0]);
        assert_string_equal(copy, cases[i][1]);
        free(copy);
    }
}

static void without_memory_there_is_no_copy(void **state)
{
    fail_allocation(1);
    assert_null(otter_utf8_copy("text"));
    fail_allocation(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_read_as_far_as_they_are_utf8),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(no_character_is_cut),
        cmocka_unit_test(a_copy_is_utf8_whatever_the_text_is),
        cmocka_unit_test(without_memory_there_is_no_copy),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
