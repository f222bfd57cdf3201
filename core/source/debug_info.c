// Finds the function and the line of a code address, by DWARF, machine code and symbols.
#include "source/debug_info.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>

#include "source/claims.h"
#include "source/machine/code.h"
#include "source/directives.h"
#include "source/function_names.h"
#include "source/functor.h"
#include "source/source_line.h"
#include "source/symbols.h"
#include "source/unit/units.h"
#include "trace/schema.h"

struct otter_debug_info {
    Dwfl *dwfl;
    Dwfl_Module *module;
    Dwarf_Addr bias; // address in the file minus address in the debug information
    struct otter_code code;
    struct otter_units units;
    struct otter_function_names names;
    struct otter_symbols symbols;
    struct otter_directives directives;
    char inlined[4096]; // names of functions inlined into each other
    struct otter_claims claims;
};

// ---- opening

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

static bool is_same_build(Dwfl_Module *module, const char *build_id)
{
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(module, &bias);
    const void *bits = NULL;
    ssize_t n = elf ? dwelf_elf_gnu_build_id(elf, &bits) : -1;
    if (n <= 0 || strlen(build_id) != 2 * (size_t)n) {
        return false;
    }
    for (ssize_t i = 0; i < n; i++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", ((const unsigned char *)bits)[i]);
        if (strncmp(digits, build_id + 2 * i, 2) != 0) {
            return false;
        }
    }
    return true;
}

static uint64_t time_of_change(const struct stat *file)
{
    return (uint64_t)file->st_mtim.tv_sec * 1000000000 + (uint64_t)file->st_mtim.tv_nsec;
}

static bool is_younger(const struct stat *file, uint64_t recorded)
{
    return recorded != 0 && time_of_change(file) > recorded;
}

// Refuses a pipe, at which elfutils would block.
static int open_file(const char *path, struct stat *file)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor >= 0 && (fstat(descriptor, file) != 0 || !S_ISREG(file->st_mode))) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static enum otter_status report(struct otter_debug_info *info, const char *path,
                                const char *build_id, uint64_t recorded)
{
    struct stat file;
    int descriptor = open_file(path, &file);
    if (descriptor < 0) {
        return OTTER_NOT_FOUND;
    }
    dwfl_report_begin(info->dwfl);
    info->module = dwfl_report_elf(info->dwfl, path, path, descriptor, 0, true);
    if (!info->module) {
        close(descriptor);
        return OTTER_NOT_FOUND;
    }
    dwfl_report_end(info->dwfl, NULL, NULL);
    info->directives.newest = time_of_change(&file);
    bool is_same =
        *build_id == '-' ? !is_younger(&file, recorded) : is_same_build(info->module, build_id);
    return is_same ? OTTER_OK : OTTER_EXISTS;
}

enum otter_status otter_debug_info_open(struct otter_debug_info **result, const char *path,
                                        const char *build_id, uint64_t recorded)
{
    *result = NULL;
    unsetenv("DEBUGINFOD_URLS"); // a server may block, and would not have the user's program
    struct otter_debug_info *info = calloc(1, sizeof *info);
    if (!info) {
        return OTTER_NO_MEMORY;
    }
    info->dwfl = dwfl_begin(&callbacks);
    enum otter_status status =
        info->dwfl ? report(info, path, build_id, recorded) : OTTER_NO_MEMORY;
    if (status) {
        otter_debug_info_close(info);
        return status;
    }
    GElf_Addr bias;
    otter_code_init(&info->code, dwfl_module_getelf(info->module, &bias));
    otter_units_init(&info->units, dwfl_module_getdwarf(info->module, &info->bias));
    info->names.units = &info->units;
    info->symbols.module = info->module;
    *result = info;
    return OTTER_OK;
}

void otter_debug_info_close(struct otter_debug_info *info)
{
    if (!info) {
        return;
    }
    otter_units_finish(&info->units);
    otter_function_names_finish(&info->names);
    otter_code_finish(&info->code);
    otter_symbols_finish(&info->symbols);
    otter_claims_finish(&info->claims);
    otter_directives_finish(&info->directives);
    if (info->dwfl) {
        dwfl_end(info->dwfl);
    }
    free(info);
}

