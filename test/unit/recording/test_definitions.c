// Reading a journal: every kind of line, damaged lines, and journals from strangers.
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failing.h"
#include "folder.h"
#include "recording/finish/definitions.h"
#include "recording/finish/gaps.h"
#include "recording/journal.h"
#include "recording/finish/recording.h"

static const char head[] = "otter 1\nfiles mapped 262144\n";

// Writes a journal with these lines.
static const char *journal_of(const char *text, size_t length)
{
    const char *path = in_test_folder("journal");
    uint8_t *bytes = calloc(1, OTTER_JOURNAL_TEXT_OFFSET + length);
    struct otter_journal_header header = {.magic = OTTER_JOURNAL_MAGIC, .length = length};
    memcpy(bytes, &header, sizeof(header));
    memcpy(bytes + OTTER_JOURNAL_TEXT_OFFSET, text, length);
    write_file(path, bytes, OTTER_JOURNAL_TEXT_OFFSET + length);
    free(bytes);
    return path;
}

static enum otter_status read_text(const char *text, struct otter_journal_definitions *definitions)
{
    return otter_definitions_read(journal_of(text, strlen(text)), definitions);
}

// Writes the head and `lines`, which must form a valid journal.
static struct otter_journal_definitions read_lines(const char *lines)
{
    struct otter_journal_definitions definitions;
    char *text = malloc(sizeof(head) + strlen(lines));
    sprintf(text, "%s%s", head, lines);
    assert_int_equal(read_text(text, &definitions), OTTER_OK);
    free(text);
    return definitions;
}

static const char *const all_lines[] = {
    "otter 1",
    "clock tsc",
    "start 1000 2000 3000",
    "files mapped 1048576",
    "describe PROGRAM /usr/bin/fib%20x",
    "describe RANK -",
    "module 1000 2000 400 abcdef /bin/a%25b",
    "location 0 1 4711",
    "location 1 2 4712",
    "chunk 1 300",
    "chunk 1 600",
    "region 2 4 2 1234",
    "region 3 39 0 0",
    "region 4 4 0 5000",
    "team 1 0 2",
    "team 2 1 1",
    "member 1 0 0",
    "member 1 1 1",
    "member 2 0 1",
    "count lost 5",
    "count repaired 6",
    "count unbegun 8",
    "count unfinished 7",
    "end 9000 10000 11000",
};
enum { N_ALL_LINES = sizeof(all_lines) / sizeof(all_lines[0]) };

static const char *journal_with_all_lines(void)
{
    const char *path = in_test_folder("all");
    struct otter_journal *journal = NULL;
    unlink(path);
    assert_int_equal(otter_journal_create(path, true, &journal), OTTER_OK);
    for (size_t i = 0; i < N_ALL_LINES; i++) {
        assert_int_equal(otter_journal_add(journal, "%s", all_lines[i]), OTTER_OK);
    }
    struct otter_clock_reading late = {.ticks = 77, .monotonic_ns = 78};
    otter_journal_note_clock(journal, &late);
    otter_journal_close(journal);
    return path;
}

static void check_scalars(const struct otter_journal_definitions *definitions)
{
    assert_int_equal(definitions->content.schema, 1);
    assert_true(definitions->content.clock_is_counter);
    assert_true(definitions->content.has_end);
    assert_int_equal(definitions->content.chunk_size, 1 << 20);
    assert_int_equal(definitions->content.start.ticks, 1000);
    assert_int_equal(definitions->content.start.monotonic_ns, 2000);
    assert_int_equal(definitions->content.start.realtime_ns, 3000);
    assert_int_equal(definitions->content.end.ticks, 9000);
    assert_int_equal(definitions->content.n_lost, 5);
    assert_int_equal(definitions->content.n_repaired, 6);
    assert_int_equal(definitions->content.n_unbegun, 8);
    assert_int_equal(definitions->content.n_unfinished, 7);
}

