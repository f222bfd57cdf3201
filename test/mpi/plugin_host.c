// A program without MPI that loads a plugin, whose MPI is private to the plugin. With a second
// argument, it calls functions of this MPI by their addresses.
#include <dlfcn.h>
#include <stdio.h>

static int call(void *plugin, int (*init)(int *, char ***), const char *last)
{
    int (*finish)(void) = plugin ? (int (*)(void))dlsym(plugin, last) : NULL;
    if (!finish || (init && init(NULL, NULL) != 0)) {
        fprintf(stderr, "plugin_host: %s\n", dlerror());
        return 1;
    }
    return finish();
}

int main(int argc, char **argv)
{
    void *plugin = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
    if (argc > 2 && plugin) {
        return call(plugin, (int (*)(int *, char ***))dlsym(plugin, "MPI_Init"), "MPI_Finalize");
    }
    return call(plugin, NULL, "run_plugin");
}
