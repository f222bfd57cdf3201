// Writing the journal: pieces, threads, full disks and limits.
#include "unit.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failing.h"
#include "folder.h"
#include "recording/finish/fields.h"
#include "recording/journal.h"

static struct otter_journal *create(const char *path)
{
    struct otter_journal *journal = NULL;
    assert_int_equal(otter_journal_create(path, true, &journal), OTTER_OK);
    return journal;
}

// Returns the text that the file's header covers; the caller frees it.
static char *text_of(const char *path, uint64_t *length)
{
    size_t size = 0;
    uint8_t *bytes = read_file(path, &size);
    assert_non_null(bytes);
    struct otter_journal_header header;
    memcpy(&header, bytes, sizeof(header));
    assert_true(header.magic == OTTER_JOURNAL_MAGIC);
    *length = header.length;
    assert_true(OTTER_JOURNAL_TEXT_OFFSET + *length <= size);
    char *text = calloc(1, *length + 1);
    memcpy(text, bytes + OTTER_JOURNAL_TEXT_OFFSET, *length);
    free(bytes);
    return text;
}

static void lines_are_in_the_file_as_soon_as_they_are_added(void **state)
{
    const char *path = in_test_folder("added");
    struct otter_journal *journal = create(path);
    assert_int_equal(otter_journal_add(journal, "one %d", 1), OTTER_OK);
    assert_int_equal(otter_journal_add(journal, "two %s", "2"), OTTER_OK);

    uint64_t length;
    char *text = text_of(path, &length); // the journal is still open
    assert_string_equal(text, "one 1\ntwo 2\n");
    free(text);
    otter_journal_close(journal);
}

static void without_a_mapping_they_are_there_as_well(void **state)
{
    const char *path = in_test_folder("written");
    struct otter_journal *journal = NULL;
    assert_int_equal(otter_journal_create(path, false, &journal), OTTER_OK);
    assert_false(otter_journal_is_mapped(journal));
    assert_int_equal(otter_journal_add(journal, "one %d", 1), OTTER_OK);
    assert_int_equal(otter_journal_add(journal, "two %s", "2"), OTTER_OK);
    otter_journal_note_clock(journal, &(struct otter_clock_reading){.ticks = 5, .monotonic_ns = 6});

    uint64_t length;
    char *text = text_of(path, &length); // the journal is still open
    assert_string_equal(text, "one 1\ntwo 2\n");
    free(text);
    struct otter_journal_header header;
    size_t size;
    uint8_t *bytes = read_file(path, &size);
    memcpy(&header, bytes, sizeof(header));
    free(bytes);
    assert_int_equal(header.late_ticks, 5);
    assert_int_equal(header.late_monotonic_ns, 6);
    otter_journal_close(journal);
}

