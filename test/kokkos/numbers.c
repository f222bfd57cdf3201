// Tests the numbers and names of sections, and threads that destroy sections in use, without Kokkos
// and without the rest of Otter.
#undef NDEBUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "../../connectors/kokkos/sections.h"

enum { N_THREADS = 4, N_ROUNDS = 20000, N_SHARED = 8, N_MANY = 5000 };

static _Atomic uint32_t shared[N_SHARED];

static void a_number_is_that_of_one_section(void)
{
    static uint32_t numbers[N_MANY];
    uint32_t highest = 0, theirs;
    for (uint32_t i = 0; i < N_MANY; i++) {
        uint32_t wanted = 7 * i;
        numbers[i] = section_create(i % 2 ? "odd" : "even", i % 3 ? &wanted : NULL);
        assert(numbers[i] != 0 && numbers[i] != SECTION_NONE);
        highest = numbers[i] > highest ? numbers[i] : highest;
    }
    for (uint32_t i = 0; i < N_MANY; i++) {
        struct section *section = section_use(numbers[i]);
        assert(strcmp(section_name(section), i % 2 ? "odd" : "even") == 0);
        assert(section_theirs(section, &theirs) == (i % 3 != 0) && (i % 3 == 0 || theirs == 7 * i));
        assert(section_destroy(section) == SECTION_WAS_STOPPED);
        assert(section_destroy(section) == SECTION_WAS_DESTROYED && !section_use(numbers[i]));
        section_release(section);
    }
    for (uint32_t i = 0; i < N_MANY; i++) { // the memory of the earlier sections is reused
        numbers[i] = section_create("again", NULL);
        assert(numbers[i] <= highest);
    }
    for (uint32_t i = 0; i < N_MANY; i++) {
        struct section *section = section_use(numbers[i]);
        assert(section_switch(section, true) && !section_switch(section, true));
        assert(section_destroy(section) == SECTION_WAS_STARTED && !section_switch(section, false));
        section_release(section);
    }
    assert(!section_use(0) && !section_use(SECTION_NONE) && !section_use(highest + 1));
}

static void a_section_stays_while_it_is_used(void)
{
    char name[1000];
    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    uint32_t number = section_create(name, NULL);
    struct section *first = section_use(number), *second = section_use(number);
    section_destroy(first);
    section_release(first);
    assert(section_create("another", NULL) != number);
    assert(strcmp(section_name(second), name) == 0);
    section_release(second);
    assert(section_create("next", NULL) == number);
}

static void use(uint32_t number)
{
    struct section *section = section_use(number);
    if (section) {
        const char *name = section_name(section);
        assert(name[0] == name[strlen(name) - 1]);
        section_switch(section, number % 2);
        section_release(section);
    }
}

static void replace(_Atomic uint32_t *place, const char *name)
{
    uint32_t before = atomic_exchange(place, section_create(name, NULL));
    struct section *section = section_use(before);
    if (section) {
        section_destroy(section);
        section_release(section);
    }
}

static void *use_and_replace(void *argument)
{
    char name[200];
    for (uint32_t i = 0; i < N_ROUNDS; i++) {
        memset(name, 'a' + (char)(i % 26), sizeof(name));
        name[1 + i % (sizeof(name) - 1)] = '\0';
        use(atomic_load(&shared[i % N_SHARED]));
        if (i % 4 == (uintptr_t)argument) {
            replace(&shared[i / 4 % N_SHARED], name);
        }
    }
    return NULL;
}

static void threads_destroy_what_others_use(void)
{
    pthread_t threads[N_THREADS];
    for (uintptr_t i = 0; i < N_THREADS; i++) {
        assert(pthread_create(&threads[i], NULL, use_and_replace, (void *)i) == 0);
    }
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

int main(void)
{
    a_number_is_that_of_one_section();
    a_section_stays_while_it_is_used();
    threads_destroy_what_others_use();
    return 0;
}
