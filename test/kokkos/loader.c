// Loads a Kokkos tool as Kokkos does, and calls the hooks that standard input names, one per line:
// loader LIBRARY.
//
// The table `commands` below lists the words of each line. The last word, a label, extends to the
// end of the line. A number that the tool assigns gets a name (`begin`, `create`); an unknown name
// is a number itself.
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_LINE = 16384, MAX_WORDS = 16, MAX_NUMBERS = 256 };

struct settings {
    bool requires_global_fencing;
    bool padding[255];
};

struct interface {
    void (*functions[32])(void);
};

struct space {
    char name[64];
};

struct number {
    char name[32];
    uint64_t value;
};

static void *library;
static struct number numbers[MAX_NUMBERS];
static int n_numbers;

static void *hook_or_null(const char *begin, const char *end)
{
    char name[64];
    snprintf(name, sizeof(name), "kokkosp_%s%s", begin, end);
    return dlsym(library, name);
}

static void *hook(const char *begin, const char *end)
{
    void *function = hook_or_null(begin, end);
    if (!function) {
        fprintf(stderr, "no hook kokkosp_%s%s\n", begin, end);
        exit(2);
    }
    return function;
}

// Returns the number of this name, or NULL.
static struct number *find(const char *name)
{
    for (int i = 0; i < n_numbers; i++) {
        if (strcmp(numbers[i].name, name) == 0) {
            return &numbers[i];
        }
    }
    return NULL;
}

static uint64_t value_of(const char *name)
{
    const struct number *number = find(name);
    return number ? number->value : strtoull(name, NULL, 0);
}

static void keep(const char *name, uint64_t value)
{
    struct number *number = find(name);
    if (!number && n_numbers == MAX_NUMBERS) {
        fprintf(stderr, "too many names: %s\n", name);
        exit(2);
    }
    number = number ? number : &numbers[n_numbers++];
    snprintf(number->name, sizeof(number->name), "%s", name);
    number->value = value;
}

// Kokkos writes up to 63 bytes and does not touch the last byte.
static struct space space_called(const char *name)
{
    struct space space;
    memset(&space, 'x', sizeof(space));
    strncpy(space.name, name, sizeof(space.name) - 1);
    return space;
}

static void on_init(char **words)
{
    ((void (*)(int, uint64_t, uint32_t, void *))hook("init_library", ""))(0, value_of(words[1]), 0,
                                                                          NULL);
}

// Passes settings to the tool. Kokkos fences for a tool that does not refuse fences.
static void on_settings(char **words)
{
    struct settings settings = {.requires_global_fencing = true};
    void (*request)(uint32_t, struct settings *) =
        (void (*)(uint32_t, struct settings *))hook_or_null("request_tool_settings", "");
    if (request) {
        request(1, &settings);
    }
    printf("global fencing %d\n", settings.requires_global_fencing);
}

static void on_interface(char **words)
{
    struct interface functions;
    memset(&functions, 0x55, sizeof(functions)); // the bytes of unused entries are undefined
    ((void (*)(uint32_t, struct interface))hook("provide_tool_programming_interface", ""))(
        1, functions);
}

static void on_args(char **words)
{
    int n = 0;
    while (words[1 + n]) {
        n++;
    }
    ((void (*)(int, char **))hook("parse_args", ""))(n, words + 1);
}

static void on_help(char **words)
{
    ((void (*)(char *))hook("print_help", ""))(words[1]);
}

static void on_metadata(char **words)
{
    ((void (*)(const char *, const char *))hook("declare_metadata", ""))(words[1], words[2]);
}

static void on_begin(char **words)
{
    uint64_t number = 0;
    ((void (*)(const char *, uint32_t, uint64_t *))hook("begin_", words[1]))(
        words[4], (uint32_t)value_of(words[3]), &number);
    keep(words[2], number);
}

static void on_end(char **words)
{
    ((void (*)(uint64_t))hook("end_", words[1]))(value_of(words[2]));
}

static void *end_of(void *words)
{
    on_end(words);
    return NULL;
}

static void on_end_elsewhere(char **words)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_of, words) != 0 || pthread_join(thread, NULL) != 0) {
        exit(2);
    }
}

static void on_nowhere(char **words)
{
    ((void (*)(const char *, uint32_t, uint64_t *))hook("begin_parallel_for", ""))(words[1], 1,
                                                                                   NULL);
    ((void (*)(const char *, uint32_t, uint64_t *))hook("begin_fence", ""))(words[1], 1, NULL);
    ((void (*)(const char *, uint32_t *))hook("create_profile_section", ""))(words[1], NULL);
    ((void (*)(uint32_t, struct settings *))hook("request_tool_settings", ""))(0, NULL);
}

static void on_label(char **words)
{
    ((void (*)(const char *))hook(words[0], ""))(words[1]);
}

static void on_nothing(char **words)
{
    ((void (*)(void))hook(words[0], ""))();
}

static void push_and_pop(const char *label)
{
    ((void (*)(const char *))hook("push_profile_region", ""))(label);
    ((void (*)(void))hook("pop_profile_region", ""))();
}

static atomic_bool is_over;

static void *push_and_pop_until_over(void *label)
{
    while (!atomic_load(&is_over)) {
        push_and_pop(label);
    }
    return NULL;
}

// Forks a child. An alarm ends a child that waits for a missing resource.
static void fork_child(const char *label)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        alarm(100);
        push_and_pop(label);
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "a forked child ended with status %d\n", status);
        exit(2);
    }
}

