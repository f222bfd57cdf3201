// A program without MPI that loads a plugin, whose MPI is private to the plugin.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *plugin = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
    int (*run)(void) = plugin ? (int (*)(void))dlsym(plugin, "run_plugin") : NULL;
    if (!run) {
        fprintf(stderr, "plugin_host: %s\n", dlerror());
        return 1;
    }
    return run();
}
