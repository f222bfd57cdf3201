// The reader, with archives of OTF2's writer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/read/reader.h"
#include "trace/lists.h"
#include "write_archive.h"

static char folder[] = "/tmp/otter-reader-XXXXXX";

// Creates an archive. Its name is valid until the next call.
static const char *make(const struct archive_options *options)
{
    static char path[64];
    static unsigned n;
    snprintf(path, sizeof path, "%s/%u", folder, n++);
    assert_true(write_archive(path, options));
    return path;
}

static const char *file_of(const char *archive, const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", archive, name);
    return path;
}

static struct otter_archive *open_archive(const char *path)
{
    struct otter_archive *archive;
    struct otter_complaint complaint;
    enum otter_status status = otter_archive_open(path, &archive, &complaint);
    if (status) {
        fail_msg("%s", complaint.text);
    }
    return archive;
}

static void expect_refusal(const char *path, enum otter_status expected, const char *words)
{
    struct otter_archive *archive;
    struct otter_complaint complaint;
    assert_int_equal(otter_archive_open(path, &archive, &complaint), expected);
    assert_null(archive);
    if (!strstr(complaint.text, words)) {
        fail_msg("'%s' does not say '%s'", complaint.text, words);
    }
}

struct counts {
    uint64_t n, records[OTTER_N_RECORDS];
    uint64_t last_time;
    uint32_t last_task;
    uint64_t stop_after; // 0: never
};

static bool count(void *user, const struct otter_event *event)
{
    struct counts *counts = user;
    assert_true(event->time >= counts->last_time);
    counts->last_time = event->time;
    counts->n++;
    counts->records[event->kind]++;
    if (event->kind == OTTER_RECORD_TASK_CREATE) {
        assert_int_equal(event->task.comm, 0);
        assert_int_equal(event->task.number, counts->last_task + 1);
        counts->last_task = event->task.number;
    }
    return counts->n != counts->stop_after;
}

static struct counts read_location(struct otter_archive *archive, size_t location,
                                   uint64_t stop_after)
{
    struct counts counts = {.stop_after = stop_after};
    struct otter_complaint complaint;
    if (otter_archive_read(archive, location, count, &counts, NULL, &complaint)) {
        fail_msg("%s", complaint.text);
    }
    return counts;
}

static void every_event_of_several_chunks_arrives_in_order(void **state)
{
    struct archive_options options = {0};
    struct otter_archive *archive = open_archive(make(&options));

    struct counts counts = read_location(archive, 0, 0);

    assert_int_equal(counts.n, events_of_first_location(&options));
    assert_int_equal(counts.records[OTTER_RECORD_TASK_CREATE], ARCHIVE_TASKS_BY_DEFAULT);
    assert_int_equal(counts.records[OTTER_RECORD_TASK_SWITCH], ARCHIVE_TASKS_BY_DEFAULT);
    assert_int_equal(counts.records[OTTER_RECORD_TASK_COMPLETE], ARCHIVE_TASKS_BY_DEFAULT);
    assert_int_equal(counts.records[OTTER_RECORD_PARAMETER], ARCHIVE_TASKS_BY_DEFAULT);
    assert_int_equal(counts.records[OTTER_RECORD_FORK], 1);
    otter_archive_close(archive);
}

static void a_location_can_be_read_again(void **state)
{
    struct archive_options options = {.n_tasks = 100};
    struct otter_archive *archive = open_archive(make(&options));

    struct counts first = read_location(archive, 0, 0), second = read_location(archive, 0, 0);

    assert_memory_equal(&first, &second, sizeof first);
    otter_archive_close(archive);
}

static void reading_stops_where_it_is_told_to(void **state)
{
    struct archive_options options = {.n_tasks = 100};
    struct otter_archive *archive = open_archive(make(&options));

    assert_int_equal(read_location(archive, 0, 42).n, 42);
    assert_int_equal(read_location(archive, 0, 0).n, events_of_first_location(&options));
    otter_archive_close(archive);
}