// ---- symbols

// Returns the user's function at an address without debug information, or "". Stores where the
// function begins. Compilers append a dot and a suffix to symbols: fib._omp_fn.0, fib.cold.
static const char *symbol_name(struct otter_debug_info *info, uint64_t address, uint64_t *begin)
{
    const char *name = otter_symbols_find(&info->symbols, address, begin);
    char *base = name ? strndup(name, strcspn(name, ".")) : NULL;
    const char *stored = base ? otter_function_names_of_linker(&info->names, base) : "";
    free(base);
    return stored;
}

// clang's -gline-tables-only omits a function's line, and the namespaces and classes around it. The
// symbol has them, unless the function was inlined.
static const char *qualify(struct otter_debug_info *info, struct otter_scope scope,
                           uint64_t address, const char *name)
{
    const struct otter_unit_scope *data = otter_scope_data(scope);
    if (*name == '\0' || data->line > 0 || data->is_outlined) {
        return name;
    }
    const char *symbol = symbol_name(info, address, &(uint64_t){0});
    size_t length = strlen(name), whole = strlen(symbol);
    bool is_same = whole > length && symbol[whole - length - 1] == ':' &&
                   strcmp(symbol + whole - length, name) == 0;
    return is_same ? symbol : name;
}

// ---- places