// From here on no file can be mapped, not even privately: mmap fails if its argument 4 is a
// descriptor.
static int refuse_mappings_of_files(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, UINT32_MAX, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof(code) / sizeof(code[0]), .filter = code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void write_hidden(void)
{
    struct otter_journal *journal = NULL;
    if (refuse_mappings_of_files()) {
        _exit(77);
    }
    if (otter_journal_create(in_test_folder("hidden"), true, &journal) ||
        otter_journal_is_mapped(journal) || otter_journal_add(journal, "one")) {
        _exit(1);
    }
    otter_journal_close(journal);
    _exit(0);
}

static bool says_hidden(const char *path)
{
    struct otter_journal_header header;
    size_t size;
    uint8_t *bytes = read_file(path, &size);
    memcpy(&header, bytes, sizeof(header));
    free(bytes);
    return header.is_hidden;
}

static void where_nothing_shows_who_writes_it_the_file_says_so(void **state)
{
    int status = status_of_child(write_hidden);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) {
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_true(says_hidden(in_test_folder("hidden")));
    struct otter_journal *journal = NULL;
    assert_int_equal(otter_journal_create(in_test_folder("shown"), false, &journal), OTTER_OK);
    assert_int_equal(otter_journal_add(journal, "one"), OTTER_OK);
    assert_false(says_hidden(in_test_folder("shown")));
    otter_journal_close(journal);
}

static void the_text_grows_over_several_pieces(void **state)
{
    enum { N = 30000 }; // of 40 bytes: more than four pieces
    const char *path = in_test_folder("grows");
    use_pages(65536);
    struct otter_journal *journal = create(path);
    for (int i = 0; i < N; i++) {
        assert_int_equal(otter_journal_add(journal, "line %034d", i), OTTER_OK);
    }
    assert_true(otter_journal_is_mapped(journal));
    otter_journal_close(journal);
    use_pages(0);

    uint64_t length;
    char *text = text_of(path, &length);
    assert_int_equal(length, N * 40);
    for (int i = 0; i < N; i++) {
        char expected[48];
        snprintf(expected, sizeof(expected), "line %034d\n", i);
        assert_memory_equal(text + 40 * i, expected, 40);
    }
    free(text);
}

static void a_line_too_long_is_refused_whole(void **state)
{
    const char *path = in_test_folder("long");
    struct otter_journal *journal = create(path);
    char line[100000];
    memset(line, 'x', sizeof(line) - 1);
    line[sizeof(line) - 1] = '\0';
    assert_int_equal(otter_journal_add(journal, "%s", line), OTTER_BAD_VALUE);
    line[8000] = '\0';
    assert_int_equal(otter_journal_add(journal, "%s", line), OTTER_OK);
    otter_journal_close(journal);

    uint64_t length;
    char *text = text_of(path, &length);
    assert_int_equal(length, 8001);
    free(text);
}

enum { N_ADDERS = 4, N_LINES = 10000 };

static pthread_barrier_t all_adders; // all threads begin at once

struct adder {
    struct otter_journal *journal;
    int number;
};

static void *add_lines(void *user)
{
    const struct adder *adder = user;
    pthread_barrier_wait(&all_adders);
    for (int i = 0; i < N_LINES; i++) {
        otter_journal_add(adder->journal, "adder %d line %d", adder->number, i);
        struct otter_clock_reading reading = {.ticks = (uint64_t)i + 1,
                                              .monotonic_ns = (uint64_t)i + 1};
        otter_journal_note_clock(adder->journal, &reading);
    }
    return NULL;
}

static void adders_do_not_mix(void **state)
{
    const char *path = in_test_folder("adders");
    struct otter_journal *journal = create(path);
    pthread_t threads[N_ADDERS];
    struct adder adders[N_ADDERS];
    pthread_barrier_init(&all_adders, NULL, N_ADDERS);
    for (int i = 0; i < N_ADDERS; i++) {
        adders[i] = (struct adder){journal, i};
        assert_int_equal(pthread_create(&threads[i], NULL, add_lines, &adders[i]), 0);
    }
    for (int i = 0; i < N_ADDERS; i++) {
        pthread_join(threads[i], NULL);
    }
    otter_journal_close(journal);

    uint64_t length;
    char *text = text_of(path, &length), *rest = text;
    int next[N_ADDERS] = {0};
    for (char *line; (line = strsep(&rest, "\n")) && *line;) {
        int adder, number, n = 0;
        assert_int_equal(sscanf(line, "adder %d line %d%n", &adder, &number, &n), 2);
        assert_int_equal(n, strlen(line));
        assert_in_range(adder, 0, N_ADDERS - 1);
        assert_int_equal(number, next[adder]++);
    }
    for (int i = 0; i < N_ADDERS; i++) {
        assert_int_equal(next[i], N_LINES);
    }
    free(text);
}

static void a_file_that_exists_is_left_as_it_is(void **state)
{
    const char *path = in_test_folder("exists");
    write_file(path, "precious", 8);
    struct otter_journal *journal = NULL;
    assert_int_equal(otter_journal_create(path, true, &journal), OTTER_EXISTS);
    assert_null(journal);
    size_t size;
    uint8_t *bytes = read_file(path, &size);
    assert_string_equal((char *)bytes, "precious");
    free(bytes);
}

static void a_link_is_not_followed(void **state)
{
    const char *path = in_test_folder("link"), *target = in_test_folder("target");
    assert_int_equal(symlink(target, path), 0);
    struct otter_journal *journal = NULL;
    assert_int_not_equal(otter_journal_create(path, true, &journal), OTTER_OK);
    assert_false(exists(target));
}

static void a_folder_that_is_not_there_or_not_ours_says_so(void **state)
{
    struct otter_journal *journal = NULL;
    assert_int_equal(otter_journal_create(in_test_folder("none/journal"), true, &journal),
                     OTTER_NOT_FOUND);
    assert_int_equal(mkdir(in_test_folder("readonly"), 0555), 0);
    if (geteuid() == 0) { // permissions do not stop root, but /proc accepts no new files
        assert_int_not_equal(otter_journal_create("/proc/otter-journal", true, &journal), OTTER_OK);
    } else {
        assert_int_equal(otter_journal_create(in_test_folder("readonly/journal"), true, &journal),
                         OTTER_DENIED);
    }
    assert_null(journal);
}

enum { N_UNTIL_FULL = (256 * 1024 - OTTER_JOURNAL_TEXT_OFFSET) / 40 };

// The limit simulates a full disk: posix_fallocate fails in the same way.
static void fill_the_disk(void)
{
    struct rlimit limit = {.rlim_cur = 256 * 1024, .rlim_max = RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    struct otter_journal *journal = NULL;
    if (otter_journal_create(in_test_folder("full"), true, &journal)) {
        _exit(2);
    }
    int n = 0;
    while (n < 20000 && otter_journal_add(journal, "line %034d", n) == OTTER_OK) {
        n++;
    }
    otter_journal_add(journal, "%s", "after"); // this fails or fits, but does no harm
    _exit(n == N_UNTIL_FULL ? 0 : 3);
}

static void on_a_full_disk_complete_lines_stay_and_no_signal_comes(void **state)
{
    int status = status_of_child(fill_the_disk);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);

    uint64_t length;
    char *text = text_of(in_test_folder("full"), &length);
    size_t n = N_UNTIL_FULL;
    assert_memory_equal(text + 40 * (n - 1), "line 0000", 9);
    assert_int_equal(text[length - 1], '\n');
    assert_true(length == 40 * n || strcmp(text + 40 * n, "after\n") == 0);
    free(text);
}

// A line that fits only in part, and a line that fits when there is room again.
static void fail_to_write_a_line(void)
{
    struct rlimit limit = {.rlim_cur = OTTER_JOURNAL_TEXT_OFFSET + 20, .rlim_max = RLIM_INFINITY};
    struct otter_journal *journal = NULL;
    if (otter_journal_create(in_test_folder("again"), false, &journal) ||
        otter_journal_add(journal, "first")) {
        _exit(2);
    }
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    enum otter_status failed = otter_journal_add(journal, "second, which is longer");
    limit.rlim_cur = RLIM_INFINITY;
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(failed && !otter_journal_add(journal, "third") ? 0 : 3);
}

static void a_line_that_could_not_be_written_is_none_and_the_next_one_is_in_its_place(void **state)
{
    uint64_t length;
    assert_int_equal(status_of_child(fail_to_write_a_line), 0);
    char *text = text_of(in_test_folder("again"), &length);
    assert_int_equal(length, strlen("first\nthird\n"));
    assert_memory_equal(text, "first\nthird\n", length);
    free(text);
}

// *Returns* the number of bytes in lines of this length that begin with the word.
static uint64_t add_until_full(struct otter_journal *journal, const char *word, int length)
{
    uint64_t n = 0;
    enum otter_status status;
    while (!(status = otter_journal_add(journal, "%-*s", length - 1, word))) {
        n += (uint64_t)length;
    }
    assert_int_equal(status, OTTER_NO_SPACE);
    return n;
}

static void the_last_room_is_for_what_an_archive_cannot_do_without(void **state)
{
    static const char *const vital[] = {"location 0 1 7", "device 0 1 -", "stream 0 0",
                                        "count lost 5", "end 1 2 3"};
    const uint64_t shared = OTTER_JOURNAL_MAX_TEXT - OTTER_JOURNAL_RESERVE;
    const char *path = in_test_folder("reserve");
    struct otter_journal *journal = NULL;
    assert_int_equal(otter_journal_create(path, false, &journal), OTTER_OK);
    uint64_t n = add_until_full(journal, "chunk ", 16000);
    assert_in_range(n, OTTER_JOURNAL_MAX_TEXT / 2 - 16000, OTTER_JOURNAL_MAX_TEXT / 2);
    n += add_until_full(journal, "region ", 16000);
    n += add_until_full(journal, "region ", 10);
    assert_in_range(n, shared - 10, shared);
    for (size_t i = 0; i < sizeof(vital) / sizeof(vital[0]); i++) {
        assert_int_equal(otter_journal_add(journal, "%s", vital[i]), OTTER_OK);
        n += strlen(vital[i]) + 1;
    }
    n += add_until_full(journal, "location ", 16000);
    assert_in_range(n, OTTER_JOURNAL_MAX_TEXT - 16000, OTTER_JOURNAL_MAX_TEXT);
    otter_journal_close(journal);
    unlink(path);
}

static void texts_survive_encoding(void **state)
{
    static const char *const texts[] = {
        "",          "plain", "-", "--", "-x", "a b",  "100%",     "%41",
        "\n\t\r",    "a-b",   " ", "%",  "%%", "\x7f", "\x01\x1f", "gr\xc3\xbc\xc3\x9f",
        "/a b/c%20d"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        char encoded[128];
        assert_ptr_equal(otter_journal_encode(texts[i], encoded, sizeof(encoded)), encoded);
        assert_true(strlen(encoded) > 0);
        for (const char *c = encoded; *c; c++) {
            assert_true((unsigned char)*c > ' ' && *c != 0x7f);
        }
        otter_journal_decode(encoded);
        assert_string_equal(encoded, texts[i]);
    }
}

static void what_does_not_fit_is_cut_at_a_character(void **state)
{
    char encoded[64];
    for (size_t size = 2; size < 40; size++) {
        memset(encoded, 'Z', sizeof(encoded));
        otter_journal_encode("a b c d e f g h i j k l m", encoded, size);
        assert_true(strlen(encoded) < size);
        for (size_t i = size; i < sizeof(encoded); i++) {
            assert_int_equal(encoded[i], 'Z');
        }
        char decoded[64];
        snprintf(decoded, sizeof(decoded), "%s", encoded);
        otter_journal_decode(decoded);
        assert_memory_equal(decoded, "a b c d e f g h i j k l m", strlen(decoded));
    }
}

static void what_does_not_fit_has_no_part_of_a_character(void **state)
{
    static const char text[] = "ab\xf0\x9f\x98\x80"
                               "cd\xe2\x82\xac\xc3\xa9z";
    char encoded[32];
    for (size_t size = 7; size < sizeof(encoded); size++) {
        otter_journal_encode(text, encoded, size);
        assert_memory_equal(encoded, text, strlen(encoded));
        assert_int_not_equal(text[strlen(encoded)] & 0xc0,
                             0x80); // the rest begins with a complete character
    }
    assert_string_equal(encoded, text);
}

static void what_was_never_encoded_is_decoded_without_harm(void **state)
{
    static const char *const texts[][2] = {{"%", "%"},       {"%4", "%4"}, {"%zz", "%zz"},
                                           {"%4%41", "%4A"}, {"a%", "a%"}, {"%%41", "%A"},
                                           {"%G1", "%G1"},   {"--", "--"}};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        char text[16];
        snprintf(text, sizeof(text), "%s", texts[i][0]);
        otter_journal_decode(text);
        assert_string_equal(text, texts[i][1]);
    }
}

