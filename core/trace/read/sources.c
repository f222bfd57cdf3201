// Separates source lines from region names, so that an archive with added lines has the same
// regions and hashes as one without them.
#include "trace/read/sources.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text/utf8.h"

enum { MAX_MODULES = 1 << 12 };

struct kept {
    struct otter_region_source *source;
    char *name, *file; // texts of the region
};

struct code {
    uint32_t region, module;
    uint64_t offset;
    const char *function;
};

// "<module> <offset> <function>": the index of OTTER::MODULE, a hexadecimal number, and an optional
// name.
static bool parse(const struct otter_property *property, struct code *code)
{
    static const char prefix[] = "OTTER::CODE::";
    size_t length = sizeof prefix - 1;
    int region_end = 0, end = 0;
    if (strncmp(property->name, prefix, length) != 0) {
        return false;
    }
    const char *number = property->name + length;
    bool is_code = sscanf(number, "%9" SCNu32 "%n", &code->region, &region_end) == 1 &&
                   number[region_end] == '\0' &&
                   sscanf(property->value, "%9" SCNu32 " %16" SCNx64 "%n", &code->module,
                          &code->offset, &end) == 2 &&
                   property->value[end] == ' ';
    code->function = is_code ? property->value + end + 1 : "";
    return is_code;
}

// Sets the paths of modules 0 to MAX_MODULES - 1: "<begin> <end> <bias> <build id> <path>".
static void find_modules(const struct otter_property *properties, size_t n, const char **paths)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t module;
        int name_end = 0, at = 0;
        bool is_module =
            sscanf(properties[i].name, "OTTER::MODULE::%9" SCNu32 "%n", &module, &name_end) == 1 &&
            properties[i].name[name_end] == '\0' && module < MAX_MODULES;
        if (is_module && sscanf(properties[i].value, "%*x %*x %*x %*s %n", &at) == 0 && at > 0) {
            paths[module] = properties[i].value + at;
        }
    }
}

// Returns the place in a region's name: "fib.c:12" of "!$omp task @fib.c:12".
static const char *place_of(const struct otter_region *region)
{
    size_t length = strlen(region->canonical_name);
    bool has_place = strncmp(region->name, region->canonical_name, length) == 0 &&
                     strncmp(region->name + length, " @", 2) == 0;
    return has_place ? region->name + length + 2 : "";
}

static bool set_source(struct otter_region *region, const struct code *code, const char *path,
                       struct kept *kept)
{
    kept->file = otter_utf8_copy(path);
    kept->name = kept->file ? otter_path("%s @%s+0x%" PRIx64, region->canonical_name,
                                         otter_path_file(kept->file), code->offset)
                            : NULL;
    kept->source = malloc(sizeof *kept->source);
    if (!kept->name || !kept->source) {
        return false;
    }
    if (strcmp(region->name, kept->name) == 0) {
        return true; // lines are missing because adding them was interrupted
    }
    *kept->source = (struct otter_region_source){
        .where = place_of(region),
        .function = code->function,
        .file = region->begin_line > 0 ? region->file : "",
        .line = region->begin_line,
    };
    region->source = kept->source;
    region->name = kept->name;
    region->file = kept->file;
    region->begin_line = region->end_line = 0;
    return true;
}

static bool separate(struct otter_region *regions, size_t n_regions,
                     const struct otter_property *properties, size_t n_properties,
                     const char *const *modules, struct otter_list *kept)
{
    struct code code;
    for (size_t i = 0; i < n_properties; i++) {
        bool is_new = parse(&properties[i], &code) && code.region < n_regions &&
                      code.module < MAX_MODULES && modules[code.module] &&
                      !regions[code.region].source;
        struct kept *item = is_new ? otter_list_add(kept, sizeof *item) : NULL;
        if (is_new &&
            (!item || !set_source(&regions[code.region], &code, modules[code.module], item))) {
            return false;
        }
    }
    return true;
}

bool otter_sources_separate(struct otter_region *regions, size_t n_regions,
                            const struct otter_property *properties, size_t n_properties,
                            struct otter_list *kept)
{
    const char **modules = calloc(MAX_MODULES, sizeof *modules);
    if (!modules) {
        return false;
    }
    find_modules(properties, n_properties, modules);
    bool is_done = separate(regions, n_regions, properties, n_properties, modules, kept);
    free(modules);
    return is_done;
}

void otter_sources_free(struct otter_list *kept)
{
    struct kept *items = kept->items;
    for (size_t i = 0; i < kept->n; i++) {
        free(items[i].source);
        free(items[i].name);
        free(items[i].file);
    }
    free(items);
    *kept = (struct otter_list){.items = NULL};
}
