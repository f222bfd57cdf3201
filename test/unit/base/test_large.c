// Large arrays: their content in memory, in files and while they move, and limits of the system.
#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/large/available.h"
#include "base/large/large.h"
#include "base/large/large_file.h"
#include "base/vector.h"
#include "folder.h"

enum { MIB = 1 << 20, GOOD = 7 };

static void fill(uint32_t *numbers, size_t size, uint32_t first)
{
    for (size_t i = 0; i < size / sizeof *numbers; i++) {
        numbers[i] = first + (uint32_t)i;
    }
}

static bool is_filled(const uint32_t *numbers, size_t size, uint32_t first)
{
    for (size_t i = 0; i < size / sizeof *numbers; i++) {
        if (numbers[i] != first + (uint32_t)i) {
            return false;
        }
    }
    return true;
}

static bool is_zero(const uint32_t *numbers, size_t size)
{
    for (size_t i = 0; i < size / sizeof *numbers; i++) {
        if (numbers[i] != 0) {
            return false;
        }
    }
    return true;
}

// Returns the bytes of the process that are neither shared nor backed by a file.
static size_t bytes_in_memory(void)
{
    char line[256];
    size_t kib = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        sscanf(line, "RssAnon: %zu", &kib);
    }
    if (status) {
        fclose(status);
    }
    return kib * 1024;
}

static void arrays_beyond_the_limit_are_in_files(void **state)
{
    (void)state;
    enum { N = 8, SIZE = 2 * MIB };
    uint32_t *arrays[N];
    size_t before = bytes_in_memory();
    otter_large_set_memory(8 * MIB);
    for (uint32_t i = 0; i < N; i++) {
        arrays[i] = otter_large_create(SIZE);
        assert_non_null(arrays[i]);
        assert_true(is_zero(arrays[i], SIZE));
        fill(arrays[i], SIZE, i);
        assert_true(IS_SANITIZED || bytes_in_memory() - before <= 7 * MIB);
    }
    for (uint32_t i = 0; i < N; i++) {
        assert_true(otter_large_has(arrays[i]));
        assert_true(is_filled(arrays[i], SIZE, i));
        assert_true(otter_large_destroy(arrays[i]));
        assert_false(otter_large_has(arrays[i]));
    }
}

static void array_moves_to_a_file_in_parts(void **state)
{
    (void)state;
    enum { SIZE = 40 * MIB + 4096, NEXT = 4 * MIB };
    otter_large_set_memory(56 * MIB);
    size_t before = bytes_in_memory();
    uint32_t *array = otter_large_create(SIZE), *next;
    fill(array, SIZE, 1);
    assert_true(IS_SANITIZED || bytes_in_memory() - before >= 40 * MIB);
    next = otter_large_create(NEXT);
    assert_true(IS_SANITIZED || bytes_in_memory() - before < 2 * MIB);
    assert_true(is_filled(array, SIZE, 1) && is_zero(next, NEXT));
    assert_true(otter_large_destroy(array) && otter_large_destroy(next));
}

static void array_keeps_its_content_when_it_grows_and_shrinks(void **state)
{
    (void)state;
    otter_large_set_memory(4 * MIB);
    uint32_t *array = otter_large_create(MIB);
    fill(array, MIB, 3);
    for (size_t size = MIB; size < 16 * MIB; size *= 2) { // moves from memory to a file in between
        array = otter_large_resize(array, size * 2);
        assert_non_null(array);
        assert_true(is_filled(array, size, 3));
        assert_true(is_zero(array + size / sizeof *array, size));
        fill(array, size * 2, 3);
    }
    array = otter_large_resize(array, MIB);
    assert_true(is_filled(array, MIB, 3));
    array = otter_large_resize(array, 2 * MIB);
    assert_true(is_filled(array, MIB, 3));
    assert_true(is_zero(array + MIB / sizeof *array, MIB));
    assert_true(otter_large_destroy(array));
}

