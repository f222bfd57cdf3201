// Waits of ranks for each other, and the ranks that caused them, directly or not.
#include "unit.h"

#include "analysis/job/job.h"

enum { MAX_RANKS = 3 };

static struct otter_rank_calls ranks[MAX_RANKS];
static struct otter_job job;

static int begin(void **state)
{
    for (unsigned r = 0; r < MAX_RANKS; r++) {
        ranks[r] = (struct otter_rank_calls){.end = 200, .last = OTTER_NONE};
    }
    return 0;
}

static int finish(void **state)
{
    otter_job_finish(&job);
    return 0;
}

// Returns the call's index. The path back from a call reaches the previous call of the rank.
static uint32_t call(unsigned rank, uint64_t start, uint64_t end)
{
    struct otter_rank_calls *calls = &ranks[rank];
    uint32_t index = calls->calls.n;
    assert_non_null(
        OTTER_VECTOR_ADD(&calls->calls, (struct otter_mpi_call){.begin = start,
                                                                .end = end,
                                                                .since = start,
                                                                .node = index,
                                                                .before = calls->last,
                                                                .cause_rank = OTTER_NONE,
                                                                .cause_call = OTTER_NONE}));
    calls->last = index;
    return index;
}

static void add_message(struct otter_mpi_messages *messages, uint32_t index, uint32_t peer)
{
    assert_non_null(OTTER_VECTOR_ADD(
        messages,
        (struct otter_mpi_message){
            .bytes = 8, .begin = index, .end = index, .peer = peer, .match = OTTER_NONE}));
}

static void send(unsigned rank, unsigned to, uint64_t start, uint64_t end)
{
    add_message(&ranks[rank].sends, call(rank, start, end), to);
}

static void receive(unsigned rank, unsigned from, uint64_t start, uint64_t end)
{
    add_message(&ranks[rank].receives, call(rank, start, end), from);
}

static void barrier(unsigned rank, uint64_t start, uint64_t end)
{
    uint32_t index = call(rank, start, end);
    assert_non_null(
        OTTER_VECTOR_ADD(&ranks[rank].collectives,
                         (struct otter_mpi_collective){.begin = index,
                                                       .end = index,
                                                       .root = OTTER_NO_ROOT,
                                                       .member = rank,
                                                       .size = MAX_RANKS,
                                                       .operation = OTTER_COLLECTIVE_BARRIER}));
}

static void end_job(void)
{
    for (unsigned r = 0; r < MAX_RANKS; r++) {
        assert_int_equal(otter_job_add(&job, r, r, &ranks[r]), OTTER_OK);
    }
    assert_int_equal(otter_job_end(&job, MAX_RANKS), OTTER_OK);
}

static const struct otter_job_rank *rank_of(unsigned rank)
{
    return &job.ranks.items[rank];
}

// Rank 1 waits 60 for rank 0. Then rank 2 waits 80 for rank 1, which is late by 60 because of its
// own wait, and by 20 because it worked 20 longer than rank 2.
static void a_delay_that_travels_has_its_root_cause(void **state)
{
    send(0, 1, 100, 101);
    receive(1, 0, 40, 102);
    send(1, 2, 110, 111);
    receive(2, 1, 30, 112);
    end_job();
    assert_int_equal(job.n_messages, 2);
    assert_int_equal(rank_of(1)->waited[OTTER_CAUSE_SENDER], 60);
    assert_int_equal(rank_of(2)->waited[OTTER_CAUSE_SENDER], 80);
    assert_int_equal(rank_of(0)->caused[OTTER_CAUSE_SENDER], 60);
    assert_int_equal(rank_of(1)->caused[OTTER_CAUSE_SENDER], 80);
    assert_int_equal(rank_of(0)->root_cause[OTTER_CAUSE_SENDER], 60 + 60);
    assert_int_equal(rank_of(1)->root_cause[OTTER_CAUSE_SENDER], 20);
    assert_int_equal(rank_of(2)->root_cause[OTTER_CAUSE_SENDER], 0);
    assert_int_equal(rank_of(0)->because_of, 0);
    assert_int_equal(rank_of(1)->because_of, 0);
    assert_int_equal(rank_of(2)->because_of, OTTER_NONE);
}

static void members_of_a_barrier_wait_for_the_last(void **state)
{
    barrier(0, 10, 60);
    barrier(1, 20, 60);
    barrier(2, 50, 60);
    end_job();
    assert_int_equal(rank_of(0)->waited[OTTER_CAUSE_ARRIVAL], 40);
    assert_int_equal(rank_of(1)->waited[OTTER_CAUSE_ARRIVAL], 30);
    assert_int_equal(rank_of(2)->waited[OTTER_CAUSE_ARRIVAL], 0);
    assert_int_equal(rank_of(2)->root_cause[OTTER_CAUSE_ARRIVAL], 70);
}

static void a_barrier_synchronises(void **state)
{
    barrier(0, 100, 100);
    barrier(1, 100, 100);
    barrier(2, 100, 100);
    send(0, 1, 150, 151);
    receive(1, 0, 110, 151);
    end_job();
    assert_int_equal(rank_of(1)->waited[OTTER_CAUSE_SENDER], 40);
    assert_int_equal(rank_of(0)->root_cause[OTTER_CAUSE_SENDER], 40);
}

static void a_message_without_its_send_is_doubtful_and_no_wait(void **state)
{
    receive(1, 0, 40, 102);
    end_job();
    assert_int_equal(job.unmatched.receives, 1);
    assert_int_equal(rank_of(1)->waited[OTTER_CAUSE_SENDER], 0);
    assert_int_equal(rank_of(1)->doubted[OTTER_DOUBT_PARTNER], 62);
}

static void the_critical_path_is_as_long_as_the_job(void **state)
{
    ranks[0].end = 101;
    ranks[2].end = 112;
    send(0, 1, 100, 101);
    receive(1, 0, 40, 102);
    end_job();
    assert_int_equal(rank_of(0)->on_path, 100);
    assert_int_equal(rank_of(1)->on_path, 100);
    assert_int_equal(rank_of(2)->on_path, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_delay_that_travels_has_its_root_cause, begin, finish),
        cmocka_unit_test_setup_teardown(members_of_a_barrier_wait_for_the_last, begin, finish),
        cmocka_unit_test_setup_teardown(a_barrier_synchronises, begin, finish),
        cmocka_unit_test_setup_teardown(a_message_without_its_send_is_doubtful_and_no_wait, begin,
                                        finish),
        cmocka_unit_test_setup_teardown(the_critical_path_is_as_long_as_the_job, begin, finish),
    };
    return cmocka_run_group_tests_name("job causes", tests, NULL, NULL);
}
