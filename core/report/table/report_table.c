// Prints the table that a command line asks for.
#include "report/table/report_table.h"

#include "base/log.h"
#include "report/form/label_choice.h"
#include "report/form/terminal.h"

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
    case OTTER_TABLE_JSON: return otter_json_print(out, otter_sheet_json(sheet));
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
    struct otter_report narrowed = *report;
    struct otter_label_choice choice = {.text = request->label};
    narrowed.choice = &choice;
    otter_report_fill(&narrowed, request->table, &sheet);
    enum otter_status status = otter_label_choice_end(&choice, request->table->option);
    OTTER_THEN(status, otter_table_print_sheet(out, &sheet, request));
    otter_sheet_finish(&sheet);
    return status;
}