static void all_locations_are_read_one_after_the_other(void **state)
{
    struct archive_options options = {.n_tasks = 10};
    struct otter_archive *archive = open_archive(make(&options));
    struct counts second = read_location(archive, 1, 0);
    struct counts all = {.stop_after = events_of_first_location(&options)};
    struct otter_complaint complaint;

    assert_int_equal(second.n, 7);
    assert_int_equal(second.records[OTTER_RECORD_ACQUIRE_LOCK], 1);
    assert_int_equal(second.records[OTTER_RECORD_MEASUREMENT], 1);
    assert_int_equal(otter_archive_read_all(archive, count, &all, NULL, &complaint), OTTER_OK);
    assert_int_equal(all.n, events_of_first_location(&options)); // and the reader stopped there
    otter_archive_close(archive);
}

static bool check_parameter(void *user, const struct otter_event *event)
{
    unsigned *n = user;
    if (event->kind == OTTER_RECORD_PARAMETER) {
        assert_int_equal(event->parameter.definition, 0);
        assert_int_equal(event->parameter.value, 0x7fff0000u + ++*n);
    }
    return true;
}

static void parameters_carry_their_value(void **state)
{
    struct archive_options options = {.n_tasks = 3};
    struct otter_archive *archive = open_archive(make(&options));
    struct otter_complaint complaint;
    unsigned n = 0;

    assert_int_equal(otter_archive_read(archive, 0, check_parameter, &n, NULL, &complaint),
                     OTTER_OK);

    assert_int_equal(n, 3);
    otter_archive_close(archive);
}

static bool check_metric(void *user, const struct otter_event *event)
{
    unsigned *n = user;
    if (event->kind == OTTER_RECORD_METRIC) {
        static const struct {
            uint32_t definition, n_values;
            uint64_t values[2];
        } expected[] = {{0, 2, {4096, 4096}}, {0, 2, {0, 4096}}, {1, 1, {9, 0}}};
        assert_true(*n < 3);
        assert_int_equal(event->metric.definition, expected[*n].definition);
        assert_int_equal(event->metric.n_values, expected[*n].n_values);
        assert_int_equal(event->metric.values[0], expected[*n].values[0]);
        assert_int_equal(event->metric.values[1], expected[*n].values[1]);
        ++*n;
    }
    return true;
}

static void metrics_carry_their_values_and_name_their_space(void **state)
{
    struct archive_options options = {.n_tasks = 3, .has_kokkos = true};
    struct otter_archive *archive = open_archive(make(&options));
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    struct otter_complaint complaint;
    unsigned n = 0;

    assert_int_equal(otter_archive_read(archive, 1, check_metric, &n, NULL, &complaint), OTTER_OK);

    assert_int_equal(n, 3);
    assert_int_equal(definitions->n_metrics, 2);
    assert_string_equal(definitions->metrics[0].space, "Host");
    assert_string_equal(definitions->metrics[0].unit, "B");
    assert_int_equal(definitions->metrics[0].n_values, 2);
    assert_string_equal(definitions->metrics[1].space, "");
    assert_string_equal(definitions->metrics[1].name, "cycles");
    otter_archive_close(archive);
}

static void definitions_become_plain_structs(void **state)
{
    struct archive_options options = {.n_tasks = 3};
    struct otter_archive *archive = open_archive(make(&options));
    const struct otter_definitions *definitions = otter_archive_definitions(archive);

    assert_int_equal(definitions->n_locations, 3);
    assert_string_equal(definitions->locations[1].name, "worker");
    assert_int_equal(definitions->locations[1].kind, OTTER_LOCATION_CPU_THREAD);
    assert_string_equal(definitions->locations[0].group, "Process");
    assert_int_equal(definitions->locations[0].n_properties, 1);
    assert_string_equal(definitions->locations[0].properties[0].value, "4711");
    assert_int_equal(definitions->n_regions, 3);
    assert_string_equal(definitions->regions[0].name, "!$omp task @fib+0x1234");
    assert_int_equal(definitions->regions[0].construct, OTTER_CONSTRUCT_TASK);
    assert_string_equal(definitions->regions[0].role, "task");
    assert_int_equal(definitions->regions[0].begin_line, 12);
    assert_int_equal(definitions->n_parameters, 1);
    assert_int_equal(definitions->parameters[0].kind, OTTER_PARAMETER_DEPEND_IN);
    assert_int_equal(definitions->clock.resolution, ARCHIVE_RESOLUTION);
    assert_string_equal(definitions->host, "host1");
    assert_string_equal(otter_archive_property(archive, "OTTER::PROGRAM"), "/usr/bin/fib");
    assert_null(otter_archive_property(archive, "OTTER::NONE"));
    otter_archive_close(archive);
}

