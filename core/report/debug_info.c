#include "report/debug_info.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>

#include "base/path.h"
#include "report/code.h"
#include "report/demangle.h"
#include "report/unit.h"

enum { MAX_STEPS = 16, MAX_RANGES = 100000 };

struct unit_range {
    Dwarf_Addr begin, end;
    uint32_t unit;
};

struct symbol {
    uint64_t begin, end;
    const char *name;
};

struct otter_debug_info {
    Dwfl *dwfl;
    Dwfl_Module *module;
    Dwarf_Addr bias; // of the addresses in the debug information
    struct otter_code code;
    struct {
        OTTER_VECTOR(struct otter_unit);
    } units; // in the order of their DIEs in memory
    struct {
        OTTER_VECTOR(struct unit_range);
    } ranges; // by address
    struct {
        OTTER_VECTOR(struct symbol);
    } symbols; // functions, by address
    bool has_symbols;
    struct {
        OTTER_VECTOR(char *);
    } texts;
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

static bool is_younger(const struct stat *file, uint64_t recorded)
{
    uint64_t changed =
        (uint64_t)file->st_mtim.tv_sec * 1000000000 + (uint64_t)file->st_mtim.tv_nsec;
    return recorded != 0 && changed > recorded;
}

// elfutils would wait at a pipe.
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
    bool is_same =
        *build_id == '-' ? !is_younger(&file, recorded) : is_same_build(info->module, build_id);
    return is_same ? OTTER_OK : OTTER_EXISTS;
}

static int compare_units(const void *a, const void *b)
{
    const struct otter_unit *x = a, *y = b;
    return ((const char *)x->cu.addr > (const char *)y->cu.addr) -
           ((const char *)x->cu.addr < (const char *)y->cu.addr);
}

static int compare_ranges(const void *a, const void *b)
{
    const struct unit_range *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static void add_ranges(struct otter_debug_info *info, uint32_t unit)
{
    Dwarf_Addr base, begin, end;
    ptrdiff_t offset = 0;
    for (int i = 0; i < MAX_RANGES; i++) {
        offset = dwarf_ranges(&info->units.items[unit].lines, offset, &base, &begin, &end);
        if (offset <= 0 || !OTTER_VECTOR_RESERVE(&info->ranges)) {
            return;
        }
        if (begin < end) {
            info->ranges.items[info->ranges.n++] = (struct unit_range){begin, end, unit};
        }
    }
}

// clang writes no .debug_aranges, so that each unit is asked what it covers.
static void read_units(struct otter_debug_info *info)
{
    Dwarf *dwarf = dwfl_module_getdwarf(info->module, &info->bias);
    Dwarf_CU *cu = NULL;
    Dwarf_Die die, part;
    uint8_t type;
    while (dwarf && dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &part) == 0) {
        bool is_split = type == DW_UT_skeleton && dwarf_tag(&part) == DW_TAG_compile_unit;
        if (die.addr && OTTER_VECTOR_RESERVE(&info->units)) {
            info->units.items[info->units.n++] =
                (struct otter_unit){.lines = die, .cu = is_split ? part : die};
        }
    }
    if (info->units.n > 0) {
        qsort(info->units.items, info->units.n, sizeof *info->units.items, compare_units);
    }
    for (uint32_t i = 0; i < info->units.n; i++) {
        add_ranges(info, i);
    }
    if (info->ranges.n > 0) {
        qsort(info->ranges.items, info->ranges.n, sizeof *info->ranges.items, compare_ranges);
    }
}

enum otter_status otter_debug_info_open(struct otter_debug_info **result, const char *path,
                                        const char *build_id, uint64_t recorded)
{
    *result = NULL;
    unsetenv(
        "DEBUGINFOD_URLS"); // no server knows a person's own program, and the network may make us wait
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
    read_units(info);
    *result = info;
    return OTTER_OK;
}