static void check_lists(const struct otter_journal_definitions *definitions)
{
    assert_int_equal(definitions->content.n_descriptions, 2);
    assert_string_equal(definitions->content.descriptions[0].name, "PROGRAM");
    assert_string_equal(definitions->content.descriptions[0].value, "/usr/bin/fib x");
    assert_string_equal(definitions->content.descriptions[1].value, "");
    assert_int_equal(definitions->content.n_modules, 1);
    assert_int_equal(definitions->content.modules[0].bias, 0x400);
    assert_string_equal(definitions->content.modules[0].build_id, "abcdef");
    assert_string_equal(definitions->content.modules[0].path, "/bin/a%b");
    assert_int_equal(definitions->content.n_locations, 2);
    assert_int_equal(definitions->content.locations[1].kind, OTTER_THREAD_WORKER);
    assert_int_equal(definitions->content.locations[1].os_thread, 4712);
    assert_int_equal(definitions->n_begun, 2);
    assert_false(definitions->begun[0].has_begun);
    assert_true(definitions->begun[1].has_begun);
    assert_int_equal(definitions->begun[1].n_events, 600);
    assert_int_equal(definitions->content.n_regions, 5);
    assert_false(definitions->content.regions[0].is_defined);
    assert_int_equal(definitions->content.regions[2].construct, OTTER_CONSTRUCT_TASK);
    assert_int_equal(definitions->content.regions[2].detail, OTTER_TASK_UNTIED);
    assert_int_equal(definitions->content.regions[2].address, 0x1234);
    assert_int_equal(definitions->content.regions[2].module, 1);
    assert_int_equal(definitions->content.regions[3].module, 0);
    assert_int_equal(definitions->content.regions[4].module, 0); // in no module
    assert_int_equal(definitions->content.n_teams, 2);
    assert_int_equal(definitions->content.teams[0].size, 2);
    assert_int_equal(definitions->content.teams[0].members[1], 1);
    assert_int_equal(definitions->content.teams[1].parent, 1);
}

static void every_kind_of_line_arrives(void **state)
{
    struct otter_journal_definitions definitions;
    assert_int_equal(otter_definitions_read(journal_with_all_lines(), &definitions), OTTER_OK);
    check_scalars(&definitions);
    check_lists(&definitions);
    otter_definitions_free(&definitions);
}

static void without_an_end_the_late_reading_stands_for_it(void **state)
{
    const char *path = in_test_folder("late");
    struct otter_journal *journal = NULL;
    assert_int_equal(otter_journal_create(path, true, &journal), OTTER_OK);
    otter_journal_add(journal, "otter 1");
    otter_journal_add(journal, "files memory 262144");
    struct otter_clock_reading late = {.ticks = 77, .monotonic_ns = 78};
    otter_journal_note_clock(journal, &late);
    otter_journal_close(journal);
    struct otter_journal_definitions definitions;
    assert_int_equal(otter_definitions_read(path, &definitions), OTTER_OK);
    assert_false(definitions.content.has_end);
    assert_int_equal(definitions.content.end.ticks, 77);
    assert_int_equal(definitions.content.end.monotonic_ns, 78);
    otter_definitions_free(&definitions);
}

static void the_last_description_of_a_name_holds(void **state)
{
    struct otter_journal_definitions definitions =
        read_lines("describe A 1\ndescribe B 2\ndescribe A 3\n");
    assert_int_equal(definitions.content.n_descriptions, 2);
    assert_string_equal(definitions.content.descriptions[0].value, "3");
    otter_definitions_free(&definitions);
}

static void an_address_belongs_to_the_module_last_defined_there(void **state)
{
    struct otter_journal_definitions definitions =
        read_lines("module 1000 2000 0 - /a\nregion 2 4 0 1800\n"
                   "module 1000 2000 0 - /b\nregion 3 4 0 1801\n"
                   "region 4 4 0 2000\nregion 5 4 0 fff\n");
    assert_int_equal(definitions.content.regions[2].module, 1);
    assert_int_equal(definitions.content.regions[3].module, 2);
    assert_int_equal(definitions.content.regions[4].module, 0);
    assert_int_equal(definitions.content.regions[5].module, 0);
    otter_definitions_free(&definitions);
}

static void a_member_that_never_came_is_marked(void **state)
{
    struct otter_journal_definitions definitions = read_lines("team 1 0 3\nmember 1 1 0\n");
    assert_int_equal(definitions.content.teams[0].members[0], UINT32_MAX);
    assert_int_equal(definitions.content.teams[0].members[1], 0);
    assert_int_equal(definitions.content.teams[0].members[2], UINT32_MAX);
    otter_definitions_free(&definitions);
}