static bool is_of_runtime(const char *name)
{
    static const char *const prefixes[] = {"__kmpc_", "GOMP_", "GOACC_", "omp_", "kmp_", "__tgt_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    return *name == '\0';
}

enum { MAX_FUNCTIONS = 32 }; // most functions reached by jumps from one function

// A search for a function's jumps to the runtime, direct or through functions that it jumps to.
struct search {
    struct otter_debug_info *info;
    const char *wanted; // counts only jumps to this function; NULL: to any function of the runtime
    uint64_t entries[MAX_FUNCTIONS]; // addresses of the functions found so far
    unsigned n_entries, n_visited;
    // number of jumps to the runtime, and of functions that contain them
    unsigned n_jumps, n_functions;
    uint64_t end, entry; // address after the last such jump, and of its function
    const char *name;    // target of the last such jump
};

static const struct otter_range *function_at(struct otter_debug_info *info, uint64_t address)
{
    struct otter_unit *unit = otter_units_find(&info->units, address - info->bias);
    return unit ? otter_unit_code_at(unit, address - info->bias) : NULL;
}

static void add_entry(struct search *search, uint64_t entry)
{
    for (unsigned i = 0; i < search->n_entries; i++) {
        if (search->entries[i] == entry) {
            return;
        }
    }
    if (search->n_entries < MAX_FUNCTIONS) {
        search->entries[search->n_entries++] = entry;
    }
}

static bool is_wanted(const struct search *search, const char *name)
{
    return search->wanted ? strcmp(name, search->wanted) == 0 : is_of_runtime(name);
}

static void visit_jump(void *user, const struct otter_code_target *target, uint64_t end)
{
    struct search *search = user;
    uint64_t entry = search->entries[search->n_visited];
    if (target->name && is_wanted(search, target->name)) {
        search->n_functions += search->n_jumps == 0 || search->entry != entry;
        search->n_jumps++;
        search->end = end;
        search->entry = entry;
        search->name = target->name;
    } else if (!target->name) {
        const struct otter_range *function = function_at(search->info, target->address);
        if (function && function->begin + search->info->bias == target->address) {
            add_entry(search, target->address);
        }
    }
}

static struct search find_jumps(struct otter_debug_info *info, uint64_t entry, const char *wanted)
{
    struct search search = {.info = info, .wanted = wanted, .entries = {entry}, .n_entries = 1};
    for (; search.n_visited < search.n_entries; search.n_visited++) {
        const struct otter_range *function = function_at(info, search.entries[search.n_visited]);
        if (function) {
            otter_code_jumps(&info->code, function->begin + info->bias, function->end + info->bias,
                             visit_jump, &search);
        }
    }
    return search;
}

// The target of a call, known from the machine code or, in optimised code, from DWARF's call sites.
struct callee {
    const char *name;         // NULL: unknown
    struct otter_scope scope; // scope of the user's function
    uint64_t entry;           // address of the user's function; 0: unknown
};

static struct callee find_callee(struct otter_debug_info *info, const struct otter_unit *unit,
                                 uint64_t address)
{
    struct callee callee = {.scope.index = OTTER_NO_SCOPE};
    struct otter_code_target target = otter_code_call_before(&info->code, address);
    const struct otter_unit_call *call = otter_unit_call_before(unit, address - info->bias);
    callee.name = target.name;
    callee.entry = target.name ? 0 : target.address;
    if (callee.entry) {
        callee.scope.unit = otter_units_find(&info->units, callee.entry - info->bias);
    }
    if (callee.scope.unit) {
        callee.scope.index = otter_unit_scope_at(callee.scope.unit, callee.entry - info->bias);
    }
    if (callee.scope.index != OTTER_NO_SCOPE) {
        callee.name = otter_scope_data(callee.scope)->linkage;
    } else if (!callee.name && call) {
        Dwarf_Die die = call->callee;
        callee.name = otter_die_linkage_name(&die);
        callee.scope = otter_units_scope_of(&info->units, &die);
    }
    return callee;
}

static const char *name_of_function(struct otter_debug_info *info, uint64_t entry)
{
    struct otter_scope scope = {otter_units_find(&info->units, entry - info->bias), OTTER_NO_SCOPE};
    scope.index = scope.unit ? otter_unit_scope_at(scope.unit, entry - info->bias) : OTTER_NO_SCOPE;
    return scope.index == OTTER_NO_SCOPE ? symbol_name(info, entry, &(uint64_t){0})
                                         : otter_function_names_of(&info->names, scope);
}

// A single jump determines function and line. Several jumps in one function determine the function.
static uint64_t resolve_jumps(struct otter_debug_info *info, uint64_t entry, const char *wanted,
                              struct otter_code_place *place)
{
    struct search search = find_jumps(info, entry, wanted);
    if (search.n_jumps == 0) {
        return 0; // the jump may use a register
    }
    place->function = search.n_functions == 1 ? name_of_function(info, search.entry) : "";
    if (search.n_jumps > 1) {
        return 0;
    }
    place->callee = search.name;
    return search.end;
}

// A tail call of the runtime is a jump, so the runtime returns to the caller of the function that
// jumped. This function detects the jump, even through intermediate functions.
//
// *Returns* true if `place` is in the function that jumped. *address is then after the jump, or 0
// when the jump is unknown.
static bool is_jump(struct otter_debug_info *info, const struct otter_unit *unit, uint64_t *address,
                    struct otter_code_place *place)
{
    struct callee callee = find_callee(info, unit, *address);
    if (!callee.name) {
        return false;
    }
    if (is_of_runtime(callee.name)) {
        place->callee = callee.name;
        return false;
    }
    place->function = callee.scope.index == OTTER_NO_SCOPE
                          ? otter_function_names_of_linker(&info->names, callee.name)
                          : otter_function_names_of(&info->names, callee.scope);
    *address = callee.entry ? resolve_jumps(info, callee.entry, NULL, place) : 0;
    return true;
}

static struct otter_scope scope_at(struct otter_unit *unit, Dwarf_Addr address)
{
    return (struct otter_scope){unit, otter_unit_scope_at(unit, address)};
}

// ---- functions that the compiler made from constructs

// Returns whether calls of this function of GCC's runtime pass the function made from the
// construct.
static bool takes_outlined(const char *callee)
{
    static const char *const prefixes[] = {"GOMP_parallel", "GOMP_task", "GOMP_teams"};
    static const char *const others[] = {"GOMP_taskwait", "GOMP_taskgroup", "GOMP_taskyield"};
    bool takes = false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        takes = takes || strncmp(callee, prefixes[i], strlen(prefixes[i])) == 0;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        takes = takes && strncmp(callee, others[i], strlen(others[i])) != 0;
    }
    return takes;
}