void otter_debug_info_close(struct otter_debug_info *info)
{
    if (!info) {
        return;
    }
    for (uint32_t i = 0; i < info->units.n; i++) {
        otter_unit_finish(&info->units.items[i]);
    }
    for (uint32_t i = 0; i < info->texts.n; i++) {
        free(info->texts.items[i]);
    }
    otter_code_finish(&info->code);
    free(info->units.items);
    free(info->ranges.items);
    free(info->symbols.items);
    free(info->texts.items);
    if (info->dwfl) {
        dwfl_end(info->dwfl);
    }
    free(info);
}

// ---- names

// Takes over `text`, which may be NULL.
static const char *keep(struct otter_debug_info *info, char *text)
{
    if (!text || !OTTER_VECTOR_RESERVE(&info->texts)) {
        free(text);
        return "";
    }
    return info->texts.items[info->texts.n++] = text;
}

// A scope and the unit it belongs to.
struct scope {
    struct otter_unit *unit;
    uint32_t index; // OTTER_NO_SCOPE: none
};

static const struct otter_unit_scope *scope_data(struct scope scope)
{
    return &scope.unit->scopes.items[scope.index];
}

static struct scope around(struct scope scope)
{
    return (struct scope){scope.unit, scope_data(scope)->parent};
}

static bool is_function(struct scope scope)
{
    Dwarf_Die die = scope_data(scope)->die;
    return dwarf_tag(&die) == DW_TAG_subprogram;
}

// The scope at `die`, in whichever unit.
static struct scope find_scope(struct otter_debug_info *info, Dwarf_Die *die)
{
    struct otter_unit key = {.is_read = false};
    struct otter_unit *unit = NULL;
    if (dwarf_diecu(die, &key.cu, NULL, NULL) && info->units.n > 0) {
        unit = bsearch(&key, info->units.items, info->units.n, sizeof key, compare_units);
    }
    if (!unit) {
        return (struct scope){NULL, OTTER_NO_SCOPE};
    }
    otter_unit_read(unit);
    return (struct scope){unit, otter_unit_scope_of(unit, die)};
}

// Where a function that was inlined, or is defined outside of its class, was declared first.
static struct scope first_declaration(struct otter_debug_info *info, struct scope scope)
{
    for (int i = 0; i < MAX_STEPS; i++) {
        Dwarf_Die die = scope_data(scope)->die, origin;
        Dwarf_Attribute attribute;
        if (!dwarf_formref_die(dwarf_attr(&die, DW_AT_specification, &attribute), &origin) &&
            !dwarf_formref_die(dwarf_attr(&die, DW_AT_abstract_origin, &attribute), &origin)) {
            break;
        }
        struct scope found = find_scope(info, &origin);
        if (found.index == OTTER_NO_SCOPE) {
            break;
        }
        scope = found;
    }
    return scope;
}

// The function that a class is in, as lambdas are; or none.
static struct scope function_around_class(struct scope scope)
{
    bool is_in_class = false;
    for (scope = around(scope); scope.index != OTTER_NO_SCOPE; scope = around(scope)) {
        if (is_function(scope)) {
            return is_in_class ? scope : (struct scope){NULL, OTTER_NO_SCOPE};
        }
        is_in_class = true;
    }
    return scope;
}

// "ns::Solver::run"; "" for what is in a class without a name.
static const char *qualified_name(struct otter_debug_info *info, struct scope scope)
{
    const char *name = scope_data(scope)->name;
    for (scope = around(scope); scope.index != OTTER_NO_SCOPE && !is_function(scope);
         scope = around(scope)) {
        Dwarf_Die die = scope_data(scope)->die;
        const char *outer = scope_data(scope)->name;
        if (*outer) {
            name = keep(info, otter_path("%s::%s", outer, name));
        } else if (dwarf_tag(&die) != DW_TAG_namespace) {
            return "";
        }
    }
    return name;
}

// clang puts the class of a lambda into no function: its name says "main::$_0::operator()".
static const char *name_by_linker(struct otter_debug_info *info, const char *linkage)
{
    char *name = otter_demangle(linkage);
    char *lambda = name ? strstr(name, "::$_") : NULL;
    if (lambda) {
        *lambda = '\0';
    }
    return keep(info, name);
}