// Foreign archives may have gaps in the numbers of locations.
static void members_of_a_team_are_indexes_of_locations(void **state)
{
    struct archive_options options = {.n_tasks = 3, .first_location = UINT64_C(1) << 32};
    struct otter_archive *archive = open_archive(make(&options));
    const struct otter_definitions *definitions = otter_archive_definitions(archive);

    assert_int_equal(definitions->n_comms, 2);
    assert_int_equal(definitions->comms[0].parent, OTTER_NONE);
    assert_int_equal(definitions->comms[0].n_members, 3);
    assert_int_equal(definitions->comms[1].parent, 0);
    assert_int_equal(definitions->comms[1].n_members, 2);
    assert_int_equal(definitions->comms[1].members[0], 1);
    assert_int_equal(definitions->comms[1].members[1], 0);
    assert_int_equal(read_location(archive, 0, 0).n, events_of_first_location(&options));
    otter_archive_close(archive);
}

static void records_without_a_word_are_counted(void **state)
{
    struct archive_options options = {.n_tasks = 3, .is_foreign = true};
    struct otter_archive *archive = open_archive(make(&options));
    struct counts counts = {0};
    struct otter_complaint complaint;
    uint64_t n_others = 0;

    assert_int_equal(otter_archive_read(archive, 0, count, &counts, &n_others, &complaint),
                     OTTER_OK);

    assert_int_equal(n_others, 2);
    assert_int_equal(counts.n + n_others, events_of_first_location(&options));
    otter_archive_close(archive);
}

static void an_archive_is_also_found_by_its_anchor_file(void **state)
{
    struct archive_options options = {.n_tasks = 3};
    struct otter_archive *archive = open_archive(file_of(make(&options), "traces.otf2"));

    assert_int_equal(read_location(archive, 0, 0).n, events_of_first_location(&options));
    otter_archive_close(archive);
}

// A truncated event file is refused, since OTF2 would read it forever.
static void a_cut_event_file_is_damage_of_its_location_alone(void **state)
{
    struct archive_options options = {0};
    const char *path = make(&options);
    struct stat whole;
    assert_int_equal(stat(file_of(path, "traces/0.evt"), &whole), 0);
    assert_true(whole.st_size > 3 * 256 * 1024); // otherwise there are no chunks to cut between
    off_t cuts[] = {whole.st_size - 2,
                    whole.st_size / 2,
                    512 * 1024 + 18,
                    512 * 1024,
                    256 * 1024 + 1,
                    256 * 1024,
                    19,
                    18,
                    17,
                    1,
                    0};
    // Complete records are read; the last record before the cut may be missing.
    uint64_t n_before = events_of_first_location(&options) - 1;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        assert_int_equal(truncate(file_of(path, "traces/0.evt"), cuts[i]), 0);
        struct otter_archive *archive = open_archive(path);
        const struct otter_definitions *definitions = otter_archive_definitions(archive);
        assert_non_null(definitions->locations[0].damage);
        assert_null(definitions->locations[1].damage);
        assert_int_equal(read_location(archive, 1, 0).n, 7);
        struct otter_complaint complaint;
        struct counts counts = {0};
        assert_int_equal(otter_archive_read(archive, 0, count, &counts, NULL, &complaint),
                         OTTER_BAD_ARCHIVE);
        assert_true(i == 0 ? counts.n == n_before : counts.n <= n_before);
        assert_true(counts.n > 0 || cuts[i] <= 19);
        n_before = counts.n;
        otter_archive_close(archive);
    }
}