static void other_memory_is_not_its_own(void **state)
{
    (void)state;
    void *items = malloc(100),
         *page = mmap(NULL, MIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_false(otter_large_destroy(items));
    assert_false(otter_large_destroy(page));
    assert_false(otter_large_destroy(NULL));
    munmap(page, MIB);
    free(items);
}

static void create_with_a_full_disk(void)
{
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){3 * MIB, 3 * MIB});
    otter_large_set_memory(MIB);
    uint32_t *array = otter_large_create(2 * MIB);
    fill(array, 2 * MIB, 5);
    bool is_good = array && !otter_large_create(4 * MIB) && errno == ENOMEM &&
                   !otter_large_resize(array, 4 * MIB) && errno == ENOMEM &&
                   is_filled(array, 2 * MIB, 5);
    _exit(is_good ? GOOD : 1);
}

static void try_a_full_disk(void)
{
    int status = status_of_child(create_with_a_full_disk);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == GOOD);
}

static void full_disk_is_one_message(void **state)
{
    (void)state;
    const char *text = stderr_of(try_a_full_disk);
    const char *error = strstr(text, "cannot extend a file for large arrays in '");
    assert_non_null(error);
    assert_non_null(strstr(error, strerror(EFBIG)));
    assert_null(strstr(error + 1, "cannot extend"));
}

// A page is missing after another process truncated the file, as on a defective disk.
static void touch_a_lost_page(void)
{
    int file = otter_large_file_open(MIB);
    char *page = MAP_FAILED;
    if (file >= 0 && otter_large_file_reserve(file, 0, MIB)) {
        page = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (page == MAP_FAILED || ftruncate(file, 0) < 0) {
        _exit(2);
    }
    *(volatile char *)page = 1;
    _exit(3);
}

static void try_a_lost_page(void)
{
    int status = status_of_child(touch_a_lost_page);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

static void defective_disk_is_one_message(void **state)
{
    (void)state;
    const char *text = stderr_of(try_a_lost_page);
    assert_non_null(strstr(text, "otter: the disk of '"));
    assert_non_null(
        strstr(text, "', which holds large arrays, failed (set TMPDIR to another folder)\n"));
}

static void create_beyond_ulimit(void)
{
    setrlimit(RLIMIT_DATA, &(struct rlimit){16 * MIB, 16 * MIB});
    otter_large_set_memory(1024 * (uint64_t)MIB);
    uint32_t *array = otter_large_create(32 * MIB), *grown = otter_large_create(4 * MIB);
    if (!array || !grown) {
        _exit(1);
    }
    fill(array, 32 * MIB, 9);
    fill(grown, 4 * MIB, 8);
    grown = otter_large_resize(grown, 32 * MIB);
    _exit(grown && is_filled(grown, 4 * MIB, 8) && is_filled(array, 32 * MIB, 9) ? GOOD : 1);
}

static void memory_that_the_system_refuses_is_in_a_file(void **state)
{
    (void)state;
    if (IS_SANITIZED) {
        skip();
    }
    int status = status_of_child(create_beyond_ulimit);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == GOOD);
}

// ---- the memory that is available

static void write_text(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

static uint64_t available(const char *groups)
{
    write_text(in_test_folder("root/proc/self/cgroup"), groups);
    return otter_available_below(in_test_folder("root"));
}

static void make_folders(const char *const *paths, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(mkdir(in_test_folder("%s", paths[i]), 0777), 0);
    }
}

static void least_of_machine_and_groups_is_available(void **state)
{
    (void)state;
    static const char *const folders[] = {"root",
                                          "root/proc",
                                          "root/proc/self",
                                          "root/sys",
                                          "root/sys/fs",
                                          "root/sys/fs/cgroup",
                                          "root/sys/fs/cgroup/memory",
                                          "root/sys/fs/cgroup/memory/job",
                                          "root/sys/fs/cgroup/memory/job/step",
                                          "root/sys/fs/cgroup/slice",
                                          "root/sys/fs/cgroup/slice/app"};
    make_folders(folders, sizeof folders / sizeof *folders);
    write_text(in_test_folder("root/proc/meminfo"),
               "MemTotal: 9000 kB\nMemAvailable:    4000 kB\n");
    assert_int_equal(available("0::/elsewhere\n"), 4000 * 1024);

    // version 1: the enclosing group has the limit
    const char *job = "root/sys/fs/cgroup/memory/job";
    write_text(in_test_folder("%s/memory.limit_in_bytes", job), "3000000\n");
    write_text(in_test_folder("%s/memory.usage_in_bytes", job), "900000\n");
    write_text(in_test_folder("%s/memory.stat", job),
               "inactive_file 1\ntotal_inactive_file 300000\ntotal_active_file 100000\n");
    assert_int_equal(available("5:cpu:/x\n4:memory:/job/step\n"), 2500000);
    assert_int_equal(available("4:memory:/other\n"), 4000 * 1024);

    // version 2: "max" is not a limit
    const char *app = "root/sys/fs/cgroup/slice/app";
    write_text(in_test_folder("%s/memory.max", app), "max\n");
    write_text(in_test_folder("%s/memory.current", app), "900000\n");
    assert_int_equal(available("0::/slice/app\n"), 4000 * 1024);
    write_text(in_test_folder("%s/memory.max", app), "1000000\n");
    assert_int_equal(available("0::/slice/app\n"), 100000);
    write_text(in_test_folder("%s/memory.current", app), "2000000\n");
    assert_int_equal(available("0::/slice/app\n"), 0);
}

// Creates, grows, checks and destroys arrays. Returns NULL if one has changed unexpectedly.
static void *use_arrays(void *user)
{
    enum { N = 6, ROUNDS = 60, SIZE = MIB };
    uint32_t *arrays[N] = {NULL}, first = *(const uint32_t *)user;
    bool is_good = true;
    for (uint32_t i = 0; is_good && i < ROUNDS; i++) {
        uint32_t **array = &arrays[i % N];
        is_good = !*array || is_filled(*array, 2 * SIZE, first + i - N);
        otter_large_destroy(*array);
        *array = otter_large_create(SIZE);
        fill(*array, SIZE, first + i);
        *array = otter_large_resize(*array, 2 * SIZE);
        fill(*array, 2 * SIZE, first + i);
    }
    for (int i = 0; i < N; i++) {
        otter_large_destroy(arrays[i]);
    }
    return is_good ? user : NULL;
}

static void threads_have_arrays_of_their_own(void **state)
{
    (void)state;
    enum { N = 3 };
    uint32_t firsts[N] = {1000, 2000000, 3000000};
    pthread_t threads[N];
    otter_large_set_memory(8 * MIB);
    for (int i = 0; i < N; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, use_arrays, &firsts[i]), 0);
    }
    for (int i = 0; i < N; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_non_null(result);
    }
}

