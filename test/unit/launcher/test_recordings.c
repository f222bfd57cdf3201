// Which switches get into the files of recordings.
#include "unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "launcher/observe/recordings.h"
#include "trace/schema.h"

enum { N_EARLY = 512, N = 600 };

static struct otter_switch_record first, last;
static unsigned n_read;

static bool note(void *user, const struct otter_switch_record *record)
{
    first = n_read == 0 ? *record : first;
    last = *record;
    n_read++;
    return true;
}

static void read_log(const char *folder)
{
    struct otter_switch_log_header header;
    uint64_t n;
    int file = otter_switch_log_read(folder, &header, &n);
    assert_true(file >= 0);
    n_read = 0;
    assert_true(otter_switch_log_visit(file, n, note, NULL));
    close(file);
}

// The recorder opens its output later than it takes the time of its first event.
static void the_last_switches_before_a_recording_opens_are_kept(void **state)
{
    static char folder[4096], report[4096], line[8192];
    snprintf(folder, sizeof folder, "%s", in_test_folder("recording"));
    snprintf(report, sizeof report, "%s", in_test_folder("report"));
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(otter_switch_log_create(folder, true, 0), OTTER_OK);
    write_file(report, "", 0);
    struct otter_recordings *recordings = otter_recordings_create(report);
    assert_non_null(recordings);

    for (uint32_t i = 0; i < N; i++) {
        struct otter_switch_record record = {.time = i, .thread = i, .kind = OTTER_SWITCH_IN};
        otter_recordings_add(recordings, (uint32_t)getpid(), &record, i);
    }
    int length = snprintf(line, sizeof line, "opened %d %s", (int)getpid(), folder);
    write_file(report, line, (size_t)length + 1);
    otter_recordings_update(recordings);
    otter_recordings_flush(recordings);

    read_log(folder);
    assert_int_equal(n_read, N_EARLY);
    assert_int_equal(first.thread, N - N_EARLY);
    assert_int_equal(last.thread, N - 1);
    otter_recordings_destroy(recordings);
    read_log(folder);
    assert_int_equal(n_read, N_EARLY + 1);
    assert_int_equal(last.kind, OTTER_SWITCH_UNKNOWN); // no further switches follow
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_switches_before_a_recording_opens_are_kept),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
