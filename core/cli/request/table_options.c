// Reads the options that name a table of `otter report`.
#include "cli/request/table_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

unsigned otter_table_options(struct option options[OTTER_MAX_TABLES])
{
    unsigned n = 0;
    for (unsigned i = 0; i < otter_n_report_tables && n < OTTER_MAX_TABLES; i++) {
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
