// Region totals: files, blocks and damage.
#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failing.h"
#include "folder.h"
#include "recording/totals.h"

enum { N_REGIONS = 250 };

static struct otter_region_total totals[N_REGIONS];

static enum otter_status sum(const char *recording)
{
    memset(totals, 0, sizeof(totals));
    return otter_total_file_sum(in_test_folder("%s/totals", recording), N_REGIONS, totals);
}

static struct otter_total_file *create(const char *recording, bool is_mapped)
{
    mkdir(in_test_folder("%s", recording), 0777);
    struct otter_total_file *file =
        otter_total_file_create(in_test_folder("%s", recording), is_mapped);
    assert_non_null(file);
    return file;
}

// Two locations. The first has two blocks.
static void fill(struct otter_total_file *file)
{
    struct otter_total_block *first = otter_total_file_add(file, 0, 0);
    struct otter_total_block *second = otter_total_file_add(file, 0, 200);
    struct otter_total_block *other = otter_total_file_add(file, 1, 0);
    first->totals[3] = (struct otter_total){.n_visits = 10, .inclusive = 500, .exclusive = 400};
    second->totals[49] = (struct otter_total){.n_visits = 1, .inclusive = 7, .exclusive = 7};
    second->totals[50] = (struct otter_total){.n_visits = 99}; // not a region
    other->totals[3] = (struct otter_total){.n_visits = 5, .inclusive = 50, .exclusive = 40};
    assert_int_equal(otter_total_file_save(file, first), OTTER_OK);
    assert_int_equal(otter_total_file_save(file, second), OTTER_OK);
    assert_int_equal(otter_total_file_save(file, other), OTTER_OK);
    otter_total_file_release(file, first);
    otter_total_file_release(file, second);
    otter_total_file_release(file, other);
}

static void expect_sum(const char *recording)
{
    assert_int_equal(sum(recording), OTTER_OK);
    assert_int_equal(totals[3].n_visits, 15);
    assert_int_equal(totals[3].inclusive, 550);
    assert_int_equal(totals[3].exclusive, 440);
    assert_int_equal(totals[249].n_visits, 1);
    assert_int_equal(totals[0].n_visits, 0);
}

static void totals_of_all_locations_are_summed_up_by_region(void **state)
{
    static const char *const recordings[] = {"memory", "mapped", "mapped in large pages"};
    for (int i = 0; i < 3; i++) {
        use_pages(i == 2 ? 65536 : 0);
        struct otter_total_file *file = create(recordings[i], i > 0);
        assert_int_equal(sum(recordings[i]), OTTER_NOT_FOUND);
        fill(file);
        otter_total_file_destroy(file);
        expect_sum(recordings[i]);
    }
    use_pages(0);
}

// Sixteen blocks need one page of 64 KiB, and the seventeenth another one.
static void blocks_share_a_large_page(void **state)
{
    enum { N = 17 };
    struct stat about;
    use_pages(65536);
    struct otter_total_file *file = create("large", true);
    for (uint32_t i = 0; i < N; i++) {
        struct otter_total_block *block = otter_total_file_add(file, i, 0);
        assert_non_null(block);
        block->totals[3].n_visits = i;
        otter_total_file_release(file, block);
        assert_int_equal(block->totals[3].n_visits, i);
        assert_int_equal(stat(in_test_folder("large/totals"), &about), 0);
        assert_int_equal(about.st_size, i < N - 1 ? 65536 : 2 * 65536);
    }
    otter_total_file_destroy(file);
    use_pages(0);
    assert_int_equal(sum("large"), OTTER_OK);
    assert_int_equal(totals[3].n_visits, N * (N - 1) / 2);
}

static void count_and_be_killed(void)
{
    struct otter_total_file *file = create("killed", true);
    struct otter_total_block *block = otter_total_file_add(file, 2, 0);
    struct otter_total_block *later = otter_total_file_add(file, 2, 100);
    block->totals[3] = (struct otter_total){
        .n_visits = 10, .inclusive = 500, .exclusive = 400, .open_since = 9000, .n_open = 2};
    later->last_time = 10000;
    raise(SIGKILL);
}

