// Opening files: descriptors (including 0 to 2), links and pipes.
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "folder.h"

enum { N_STANDARD = 3, N_ROUNDS = 3000, GOOD = 7 };

static atomic_bool has_ended;

// *Returns* the path itself if something can be read or written.
static void *use_standard_files(void *user)
{
    char byte = 'x';
    bool has_failed = true;
    while (has_failed && !atomic_load(&has_ended)) {
        has_failed = read(STDIN_FILENO, &byte, 1) < 0 && errno == EBADF &&
                     write(STDOUT_FILENO, &byte, 1) < 0 && errno == EBADF &&
                     write(STDERR_FILENO, &byte, 1) < 0 && errno == EBADF;
    }
    return has_failed ? NULL : &has_ended;
}

static void close_standard_files(void)
{
    for (int i = 0; i < N_STANDARD; i++) {
        close(i);
    }
}

static void *open_and_close(void *user)
{
    for (int i = 0; i < N_ROUNDS; i++) {
        int file = otter_file_open(user, O_RDWR | O_CREAT);
        if (file < N_STANDARD) {
            return &has_ended;
        }
        close(file);
    }
    return NULL;
}

static void open_while_they_are_used(void)
{
    pthread_t user, other;
    void *used, *opened, *opened_too;
    char path[512];
    snprintf(path, sizeof(path), "%s", in_test_folder("file"));
    close_standard_files();
    pthread_create(&user, NULL, use_standard_files, NULL);
    pthread_create(&other, NULL, open_and_close, path);
    opened = open_and_close(path);
    pthread_join(other, &opened_too);
    atomic_store(&has_ended, true);
    pthread_join(user, &used);
    int next = open("/", O_RDONLY); // no descriptor leaks
    _exit(!used && !opened && !opened_too && next == STDIN_FILENO ? GOOD : 1);
}

static void a_file_of_ours_is_never_a_standard_file(void **state)
{
    int status = status_of_child(open_while_they_are_used);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), GOOD);
}

static void put_a_file_in_a_taken_place(void)
{
    close_standard_files();
    otter_file_occupy_standard();
    int own = open("/dev/null", O_WRONLY);
    dup2(own, STDOUT_FILENO);
    otter_file_release_standard();
    bool is_there = write(STDOUT_FILENO, "x", 1) == 1;
    _exit(own >= N_STANDARD && is_there && fcntl(STDERR_FILENO, F_GETFD) < 0 ? GOOD : 1);
}

static void what_the_program_puts_there_meanwhile_stays(void **state)
{
    int status = status_of_child(put_a_file_in_a_taken_place);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), GOOD);
}

static void fork_while_they_are_taken(void (*in_child)(void))
{
    close_standard_files();
    otter_file_occupy_standard();
    pid_t child = fork();
    if (child == 0) {
        otter_file_forget();
        in_child();
        _exit(open("/", O_RDONLY) == STDIN_FILENO ? GOOD : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static void open_one(void)
{
    close(otter_file_open("/dev/null", O_RDONLY));
}

// Opens the file that the thread was about to open when it forked, in the parent and in the child.
static void go_on_opening(void)
{
    otter_file_release_standard();
    open_one();
}

static void fork_while_another_opens(void)
{
    fork_while_they_are_taken(open_one);
}

static void fork_while_opening(void)
{
    fork_while_they_are_taken(go_on_opening);
}

static void a_child_has_them_free_again(void **state)
{
    static void (*const ways[])(void) = {fork_while_another_opens, fork_while_opening};
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        int status = status_of_child(ways[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), GOOD);
    }
}

// The program's own paths are not Otter's descriptors, even if they look alike.
static void put_paths_in_places_that_were_taken(void)
{
    close_standard_files();
    open_one();
    for (int i = 0; i < N_STANDARD; i++) {
        if (open("/", O_PATH) != i) {
            _exit(1);
        }
    }
    open_one();
    for (int i = 0; i < N_STANDARD; i++) {
        if (fcntl(i, F_GETFD) < 0) {
            _exit(2);
        }
    }
    _exit(GOOD);
}

static void what_the_program_puts_there_later_stays(void **state)
{
    int status = status_of_child(put_paths_in_places_that_were_taken);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), GOOD);
}

static void *close_what_there_is(void *user)
{
    while (!atomic_load(&has_ended)) {
        close_standard_files();
    }
    return NULL;
}

// The program may close Otter's descriptor while it is moved. Then no file is opened.
static void open_while_they_are_closed(void)
{
    pthread_t closer;
    int highest_bad = -1;
    pthread_create(&closer, NULL, close_what_there_is, NULL);
    for (int i = 0; i < N_ROUNDS; i++) {
        int file = otter_file_open("/dev/null", O_RDONLY);
        highest_bad = file < N_STANDARD && file > highest_bad ? file : highest_bad;
        if (file >= 0) {
            close(file);
        }
    }
    atomic_store(&has_ended, true);
    pthread_join(closer, NULL);
    _exit(highest_bad < 0 ? GOOD : 1);
}

static void a_program_that_closes_them_meanwhile_changes_nothing(void **state)
{
    int status = status_of_child(open_while_they_are_closed);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), GOOD);
}

static void open_without_a_free_descriptor(void)
{
    while (open("/dev/null", O_RDONLY) >= 0) {
    }
    errno = 0;
    bool has_failed = otter_file_open("/dev/null", O_RDONLY) == -1 && errno == EMFILE;
    close(STDIN_FILENO); // the only closed descriptor
    has_failed = has_failed && otter_file_open("/dev/null", O_RDONLY) == -1 && errno == EMFILE;
    _exit(has_failed && fcntl(STDIN_FILENO, F_GETFD) < 0 ? GOOD : 1);
}

static void without_a_free_descriptor_it_fails(void **state)
{
    int status = status_of_child(open_without_a_free_descriptor);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), GOOD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_ours_is_never_a_standard_file),
        cmocka_unit_test(what_the_program_puts_there_meanwhile_stays),
        cmocka_unit_test(a_child_has_them_free_again),
        cmocka_unit_test(what_the_program_puts_there_later_stays),
        cmocka_unit_test(a_program_that_closes_them_meanwhile_changes_nothing),
        cmocka_unit_test(without_a_free_descriptor_it_fails),
    };
    return cmocka_run_group_tests_name("file", tests, make_test_folder, remove_test_folder);
}
