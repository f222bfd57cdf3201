// Resolves the code addresses of regions to functions and source lines.
#include "source/lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/path.h"
#include "base/text/utf8.h"
#include "source/debug_info.h"
#include "source/demangle.h"
#include "source/property.h"

// A region that has a code address.
struct site {
    const char *path; // path of the module, as UTF-8
    uint64_t offset;
    uint32_t region;
    bool is_code; // of a sample, not of a construct
};

struct sites {
    struct site *items;
    size_t n;
};

struct resolver {
    const struct otter_definitions *definitions;
    struct otter_labels *labels;
};

// ---- the load map

// A property OTTER::MODULE::<i>: "<begin> <end> <bias> <build-id> <path>".
struct module {
    char build_id[160];
    const char *path;
};

static bool parse_module(const struct otter_property *property, struct module *module)
{
    int length = 0;
    return otter_property_after(property, "OTTER::MODULE::") &&
           sscanf(property->value, "%*x %*x %*x %159s %n", module->build_id, &length) == 1 &&
           length > 0 && (module->path = property->value + length);
}

// Finds the module whose path, converted to UTF-8, is `text`. Without such a module the path is
// NULL. If two builds of it were loaded, the build id is "two", which matches no file.
static enum otter_status find_module(const struct otter_definitions *definitions, const char *text,
                                     struct module *found)
{
    *found = (struct module){.path = NULL};
    for (size_t i = 0; i < definitions->n_properties; i++) {
        struct module module;
        if (!parse_module(&definitions->properties[i], &module)) {
            continue;
        }
        char *copy = otter_utf8_copy(module.path);
        if (!copy) {
            return OTTER_NO_MEMORY;
        }
        if (strcmp(copy, text) == 0) {
            bool is_other = found->path && strcmp(module.build_id, found->build_id) != 0;
            *found = module;
            if (is_other) {
                snprintf(found->build_id, sizeof found->build_id, "two");
            }
        }
        free(copy);
    }
    return OTTER_OK;
}

// ---- the construct at an address

static int compare_sites(const void *a, const void *b)
{
    const struct site *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    order = order ? order : x->is_code - y->is_code;
    if (order) {
        return order;
    }
    if (x->offset != y->offset) {
        return x->offset < y->offset ? -1 : 1;
    }
    return (x->region > y->region) - (x->region < y->region);
}

// The name of a region with a code address is "!$omp task @fib+0x1234", and its file is the full
// path of a module.
bool otter_lines_has_code(const struct otter_region *region, uint64_t *offset)
{
    char *end;
    const char *plus = strrchr(region->name, '+');
    if (region->begin_line > 0 || *region->file != '/' || !plus || strncmp(plus, "+0x", 3) != 0 ||
        !strstr(region->name, " @")) {
        return false;
    }
    *offset = strtoull(plus + 3, &end, 16);
    return *end == '\0' && end > plus + 3;
}

static enum otter_status find_sites(const struct otter_definitions *definitions,
                                    struct sites *sites)
{
    *sites = (struct sites){.items = malloc((definitions->n_regions + 1) * sizeof *sites->items)};
    if (!sites->items) {
        return OTTER_NO_MEMORY;
    }
    for (size_t i = 0; i < definitions->n_regions; i++) {
        const struct otter_region *region = &definitions->regions[i];
        struct site *site = &sites->items[sites->n];
        *site = (struct site){.path = region->file,
                              .region = (uint32_t)i,
                              .is_code = region->construct == OTTER_CONSTRUCT_CODE};
        sites->n += !region->source && otter_lines_has_code(region, &site->offset);
    }
    qsort(sites->items, sites->n, sizeof *sites->items, compare_sites);
    return OTTER_OK;
}

// Returns whether a construct of this kind has its own address; others have the address of the
// enclosing construct.
static bool is_standalone(enum otter_construct construct)
{
    switch (construct) {
    case OTTER_CONSTRUCT_PARALLEL:
    case OTTER_CONSTRUCT_TASK:
    case OTTER_CONSTRUCT_BARRIER_EXPLICIT:
    case OTTER_CONSTRUCT_TASKWAIT:
    case OTTER_CONSTRUCT_TASKWAIT_DEPEND:
    case OTTER_CONSTRUCT_TASKGROUP:
    case OTTER_CONSTRUCT_CRITICAL:
    case OTTER_CONSTRUCT_ORDERED:
    case OTTER_CONSTRUCT_SET_LOCK:
    case OTTER_CONSTRUCT_UNSET_LOCK:
    case OTTER_CONSTRUCT_SET_NEST_LOCK:
    case OTTER_CONSTRUCT_UNSET_NEST_LOCK:
    case OTTER_CONSTRUCT_FLUSH:
    case OTTER_CONSTRUCT_CANCEL: return true;
    default: return false;
    }
}