static void totals_survive_a_kill_and_what_was_open_ends_with_the_last_event(void **state)
{
    int status = status_of_child(count_and_be_killed);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(sum("killed"), OTTER_OK);
    assert_int_equal(totals[3].n_visits, 10);
    assert_int_equal(totals[3].inclusive, 1500);
    assert_int_equal(totals[3].exclusive, 400);
}

// Blocks without a location, and a cut block.
static void whatever_is_in_the_file_sums_are_all_that_comes_of_it(void **state)
{
    uint8_t *bytes = malloc(10 * OTTER_TOTAL_BLOCK_SIZE);
    srand(1);
    mkdir(in_test_folder("strange"), 0777);
    for (unsigned round = 0; round < 50; round++) {
        for (size_t i = 0; i < 10 * OTTER_TOTAL_BLOCK_SIZE; i++) {
            bytes[i] = (uint8_t)rand();
        }
        for (size_t i = 0; i < 10; i++) {
            struct otter_total_block *block =
                (struct otter_total_block *)(void *)(bytes + i * OTTER_TOTAL_BLOCK_SIZE);
            block->magic = OTTER_TOTAL_MAGIC;
            block->location &= round % 2 ? UINT32_MAX : 7;
            block->first_region &= round % 3 ? 255 : UINT32_MAX;
        }
        write_file(in_test_folder("strange/totals"), bytes,
                   (size_t)rand() % (10 * OTTER_TOTAL_BLOCK_SIZE));
        assert_int_equal(sum("strange"), OTTER_OK);
    }
    free(bytes);
}

static void what_is_no_file_is_not_read(void **state)
{
    mkdir(in_test_folder("pipe"), 0777);
    assert_int_equal(mkfifo(in_test_folder("pipe/totals"), 0666), 0);
    assert_int_equal(sum("pipe"), OTTER_BAD_ARCHIVE);
}

static void where_there_is_no_room_there_is_no_block(void **state)
{
    struct otter_total_file *file = create("gone", true);
    assert_int_equal(rmdir(in_test_folder("gone")), 0);
    assert_null(otter_total_file_add(file, 0, 0));
    otter_total_file_destroy(file);
    file = create("gone", false);
    struct otter_total_block *block = otter_total_file_add(file, 0, 0);
    assert_int_equal(rmdir(in_test_folder("gone")), 0);
    assert_int_equal(otter_total_file_save(file, block), OTTER_NOT_FOUND);
    otter_total_file_release(file, block);
    otter_total_file_destroy(file);
}

static void without_memory_there_is_no_file_and_no_sum(void **state)
{
    for (size_t nth = 1; nth <= 2; nth++) {
        fail_allocation(nth);
        assert_null(otter_total_file_create(in_test_folder("."), true));
    }
    fail_allocation(0);
    struct otter_total_file *file = create("scarce", true);
    fill(file);
    otter_total_file_destroy(file);
    fail_allocation(1);
    assert_int_equal(sum("scarce"), OTTER_NO_MEMORY);
    fail_allocation(0);
    expect_sum("scarce");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_of_all_locations_are_summed_up_by_region),
        cmocka_unit_test(blocks_share_a_large_page),
        cmocka_unit_test(totals_survive_a_kill_and_what_was_open_ends_with_the_last_event),
        cmocka_unit_test(whatever_is_in_the_file_sums_are_all_that_comes_of_it),
        cmocka_unit_test(what_is_no_file_is_not_read),
        cmocka_unit_test(where_there_is_no_room_there_is_no_block),
        cmocka_unit_test(without_memory_there_is_no_file_and_no_sum),
    };
    return cmocka_run_group_tests_name("totals", tests, make_test_folder, remove_test_folder);
}
