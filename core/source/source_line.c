// Finds the source line of an instruction by the line table and the inlined functions.
#include "source/source_line.h"

#include <string.h>

#include <dwarf.h>

#include "base/path.h"

// Returns whether the file is a header of Kokkos. These headers fork the region of a kernel, but
// users expect the place of the launch in their own code.
bool otter_is_file_of_kokkos(const char *file)
{
    return strncmp(otter_path_file(file), "Kokkos_", strlen("Kokkos_")) == 0;
}

// Stores the place of the call at which `die` was inlined, if DWARF has it.
static void find_call(Dwarf_Die *die, Dwarf_Files *files, struct otter_source_line *found)
{
    Dwarf_Attribute attribute;
    Dwarf_Word line, index;
    if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) != 0 ||
        dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &index) != 0) {
        return;
    }
    const char *file = dwarf_filesrc(files, index, NULL, NULL);
    if (file) {
        found->file = file;
        found->line = (uint32_t)line;
    }
}

// Stores the functions inlined at `address`, the outermost first. Returns their number.
//
// elfutils' dwarf_getscopes does not find the functions that GCC makes from a construct. Their DIEs
// are nested in a function with other addresses.
static int find_inlined(const struct otter_unit *unit, Dwarf_Addr address,
                        Dwarf_Die inlined[static OTTER_MAX_INLINED])
{
    uint32_t scope = otter_unit_scope_at(unit, address);
    if (scope == OTTER_NO_SCOPE || !unit->scopes.items[scope].die.addr) {
        return 0;
    }
    Dwarf_Die last = unit->scopes.items[scope].die, die;
    int n = 0;
    bool is_end = dwarf_child(&last, &die) != 0;
    // The addresses of DIEs ascend. A DIE at a lower address means damage.
    while (!is_end && n < OTTER_MAX_INLINED && (const char *)die.addr > (const char *)last.addr) {
        int tag = dwarf_tag(&die);
        last = die;
        if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
            dwarf_haspc(&die, address) > 0) {
            if (tag == DW_TAG_inlined_subroutine) {
                inlined[n++] = die;
            }
            is_end = dwarf_child(&die, &die) != 0;
        } else {
            is_end = dwarf_siblingof(&die, &die) != 0;
        }
    }
    return n;
}

// Stores the inlined function. Returns false for an outlined function that the compiler inlined,
// since DWARF does not contain its place.
static bool find_origin(const struct otter_unit *unit, Dwarf_Die *inlined, Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    if (!dwarf_formref_die(dwarf_attr(inlined, DW_AT_abstract_origin, &attribute), function)) {
        return false;
    }
    uint32_t scope = otter_unit_scope_of(unit, function);
    return scope == OTTER_NO_SCOPE || !unit->scopes.items[scope].is_outlined;
}

int otter_source_line_inlined(const struct otter_unit *unit, Dwarf_Addr address,
                              Dwarf_Die functions[static OTTER_MAX_INLINED])
{
    Dwarf_Die inlined[OTTER_MAX_INLINED];
    int n_found = 0;
    for (int n = find_inlined(unit, address, inlined); n > 0; n--) {
        n_found += find_origin(unit, &inlined[n - 1], &functions[n_found]);
    }
    return n_found;
}

// Stores the function of the line. For code inlined from Kokkos' headers, this becomes the line of
// the call.
static void find_function(struct otter_unit *unit, Dwarf_Addr address,
                          struct otter_source_line *found)
{
    Dwarf_Die inlined[OTTER_MAX_INLINED];
    Dwarf_Files *files;
    size_t n_files;
    if (dwarf_getsrcfiles(&unit->lines, &files, &n_files) != 0) {
        return;
    }
    for (int n = find_inlined(unit, address, inlined); n > 0 && !found->is_inlined; n--) {
        if (otter_is_file_of_kokkos(found->file)) {
            find_call(&inlined[n - 1], files, found);
        } else {
            found->is_inlined = find_origin(unit, &inlined[n - 1], &found->function);
        }
    }
}

// Returns the last row that begins at or before `address`, or 0.
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

static bool ends_sequence(Dwarf_Line *line)
{
    bool is_end;
    return dwarf_lineendsequence(line, &is_end) != 0 || is_end;
}

// Returns the first row at `address` that begins a statement, or NULL. The previous function may
// have its last row there, and optimised code has more rows of the function's body.
static Dwarf_Line *statement_at(Dwarf_Lines *lines, size_t n, Dwarf_Addr address)
{
    Dwarf_Line *first = NULL;
    for (size_t i = find_row(lines, n, address) + 1; i > 0; i--) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i - 1);
        Dwarf_Addr begin;
        bool is_statement;
        if (dwarf_lineaddr(line, &begin) != 0 || begin != address || ends_sequence(line)) {
            return first;
        }
        if (dwarf_linebeginstatement(line, &is_statement) == 0 && is_statement) {
            first = line;
        }
    }
    return first;
}