static void lines_that_make_no_sense_are_passed_over(void **state)
{
    static const char *const lines[] = {
        "",
        " ",
        "nonsense",
        "location",
        "location 0",
        "location 0 1",
        "location 1 1 1", // not the next
        "location -1 1 1",
        "location 0x0 1 1",
        "location 99999999999999999999 1 1",
        "region 65536 4 0 0",
        "region 2 4",
        "region 2 4 0",
        "region 2 4 0 xyz",
        "region 2 -4 0 0",
        "team 0 0 1",
        "team 2 0 1",
        "team 1 1 1", // a team that is its own parent
        "team 1 0 0",
        "team 1 0 4294967295",
        "member 0 0 0",
        "member 1 0 0", // without a team
        "module 1 2 3 4",
        "module x 2 3 4 5",
        "describe",
        "describe A",
        "count lost",
        "count lost many",
        "count found 3",
        "start 1 2",
        "end 1",
        "end 1 2 three",
        "files mapped",
        "files mapped 99999999999",
        "clock",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        char text[128];
        snprintf(text, sizeof(text), "%s\n", lines[i]);
        struct otter_journal_definitions definitions = read_lines(text);
        assert_int_equal(definitions.content.n_locations, 0);
        assert_int_equal(definitions.content.n_regions, 0);
        assert_int_equal(definitions.content.n_teams, 0);
        assert_int_equal(definitions.content.n_modules, 0);
        assert_int_equal(definitions.content.n_descriptions, 0);
        assert_int_equal(definitions.content.n_lost, 0);
        assert_int_equal(definitions.content.start.ticks, 0);
        assert_false(definitions.content.has_end);
        assert_int_equal(definitions.content.chunk_size, 262144);
        assert_int_equal(definitions.content.n_unread, 1);
        otter_definitions_free(&definitions);
    }
}

static void a_line_with_zeros_in_it_is_passed_over_and_the_next_one_counts(void **state)
{
    static const char text[] = "otter 1\nfiles mapped 262144\nclock monotonic\n"
                               "describe A\0 x\nlocation 0 1 7\n\0\0\0\0\nlocation 1 1 7\0\n"
                               "describe B 2\n";
    struct otter_journal_definitions definitions;
    assert_int_equal(otter_definitions_read(journal_of(text, sizeof(text) - 1), &definitions),
                     OTTER_OK);
    assert_int_equal(definitions.content.n_unread, 3);
    assert_int_equal(definitions.content.n_locations, 1); // the other line may be cut
    assert_string_equal(otter_content_description(&definitions.content, "A"), "");
    assert_string_equal(otter_content_description(&definitions.content, "B"), "2");
    assert_false(otter_content_is_complete(&definitions.content));
    otter_definitions_free(&definitions);
}

static void a_line_that_cannot_be_read_costs_none_behind_it(void **state)
{
    struct otter_journal_definitions definitions =
        read_lines("xocation 0 1 7\nlocation 1 2 8\nteam 1 0 2\ntxam 2 0 2\nteam 3 0 1\n"
                   "sp ce 0 Host\nspace 1 HBM\nmember 3 0 1\n");
    assert_int_equal(definitions.content.n_unread, 3);
    assert_int_equal(definitions.content.n_locations, 2);
    assert_int_equal(definitions.content.locations[0].kind, OTTER_THREAD_UNKNOWN);
    assert_int_equal(definitions.content.locations[0].os_thread, 0);
    assert_int_equal(definitions.content.locations[1].os_thread, 8);
    assert_int_equal(definitions.content.n_teams, 3);
    assert_int_equal(definitions.content.teams[1].size, 0);
    assert_int_equal(definitions.content.teams[2].members[0], 1);
    assert_int_equal(definitions.content.n_spaces, 2);
    assert_string_equal(definitions.content.spaces[1], "HBM");
    otter_definitions_free(&definitions);
}

static void more_spaces_than_there_may_be_are_unread(void **state)
{
    char lines[32 * (OTTER_MAX_SPACES + 1)] = "", *end = lines;
    for (int i = 0; i <= OTTER_MAX_SPACES; i++) {
        end += sprintf(end, "space %d space%d\n", i, i);
    }
    struct otter_journal_definitions definitions = read_lines(lines);
    assert_int_equal(definitions.content.n_unread, 1);
    assert_int_equal(definitions.content.n_spaces, OTTER_MAX_SPACES);
    assert_string_equal(definitions.content.spaces[OTTER_MAX_SPACES - 1], "space63");
    otter_definitions_free(&definitions);
}

static void more_streams_than_there_may_be_are_unread(void **state)
{
    char lines[32 * (OTTER_MAX_STREAMS + 2)] = "", *end = lines;
    end += sprintf(end, "device 0 0 a\n");
    for (int i = 0; i <= OTTER_MAX_STREAMS; i++) {
        end += sprintf(end, "stream %d 0\n", i);
    }
    struct otter_journal_definitions definitions = read_lines(lines);
    assert_int_equal(definitions.content.n_unread, 1);
    assert_int_equal(definitions.content.n_streams, OTTER_MAX_STREAMS);
    otter_definitions_free(&definitions);
}