// Is `sign` the operator's whole sign? In "operator<<int>" it is "<".
static bool is_sign(const char *at, const char *sign)
{
    size_t n = strlen(sign);
    return strncmp(at, sign, n) == 0 && (at[n] == '\0' || strchr(" <(:", at[n]));
}

// What follows "operator<<" and its like at `at`, whose brackets are no template's; `at` where there is no such name.
static const char *behind_operator(const char *at)
{
    static const char *const signs[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>",
                                        "<=",  ">=",  "->",  "<",   ">"};
    size_t length = strlen("operator");
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (strncmp(at, "operator", length) == 0 && is_sign(at + length, signs[i])) {
            return at + length + strlen(signs[i]);
        }
    }
    return at;
}

// Takes the template arguments out: "ns::Solver<int>::run". In place.
static char *without_arguments(char *name)
{
    char *to = name;
    int depth = 0;
    const char *at = name ? name : "";
    while (*at) {
        const char *behind = depth == 0 ? behind_operator(at) : at;
        if (behind > at) {
            memmove(to, at, (size_t)(behind - at));
            to += behind - at;
            at = behind + strspn(behind, " ");
            continue;
        }
        depth += *at == '<';
        if (depth == 0) {
            *to++ = *at;
        }
        depth -= *at == '>' && depth > 0;
        at++;
    }
    if (name) {
        *to = '\0';
    }
    return name;
}

// The function from whose body the compiler made this one.
struct maker {
    struct scope scope;
    const char *name;    // when there is no scope; "": unknown
    bool is_one_of_many; // instances of a template
};

// GCC puts the one into the other; clang gives it the other's name, or nothing but the line.
static struct maker find_maker(struct otter_debug_info *info, struct scope scope)
{
    const struct otter_unit_scope *made = scope_data(scope);
    struct maker maker = {.scope = around(scope), .name = ""};
    while (maker.scope.index != OTTER_NO_SCOPE && !is_function(maker.scope)) {
        maker.scope = around(maker.scope);
    }
    if (maker.scope.index != OTTER_NO_SCOPE) {
        return maker;
    }
    size_t length = strcspn(made->linkage, ".");
    if (length > 0) {
        maker.name = keep(info, strndup(made->linkage, length));
        maker.scope.index = otter_unit_find_name(scope.unit, maker.name);
    } else if (made->line > 0) {
        maker.scope.index = otter_unit_find_line(scope.unit, made->file, made->line);
        maker.is_one_of_many = maker.scope.index != OTTER_NO_SCOPE &&
                               !otter_unit_is_only_of_line(scope.unit, maker.scope.index);
    }
    return maker;
}

// The name of the person's function that `scope`, a function, is or comes from.
static const char *function_name(struct otter_debug_info *info, struct scope scope)
{
    bool is_one_of_many = false;
    for (int i = 0; i < MAX_STEPS; i++) {
        if (scope_data(scope)->is_outlined) {
            struct maker maker = find_maker(info, scope);
            is_one_of_many = is_one_of_many || maker.is_one_of_many;
            if (maker.scope.index == OTTER_NO_SCOPE) {
                return keep(info, otter_demangle(maker.name));
            }
            scope = maker.scope;
            continue;
        }
        const char *linkage = scope_data(scope)->linkage;
        scope = first_declaration(info, scope);
        struct scope outer = function_around_class(scope);
        if (outer.index != OTTER_NO_SCOPE) {
            scope = outer;
            continue;
        }
        const char *name = qualified_name(info, scope);
        name = *name ? name : name_by_linker(info, linkage);
        return is_one_of_many ? keep(info, without_arguments(strdup(name))) : name;
    }
    return "";
}

// ---- symbols, where there is no debug information

