// Prints the table that a command line asks for.
#include "cli/ranks/report_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text/print.h"
#include "cli/ranks/terminal.h"

unsigned otter_table_options(struct option options[OTTER_MOST_TABLES])
{
    unsigned n = 0;
    for (unsigned i = 0; i < otter_n_report_tables && n < OTTER_MOST_TABLES; i++) {
        const char *name = otter_report_tables[i].option;
        if (strchr(name, '=')) {
            options[n - 1].has_arg = optional_argument;
        } else {
            options[n] = (struct option){name, no_argument, NULL, OTTER_FIRST_TABLE + (int)n};
            n++;
        }
    }
    return n;
}

const struct otter_report_table *otter_table_of(const char *option, const char *argument)
{
    for (unsigned i = 0; i < otter_n_report_tables; i++) {
        const char *name = otter_report_tables[i].option;
        size_t length = strcspn(name, "=");
        if (strlen(option) == length && strncmp(name, option, length) == 0 &&
            strcmp(name + length + (name[length] == '='), argument ? argument : "") == 0) {
            return &otter_report_tables[i];
        }
    }
    return NULL;
}

void otter_table_complain(const char *option, const char *argument)
{
    char list[100] = "";
    size_t length = strlen(option);
    for (unsigned i = 0; i < otter_n_report_tables; i++) {
        const char *name = otter_report_tables[i].option;
        if (strncmp(name, option, length) == 0 && name[length] == '=') {
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s--%s", used > 0 ? ", " : "", name);
        }
    }
    otter_error("--%s does not take '%s': give no value%s%s (otter help report)", option, argument,
                *list ? ", or " : "", list);
}

bool otter_table_read_rows(const char *command, const char *text, uint32_t *n_rows)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || value == 0 || value > UINT32_MAX) {
        otter_error("--top takes a number of rows from 1 on, not '%s' (otter help %s)", text,
                    command);
        return false;
    }
    *n_rows = (uint32_t)value;
    return true;
}

static void complain_of_column(const struct otter_sheet *sheet,
                               const struct otter_table_request *request)
{
    char names[1000];
    size_t length = (size_t)snprintf(names, sizeof names, "%s", sheet->text_head);
    for (unsigned i = 0; i < sheet->n_columns && length < sizeof names; i++) {
        length +=
            (size_t)snprintf(names + length, sizeof names - length, ", %s", sheet->columns[i].name);
    }
    otter_error("--sort takes a column of the table, not '%s'; --%s has %s", request->sort,
                request->table->option, names);
}

static enum otter_status print_json(FILE *out, const struct otter_sheet *sheet)
{
    return otter_json_print(out, otter_sheet_json(sheet));
}

enum otter_status otter_table_print_sheet(FILE *out, struct otter_sheet *sheet,
                                          const struct otter_table_request *request)
{
    if (request->sort && !otter_sheet_sort_by(sheet, request->sort)) {
        complain_of_column(sheet, request);
        return OTTER_BAD_VALUE;
    }
    if (request->filter) {
        otter_sheet_filter(sheet, request->filter);
    }
    switch (request->form) {
    case OTTER_TABLE_CSV: otter_sheet_print_csv(out, sheet); return OTTER_OK;
    case OTTER_TABLE_JSON: return print_json(out, sheet);
    case OTTER_TABLE_TEXT: break;
    }
    otter_sheet_print(out, sheet, request->is_full ? UINT32_MAX : request->n_rows,
                      request->is_full ? 0 : otter_terminal_width(out));
    return OTTER_OK;
}

enum otter_status otter_table_print(FILE *out, const struct otter_report *report,
                                    const struct otter_table_request *request)
{
    struct otter_sheet sheet;
    if (!otter_report_fill(report, request->table, &sheet)) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = otter_table_print_sheet(out, &sheet, request);
    otter_sheet_finish(&sheet);
    return status;
}