static void without_memory_there_is_no_journal_and_no_file(void **state)
{
    const char *path = in_test_folder("memory");
    for (size_t nth = 1; nth <= 2; nth++) {
        struct otter_journal *journal = NULL;
        fail_allocation(nth);
        enum otter_status status = otter_journal_create(path, true, &journal);
        fail_allocation(0);
        assert_int_equal(status, OTTER_NO_MEMORY);
        assert_null(journal);
        assert_false(exists(path));
    }
}

static void an_absent_field_has_no_number(void **state)
{
    (void)state;
    char line[] = "x 1f";
    struct otter_fields fields = otter_fields_split(line);
    uint64_t value = 0;
    assert_true(otter_fields_hexadecimal(&fields, 1, &value));
    assert_int_equal(value, 0x1f);
    fields.at[2] = fields.at[1];
    assert_false(otter_fields_hexadecimal(&fields, 2, &value));
    assert_false(otter_fields_numbers(&fields, 2, 1, UINT64_MAX, &value));
    assert_string_equal(otter_fields_text(&fields, 2), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_absent_field_has_no_number),
        cmocka_unit_test(lines_are_in_the_file_as_soon_as_they_are_added),
        cmocka_unit_test(without_a_mapping_they_are_there_as_well),
        cmocka_unit_test(where_nothing_shows_who_writes_it_the_file_says_so),
        cmocka_unit_test(the_text_grows_over_several_pieces),
        cmocka_unit_test(a_line_too_long_is_refused_whole),
        cmocka_unit_test(adders_do_not_mix),
        cmocka_unit_test(a_file_that_exists_is_left_as_it_is),
        cmocka_unit_test(a_link_is_not_followed),
        cmocka_unit_test(a_folder_that_is_not_there_or_not_ours_says_so),
        cmocka_unit_test(on_a_full_disk_complete_lines_stay_and_no_signal_comes),
        cmocka_unit_test(a_line_that_could_not_be_written_is_none_and_the_next_one_is_in_its_place),
        cmocka_unit_test(the_last_room_is_for_what_an_archive_cannot_do_without),
        cmocka_unit_test(texts_survive_encoding),
        cmocka_unit_test(what_does_not_fit_is_cut_at_a_character),
        cmocka_unit_test(what_does_not_fit_has_no_part_of_a_character),
        cmocka_unit_test(what_was_never_encoded_is_decoded_without_harm),
        cmocka_unit_test(without_memory_there_is_no_journal_and_no_file),
    };
    return cmocka_run_group_tests_name("journal", tests, make_test_folder, remove_test_folder);
}