static bool is_entry_of_outlined(void *user, uint64_t address)
{
    struct otter_debug_info *info = user;
    struct otter_unit *unit = otter_units_find(&info->units, address - info->bias);
    const struct otter_range *code = unit ? otter_unit_code_at(unit, address - info->bias) : NULL;
    if (unit && !code) { // of functions with equal code, GCC describes one; the others jump to it
        uint64_t begin;
        const char *name = otter_symbols_find(&info->symbols, address, &begin);
        return name && begin == address && strstr(name, "._omp_fn.");
    }
    return code && code->begin + info->bias == address &&
           unit->scopes.items[code->index].is_outlined;
}

// GCC assigns the line of the previous statement to the call that begins a construct. The first
// line of the construct's function is the directive's. Returns the construct's function; without
// one, the call has no line.
static struct otter_scope set_line_of_outlined(struct otter_debug_info *info,
                                               struct otter_unit *unit, uint64_t address,
                                               struct otter_code_place *place)
{
    const struct otter_range *code = otter_unit_code_at(unit, address - 1 - info->bias);
    uint64_t entry = code ? otter_code_first_argument(&info->code, code->begin + info->bias,
                                                      code->end + info->bias, address,
                                                      is_entry_of_outlined, info)
                          : 0;
    struct otter_scope none = {NULL, OTTER_NO_SCOPE};
    struct otter_source_line line = {.file = ""};
    if (entry) {
        unit = otter_units_find(&info->units, entry - info->bias);
        line = otter_source_line_of_entry(unit, entry - info->bias);
    }
    if (otter_is_file_of_kokkos(line.file)) {
        return none;
    }
    place->file = line.file;
    place->line = otter_directives_first_line(&info->directives, line.file, line.line);
    return entry ? scope_at(unit, entry - info->bias) : none;
}

// Constructs without a function of their own have the line of their directive. Returns the inlined
// function that contains the directive, otherwise no scope.
static struct otter_scope set_line_of_directive(struct otter_debug_info *info,
                                                struct otter_unit *unit, uint64_t address,
                                                struct otter_scope inlined,
                                                struct otter_code_place *place)
{
    struct otter_runtime_call call = {&info->code,   &info->directives, &info->units, unit,
                                      place->callee, address,           info->bias};
    struct otter_directive_place found = otter_claims_find(&info->claims, &call);
    if (found.line == 0) {
        return inlined;
    }
    place->file = found.file;
    place->line = found.line;
    return found.inlined;
}

// Stores file and line of the call that returns to `address`. Returns the function to which the
// construct belongs if that is not the call's function, otherwise no scope.
static struct otter_scope set_line(struct otter_debug_info *info, struct otter_unit *unit,
                                   uint64_t address, struct otter_code_place *place)
{
    struct otter_source_line line = otter_source_line_at(unit, address - 1 - info->bias);
    struct otter_scope inlined = line.is_inlined
                                     ? otter_units_scope_of(&info->units, &line.function)
                                     : (struct otter_scope){NULL, OTTER_NO_SCOPE};
    place->file = line.file;
    place->line = line.line;
    place->is_of_task = line.is_of_task;
    if (!takes_outlined(place->callee)) {
        return set_line_of_directive(info, unit, address, inlined, place);
    }
    struct otter_scope outlined = set_line_of_outlined(info, unit, address, place);
    return outlined.index == OTTER_NO_SCOPE ? inlined : outlined;
}

static void set_functor(struct otter_debug_info *info, struct otter_scope functor,
                        struct otter_code_place *place)
{
    place->function = otter_function_names_of(&info->names, functor);
    place->line = otter_scope_data(functor)->line;
    place->file = otter_unit_file(functor.unit, otter_scope_data(functor)->file);
}

// Replaces a place in Kokkos with the operator() of the functor that `function` runs. If the place
// is still in Kokkos, its file is removed and the function names the place.
static void replace_by_functor(struct otter_debug_info *info, struct otter_scope function,
                               struct otter_code_place *place)
{
    if (function.index == OTTER_NO_SCOPE || !otter_is_file_of_kokkos(place->file) ||
        !otter_is_of_kokkos(place->function)) {
        return;
    }
    struct otter_scope functor = otter_functor_find(&info->units, function);
    if (functor.index != OTTER_NO_SCOPE) {
        set_functor(info, functor, place);
    }
    if (*place->file == '\0' || otter_is_file_of_kokkos(place->file)) {
        place->file = "";
        place->is_of_kokkos = true;
    }
}

