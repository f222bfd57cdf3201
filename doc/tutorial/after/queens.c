// Counts the ways to place N queens on a board of N x N squares so that none attacks another.
//
// usage: queens [N]
#include <stdio.h>
#include <stdlib.h>

// Places queens from `row` on: the columns and diagonals of the queens above have a bit each.
static void place(int n, int row, unsigned columns, unsigned left, unsigned right, long *ways)
{
    if (row == n) {
#pragma omp atomic
        ++*ways;
        return;
    }
    for (unsigned column = 1; column < 1u << n; column <<= 1) {
        if (column & (columns | left | right)) {
            continue;
        }
        if (row < 3) {
#pragma omp task
            place(n, row + 1, columns | column, (left | column) << 1, (right | column) >> 1, ways);
        } else {
            place(n, row + 1, columns | column, (left | column) << 1, (right | column) >> 1, ways);
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 11;
    long ways = 0;
#pragma omp parallel
#pragma omp single
    place(n, 0, 0, 0, 0, &ways);
    printf("%d queens: %ld ways\n", n, ways);
    return 0;
}
