// Writes a table as CSV, or as a JSON array of objects.
#include "export/formats.h"
#include "export/tables.h"
#include "graph/export/text.h"

struct writer {
    FILE *out;
    const struct otter_conversion_table *table;
    struct otter_conversion_file *file;
    uint64_t rank;
};

static struct writer writer_of(const struct otter_conversion *conversion)
{
    return (struct writer){conversion->out, conversion->table, conversion->file, conversion->rank};
}

// ---- csv

static void put_csv_row(void *user, const struct otter_field *fields)
{
    const struct writer *writer = user;
    if (writer->file->has_ranks) {
        otter_put_number(writer->out, (int64_t)writer->rank);
        otter_put(writer->out, ",");
    }
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

static void put_csv_head(const struct writer *writer)
{
    otter_put(writer->out, writer->file->has_ranks ? "rank," : "");
    for (size_t i = 0; i < writer->table->n_columns; i++) {
        otter_put(writer->out, i > 0 ? "," : "");
        otter_put(writer->out, writer->table->columns[i].name);
    }
    otter_put(writer->out, "\n");
}

void otter_convert_to_csv(const struct otter_conversion *conversion)
{
    struct writer writer = writer_of(conversion);
    if (conversion->file->n_ranks == 0) {
        put_csv_head(&writer);
    }
    writer.table->each(conversion, &(struct otter_field_sink){put_csv_row, &writer});
}

// ---- json

static void put_json_row(void *user, const struct otter_field *fields)
{
    struct writer *writer = user;
    otter_put(writer->out, writer->file->has_item ? ",\n{" : "\n{");
    writer->file->has_item = true;
    if (writer->file->has_ranks) {
        otter_put(writer->out, "\"rank\":");
        otter_put_number(writer->out, (int64_t)writer->rank);
        otter_put(writer->out, ",");
    }
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

void otter_convert_to_json(const struct otter_conversion *conversion)
{
    struct writer writer = writer_of(conversion);
    otter_put(writer.out, conversion->file->n_ranks == 0 ? "[" : "");
    writer.table->each(conversion, &(struct otter_field_sink){put_json_row, &writer});
}

void otter_end_json(struct otter_conversion_file *file)
{
    otter_put(file->out, "\n]\n");
}