// A Kokkos template without debug information may run a functor of the program, whose code has
// debug information elsewhere. The name of such a template then contains more than Kokkos names.
static void name_by_symbol(struct otter_debug_info *info, uint64_t address,
                           struct otter_code_place *place)
{
    uint64_t begin = 0;
    place->function = symbol_name(info, address, &begin);
    struct otter_scope functor = otter_functor_find_by_symbol(&info->units, place->function);
    if (functor.index != OTTER_NO_SCOPE) {
        set_functor(info, functor, place);
        return;
    }
    place->is_of_kokkos = otter_is_of_kokkos(place->function) && !strchr(place->function, '<');
    place->offset = place->is_of_kokkos ? address - begin : 0;
}

// Appends a name to the names of functions inlined into each other. If it does not fit, the first
// name is truncated, and any other name is omitted.
static void append_name(struct otter_debug_info *info, const char *name)
{
    size_t used = strlen(info->inlined), size = sizeof info->inlined;
    const char *separator = used > 0 ? OTTER_INLINED : "";
    if (*name && (used == 0 || used + strlen(separator) + strlen(name) < size)) {
        snprintf(info->inlined + used, size - used, "%s%s", separator, name);
    }
}

struct otter_code_place otter_debug_info_find_code(struct otter_debug_info *info, uint64_t address)
{
    struct otter_code_place place = {.function = info->inlined, .file = "", .callee = ""};
    Dwarf_Die inlined[OTTER_MAX_INLINED];
    uint64_t at = address - 1 - info->bias;
    struct otter_unit *unit = otter_units_find(&info->units, at);
    struct otter_scope scope = {unit, OTTER_NO_SCOPE};
    info->inlined[0] = '\0';
    if (unit) {
        struct otter_source_line line = otter_source_line_at(unit, at);
        place.file = line.file;
        place.line = line.line;
        scope = scope_at(unit, at);
        int n = otter_source_line_inlined(unit, at, inlined);
        for (int i = 0; i < n; i++) {
            struct otter_scope inner = otter_units_scope_of(&info->units, &inlined[i]);
            append_name(info, inner.index == OTTER_NO_SCOPE
                                  ? ""
                                  : otter_function_names_of_code(&info->names, inner));
        }
    }
    append_name(info, scope.index == OTTER_NO_SCOPE
                          ? symbol_name(info, address - 1, &(uint64_t){0})
                          : otter_function_names_of_code(&info->names, scope));
    return place;
}

struct otter_code_place otter_debug_info_find(struct otter_debug_info *info, uint64_t address)
{
    struct otter_code_place place = {.function = "", .file = "", .callee = ""};
    struct otter_unit *unit = otter_units_find(&info->units, address - 1 - info->bias);
    if (!unit) {
        name_by_symbol(info, address - 1, &place);
        return place;
    }
    if (is_jump(info, unit, &address, &place)) {
        unit = address ? otter_units_find(&info->units, address - 1 - info->bias) : NULL;
        if (unit) {
            set_line(info, unit, address, &place);
            replace_by_functor(info, scope_at(unit, address - 1 - info->bias), &place);
        }
        return place;
    }
    struct otter_scope scope = set_line(info, unit, address, &place);
    if (scope.index == OTTER_NO_SCOPE) {
        scope = scope_at(unit, address - 1 - info->bias);
    }
    if (scope.index == OTTER_NO_SCOPE) {
        name_by_symbol(info, address - 1, &place);
    } else {
        const char *name = otter_function_names_of(&info->names, scope);
        place.function = qualify(info, scope, address - 1, name);
        replace_by_functor(info, scope, &place);
    }
    return place;
}

struct otter_code_place otter_debug_info_find_jump(struct otter_debug_info *info, uint64_t address,
                                                   const char *callee)
{
    struct otter_code_place place = {.function = "", .file = "", .callee = ""};
    const struct otter_range *code = function_at(info, address - 1);
    uint64_t end = code ? resolve_jumps(info, code->begin + info->bias, callee, &place) : 0;
    struct otter_unit *unit = end ? otter_units_find(&info->units, end - 1 - info->bias) : NULL;
    if (unit) {
        set_line(info, unit, end, &place);
    }
    return place;
}