// Returns whether the construct is inside the owner of its address. GCC's code reports no address
// for sections (quirk 'gcc sections'). A combined construct, such as `parallel for`, calls a
// function other than GOMP_parallel.
static bool is_inside(enum otter_construct construct, const struct otter_code_place *place)
{
    bool is_work = construct == OTTER_CONSTRUCT_LOOP || construct == OTTER_CONSTRUCT_SECTIONS;
    return is_standalone(construct) || (is_work && strcmp(place->callee, "GOMP_parallel") == 0);
}

// Returns whether a call of this runtime function rules the construct out. The address may belong
// to a region that encloses the construct (quirk 'stale region').
static bool is_of_other(enum otter_construct construct, const char *callee)
{
    switch (construct) {
    case OTTER_CONSTRUCT_PARALLEL: return !strstr(callee, "parallel") && !strstr(callee, "fork");
    case OTTER_CONSTRUCT_TASK: return !strstr(callee, "task") || strstr(callee, "taskwait");
    case OTTER_CONSTRUCT_TASKWAIT: return !strstr(callee, "taskwait");
    case OTTER_CONSTRUCT_TASKLOOP: return !strstr(callee, "task");
    default: return false;
    }
}

enum belonging { OWN, OF_ENCLOSING, UNSURE };

// Determines whether the construct of same[i] is at its address. A construct without its own
// address has the address of the enclosing construct, whose region was defined earlier. `same` are
// the regions at one address, in the order of their definitions.
static enum belonging belonging_of(const struct otter_definitions *definitions,
                                   const struct site *same, size_t n, size_t i,
                                   const struct otter_code_place *place)
{
    enum otter_construct owner = definitions->regions[same[0].region].construct;
    enum otter_construct construct = definitions->regions[same[i].region].construct;
    if (owner == OTTER_CONSTRUCT_TASKGROUP_WAIT) {
        owner = OTTER_CONSTRUCT_TASKGROUP; // in GCC's code, the taskgroup begins elsewhere
    }
    if (*place->callee && is_of_other(construct, place->callee)) {
        return OF_ENCLOSING;
    }
    if (construct == owner) {
        return OWN;
    }
    if (owner != OTTER_CONSTRUCT_TASKGROUP ||
        (construct != OTTER_CONSTRUCT_TASKLOOP && construct != OTTER_CONSTRUCT_TASK)) {
        return is_inside(construct, place) ? OF_ENCLOSING : OWN;
    }
    // A taskloop has the address of the taskgroup around it. The compiler made the taskgroup if the
    // taskgroup also ends there (GCC), or if a task's body is declared on the line (clang).
    // Otherwise the user wrote the taskgroup.
    bool is_own = place->is_of_task;
    for (size_t k = 0; k < n && !is_own; k++) {
        is_own = definitions->regions[same[k].region].construct == OTTER_CONSTRUCT_TASKGROUP_WAIT;
    }
    return is_own ? OWN : UNSURE;
}

// ---- labels

// Returns a Kokkos function without template arguments: "Kokkos::OpenMP::impl_initialize:299".
// Several regions of a function have different texts, so that they form different groups.
static char *kokkos_text(const struct otter_code_place *place)
{
    char *function = otter_demangle_cut_arguments(strdup(place->function));
    char *text = !function         ? NULL
                 : place->line > 0 ? otter_path("%s:%" PRIu32, function, place->line)
                                   : otter_path("%s+0x%" PRIx64, function, place->offset);
    free(function);
    return text;
}

// Returns "fib.c:12", or "" if unknown. The caller frees the text.
static char *place_text(const struct otter_code_place *place)
{
    if (place->is_of_kokkos) {
        return kokkos_text(place);
    }
    return place->line > 0 ? otter_path("%s:%" PRIu32, otter_path_file(place->file), place->line)
                           : strdup("");
}

// Copies the texts of a place into `copy`. Returns false if out of memory.
static bool copy_place(struct otter_labels *labels, const struct otter_code_place *place,
                       struct otter_label *copy)
{
    char *where = place_text(place);
    copy->function = otter_labels_copy(labels, place->function);
    copy->file = otter_labels_copy(labels, place->file);
    copy->where = where ? otter_labels_copy(labels, where) : NULL;
    copy->line = place->is_of_kokkos ? 0 : place->line;
    free(where);
    return copy->function && copy->file && copy->where;
}

