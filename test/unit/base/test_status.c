// The texts of statuses.
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "base/status.h"

static const enum otter_status all[] = {
    OTTER_OK,          OTTER_NO_MEMORY,     OTTER_NOT_FOUND,    OTTER_EXISTS,
    OTTER_DENIED,      OTTER_NO_SPACE,      OTTER_FULL,         OTTER_NO_FILES,
    OTTER_IO,          OTTER_BAD_VALUE,     OTTER_BAD_ARCHIVE,  OTTER_EMPTY,
    OTTER_UNSUPPORTED, OTTER_NAME_TOO_LONG, OTTER_NOT_FOLDER,   OTTER_READ_ONLY,
    OTTER_MASKED,      OTTER_BUSY,          OTTER_UNKNOWN_OTF2, OTTER_DEFECT};

static void every_status_has_words_of_its_own(void **state)
{
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        assert_string_not_equal(otter_status_text(all[i]), "unknown error");
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(otter_status_text(all[i]), otter_status_text(all[k]));
        }
    }
}

static void a_status_that_is_none_still_has_words(void **state)
{
    assert_string_equal(otter_status_text((enum otter_status)4711), "unknown error");
}

static void errno_becomes_the_status_that_helps(void **state)
{
    static const struct {
        int error;
        enum otter_status status;
    } rows[] = {
        {0, OTTER_OK},
        {ENOMEM, OTTER_NO_MEMORY},
        {ENOENT, OTTER_NOT_FOUND},
        {ENOTDIR, OTTER_NOT_FOLDER},
        {ENAMETOOLONG, OTTER_NAME_TOO_LONG},
        {EEXIST, OTTER_EXISTS},
        {ENOTEMPTY, OTTER_EXISTS},
        {EACCES, OTTER_DENIED},
        {EPERM, OTTER_DENIED},
        {EROFS, OTTER_READ_ONLY},
        {ENOSPC, OTTER_NO_SPACE},
        {EDQUOT, OTTER_NO_SPACE},
        {EFBIG, OTTER_NO_SPACE},
        {EMFILE, OTTER_NO_FILES},
        {ENFILE, OTTER_NO_FILES},
        {EIO, OTTER_IO},
        {EINTR, OTTER_IO},
        {12345, OTTER_IO},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(otter_status_from_errno(rows[i].error), rows[i].status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_words_of_its_own),
        cmocka_unit_test(a_status_that_is_none_still_has_words),
        cmocka_unit_test(errno_becomes_the_status_that_helps),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
