#include "report/source_line.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "base/path.h"

// A person looks for the launch of a kernel in his own code, not in Kokkos' headers, where the region is forked.
static bool is_of_kokkos(const char *file)
{
    return strncmp(otter_path_file(file), "Kokkos_", strlen("Kokkos_")) == 0;
}

// Where the function that was inlined as `die` was called, if it says so.
static void find_call(Dwarf_Die *die, Dwarf_Files *files, struct otter_source_line *found)
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
        found->file = file;
        found->line = (uint32_t)line;
    }
}

static void leave_kokkos(struct otter_unit *unit, Dwarf_Addr address,
                         struct otter_source_line *found)
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
    for (int i = 0; i < n && is_of_kokkos(found->file); i++) {
        find_call(&around[i], files, found);
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
    const struct otter_range *function = otter_unit_code_at(unit, address);
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

struct otter_source_line otter_source_line_at(struct otter_unit *unit, Dwarf_Addr address)
{
    struct otter_source_line found = {.file = ""};
    int number;
    Dwarf_Line *line = dwarf_getsrc_die(&unit->lines, address);
    if (line && dwarf_lineno(line, &number) == 0 && number == 0) {
        line = line_before(unit, address);
    }
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (file && dwarf_lineno(line, &number) == 0 && number > 0) {
        found.file = file;
        found.line = (uint32_t)number;
        found.is_of_task = otter_unit_has_task(unit, file, found.line);
        if (is_of_kokkos(file)) {
            leave_kokkos(unit, address, &found);
        }
    }
    return found;
}