// The full array asks for memory, so that the refusal ends a command.
static void no_array_has_sizes_that_no_system_has(void **state)
{
    struct {
        OTTER_VECTOR(uint64_t);
    } full = {.n = UINT32_MAX - 2, .room = UINT32_MAX - 2};
    void *array = otter_large_create(MIB);
    assert_null(otter_large_create(SIZE_MAX - 1));
    assert_null(otter_large_resize(array, SIZE_MAX - 1));
    errno = 0;
    assert_false(OTTER_VECTOR_ADD(&full, 1));
    assert_int_equal(errno, ENOMEM);
    assert_null(full.items);
    assert_true(otter_large_destroy(array));
    (void)state;
}

int main(void)
{
    char folder[4096];
    uint64_t unused;
    setenv("TMPDIR", getcwd(folder, sizeof folder), 1);
    if (!otter_large_file_folder(&unused)) {
        return 77; // all folders are in memory: the test is skipped
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_memory_is_not_its_own),
        cmocka_unit_test(arrays_beyond_the_limit_are_in_files),
        cmocka_unit_test(array_moves_to_a_file_in_parts),
        cmocka_unit_test(threads_have_arrays_of_their_own),
        cmocka_unit_test(array_keeps_its_content_when_it_grows_and_shrinks),
        cmocka_unit_test(full_disk_is_one_message),
        cmocka_unit_test(defective_disk_is_one_message),
        cmocka_unit_test(memory_that_the_system_refuses_is_in_a_file),
        cmocka_unit_test(least_of_machine_and_groups_is_available),
        cmocka_unit_test(no_array_has_sizes_that_no_system_has),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
