// Writes a table as CSV, or as a JSON array of objects.
#include "export/formats.h"
#include "export/tables.h"
#include "graph/export/text.h"

struct writer {
    FILE *out;
    const struct otter_conversion_table *table;
    bool has_row;
};

// ---- csv

static void put_csv_row(void *user, const struct otter_field *fields)
{
    const struct writer *writer = user;
    for (size_t i = 0; i < writer->table->n_columns; i++) {
        otter_put(writer->out, i > 0 ? "," : "");
        if (fields[i].is_there && fields[i].text) {
            otter_put_csv(writer->out, fields[i].text);
        } else if (fields[i].is_there) {
            otter_put_number(writer->out, (int64_t)fields[i].number);
        }
    }
    otter_put(writer->out, "\n");
}

enum otter_status otter_convert_to_csv(const struct otter_conversion *conversion)
{
    struct writer writer = {.out = conversion->out, .table = conversion->table};
    for (size_t i = 0; i < writer.table->n_columns; i++) {
        otter_put(writer.out, i > 0 ? "," : "");
        otter_put(writer.out, writer.table->columns[i].name);
    }
    otter_put(writer.out, "\n");
    return writer.table->each(conversion, &(struct otter_field_sink){put_csv_row, &writer});
}

// ---- json

static void put_json_row(void *user, const struct otter_field *fields)
{
    struct writer *writer = user;
    otter_put(writer->out, writer->has_row ? ",\n{" : "\n{");
    writer->has_row = true;
    for (size_t i = 0; i < writer->table->n_columns; i++) {
        otter_put(writer->out, i > 0 ? ",\"" : "\"");
        otter_put(writer->out, writer->table->columns[i].name);
        otter_put(writer->out, "\":");
        if (!fields[i].is_there) {
            otter_put(writer->out, "null");
        } else if (fields[i].text) {
            otter_put_json(writer->out, fields[i].text);
        } else {
            otter_put_number(writer->out, (int64_t)fields[i].number);
        }
    }
    otter_put(writer->out, "}");
}

enum otter_status otter_convert_to_json(const struct otter_conversion *conversion)
{
    struct writer writer = {.out = conversion->out, .table = conversion->table};
    otter_put(writer.out, "[");
    enum otter_status status =
        writer.table->each(conversion, &(struct otter_field_sink){put_json_row, &writer});
    otter_put(writer.out, "\n]\n");
    return status;
}