struct change {
    const char *path;
    off_t cut; // the file is truncated there, or overwritten from there on
    bool is_overwritten;
    uint64_t n, most;
};

// Changes the file after the first events, which are in the first chunk.
static bool change_file(void *user, const struct otter_event *event)
{
    struct change *change = user;
    if (++change->n == 10 && change->is_overwritten) {
        char bytes[4096];
        memset(bytes, 0x0e, sizeof bytes);
        FILE *file = fopen(change->path, "r+");
        assert_int_equal(fseek(file, change->cut, SEEK_SET), 0);
        assert_int_equal(fwrite(bytes, sizeof bytes, 1, file), 1);
        fclose(file);
    } else if (change->n == 10) {
        assert_int_equal(truncate(change->path, change->cut), 0);
    }
    return change->n <= change->most; // otherwise it would read forever
}

// OTF2 itself reads the previous chunk again, without an end.
static void the_reading_of_a_file_that_changes_ends_with_an_error(void **state)
{
    const struct archive_options options = {0};
    const off_t chunk = 256 * 1024, cuts[] = {0, 17, chunk, chunk + 1, chunk + 100, 2 * chunk};
    for (size_t i = 0; i < 2 * sizeof cuts / sizeof *cuts; i++) {
        const char *path = make(&options);
        struct change change = {.path = file_of(path, "traces/0.evt"),
                                .cut = cuts[i / 2],
                                .is_overwritten = i % 2 == 1 && cuts[i / 2] >= chunk,
                                .most = events_of_first_location(&options)};
        struct otter_archive *archive = open_archive(path);
        struct otter_complaint complaint;

        enum otter_status status =
            otter_archive_read(archive, 0, change_file, &change, NULL, &complaint);

        assert_int_equal(status, OTTER_BAD_ARCHIVE);
        assert_non_null(strstr(complaint.text, "are damaged after number"));
        assert_true(change.n < change.most);
        otter_archive_close(archive);
    }
}

// Truncates the file and restores it again and again, until it is killed.
static void keep_cutting(const char *path)
{
    static char content[1 << 20];
    FILE *file = fopen(path, "r+");
    size_t size = fread(content, 1, sizeof content, file);
    for (;;) {
        (void)!ftruncate(fileno(file), 0);
        (void)!pwrite(fileno(file), content, size, 0);
    }
}

static void open_often(const char *path)
{
    for (int i = 0; i < 300; i++) {
        struct otter_archive *archive;
        struct otter_complaint complaint;
        (void)otter_archive_open(path, &archive, &complaint);
        otter_archive_close(archive);
    }
    _exit(0);
}

// A mapped file that is truncated raises a signal in its reader.
static void a_file_that_is_cut_while_it_is_checked_does_no_harm(void **state)
{
    struct archive_options options = {0};
    const char *path = make(&options);
    pid_t cutter = fork();
    if (cutter == 0) {
        keep_cutting(file_of(path, "traces/0.evt"));
    }
    pid_t reader = fork();
    if (reader == 0) {
        open_often(path);
    }
    int result;
    assert_int_equal(waitpid(reader, &result, 0), reader);
    kill(cutter, SIGKILL);
    waitpid(cutter, NULL, 0);
    assert_int_equal(result, 0);
}

static void a_missing_event_file_is_damage_unless_it_would_be_empty(void **state)
{
    struct archive_options options = {.n_tasks = 3};
    const char *path = make(&options);
    assert_int_equal(unlink(file_of(path, "traces/1.evt")), 0);
    assert_int_equal(unlink(file_of(path, "traces/2.evt")), 0);
    struct otter_archive *archive = open_archive(path);
    const struct otter_definitions *definitions = otter_archive_definitions(archive);

    assert_null(definitions->locations[0].damage);
    assert_non_null(strstr(definitions->locations[1].damage, "1.evt"));
    assert_null(definitions->locations[2].damage);
    assert_int_equal(read_location(archive, 2, 0).n, 0);
    otter_archive_close(archive);
}