static void check_devices(const char *lines, size_t n_unread, int first_number,
                          const char *first_type)
{
    struct otter_journal_definitions definitions = read_lines(lines);
    assert_int_equal(definitions.content.n_unread, n_unread);
    assert_int_equal(definitions.content.n_devices, 2);
    assert_int_equal(definitions.content.devices[0].number, first_number);
    assert_string_equal(definitions.content.devices[0].type, first_type);
    assert_int_equal(definitions.content.devices[1].number, 5);
    assert_int_equal(definitions.content.n_streams, 3);
    assert_int_equal(definitions.content.streams[0], 0);
    assert_int_equal(definitions.content.streams[1], 1);
    assert_int_equal(definitions.content.streams[2], 0);
    otter_definitions_free(&definitions);
}

static void a_device_or_stream_that_is_lost_costs_none_behind_it(void **state)
{
    check_devices("device 0 4 a\nstream 0 0\ndevice 1 5 b\nstream 1 1\nstream 2 0\n", 0, 4, "a");
    check_devices("dxvice 0 4 a\nstream 0 0\ndevice 1 5 b\nstream 1 1\nstream 2 0\n", 1, 0,
                  "unknown");
    check_devices("device 0 4 a\nstrxam 0 0\ndevice 1 5 b\nstream 1 1\nstream 2 0\n", 1, 4, "a");
    check_devices("device 0 4 a\nstream 0 0\ndevice 1 5 b\nstrxam 1 1\nstream 2 0\n", 1, 4, "a");
    check_devices("dxvice 0 4 a\nstrxam 0 0\ndevice 1 5 b\nstream 1 1\nstream 2 0\n", 2, 0,
                  "unknown");
    struct otter_journal_definitions definitions =
        read_lines("device 1 4 a\nstream 0 0\ndevice 64 4 a\nxxxxxxxxxxxxxxxxxxxxxxx\n"
                   "stream 256 0\nstream 0 64\n");
    assert_int_equal(definitions.content.n_devices, 1); // the stream's; 13 bytes were lost by then
    assert_int_equal(definitions.content.n_streams, 1);
    otter_definitions_free(&definitions);
}

// A short line, or none, reserves no memory for thousands of locations.
static void what_a_damaged_line_may_have_defined_is_no_more_than_it_had_room_for(void **state)
{
    struct otter_journal_definitions definitions =
        read_lines("location 1 1 7\nxx\nlocation 4000 1 7\nteam 9000 0 2\n");
    assert_int_equal(definitions.content.n_unread, 4);
    assert_int_equal(definitions.content.n_locations, 0);
    assert_int_equal(definitions.content.n_teams, 0);
    otter_definitions_free(&definitions);
}

// The shortest line that defines a number is "space 0 -" and its end.
static void what_is_too_short_for_a_line_has_defined_nothing(void **state)
{
    struct otter_journal_definitions definitions = read_lines("xpace 0 -\nspace 1 b\n");
    assert_int_equal(definitions.content.n_spaces, 2);
    otter_definitions_free(&definitions);
    definitions = read_lines("xpace 0 \nspace 1 b\n");
    assert_int_equal(definitions.content.n_spaces, 0);
    otter_definitions_free(&definitions);
}

// A lost line has defined either a location or a team, but not both.
static void what_is_missing_is_accounted_for_once(void **state)
{
    struct otter_journal_definitions definitions =
        read_lines("xocation 0 1 7\nlocation 1 1 7\nteam 2 0 1\n");
    assert_int_equal(definitions.content.n_unread, 2);
    assert_int_equal(definitions.content.n_locations, 2);
    assert_int_equal(definitions.content.n_teams, 0);
    otter_definitions_free(&definitions);
}

static void a_clock_that_is_not_told_is_known_by_its_ticks(void **state)
{
    struct otter_journal_definitions definitions = read_lines("start 9000000000 3000000000 5\n");
    assert_true(definitions.content.clock_is_counter && definitions.has_start);
    assert_false(definitions.has_clock);
    otter_definitions_free(&definitions);
    definitions = read_lines("start 3000000000 3000000100 5\n");
    assert_false(definitions.content.clock_is_counter || definitions.has_clock);
    otter_definitions_free(&definitions);
    definitions = read_lines("end 9000000000 3000000000 5\n");
    assert_true(definitions.content.clock_is_counter && definitions.content.has_end);
    assert_false(definitions.has_clock || definitions.has_start);
    otter_definitions_free(&definitions);
    definitions = read_lines("clock tsc\n");
    assert_true(definitions.content.clock_is_counter && definitions.has_clock);
    assert_false(definitions.has_start);
    otter_definitions_free(&definitions);
}