static int compare_symbols(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static void read_symbols(struct otter_debug_info *info)
{
    info->has_symbols = true;
    int n = dwfl_module_getsymtab(info->module);
    for (int i = 1; i < n; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *name =
            dwfl_module_getsym_info(info->module, i, &symbol, &address, NULL, NULL, NULL);
        int type = GELF_ST_TYPE(symbol.st_info);
        if (name && *name && (type == STT_FUNC || type == STT_GNU_IFUNC) &&
            symbol.st_shndx != SHN_UNDEF && OTTER_VECTOR_RESERVE(&info->symbols)) {
            info->symbols.items[info->symbols.n++] =
                (struct symbol){address, address + symbol.st_size, name};
        }
    }
    if (info->symbols.n > 0) {
        qsort(info->symbols.items, info->symbols.n, sizeof *info->symbols.items, compare_symbols);
    }
}

// What follows a dot was added by the compiler: fib._omp_fn.0, fib.cold.
static const char *symbol_name(struct otter_debug_info *info, uint64_t address)
{
    if (!info->has_symbols) {
        read_symbols(info);
    }
    uint32_t low = 0, high = info->symbols.n;
    while (low < high) { // the first that begins behind the address
        uint32_t middle = low + (high - low) / 2;
        if (info->symbols.items[middle].begin <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || address >= info->symbols.items[low - 1].end) {
        return "";
    }
    const char *name = info->symbols.items[low - 1].name;
    char *base = strndup(name, strcspn(name, "."));
    const char *kept = base ? keep(info, otter_demangle(base)) : "";
    free(base);
    return kept;
}

// ---- places

static struct otter_unit *find_unit(struct otter_debug_info *info, Dwarf_Addr address)
{
    uint32_t low = 0, high = info->ranges.n;
    while (low < high) { // the first that begins behind the address
        uint32_t middle = low + (high - low) / 2;
        if (info->ranges.items[middle].begin <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || address >= info->ranges.items[low - 1].end) {
        return NULL;
    }
    struct otter_unit *unit = &info->units.items[info->ranges.items[low - 1].unit];
    otter_unit_read(unit);
    return unit;
}

// A person looks for the launch of a kernel in his own code, not in Kokkos' headers, where the region is forked.
static bool is_of_kokkos(const char *file)
{
    return strncmp(otter_path_file(file), "Kokkos_", strlen("Kokkos_")) == 0;
}

// Where the function that was inlined as `die` was called, if it says so.
static void find_call(Dwarf_Die *die, Dwarf_Files *files, struct otter_code_place *place)
{
    Dwarf_Attribute attribute;
    Dwarf_Word line, index;
    if (dwarf_tag(die) != DW_TAG_inlined_subroutine ||
        dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) != 0 ||
        dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &index) != 0) {
        return;
    }
    const char *file = dwarf_filesrc(files, index, NULL, NULL);
    if (file) {
        place->file = file;
        place->line = (uint32_t)line;
    }
}

static void leave_kokkos(struct otter_unit *unit, Dwarf_Addr address,
                         struct otter_code_place *place)
{
    Dwarf_Die *here = NULL, *around = NULL;
    Dwarf_Files *files;
    size_t n_files;
    int n = 0;
    // The first list leads from what was inlined to where it is declared, the second to where it was called.
    if (dwarf_getsrcfiles(&unit->lines, &files, &n_files) == 0 &&
        dwarf_getscopes(&unit->cu, address, &here) > 0) {
        n = dwarf_getscopes_die(&here[0], &around);
    }
    for (int i = 0; i < n && is_of_kokkos(place->file); i++) {
        find_call(&around[i], files, place);
    }
    free(here);
    free(around);
}

// The last row that begins at or before `address`; 0: none does.
static size_t find_row(Dwarf_Lines *lines, size_t n, Dwarf_Addr address)
{
    size_t low = 0, high = n;
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        Dwarf_Addr begin = 0;
        dwarf_lineaddr(dwarf_onesrcline(lines, middle), &begin);
        if (begin <= address) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Clang gives line 0 to the calls that it makes for a construct (the creation of a target task, say): these belong to the line before them
// in the same function.
static Dwarf_Line *line_before(struct otter_unit *unit, Dwarf_Addr address)
{
    Dwarf_Lines *lines;
    size_t n;
    const struct otter_unit_code *function = otter_unit_code_at(unit, address);
    if (!function || dwarf_getsrclines(&unit->lines, &lines, &n) != 0) {
        return NULL;
    }
    for (size_t i = find_row(lines, n, address); i > 0; i--) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        Dwarf_Addr begin;
        bool is_end;
        int number;
        if (dwarf_lineaddr(line, &begin) != 0 || begin < function->begin ||
            dwarf_lineendsequence(line, &is_end) != 0 || is_end) {
            return NULL;
        }
        if (dwarf_lineno(line, &number) == 0 && number > 0) {
            return line;
        }
    }
    return NULL;
}

static void set_line(struct otter_unit *unit, Dwarf_Addr address, struct otter_code_place *place)
{
    int number;
    Dwarf_Line *line = dwarf_getsrc_die(&unit->lines, address);
    if (line && dwarf_lineno(line, &number) == 0 && number == 0) {
        line = line_before(unit, address);
    }
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (file && dwarf_lineno(line, &number) == 0 && number > 0) {
        place->file = file;
        place->line = (uint32_t)number;
        place->is_of_task = otter_unit_has_task(unit, file, place->line);
        if (is_of_kokkos(file)) {
            leave_kokkos(unit, address, place);
        }
    }
}

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

// The address behind the only jump to the runtime in the function that begins at `entry`, and the name of what it jumps to. 0: unknown.
static uint64_t find_jump(struct otter_debug_info *info, uint64_t entry, const char **name)
{
    struct otter_unit *unit = find_unit(info, entry - info->bias);
    const struct otter_unit_code *function =
        unit ? otter_unit_code_at(unit, entry - info->bias) : NULL;
    return function ? otter_code_only_jump(&info->code, function->begin + info->bias,
                                           function->end + info->bias, is_of_runtime, name)
                    : 0;
}

// What the call calls that returns to `address`, by the machine code or by what DWARF says of optimised code.
struct callee {
    const char *name;   // NULL: unknown
    struct scope scope; // of the person's function
    uint64_t entry;     // likewise; 0: unknown
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
        callee.scope.unit = find_unit(info, callee.entry - info->bias);
    }
    if (callee.scope.unit) {
        callee.scope.index = otter_unit_scope_at(callee.scope.unit, callee.entry - info->bias);
    }
    if (callee.scope.index != OTTER_NO_SCOPE) {
        callee.name = scope_data(callee.scope)->linkage;
    } else if (!callee.name && call) {
        Dwarf_Die die = call->callee;
        callee.name = otter_die_linkage_name(&die);
        callee.scope = find_scope(info, &die);
    }
    return callee;
}