static void missing_local_definitions_do_no_harm(void **state)
{
    struct archive_options options = {.n_tasks = 3};
    const char *path = make(&options);
    assert_int_equal(unlink(file_of(path, "traces/0.def")), 0);
    struct otter_archive *archive = open_archive(path);

    assert_int_equal(read_location(archive, 0, 0).n, events_of_first_location(&options));
    otter_archive_close(archive);
}

static void cut_definitions_are_refused(void **state)
{
    struct archive_options options = {.n_tasks = 3};
    const char *path = make(&options);
    struct stat whole;
    assert_int_equal(stat(file_of(path, "traces.def"), &whole), 0);
    for (off_t cut = whole.st_size - 2; cut >= 0; cut--) {
        assert_int_equal(truncate(file_of(path, "traces.def"), cut), 0);
        expect_refusal(path, OTTER_BAD_ARCHIVE, "traces.def");
    }
}

static void a_cut_anchor_is_refused(void **state)
{
    struct archive_options options = {.n_tasks = 3};
    const char *path = make(&options);
    struct stat whole;
    assert_int_equal(stat(file_of(path, "traces.otf2"), &whole), 0);
    for (off_t cut = whole.st_size - 3; cut >= 0;
         cut--) { // the third byte from the end marks the end of the file
        assert_int_equal(truncate(file_of(path, "traces.otf2"), cut), 0);
        expect_refusal(path, OTTER_BAD_ARCHIVE, "traces.otf2");
    }
}

// OTF2 would reserve memory for four billion properties.
static void an_anchor_with_an_impossible_number_of_properties_is_refused(void **state)
{
    struct archive_options options = {.n_tasks = 3};
    const char *path = make(&options);
    FILE *anchor = fopen(file_of(path, "traces.otf2"), "r+");
    assert_non_null(anchor);
    fseek(anchor, 2 + 5 + 1 + 38 + 1 + (long)sizeof "Otter" + 1, SEEK_SET);
    assert_int_equal(fputc(0xff, anchor), 0xff);
    fseek(anchor, 2, SEEK_CUR);
    assert_int_equal(fputc(0xff, anchor), 0xff);
    fclose(anchor);

    expect_refusal(path, OTTER_BAD_ARCHIVE, "is cut off or damaged");
}

// OTF2 would reserve a chunk of this size.
static void an_anchor_with_an_impossible_chunk_size_is_refused(void **state)
{
    static const long places[] = {2 + 5 + 1 + 4, 2 + 5 + 1 + 4 + 8}; // of events, of definitions
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *path = make(&(struct archive_options){.n_tasks = 3});
        FILE *anchor = fopen(file_of(path, "traces.otf2"), "r+");
        assert_non_null(anchor);
        fseek(anchor, places[i] + 4, SEEK_SET);
        assert_int_equal(fputc(1, anchor), 1); // 4 GiB
        fclose(anchor);
        expect_refusal(path, OTTER_BAD_ARCHIVE, "is damaged");
    }
}

static void what_is_no_archive_is_refused(void **state)
{
    char path[128], journal[256];
    snprintf(path, sizeof path, "%s/nothing", folder);
    expect_refusal(path, OTTER_NOT_FOUND, "No such file");
    assert_int_equal(mkdir(path, 0700), 0);
    expect_refusal(path, OTTER_NOT_FOUND, "is not an archive");
    snprintf(journal, sizeof journal, "%s/journal", path);
    fclose(fopen(journal, "w"));
    expect_refusal(path, OTTER_BAD_ARCHIVE, "not a complete archive");
    expect_refusal(journal, OTTER_BAD_ARCHIVE, "neither a folder nor an .otf2 file");
    expect_refusal("/dev/null", OTTER_BAD_ARCHIVE, "is not an archive");
}