static void what_was_lost_cannot_be_read_or_was_given_up_is_no_complete_recording(void **state)
{
    static const char *const lines[] = {"count lost 1\n", "xocation 0 1 7\n",
                                        "describe STOPPED max-memory\n"};
    struct otter_journal_definitions definitions = read_lines("describe STOPPED -\n");
    assert_true(otter_content_is_complete(&definitions.content));
    otter_definitions_free(&definitions);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        definitions = read_lines(lines[i]);
        assert_false(otter_content_is_complete(&definitions.content));
        otter_definitions_free(&definitions);
    }
}

static void members_out_of_their_team_are_passed_over(void **state)
{
    struct otter_journal_definitions definitions =
        read_lines("team 1 0 2\nmember 1 2 0\nmember 2 0 0\nmember 1 4294967295 0\n");
    assert_int_equal(definitions.content.teams[0].members[0], UINT32_MAX);
    assert_int_equal(definitions.content.teams[0].members[1], UINT32_MAX);
    otter_definitions_free(&definitions);
}

static void a_thread_of_a_newer_kind_is_an_unknown_one(void **state)
{
    struct otter_journal_definitions definitions = read_lines("location 0 99 1\n");
    assert_int_equal(definitions.content.n_locations, 1);
    assert_int_equal(definitions.content.locations[0].kind, OTTER_THREAD_UNKNOWN);
    otter_definitions_free(&definitions);
}

static void expect_status(const char *text, enum otter_status expected)
{
    struct otter_journal_definitions definitions;
    enum otter_status status = read_text(text, &definitions);
    if (status != expected) {
        fail_msg("status %d of '%s'", status, text);
    }
}

static void expect_refusal(const char *text)
{
    expect_status(text, OTTER_BAD_ARCHIVE);
}

static void a_journal_without_its_head_is_of_a_recorder_that_died_at_its_start(void **state)
{
    static const uint8_t zeros[OTTER_JOURNAL_TEXT_OFFSET];
    struct otter_journal_definitions definitions;
    const char *path = in_test_folder("begun");
    for (size_t size = 0; size <= sizeof(zeros); size += sizeof(zeros) / 8) {
        write_file(path, zeros, size);
        assert_int_equal(otter_definitions_read(path, &definitions), OTTER_EMPTY);
    }
    expect_status("", OTTER_EMPTY);
    expect_status("otter 1\n", OTTER_EMPTY);
    expect_status("otter 1\nclock tsc\nstart 1 2 3\n", OTTER_EMPTY);
    expect_refusal("otter 1\nclock tsc\nsta");
    expect_refusal("otter 1\nnonsense\n");
    expect_refusal("otter 1\nlocation 0 1 1\n");
    expect_refusal("otter 1\nregion 2 1 0 0\n");
    expect_refusal("otter 2\n");
}

static void what_is_beyond_the_limit_has_a_region_of_its_construct(void **state)
{
    struct otter_journal_definitions definitions = read_lines("further 2 1\n");
    assert_int_equal(definitions.content.n_beyond,
                     1); // the end of the recording has its count
    assert_int_equal(definitions.content.regions[2].construct, 1);
    assert_null(definitions.content.regions[2].label);
    otter_definitions_free(&definitions);
    char lines[64];
    snprintf(lines, sizeof(lines), "further 2 %d\ncount beyond 7\n", OTTER_CONSTRUCT_KOKKOS_FOR);
    definitions = read_lines(lines);
    assert_int_equal(definitions.content.n_beyond, 7);
    assert_string_equal(definitions.content.regions[2].label, "unknown");
    otter_definitions_free(&definitions);
    definitions = read_lines("further 2 0\nfurther 65536 1\nfurther 2\n");
    assert_int_equal(definitions.content.n_beyond, 1);
    assert_int_equal(definitions.content.n_unread, 2);
    otter_definitions_free(&definitions);
}

static void what_cannot_be_a_journal_is_refused(void **state)
{
    expect_refusal("files mapped 262144\n"); // no schema
    expect_refusal("otter 0\nfiles mapped 262144\n");
    expect_refusal("otter 2\nfiles mapped 262144\n");
    expect_refusal("otter 1\nfiles mapped 0\n");
    struct otter_journal_definitions definitions;
    assert_int_equal(otter_definitions_read(in_test_folder("nothing"), &definitions),
                     OTTER_NOT_FOUND);
    assert_int_not_equal(otter_definitions_read(in_test_folder("."), &definitions), OTTER_OK);
}