static void on_fork_meanwhile(char **words)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, push_and_pop_until_over, words[2]);
    }
    for (uint64_t n = value_of(words[1]); n > 0; n--) {
        fork_child(words[2]);
    }
    atomic_store(&is_over, true);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void on_create(char **words)
{
    uint32_t section = 0;
    ((void (*)(const char *, uint32_t *))hook("create_profile_section", ""))(words[2], &section);
    keep(words[1], section);
}

static void on_section(char **words)
{
    ((void (*)(uint32_t))hook(words[0], "_profile_section"))((uint32_t)value_of(words[1]));
}

// Blocks of equal size have the same address.
static void on_data(char **words)
{
    uint64_t bytes = value_of(words[2]);
    ((void (*)(struct space, const char *, const void *, uint64_t))hook(words[0], "_data"))(
        space_called(words[1]), words[3], (const void *)(uintptr_t)(bytes * 16), bytes);
}

static void on_copy(char **words)
{
    ((void (*)(struct space, const char *, const void *, struct space, const char *, const void *,
               uint64_t))hook("begin_deep_copy", ""))(space_called(words[1]), words[3], numbers,
                                                      space_called(words[2]), words[5], numbers,
                                                      value_of(words[4]));
}

static void on_dual_view(char **words)
{
    ((void (*)(const char *, const void *, bool))hook("dual_view_", words[0]))(
        words[2], numbers, strcmp(words[1], "device") == 0);
}

static void on_number(char **words)
{
    printf("%" PRIu64 "\n", value_of(words[1]));
}

// Loads a C++ library, as all Kokkos programs have one and this program has none.
static void on_cxx(char **words)
{
    if (!dlopen("libstdc++.so.6", RTLD_NOW | RTLD_GLOBAL) ||
        !dlsym(RTLD_DEFAULT, "__cxa_demangle")) {
        fprintf(stderr, "no C++ library: %s\n", dlerror());
        exit(2);
    }
}

// Attaches or detaches another connector of the session in Otter's library.
static void on_connector(char **words)
{
    char name[64];
    snprintf(name, sizeof(name), "otter_%s", words[0]);
    bool (*function)(const char *) = (bool (*)(const char *))dlsym(library, name);
    if (!function) {
        fprintf(stderr, "no function %s\n", name);
        exit(2);
    }
    function(words[1]);
}

static void on_exit_now(char **words)
{
    exit((int)value_of(words[1]));
}

// n_words: 0 means any number.
static const struct command {
    const char *name;
    int n_words;
    void (*run)(char **words);
} commands[] = {
    {"init", 2, on_init},                   // init VERSION
    {"settings", 1, on_settings},           //
    {"interface", 1, on_interface},         //
    {"args", 0, on_args},                   // args TOKEN...
    {"help", 2, on_help},                   // help PROGRAM
    {"metadata", 3, on_metadata},           // metadata KEY VALUE
    {"begin", 5, on_begin},                 // begin HOOK NAME DEVICE LABEL
    {"end", 3, on_end},                     // end HOOK NAME
    {"end_elsewhere", 3, on_end_elsewhere}, // ends a construct on another thread
    {"nowhere", 2, on_nowhere}, // nowhere LABEL: begins and others, with NULL for the number
    {"fork_meanwhile", 3,
     on_fork_meanwhile}, // fork_meanwhile N LABEL: forks while threads push and pop LABEL
    {"push_profile_region", 2, on_label},  // push_profile_region LABEL
    {"pop_profile_region", 1, on_nothing}, //
    {"create", 3, on_create},              // create NAME LABEL
    {"start", 2, on_section},              // start NAME
    {"stop", 2, on_section},               //
    {"destroy", 2, on_section},            //
    {"profile_event", 2, on_label},        // profile_event LABEL
    {"allocate", 4, on_data},              // allocate SPACE BYTES LABEL
    {"deallocate", 4, on_data},            //
    {"copy", 6, on_copy},                  // copy TO-SPACE FROM-SPACE TO BYTES FROM
    {"end_deep_copy", 1, on_nothing},      //
    {"sync", 3, on_dual_view},             // sync host|device LABEL
    {"modify", 3, on_dual_view},           //
    {"finalize_library", 1, on_nothing},   //
    {"number", 2, on_number},              // number NAME: prints it
    {"c++", 1, on_cxx},                    // loads a C++ library
    {"attach", 2, on_connector},           // attach CONNECTOR
    {"detach", 2, on_connector},           //
    {"exit", 2, on_exit_now},              // exit STATUS
};

// Splits a text in place at single blanks into `n` words (0: all). The last word is the rest of the
// text; a missing last word is "".
static void split(char *line, int n, char **words)
{
    int i = 0;
    words[i++] = line;
    for (char *at = line; *at && i < MAX_WORDS - 1 && (n == 0 || i < n); at++) {
        if (*at == ' ') {
            *at = '\0';
            words[i++] = at + 1;
        }
    }
    while (i < n) {
        words[i++] = line + strlen(line);
    }
    words[i] = NULL;
}

static bool run(char *line)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
        size_t length = strlen(commands[i].name);
        if (strncmp(line, commands[i].name, length) == 0 &&
            (line[length] == ' ' || line[length] == '\0')) {
            char *words[MAX_WORDS];
            split(line, commands[i].n_words, words);
            commands[i].run(words);
            return true;
        }
    }
    fprintf(stderr, "no command: %s\n", line);
    return false;
}

int main(int argc, char **argv)
{
    static char line[MAX_LINE]; // labels live during the call, at one address, as in Kokkos
    if (argc != 2) {
        return 2;
    }
    library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    while (fgets(line, sizeof(line), stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (!run(line)) {
            return 2;
        }
        memset(line, 'x', sizeof(line) - 1);
    }
    puts("end");
    return 0;
}