static void set_place(struct otter_label *label, const struct otter_label *found)
{
    if (*found->where) {
        label->where = found->where;
        label->file = found->file;
        label->line = found->line;
    }
}

// Sets the labels of all regions at one address, which share their texts.
static bool set_labels(struct resolver *resolver, const struct site *same, size_t n,
                       const struct otter_code_place *place)
{
    struct otter_label found = {.line = 0};
    if (!copy_place(resolver->labels, place, &found)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        struct otter_label *label = &resolver->labels->regions[same[i].region];
        enum belonging belonging = belonging_of(resolver->definitions, same, n, i, place);
        label->function = belonging == OF_ENCLOSING ? "" : found.function;
        if (belonging != OWN) {
            label->where = "";
        } else {
            set_place(label, &found);
        }
    }
    return true;
}

// The taskwait at the end of a function may be a jump in GCC's code, and then has the address of an
// earlier call (quirk 'stale place'). The function of that call leads to the jump.
static bool resolve_taskwaits(struct resolver *resolver, struct otter_debug_info *info,
                              const struct site *same, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct otter_label *label = &resolver->labels->regions[same[i].region], found = {.line = 0};
        if (resolver->definitions->regions[same[i].region].construct != OTTER_CONSTRUCT_TASKWAIT ||
            *label->where) {
            continue;
        }
        struct otter_code_place place =
            otter_debug_info_find_jump(info, same[i].offset, "GOMP_taskwait");
        if (!copy_place(resolver->labels, &place, &found)) {
            return false;
        }
        label->function = found.function;
        set_place(label, &found);
    }
    return true;
}

// Returns whether the taskgroup ends on the line on which it begins. Clang puts both at the last
// line of a taskloop directive, and the task's body at the first line. A user's taskgroup ends
// after its body.
static bool ends_where_it_begins(const struct resolver *resolver, const struct site *sites,
                                 size_t n, const struct otter_label *taskgroup)
{
    for (size_t i = 0; i < n; i++) {
        const struct otter_label *label = &resolver->labels->regions[sites[i].region];
        if (resolver->definitions->regions[sites[i].region].construct ==
                OTTER_CONSTRUCT_TASKGROUP_WAIT &&
            label->line == taskgroup->line && strcmp(label->file, taskgroup->file) == 0) {
            return true;
        }
    }
    return false;
}

// Gives a taskloop of several lines the line of its taskgroup. `same` are the regions at one
// address; `sites` are those of the module, and have their lines already.
static void resolve_taskloop(struct resolver *resolver, const struct site *same, size_t n,
                             const struct site *sites, size_t n_sites)
{
    const struct otter_region *regions = resolver->definitions->regions;
    struct otter_label *labels = resolver->labels->regions;
    const struct otter_label *owner = &labels[same[0].region];
    if (owner->line == 0 || !ends_where_it_begins(resolver, sites, n_sites, owner)) {
        return;
    }
    for (size_t i = 1; i < n; i++) {
        enum otter_construct construct = regions[same[i].region].construct;
        struct otter_label *label = &labels[same[i].region];
        if ((construct == OTTER_CONSTRUCT_TASKLOOP || construct == OTTER_CONSTRUCT_TASK) &&
            *label->function) {
            label->where = owner->where;
            label->file = owner->file;
            label->line = owner->line;
        }
    }
}

// Returns the index after the last site at the address of the i-th site.
static size_t end_of_address(const struct site *sites, size_t n, size_t i)
{
    size_t end = i + 1;
    while (end < n && sites[end].offset == sites[i].offset) {
        end++;
    }
    return end;
}

// Sets the labels of sites, all of which are constructs.
static enum otter_status resolve_constructs(struct resolver *resolver,
                                            struct otter_debug_info *info, const struct site *sites,
                                            size_t n)
{
    enum otter_status status = OTTER_OK;
    for (size_t i = 0, end; !status && i < n; i = end) {
        end = end_of_address(sites, n, i);
        struct otter_code_place place = otter_debug_info_find(info, sites[i].offset);
        bool is_good = set_labels(resolver, sites + i, end - i, &place) &&
                       resolve_taskwaits(resolver, info, sites + i, end - i);
        status = is_good ? OTTER_OK : OTTER_NO_MEMORY;
    }
    for (size_t i = 0, end; !status && i < n; i = end) {
        end = end_of_address(sites, n, i);
        enum otter_construct first = resolver->definitions->regions[sites[i].region].construct;
        if (end - i > 1 && first == OTTER_CONSTRUCT_TASKGROUP &&
            strncmp(otter_debug_info_find(info, sites[i].offset).callee, "GOMP_", 5) != 0) {
            resolve_taskloop(resolver, sites + i, end - i, sites, n);
        }
    }
    return status;
}