struct otter_source_line otter_source_line_of_entry(struct otter_unit *unit, Dwarf_Addr entry)
{
    struct otter_source_line found = {.file = ""};
    Dwarf_Lines *lines;
    size_t n;
    int number;
    if (dwarf_getsrclines(&unit->lines, &lines, &n) != 0 || n == 0) {
        return found;
    }
    Dwarf_Line *line = statement_at(lines, n, entry);
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (file && dwarf_lineno(line, &number) == 0 && number > 0) {
        found.file = file;
        found.line = (uint32_t)number;
    }
    return found;
}

// Returns the last line above 0 before `address` in the same function. Clang assigns line 0 to
// calls that it makes for a construct, such as the creation of a target task.
static Dwarf_Line *line_before(struct otter_unit *unit, Dwarf_Addr address)
{
    Dwarf_Lines *lines;
    size_t n;
    const struct otter_range *function = otter_unit_code_at(unit, address);
    if (!function || dwarf_getsrclines(&unit->lines, &lines, &n) != 0) {
        return NULL;
    }
    for (size_t i = find_row(lines, n, address); i > 0; i--) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        Dwarf_Addr begin;
        int number;
        if (dwarf_lineaddr(line, &begin) != 0 || begin < function->begin || ends_sequence(line)) {
            return NULL;
        }
        if (dwarf_lineno(line, &number) == 0 && number > 0) {
            return line;
        }
    }
    return NULL;
}

struct otter_source_line otter_source_line_at(struct otter_unit *unit, Dwarf_Addr address)
{
    struct otter_source_line found = {.file = ""};
    int number;
    Dwarf_Line *line = dwarf_getsrc_die(&unit->lines, address);
    if (line && dwarf_lineno(line, &number) == 0 && number == 0) {
        line = line_before(unit, address);
        dwarf_lineaddr(line, &address);
    }
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (file && dwarf_lineno(line, &number) == 0 && number > 0) {
        found.file = file;
        found.line = (uint32_t)number;
        found.is_of_task = otter_unit_has_task(unit, file, found.line);
        find_function(unit, address, &found);
    }
    return found;
}

struct otter_source_line otter_source_line_near(struct otter_unit *unit, Dwarf_Addr address,
                                                int depth)
{
    struct otter_source_line found = otter_source_line_at(unit, address);
    Dwarf_Die inlined[OTTER_MAX_INLINED];
    Dwarf_Line *row = dwarf_getsrc_die(&unit->lines, address);
    Dwarf_Files *files;
    size_t n_files;
    Dwarf_Addr begin;
    if (!row || dwarf_lineaddr(row, &begin) != 0) {
        return found;
    }
    found.row = begin;
    if (find_inlined(unit, begin, inlined) > depth &&
        dwarf_getsrcfiles(&unit->lines, &files, &n_files) == 0) {
        find_call(&inlined[depth], files, &found);
    }
    return found;
}

struct otter_source_line otter_source_line_from(struct otter_unit *unit, Dwarf_Addr address,
                                                Dwarf_Addr end, int depth)
{
    struct otter_source_line found = {.file = ""};
    Dwarf_Die inlined[OTTER_MAX_INLINED];
    Dwarf_Lines *lines;
    Dwarf_Files *files;
    size_t n, n_files;
    Dwarf_Addr begin = 0, first = 0;
    bool is_statement;
    int number;
    if (dwarf_getsrclines(&unit->lines, &lines, &n) != 0 ||
        dwarf_getsrcfiles(&unit->lines, &files, &n_files) != 0) {
        return found;
    }
    size_t i = find_row(lines, n, address);
    while (i > 0 && dwarf_lineaddr(dwarf_onesrcline(lines, i - 1), &begin) == 0 &&
           begin >= address) {
        i--; // the first of several rows at the address
    }
    for (; i < n && !first; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        const char *file = dwarf_linesrc(line, NULL, NULL);
        if (dwarf_lineaddr(line, &begin) != 0 || begin >= end) {
            return found;
        }
        if (begin >= address && file && dwarf_linebeginstatement(line, &is_statement) == 0 &&
            is_statement && dwarf_lineno(line, &number) == 0 && number > 0) {
            found.file = file;
            found.line = (uint32_t)number;
            first = begin;
        }
    }
    if (first && find_inlined(unit, first, inlined) > depth) {
        find_call(&inlined[depth], files, &found);
    }
    return found;
}

uint32_t otter_source_line_last(struct otter_unit *unit, Dwarf_Addr begin, Dwarf_Addr end)
{
    Dwarf_Lines *lines;
    size_t n;
    uint32_t last = 0;
    Dwarf_Addr address = 0;
    if (dwarf_getsrclines(&unit->lines, &lines, &n) != 0 || n == 0) {
        return 0;
    }
    for (size_t i = find_row(lines, n, begin); i < n && address < end; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        int number;
        if (dwarf_lineaddr(line, &address) == 0 && address >= begin && address < end &&
            dwarf_lineno(line, &number) == 0 && (uint32_t)number > last) {
            last = (uint32_t)number;
        }
    }
    return last;
}
