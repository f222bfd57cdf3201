// Prints numbers as the tables of `otter report` show them, one per line: KIND VALUE TEXT.
// format.mjs compares the texts with the texts of the page.
#include <math.h>
#include <stdio.h>

#include "report/form/sheet.h"

static void print_cells(double value)
{
    static const char *const kinds[] = {[OTTER_COLUMN_COUNT] = "count",
                                        [OTTER_COLUMN_SECONDS] = "seconds",
                                        [OTTER_COLUMN_PERCENT] = "percent",
                                        [OTTER_COLUMN_RATIO] = "ratio",
                                        [OTTER_COLUMN_BYTES] = "bytes"};
    for (int kind = 0; kind < (int)(sizeof kinds / sizeof *kinds); kind++) {
        char text[OTTER_CELL_SIZE];
        double shown = kind == OTTER_COLUMN_COUNT ? floor(value) : value;
        printf("%s %.17g %s\n", kinds[kind], shown, otter_sheet_number(kind, shown, text));
    }
}

int main(void)
{
    print_cells(0);
    print_cells(1 / 2.3e9); // a tick
    for (double power = 1e-10; power < 1e12; power *= 10) {
        for (int i = 1; i < 100; i++) {
            print_cells(i * power);
            print_cells((i + 0.5) * power);
            print_cells(nextafter(i * power, 0));
            print_cells((10 - i * 0.0005) * power);
        }
    }
    for (int i = 0; i < 10000; i++) {
        print_cells(i / 128.0); // halfway between two texts with 1, 2 or 3 digits
        print_cells(i / 128.0 / 1000);
    }
    for (double bytes = 1024; bytes < 4e15; bytes *= 1.0625) {
        print_cells(bytes);
    }
    return 0;
}