// A stranger's recording may contain a pipe, and opening a pipe blocks.
static void a_pipe_is_no_journal(void **state)
{
    struct otter_journal_definitions definitions;
    struct otter_recording recording;
    const char *folder = in_test_folder("pipe"), *journal = in_test_folder("pipe/journal");
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(mkfifo(journal, 0600), 0);
    assert_int_equal(otter_definitions_read(journal, &definitions), OTTER_BAD_ARCHIVE);
    assert_int_equal(otter_recording_open(folder, &recording), OTTER_BAD_ARCHIVE);
}

// A stranger's recording may contain a link to a file outside of it.
static void a_link_is_no_journal(void **state)
{
    struct otter_journal_definitions definitions;
    struct otter_recording recording;
    const char *folder = in_test_folder("link"), *link = in_test_folder("link/journal");
    const char *journal = journal_of(head, strlen(head));
    assert_int_equal(otter_definitions_read(journal, &definitions), OTTER_OK);
    otter_definitions_free(&definitions);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(symlink(journal, link), 0);
    assert_int_not_equal(otter_definitions_read(link, &definitions), OTTER_OK);
    assert_int_not_equal(otter_recording_open(folder, &recording), OTTER_OK);
}

// Sealing event files trusts the chunk size, and no recorder writes a size outside the setting's
// bounds.
static void a_chunk_size_that_no_recorder_uses_is_refused(void **state)
{
    expect_refusal("otter 1\nfiles mapped 1\n");
    expect_refusal("otter 1\nfiles mapped 17\n");
    expect_refusal("otter 1\nfiles mapped 262143\n");
    expect_refusal("otter 1\nfiles mapped 16777217\n");
}

// Higher numbers belong to streams during the recording, so two locations would share a file.
static void there_are_no_more_locations_than_a_recorder_has(void **state)
{
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE);
    size_t n = (size_t)snprintf(text, SIZE, "otter 1\nfiles mapped 262144\n");
    for (unsigned i = 0; i <= OTTER_MAX_LOCATIONS; i++) {
        n += (size_t)snprintf(text + n, SIZE - n, "location %u 1 1\n", i);
    }
    struct otter_journal_definitions definitions;
    assert_int_equal(otter_definitions_read(journal_of(text, n), &definitions), OTTER_OK);
    assert_int_equal(definitions.content.n_locations, OTTER_MAX_LOCATIONS);
    otter_definitions_free(&definitions);
    free(text);
}

static void a_journal_cut_anywhere_is_refused_or_read_as_far_as_it_goes(void **state)
{
    size_t size;
    uint8_t *bytes = read_file(journal_with_all_lines(), &size);
    struct otter_journal_header header;
    memcpy(&header, bytes, sizeof(header));
    const char *path = in_test_folder("cut");
    write_file(path, bytes, OTTER_JOURNAL_TEXT_OFFSET + header.length);
    int file = open(path, O_WRONLY);
    for (uint64_t length = 0; length <= header.length; length++) { // a length that was published
        assert_int_equal(
            pwrite(file, &length, sizeof(length), offsetof(struct otter_journal_header, length)),
            sizeof(length));
        struct otter_journal_definitions definitions;
        enum otter_status status = otter_definitions_read(path, &definitions);
        assert_true(status == OTTER_OK || status == OTTER_BAD_ARCHIVE || status == OTTER_EMPTY);
        if (!status) {
            assert_in_range(definitions.content.n_locations, 0, 2);
            otter_definitions_free(&definitions);
        }
    }
    close(file);
    static const char before[] = "otter 1\nclock tsc\nstart 1000 2000 3000\nfiles mapped 1048576\n";
    off_t behind_files = OTTER_JOURNAL_TEXT_OFFSET + (off_t)strlen(before);
    for (off_t cut = (off_t)(OTTER_JOURNAL_TEXT_OFFSET + header.length) - 1; cut > 0;
         cut -= 7) { // a file that ends too early
        assert_int_equal(truncate(path, cut), 0);
        struct otter_journal_definitions definitions;
        enum otter_status status = otter_definitions_read(path, &definitions);
        assert_int_equal(status, cut < behind_files ? OTTER_BAD_ARCHIVE : OTTER_OK);
        if (!status) {
            assert_in_range(definitions.content.n_unread, 1, 2);
            assert_false(definitions.content.has_end);
            otter_definitions_free(&definitions);
        }
    }
    free(bytes);
}