// In a stranger's archive, any of the files may be a pipe, and opening a pipe blocks.
static void a_pipe_in_place_of_a_file_is_damage(void **state)
{
    static const char *const names[] = {"traces.otf2", "traces.def", "traces.marker",
                                        "traces/1.evt", "traces/1.def"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct otter_archive *archive;
        struct otter_complaint complaint;
        const char *path = make(&(struct archive_options){.n_tasks = 10});
        const char *name = file_of(path, names[i]);
        unlink(name);
        assert_int_equal(mkfifo(name, 0600), 0);

        enum otter_status status = otter_archive_open(path, &archive, &complaint);

        assert_int_equal(status, i < 2 ? OTTER_BAD_ARCHIVE : OTTER_OK);
        if (!status) {
            const struct otter_definitions *definitions = otter_archive_definitions(archive);
            assert_int_equal(definitions->marker_damage != NULL, i == 2);
            assert_int_equal(definitions->locations[1].damage != NULL, i == 3);
            otter_archive_close(archive);
        }
    }
}

// Definitions may claim any number; the reader counts the existing elements.
static void a_location_holds_the_events_that_are_there(void **state)
{
    const struct archive_options options = {.n_tasks = 10};
    const char *path = make(&options);
    struct otter_archive *archive = open_archive(path);
    const struct otter_location *locations = otter_archive_definitions(archive)->locations;
    assert_int_equal(locations[0].n_held, events_of_first_location(&options));
    assert_int_equal(locations[2].n_held, 0);
    otter_archive_close(archive);
}

// Foreign archives number their definitions freely. A hostile archive chooses the numbers that take
// longest to process.
static void numbers_in_any_order_are_found(void **state)
{
    enum { N = 300000, N_DENSE = 70 };
    struct otter_ids ids = {0};
    for (uint64_t i = 0; i < N; i++) {
        uint64_t id = i < N_DENSE ? i : (uint64_t)(N - i) << 20 | 7;
        assert_int_equal(otter_ids_find(&ids, id), OTTER_NONE);
        assert_true(otter_ids_add(&ids, id));
        assert_int_equal(otter_ids_find(&ids, id), i);
    }
    assert_int_equal(otter_ids_find(&ids, 3), 3);
    assert_int_equal(otter_ids_find(&ids, N_DENSE), OTTER_NONE);
    assert_int_equal(otter_ids_find(&ids, UINT64_MAX), OTTER_NONE);
    assert_false(ids.has_twice);
    assert_true(otter_ids_add(&ids, 3));
    assert_true(ids.has_twice);
    assert_int_equal(otter_ids_find(&ids, 3), 3);
    free(ids.table);
}

static int make_folder(void **state)
{
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_of_several_chunks_arrives_in_order),
        cmocka_unit_test(a_location_can_be_read_again),
        cmocka_unit_test(reading_stops_where_it_is_told_to),
        cmocka_unit_test(all_locations_are_read_one_after_the_other),
        cmocka_unit_test(parameters_carry_their_value),
        cmocka_unit_test(metrics_carry_their_values_and_name_their_space),
        cmocka_unit_test(definitions_become_plain_structs),
        cmocka_unit_test(members_of_a_team_are_indexes_of_locations),
        cmocka_unit_test(records_without_a_word_are_counted),
        cmocka_unit_test(an_archive_is_also_found_by_its_anchor_file),
        cmocka_unit_test(a_cut_event_file_is_damage_of_its_location_alone),
        cmocka_unit_test(the_reading_of_a_file_that_changes_ends_with_an_error),
        cmocka_unit_test(a_file_that_is_cut_while_it_is_checked_does_no_harm),
        cmocka_unit_test(a_missing_event_file_is_damage_unless_it_would_be_empty),
        cmocka_unit_test(missing_local_definitions_do_no_harm),
        cmocka_unit_test(cut_definitions_are_refused),
        cmocka_unit_test(a_cut_anchor_is_refused),
        cmocka_unit_test(an_anchor_with_an_impossible_number_of_properties_is_refused),
        cmocka_unit_test(an_anchor_with_an_impossible_chunk_size_is_refused),
        cmocka_unit_test(what_is_no_archive_is_refused),
        cmocka_unit_test(a_pipe_in_place_of_a_file_is_damage),
        cmocka_unit_test(a_location_holds_the_events_that_are_there),
        cmocka_unit_test(numbers_in_any_order_are_found),
    };
    return cmocka_run_group_tests_name("reader", tests, make_folder, remove_folder);
}
