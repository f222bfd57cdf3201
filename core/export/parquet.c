// Writes the tables of an archive as Parquet files, a folder for each table.
#include "export/formats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/free.h"
#include "base/output/new_folder.h"
#include "base/path.h"
#include "export/encode/parquet_file.h"
#include "export/tables.h"

#define PART "part-0.parquet"
#define PARTITION "rank="

// ---- rows

struct rows {
    const struct otter_conversion_table *table;
    struct otter_parquet *file;
};

static void put_row(void *user, const struct otter_field *fields)
{
    const struct rows *rows = user;
    for (size_t i = 0; i < rows->table->n_columns; i++) {
        bool is_text = rows->table->columns[i].kind == OTTER_FIELD_TEXT;
        if (!fields[i].is_there) {
            otter_parquet_add_missing(rows->file);
        } else if (is_text) {
            otter_parquet_add_text(rows->file, fields[i].text, strlen(fields[i].text));
        } else {
            otter_parquet_add_number(rows->file, (int64_t)fields[i].number);
        }
    }
}

static void write_rows(const struct otter_conversion *conversion,
                       const struct otter_conversion_table *table, FILE *out)
{
    struct otter_parquet_column columns[OTTER_MAX_TABLE_FIELDS];
    for (size_t i = 0; i < table->n_columns; i++) {
        columns[i] = (struct otter_parquet_column){
            .name = table->columns[i].name,
            .is_text = table->columns[i].kind == OTTER_FIELD_TEXT,
            .is_optional = table->columns[i].kind != OTTER_FIELD_NUMBER,
        };
    }
    struct rows rows = {table, otter_parquet_create(out, columns, (unsigned)table->n_columns)};
    table->each(conversion, &(struct otter_field_sink){put_row, &rows});
    otter_parquet_close(rows.file);
}

// ---- files

// *Errors*: errno.
static int write_file(const struct otter_conversion *conversion,
                      const struct otter_conversion_table *table, const char *path)
{
    FILE *out = fopen(path, "wxe");
    if (!out) {
        return errno;
    }
    errno = 0;
    write_rows(conversion, table, out);
    bool has_failed = fflush(out) != 0 || ferror(out);
    int error = has_failed ? (errno ? errno : EIO) : 0;
    if (fclose(out) != 0 && !has_failed) {
        error = errno;
    }
    return error;
}

// Creates the table's folder for the first rank. *Errors*: errno.
static int write_table(const struct otter_conversion *conversion,
                       const struct otter_conversion_table *table, const char *folder)
{
    char *path = otter_path("%s/%s", folder, table->name);
    char *rank = otter_path("%s/" PARTITION "%llu", path, (unsigned long long)conversion->rank);
    char *file = otter_path("%s/" PART, rank);
    bool has_folder = (mkdir(path, 0777) == 0 || errno == EEXIST) && mkdir(rank, 0777) == 0;
    int error = has_folder ? write_file(conversion, table, file) : errno;
    OTTER_FREE(path, rank, file);
    return error;
}

int otter_parquet_write(const struct otter_conversion *conversion, const char *folder)
{
    size_t n;
    const struct otter_conversion_table *tables = otter_conversion_tables(&n);
    int error = 0;
    for (size_t i = 0; !error && i < n; i++) {
        error = write_table(conversion, &tables[i], folder);
    }
    return error;
}

// ---- an earlier export

static bool is_table(const char *name)
{
    size_t n;
    const struct otter_conversion_table *tables = otter_conversion_tables(&n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(tables[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_ours(const char *path, unsigned depth, const char *name, bool is_folder)
{
    (void)path;
    switch (depth) {
    case 0: return is_folder && is_table(name);
    case 1: return is_folder && strncmp(name, PARTITION, strlen(PARTITION)) == 0;
    case 2: return !is_folder && strcmp(name, PART) == 0;
    default: return false;
    }
}

bool otter_parquet_is_export(const char *path)
{
    return otter_tree_each(path, is_ours);
}