static void a_length_that_cannot_be_is_that_of_the_file(void **state)
{
    static const uint64_t lengths[] = {1000, UINT64_C(1) << 30, UINT64_C(1) << 40, UINT64_MAX,
                                       UINT64_MAX - 4095};
    size_t size;
    uint8_t *bytes = read_file(journal_of(head, strlen(head)), &size);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        memcpy(bytes + offsetof(struct otter_journal_header, length), &lengths[i],
               sizeof(lengths[i]));
        write_file(in_test_folder("length"), bytes, size);
        struct otter_journal_definitions definitions;
        assert_int_equal(otter_definitions_read(in_test_folder("length"), &definitions), OTTER_OK);
        assert_int_equal(definitions.content.n_unread, 1);
        assert_int_equal(definitions.content.chunk_size, 262144);
        otter_definitions_free(&definitions);
    }
    free(bytes);
}

// No recorder writes more lines: the reader stops, however long the file is. Most of this file is a
// hole.
static void what_is_behind_the_longest_text_is_not_read(void **state)
{
    static const char last[] = "\nlocation 0 1 7\n", behind[] = "location 1 1 7\n";
    const char *path = journal_of(head, strlen(head));
    struct otter_journal_header header = {.magic = OTTER_JOURNAL_MAGIC,
                                          .length = OTTER_JOURNAL_MAX_TEXT + strlen(behind)};
    off_t end = OTTER_JOURNAL_TEXT_OFFSET + OTTER_JOURNAL_MAX_TEXT;
    int file = open(path, O_WRONLY);
    assert_int_equal(pwrite(file, &header, sizeof(header), 0), sizeof(header));
    assert_int_equal(pwrite(file, last, strlen(last), end - (off_t)strlen(last)), strlen(last));
    assert_int_equal(pwrite(file, behind, strlen(behind), end), strlen(behind));
    close(file);
    struct otter_journal_definitions definitions;
    assert_int_equal(otter_definitions_read(path, &definitions), OTTER_OK);
    assert_int_equal(definitions.content.n_locations, 1);
    assert_int_equal(definitions.content.n_unread, 2); // the hole, and what is after it
    otter_definitions_free(&definitions);
    unlink(path);
}

// Memory is bounded by the content of the file, not by its claims. Lines at the end define none of
// the numbers before them.
static void a_length_that_is_claimed_makes_no_room(void **state)
{
    static const char text[] = "otter 1\nfiles mapped 262144\nteam 1000000 0 1\nlocation 3 1 7\n";
    size_t size;
    uint8_t *bytes = read_file(journal_of(text, sizeof(text) - 1), &size);
    uint64_t length = sizeof(text) - 1 + 1000000;
    memcpy(bytes + offsetof(struct otter_journal_header, length), &length, sizeof(length));
    write_file(in_test_folder("claim"), bytes, size);
    free(bytes);
    struct otter_journal_definitions definitions;
    assert_int_equal(otter_definitions_read(in_test_folder("claim"), &definitions), OTTER_OK);
    assert_int_equal(definitions.content.n_unread, 3);
    assert_int_equal(definitions.content.n_teams, 0);
    assert_int_equal(definitions.content.n_locations, 0);
    assert_true(otter_gap_is_possible(&definitions, 5, 0)); // room for five lines
    assert_false(otter_gap_is_possible(&definitions, sizeof(text), 0));
    otter_definitions_free(&definitions);
}

// Replaces one byte after the other. No replacement causes a crash, or an access outside the
// buffers (AddressSanitizer).
static void any_damage_is_survived(void **state)
{
    static const char wrong[] = {'\0', ' ', '\n', '9', '-', '%', 'f', (char)0xff};
    size_t size;
    uint8_t *bytes = read_file(journal_with_all_lines(), &size);
    struct otter_journal_header header;
    memcpy(&header, bytes, sizeof(header));
    const char *path = in_test_folder("damaged");
    write_file(path, bytes, OTTER_JOURNAL_TEXT_OFFSET + header.length);
    int file = open(path, O_WRONLY);
    for (size_t i = 0; i < header.length; i++) {
        off_t at = (off_t)(OTTER_JOURNAL_TEXT_OFFSET + i);
        for (size_t k = 0; k < sizeof(wrong); k++) {
            assert_int_equal(pwrite(file, &wrong[k], 1, at), 1);
            struct otter_journal_definitions definitions;
            if (otter_definitions_read(path, &definitions) == OTTER_OK) {
                otter_definitions_free(&definitions);
            }
        }
        assert_int_equal(pwrite(file, bytes + at, 1, at), 1);
    }
    close(file);
    free(bytes);
}

enum { N_HOSTILE_TEAMS = 20000 };

