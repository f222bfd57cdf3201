// Loads libotter-kokkos.so as Kokkos 4 does and plays a program of N launches: argv: library, N. With "broken": unbalanced calls.
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    bool requires_global_fencing;
    bool padding[255];
};

static void *library;

static void *hook(const char *name)
{
    void *function = dlsym(library, name);
    if (!function) {
        fprintf(stderr, "no hook %s\n", name);
        exit(2);
    }
    return function;
}

static void init(void)
{
    void (*init_library)(int, uint64_t, uint32_t, void *) = hook("kokkosp_init_library");
    void (*request)(uint32_t, struct settings *) = hook("kokkosp_request_tool_settings");
    void (*parse_args)(int, char **) = hook("kokkosp_parse_args");
    struct settings settings = {.requires_global_fencing = true};
    char program[] = "./program", option[] = "--trace-name=from-arguments";
    char *arguments[] = {program, option};
    init_library(0, 20240906, 0, NULL);
    request(1, &settings);
    parse_args(1, arguments);
    parse_args(2, arguments); // Kokkos 4 calls it twice
    printf("global fencing %d\n", settings.requires_global_fencing);
}

// Names live as long as the call, at one address, as in Kokkos.
static uint64_t begin(const char *kind, const char *label, int i)
{
    char hook_name[64], name[64];
    uint64_t kernel = 0;
    snprintf(hook_name, sizeof(hook_name), "kokkosp_begin_parallel_%s", kind);
    snprintf(name, sizeof(name), "%s %d", label, i % 3);
    ((void (*)(const char *, uint32_t, uint64_t *))hook(hook_name))(name, 0x01000001, &kernel);
    memset(name, 'x', sizeof(name) - 1);
    return kernel;
}

static void end(const char *kind, uint64_t kernel)
{
    char hook_name[64];
    snprintf(hook_name, sizeof(hook_name), "kokkosp_end_parallel_%s", kind);
    ((void (*)(uint64_t))hook(hook_name))(kernel);
}

static void play(int n)
{
    void (*push)(const char *) = hook("kokkosp_push_profile_region");
    void (*pop)(void) = hook("kokkosp_pop_profile_region");
    for (int i = 0; i < n; i++) {
        push("time step");
        end("for", begin("for", "move", i));
        end("scan", begin("reduce", "energy", i)); // as the official sampler does
        uint64_t outer = begin("for", "outer", i);
        end("scan", begin("scan", "inner", i));
        end("for", outer);
        pop();
    }
}

static void play_broken(void)
{
    void (*push)(const char *) = hook("kokkosp_push_profile_region");
    void (*pop)(void) = hook("kokkosp_pop_profile_region");
    pop();
    end("for", 0);
    end("for", UINT64_MAX);
    push("left open");
    begin("for", "left by an exception", 0);
    end("for", begin("for", "after it", 0));
    pop(); // closes the kernel too
    push("open at the end");
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        return 2;
    }
    library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    init();
    if (strcmp(argv[2], "broken") == 0) {
        play_broken();
    } else {
        play(atoi(argv[2]));
    }
    ((void (*)(void))hook("kokkosp_finalize_library"))();
    puts("end");
    return 0;
}