// A function that calls the runtime as the last thing it does may leave that to a jump: the runtime then returns to its caller.
// True: `place` is in the function that jumped; *address is behind the jump, or 0 when it is unknown.
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
    place->function = callee.scope.index == OTTER_NO_SCOPE ? keep(info, otter_demangle(callee.name))
                                                           : function_name(info, callee.scope);
    *address = callee.entry ? find_jump(info, callee.entry, &place->callee) : 0;
    return true;
}

struct otter_code_place otter_debug_info_find(struct otter_debug_info *info, uint64_t address)
{
    struct otter_code_place place = {.function = "", .file = "", .callee = ""};
    struct otter_unit *unit = find_unit(info, address - 1 - info->bias);
    if (!unit) {
        place.function = symbol_name(info, address - 1);
        return place;
    }
    if (is_jump(info, unit, &address, &place)) {
        unit = address ? find_unit(info, address - 1 - info->bias) : NULL;
        if (unit) {
            set_line(unit, address - 1 - info->bias, &place);
        }
        return place;
    }
    set_line(unit, address - 1 - info->bias, &place);
    uint32_t scope = otter_unit_scope_at(unit, address - 1 - info->bias);
    place.function = scope == OTTER_NO_SCOPE ? symbol_name(info, address - 1)
                                             : function_name(info, (struct scope){unit, scope});
    return place;
}
