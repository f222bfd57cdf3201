// Samples of a recording become calling contexts: which frames stay, and what is lost.
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chunks.h"
#include "failing.h"
#include "folder.h"
#include "recording/finish/finish_samples.h"
#include "recording/sample_log.h"

// Modules of 0x1000 bytes: an address of APP + 0x1fd is in the program.
enum { APP = 0x1000, OPENMP = 0x2000, LIBC = 0x3000, OMPL = 0x4000, NOWHERE = 0x9000 };

static struct otter_module_definition modules[] = {
    {.begin = APP, .end = APP + 0x1000, .path = (char[]){"/bin/app"}},
    {.begin = OPENMP, .end = OPENMP + 0x1000, .path = (char[]){"/lib/libomp.so.5"}},
    {.begin = LIBC, .end = LIBC + 0x1000, .path = (char[]){"/lib/libc.so.6"}},
    {.begin = OMPL, .end = OMPL + 0x1000, .path = (char[]){"/lib/libompl.so"}},
};

static char recording[4096], events[4100];
static int file;
static struct otter_finish_state state;

// The recording "<name>", of one thread without events.
static void begin_recording(const char *name)
{
    bool is_counter;
    snprintf(recording, sizeof(recording), "%s", in_test_folder("%s", name));
    snprintf(events, sizeof(events), "%s/e", recording);
    assert_int_equal(mkdir(recording, 0700), 0);
    assert_int_equal(mkdir(events, 0700), 0);
    assert_int_equal(otter_switch_log_create(recording, false, 0), OTTER_OK);
    file = otter_switch_log_open(recording, &is_counter);
    state = (struct otter_finish_state){.recording = recording, .events = events};
    struct otter_archive_content *content = &state.definitions.content;
    content->chunk_size = TEST_CHUNK;
    content->has_end = true;
    content->end.ticks = 1000;
    content->modules = modules;
    content->n_modules = sizeof(modules) / sizeof(modules[0]);
    content->n_locations = 1;
    state.n_events = calloc(2, sizeof(*state.n_events));
}

static void add_sample(uint64_t time, const uint64_t *addresses, uint32_t n)
{
    struct otter_switch_record records[OTTER_SAMPLE_RECORDS];
    struct otter_logged_sample sample = {.time = time, .thread = 70001, .n = n};
    memcpy(sample.addresses, addresses, n * sizeof(*addresses));
    assert_true(otter_switch_log_append(file, records, otter_sample_pack(&sample, records)));
}

static void add_count(uint64_t time, uint32_t counter, uint64_t n)
{
    struct otter_switch_record records[OTTER_SAMPLE_RECORDS];
    struct otter_logged_sample sample = {
        .time = time, .thread = 70001, .counter = counter, .n = 1, .addresses = {n}};
    assert_true(otter_switch_log_append(file, records, otter_sample_pack(&sample, records)));
}

static void end_recording(void)
{
    struct otter_archive_content *content = &state.definitions.content;
    free(content->regions);
    free(content->contexts);
    free(content->sampled);
    free(state.n_events);
    close(file);
}

// Returns the addresses of a sample's contexts, the outermost first.
static const char *chain_of(const uint64_t *addresses, uint32_t n)
{
    static char text[256];
    static unsigned n_calls;
    const struct otter_archive_content *content = &state.definitions.content;
    char name[32];
    size_t used = 0;
    snprintf(name, sizeof(name), "chain-%u", n_calls++);
    begin_recording(name);
    add_sample(10, addresses, n);
    otter_finish_add_samples(&state);
    assert_int_equal(content->n_lost_samples, 0);
    assert_int_equal(content->n_sampled, 1);
    assert_int_equal(state.n_events[1], 1);
    for (uint32_t i = 0; i < content->n_contexts; i++) {
        assert_int_equal(content->contexts[i].parent, i - 1);
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%" PRIx64, i > 0 ? " " : "",
                                 content->regions[content->contexts[i].region].address);
    }
    end_recording();
    return text;
}

