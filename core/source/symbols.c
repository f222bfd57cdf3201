// Finds the function of an address in the symbol table.
#include "source/symbols.h"

void otter_symbols_finish(struct otter_symbols *symbols)
{
    otter_ranges_finish(&symbols->functions);
}

static void read_symbols(struct otter_symbols *symbols)
{
    symbols->is_read = true;
    int n = dwfl_module_getsymtab(symbols->module);
    for (int i = 1; i < n; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *name =
            dwfl_module_getsym_info(symbols->module, i, &symbol, &address, NULL, NULL, NULL);
        int type = GELF_ST_TYPE(symbol.st_info);
        if (name && *name && (type == STT_FUNC || type == STT_GNU_IFUNC) &&
            symbol.st_shndx != SHN_UNDEF) {
            otter_ranges_add(&symbols->functions,
                             (struct otter_range){address, address + symbol.st_size, (uint32_t)i});
        }
    }
    otter_ranges_sort(&symbols->functions);
}

const char *otter_symbols_find(struct otter_symbols *symbols, uint64_t address, uint64_t *begin)
{
    if (!symbols->is_read) {
        read_symbols(symbols);
    }
    const struct otter_range *range = otter_ranges_find(&symbols->functions, address);
    if (!range) {
        return NULL;
    }
    GElf_Sym symbol;
    *begin = range->begin;
    return dwfl_module_getsym_info(symbols->module, (int)range->index, &symbol, &(GElf_Addr){0},
                                   NULL, NULL, NULL);
}
