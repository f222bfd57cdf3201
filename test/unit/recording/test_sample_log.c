// Samples among the switches of a recording.
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "recording/sample_log.h"

static struct otter_logged_sample found[4];
static unsigned n_found;

static bool note(void *user, const struct otter_logged_sample *sample)
{
    found[n_found++ % 4] = *sample;
    return true;
}

static struct otter_logged_sample sample_of(uint64_t time, uint32_t n)
{
    struct otter_logged_sample sample = {.time = time, .thread = 70001, .n = n};
    for (uint32_t i = 0; i < n; i++) {
        sample.addresses[i] = UINT64_C(0x7fffdeadbeef) - i;
    }
    return sample;
}

static int begin_log(const char *name, char folder[4096])
{
    bool is_counter;
    snprintf(folder, 4096, "%s", in_test_folder("%s", name));
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(otter_switch_log_create(folder, true, 0), OTTER_OK);
    int file = otter_switch_log_open(folder, &is_counter);
    assert_true(file >= 0);
    n_found = 0;
    return file;
}

static void read_log(const char *folder)
{
    struct otter_switch_log_header header;
    uint64_t n;
    int file = otter_switch_log_read(folder, &header, &n);
    assert_true(file >= 0);
    assert_true(otter_sample_log_visit(file, n, note, NULL));
    close(file);
}

static void assert_same(const struct otter_logged_sample *a, const struct otter_logged_sample *b)
{
    assert_int_equal(a->time, b->time);
    assert_int_equal(a->thread, b->thread);
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->addresses, b->addresses, a->n * sizeof(a->addresses[0]));
}

static void samples_between_switches_are_read_as_they_were_packed(void **state)
{
    char folder[4096];
    struct otter_switch_record records[OTTER_SAMPLE_RECORDS];
    const struct otter_switch_record change = {.time = 5, .thread = 9, .kind = OTTER_SWITCH_IN};
    const uint32_t sizes[] = {1, 2, OTTER_MAX_SAMPLE_DEPTH};
    int file = begin_log("mixed", folder);

    for (uint32_t i = 0; i < 3; i++) {
        struct otter_logged_sample sample = sample_of(10 + i, sizes[i]);
        assert_true(otter_switch_log_append(file, &change, 1));
        assert_true(otter_switch_log_append(file, records, otter_sample_pack(&sample, records)));
    }
    close(file);

    read_log(folder);
    assert_int_equal(n_found, 3);
    for (uint32_t i = 0; i < 3; i++) {
        struct otter_logged_sample sample = sample_of(10 + i, sizes[i]);
        assert_same(&found[i], &sample);
    }
}

static void counts_and_losses_are_read_as_they_were_stored(void **state)
{
    char folder[4096];
    struct otter_switch_record records[OTTER_SAMPLE_RECORDS];
    struct otter_logged_sample count = sample_of(10, 1);
    const struct otter_switch_record lost = {
        .time = 11, .thread = 7, .kind = OTTER_SWITCH_SAMPLES_LOST};
    count.counter = 3;
    count.addresses[0] = UINT64_MAX - 1;
    int file = begin_log("counts", folder);

    assert_true(otter_switch_log_append(file, records, otter_sample_pack(&count, records)));
    assert_true(otter_switch_log_append(file, &lost, 1));
    close(file);

    read_log(folder);
    assert_int_equal(n_found, 2);
    assert_same(&found[0], &count);
    assert_int_equal(found[0].counter, 3);
    assert_int_equal(found[0].n_lost, 0);
    assert_int_equal(found[1].n_lost, 7);
}

// A kill may cut off a sample, and damage may change a number of addresses.
static void incomplete_and_impossible_samples_are_left_out(void **state)
{
    char folder[4096];
    struct otter_switch_record records[OTTER_SAMPLE_RECORDS];
    struct otter_logged_sample sample = sample_of(20, 5);
    int file = begin_log("damaged", folder);
    size_t n = otter_sample_pack(&sample, records);

    assert_int_equal(n, 4);
    assert_true(otter_switch_log_append(file, records, 2)); // cut off by the next
    assert_true(otter_switch_log_append(file, records, n));
    assert_true(otter_switch_log_append(file, &records[1], 1)); // addresses without a sample
    records[0].processor = OTTER_MAX_SAMPLE_DEPTH + 1;
    assert_true(otter_switch_log_append(file, records, n));
    records[0].processor = 0;
    assert_true(otter_switch_log_append(file, records, n));
    records[0].processor = 5;
    assert_true(otter_switch_log_append(file, records, n - 1)); // cut off by the end
    close(file);

    read_log(folder);
    assert_int_equal(n_found, 1);
    assert_same(&found[0], &sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_between_switches_are_read_as_they_were_packed),
        cmocka_unit_test(counts_and_losses_are_read_as_they_were_stored),
        cmocka_unit_test(incomplete_and_impossible_samples_are_left_out),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