#define CHAIN(...)                                                                                 \
    chain_of((uint64_t[]){__VA_ARGS__}, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void a_chain_ends_at_the_runtime_that_called_the_program(void **unused)
{
    assert_string_equal(CHAIN(APP + 1, APP + 2, OPENMP + 3, APP + 4), "1002 1002");
    assert_string_equal(CHAIN(LIBC + 1, APP + 2, OPENMP + 3, APP + 4), "1002 3002");
    assert_string_equal(CHAIN(OMPL + 1, APP + 2), "1002 4002");
    assert_string_equal(CHAIN(APP + 1, OMPL + 2, APP + 3), "1003 4002 1002");
    assert_string_equal(CHAIN(APP + 1, NOWHERE, APP + 3), "1002");
}

static void frames_of_the_runtime_itself_stay(void **unused)
{
    assert_string_equal(CHAIN(OPENMP + 1, OPENMP + 2, APP + 3, OPENMP + 4, APP + 5),
                        "1003 2002 2002");
    assert_string_equal(CHAIN(LIBC + 1, OPENMP + 2, APP + 3, OPENMP + 4), "1003 2002 3002");
}

// libc starts threads, and the runtime tasks; the program's functions are called by something else.
static void samples_whose_callers_are_unknown_are_counted(void **unused)
{
    static const struct {
        uint64_t addresses[3];
        uint32_t n;
        bool is_cut;
    } chains[] = {
        {{APP + 1}, 1, true},
        {{APP + 1, APP + 2}, 2, true},
        {{APP + 1, NOWHERE, OPENMP + 2}, 3, true},
        {{LIBC + 1, APP + 2, APP + 3}, 3, true},
        {{LIBC + 1, APP + 2}, 2, true},
        {{APP + 1, LIBC + 2, APP + 3}, 3, true}, // called by libc
        {{APP + 1, APP + 2, 0}, 3, false},       // _start
        {{APP + 1, OPENMP + 2, NOWHERE}, 3, false},
        {{APP + 1, APP + 2, LIBC + 3}, 3, false},
        {{APP + 1, LIBC + 2, NOWHERE}, 3, false},
        {{LIBC + 1}, 1, false},
        {{OPENMP + 1, NOWHERE}, 2, false},
    };
    struct otter_archive_content *content = &state.definitions.content;
    for (size_t i = 0; i < sizeof(chains) / sizeof(*chains); i++) {
        char name[32];
        snprintf(name, sizeof(name), "cut-%zu", i);
        begin_recording(name);
        add_sample(10, chains[i].addresses, chains[i].n);
        otter_finish_add_samples(&state);
        assert_int_equal(content->n_cut_samples, chains[i].is_cut);
        end_recording();
    }
}

static void samples_beyond_the_limit_of_regions_are_counted(void **unused)
{
    struct otter_archive_content *content = &state.definitions.content;
    begin_recording("regions");
    content->n_regions = OTTER_MAX_REGIONS - 1;
    content->regions = calloc(content->n_regions, sizeof(*content->regions));
    add_sample(10, (uint64_t[]){APP + 1}, 1);
    add_sample(11, (uint64_t[]){APP + 2}, 1);
    add_sample(12, (uint64_t[]){APP + 1}, 1);
    otter_finish_add_samples(&state);
    assert_int_equal(content->n_lost_samples, 1);
    assert_int_equal(state.n_events[1], 2);
    end_recording();
}

// The setting names the counters. A forged number has no counter.
static void counts_need_no_sample(void **unused)
{
    struct otter_archive_content *content = &state.definitions.content;
    struct otter_description setting = {"SETTING::COUNTERS", "page-faults,instructions"};
    const struct otter_switch_record lost = {
        .time = 14, .thread = 20, .kind = OTTER_SWITCH_SAMPLES_LOST};
    begin_recording("counts");
    content->descriptions = &setting;
    content->n_descriptions = 1;
    add_count(10, 1, 4);
    add_count(11, 2, UINT32_MAX);
    add_count(12, 3, 4);
    assert_true(otter_switch_log_append(file, &lost, 1));
    otter_finish_add_samples(&state);
    assert_int_equal(content->n_sampled, 1);
    assert_int_equal(content->n_contexts, 0);
    assert_int_equal(state.n_events[1], 2);
    assert_int_equal(content->n_lost_samples, 21);
    end_recording();
}

// A failed allocation loses all samples, or none.
static void samples_without_memory_are_counted(void **unused)
{
    enum { N = 5 };
    const struct otter_archive_content *content = &state.definitions.content;
    bool has_failed = true;
    for (size_t nth = 1; has_failed; nth++) {
        char name[32];
        snprintf(name, sizeof(name), "memory-%zu", nth);
        begin_recording(name);
        for (uint64_t i = 0; i < N; i++) {
            add_sample(10 + i, (uint64_t[]){APP + i, APP + 0x100}, 2);
        }
        add_sample(2000, (uint64_t[]){APP + 1}, 1); // after the end of the recording
        fail_allocation(nth);
        otter_finish_add_samples(&state);
        has_failed = nth <= n_allocations();
        fail_allocation(0);
        assert_int_equal(content->n_lost_samples, content->n_sampled == 1 ? 0 : N);
        assert_int_equal(content->n_contexts, content->n_sampled == 1 ? 1 + N : 0);
        assert_true(content->n_sampled == 0 || state.n_events[1] == N);
        end_recording();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_ends_at_the_runtime_that_called_the_program),
        cmocka_unit_test(frames_of_the_runtime_itself_stay),
        cmocka_unit_test(samples_whose_callers_are_unknown_are_counted),
        cmocka_unit_test(samples_beyond_the_limit_of_regions_are_counted),
        cmocka_unit_test(counts_need_no_sample),
        cmocka_unit_test(samples_without_memory_are_counted),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
