// Restores environment variables that `otter record` has hidden from GCC's runtime. Quirk 'gcc
// binding'.
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char prefix[] = "OTTER_HIDDEN_"; // core/launcher/environment.c has the same name

enum { MAX_HIDDEN = 8, MAX_NAME = 64 };

// Returns whether a variable was restored.
static bool restore_one(void)
{
    for (char **variable = environ; variable && *variable; variable++) {
        const char *equals = strchr(*variable, '=');
        char hidden[MAX_NAME];
        if (strncmp(*variable, prefix, sizeof prefix - 1) != 0 || !equals ||
            equals - *variable >= MAX_NAME) {
            continue;
        }
        snprintf(hidden, sizeof hidden, "%.*s", (int)(equals - *variable), *variable);
        return setenv(hidden + sizeof prefix - 1, equals + 1, 1) == 0 && unsetenv(hidden) == 0;
    }
    return false;
}

static int is_libgomp(struct dl_phdr_info *object, size_t size, void *user)
{
    (void)size, (void)user;
    const char *slash = strrchr(object->dlpi_name, '/');
    return strncmp(slash ? slash + 1 : object->dlpi_name, "libgomp.so", strlen("libgomp.so")) == 0;
}

// GCC's runtime reads the variables in its constructor, which runs before the constructors of
// preloaded libraries. LLVM's runtime reads them when the program first uses OpenMP. A process
// without GCC's runtime, such as mpirun, passes the hidden variables on to the programs that it
// starts.
static __attribute__((constructor)) void restore_all(void)
{
    for (int i = 0; dl_iterate_phdr(is_libgomp, NULL) && i < MAX_HIDDEN && restore_one(); i++) {
    }
}