static enum otter_status resolve_code(const struct resolver *resolver,
                                      struct otter_debug_info *info, const struct site *site)
{
    struct otter_code_place place = otter_debug_info_find_code(info, site->offset);
    struct otter_label *label = &resolver->labels->regions[site->region];
    struct otter_label found = {.line = 0};
    if (!copy_place(resolver->labels, &place, &found)) {
        return OTTER_NO_MEMORY;
    }
    label->function = found.function;
    label->file = found.file;
    label->line = found.line;
    label->where = *found.where ? found.where : label->where;
    return OTTER_OK;
}

// Sets the labels of all sites in one module.
static enum otter_status resolve_module(struct resolver *resolver, const struct site *sites,
                                        size_t n)
{
    const char *path = sites[0].path;
    size_t n_constructs = 0;
    while (n_constructs < n && !sites[n_constructs].is_code) {
        n_constructs++;
    }
    size_t first = otter_path_is_openmp(path) ? n_constructs : 0;
    if (first == n) {
        return OTTER_OK;
    }
    struct module module;
    enum otter_status status = find_module(resolver->definitions, path, &module);
    if (status || !module.path) {
        return status;
    }
    struct otter_debug_info *info;
    status = otter_debug_info_open(&info, module.path, module.build_id,
                                   resolver->definitions->clock.realtime);
    if (status == OTTER_EXISTS) {
        otter_note("'%s' was rebuilt since the recording: its lines are not shown", path);
    }
    if (info && !status && first < n_constructs) {
        status = resolve_constructs(resolver, info, sites, n_constructs);
    }
    for (size_t i = n_constructs; info && !status && i < n; i++) {
        status = resolve_code(resolver, info, &sites[i]);
    }
    otter_debug_info_close(info);
    return status == OTTER_NO_MEMORY ? status : OTTER_OK;
}

// Sets the labels of regions whose lines are in the archive.
static void set_stored(struct resolver *resolver)
{
    for (size_t i = 0; i < resolver->definitions->n_regions; i++) {
        const struct otter_region_source *source = resolver->definitions->regions[i].source;
        struct otter_label *label = &resolver->labels->regions[i];
        if (source) {
            label->where = source->where;
            label->function = source->function;
            label->file = source->file;
            label->line = source->line;
        }
    }
}

enum otter_status otter_lines_resolve(const struct otter_archive *archive,
                                      struct otter_labels *labels)
{
    struct resolver resolver = {otter_archive_definitions(archive), labels};
    struct sites sites;
    set_stored(&resolver);
    enum otter_status status = find_sites(resolver.definitions, &sites);
    for (size_t i = 0, end; !status && i < sites.n; i = end) {
        for (end = i + 1; end < sites.n && strcmp(sites.items[end].path, sites.items[i].path) == 0;
             end++) {
        }
        status = resolve_module(&resolver, sites.items + i, end - i);
    }
    free(sites.items);
    return status;
}

void otter_lines_count(const struct otter_definitions *definitions,
                       const struct otter_labels *labels, size_t *n_with, size_t *n_without)
{
    *n_with = *n_without = 0;
    for (size_t i = 0; i < definitions->n_regions; i++) {
        const struct otter_region *region = &definitions->regions[i];
        const struct otter_label *label = otter_label_of(labels, (uint32_t)i);
        uint64_t offset;
        bool is_address = label->line == 0 && strstr(label->where, "+0x") &&
                          otter_lines_has_code(region, &offset) &&
                          !otter_path_is_openmp(region->file) &&
                          region->construct != OTTER_CONSTRUCT_CODE;
        *n_with += label->line > 0 && region->construct != OTTER_CONSTRUCT_CODE;
        *n_without += is_address;
    }
}

const char *otter_lines_hint(const struct otter_definitions *definitions,
                             const struct otter_labels *labels)
{
    size_t n_with, n_without;
    otter_lines_count(definitions, labels, &n_with, &n_without);
    return n_with == 0 && n_without > 0 ? "Labels are addresses: compile with -g for source lines."
                                        : NULL;
}

enum otter_status otter_lines_label(const struct otter_archive *archive,
                                    struct otter_labels *labels)
{
    *labels = (struct otter_labels){0};
    enum otter_status status = otter_labels_init(labels, otter_archive_definitions(archive));
    return status ? status : otter_lines_resolve(archive, labels);
}