static char hostile[N_HOSTILE_TEAMS * 24];

// Announces teams of the largest size without members: 20 bytes of text for 256 KiB of members.
static void read_hostile_teams(void)
{
    struct rlimit limit = {.rlim_cur = UINT64_C(1) << 30, .rlim_max = UINT64_C(1) << 30};
    struct otter_journal_definitions definitions;
    const char *path = journal_of(hostile, strlen(hostile));
    setrlimit(RLIMIT_AS, &limit);
    enum otter_status status = otter_definitions_read(path, &definitions);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    if (status == OTTER_OK) {
        otter_definitions_free(&definitions);
    }
    _exit(usage.ru_maxrss > 256 * 1024 ? 2 : 0);
}

static void a_hostile_journal_does_not_eat_the_memory(void **state)
{
    if (IS_SANITIZED) { // a sanitizer reserves much address space
        skip();
    }
    size_t n = (size_t)sprintf(hostile, "%s", head);
    for (int i = 1; i <= N_HOSTILE_TEAMS; i++) {
        n += (size_t)sprintf(hostile + n, "team %d 0 65536\n", i);
    }
    int status = status_of_child(read_hostile_teams);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void without_memory_no_line_is_lost_in_silence(void **state)
{
    const char *path = journal_with_all_lines();
    for (size_t nth = 1;; nth++) {
        struct otter_journal_definitions definitions;
        fail_allocation(nth);
        enum otter_status status = otter_definitions_read(path, &definitions);
        size_t n = n_allocations();
        fail_allocation(0);
        if (nth > n) {
            assert_int_equal(status, OTTER_OK);
            check_lists(&definitions);
            otter_definitions_free(&definitions);
            break;
        }
        assert_int_equal(status, OTTER_NO_MEMORY); // and not a journal with one line missing
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_line_arrives),
        cmocka_unit_test(without_an_end_the_late_reading_stands_for_it),
        cmocka_unit_test(the_last_description_of_a_name_holds),
        cmocka_unit_test(an_address_belongs_to_the_module_last_defined_there),
        cmocka_unit_test(a_member_that_never_came_is_marked),
        cmocka_unit_test(lines_that_make_no_sense_are_passed_over),
        cmocka_unit_test(a_line_with_zeros_in_it_is_passed_over_and_the_next_one_counts),
        cmocka_unit_test(a_line_that_cannot_be_read_costs_none_behind_it),
        cmocka_unit_test(more_spaces_than_there_may_be_are_unread),
        cmocka_unit_test(more_streams_than_there_may_be_are_unread),
        cmocka_unit_test(a_device_or_stream_that_is_lost_costs_none_behind_it),
        cmocka_unit_test(what_a_damaged_line_may_have_defined_is_no_more_than_it_had_room_for),
        cmocka_unit_test(what_is_too_short_for_a_line_has_defined_nothing),
        cmocka_unit_test(what_is_missing_is_accounted_for_once),
        cmocka_unit_test(a_clock_that_is_not_told_is_known_by_its_ticks),
        cmocka_unit_test(what_was_lost_cannot_be_read_or_was_given_up_is_no_complete_recording),
        cmocka_unit_test(members_out_of_their_team_are_passed_over),
        cmocka_unit_test(a_thread_of_a_newer_kind_is_an_unknown_one),
        cmocka_unit_test(what_cannot_be_a_journal_is_refused),
        cmocka_unit_test(a_journal_without_its_head_is_of_a_recorder_that_died_at_its_start),
        cmocka_unit_test(what_is_beyond_the_limit_has_a_region_of_its_construct),
        cmocka_unit_test(a_pipe_is_no_journal),
        cmocka_unit_test(a_link_is_no_journal),
        cmocka_unit_test(a_chunk_size_that_no_recorder_uses_is_refused),
        cmocka_unit_test(there_are_no_more_locations_than_a_recorder_has),
        cmocka_unit_test(a_journal_cut_anywhere_is_refused_or_read_as_far_as_it_goes),
        cmocka_unit_test(a_length_that_cannot_be_is_that_of_the_file),
        cmocka_unit_test(what_is_behind_the_longest_text_is_not_read),
        cmocka_unit_test(a_length_that_is_claimed_makes_no_room),
        cmocka_unit_test(any_damage_is_survived),
        cmocka_unit_test(a_hostile_journal_does_not_eat_the_memory),
        cmocka_unit_test(without_memory_no_line_is_lost_in_silence),
    };
    return cmocka_run_group_tests_name("definitions", tests, make_test_folder, remove_test_folder);
}
