// Writes a Parquet file from values on standard input.
//
// usage: write_parquet FILE
//
// The first lines are `c NAME n|t r|o` for each column: number or text, required or optional.
// Each further line is a value, row by row: `-` (missing), `n NUMBER`, or `t SIZE` followed by a
// line end and SIZE bytes.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export/encode/parquet_file.h"

enum { MAX_COLUMNS = 32, NAME_SIZE = 64 };

static struct otter_parquet_column columns[MAX_COLUMNS];
static char names[MAX_COLUMNS][NAME_SIZE];

static void fail(const char *why)
{
    fprintf(stderr, "write_parquet: %s\n", why);
    exit(1);
}

// Reads the columns and the first byte after them.
static unsigned read_columns(int *next)
{
    unsigned n = 0;
    char type, presence;
    while ((*next = getchar()) == 'c') {
        if (n == MAX_COLUMNS || scanf(" %63s %c %c\n", names[n], &type, &presence) != 3) {
            fail("a column is damaged");
        }
        columns[n] = (struct otter_parquet_column){names[n], type == 't', presence == 'o'};
        n++;
    }
    return n;
}

static void add_text(struct otter_parquet *file)
{
    size_t size;
    if (scanf(" %zu", &size) != 1 || getchar() != '\n') {
        fail("a size is damaged");
    }
    char *text = calloc(size + 1, 1);
    if (!text || fread(text, 1, size, stdin) != size) {
        fail("a text is cut off");
    }
    otter_parquet_add_text(file, text, size);
    free(text);
}

static void add_value(struct otter_parquet *file, int kind)
{
    int64_t number;
    switch (kind) {
    case '-': otter_parquet_add_missing(file); return;
    case 't': add_text(file); return;
    case 'n':
        if (scanf(" %" SCNd64, &number) != 1) {
            fail("a number is damaged");
        }
        otter_parquet_add_number(file, number);
        return;
    default: fail("a value is damaged");
    }
}

int main(int argc, char **argv)
{
    int next;
    FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
    unsigned n = read_columns(&next);
    struct otter_parquet *file = out ? otter_parquet_create(out, columns, n) : NULL;
    if (!file) {
        fail("usage: write_parquet FILE");
    }
    for (; next != EOF; next = getchar()) {
        if (next != '\n') {
            add_value(file, next);
        }
    }
    otter_parquet_close(file);
    if (ferror(out) || fclose(out)) {
        fail("the file cannot be written");
    }
    return 0;
}
