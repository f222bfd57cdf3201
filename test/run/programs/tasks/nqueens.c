// All solutions of the n queens problem: one task for each safe placement, with firstprivate
// boards.
//
// args: 5
// grow: 7
// expect: tasks == out('tasks')
// expect: ran == tasks
// expect: enters('taskwait') == out('tasks') + 1 - out('solutions')
#include "check.h"
#include <string.h>

enum { MAX = 12 };

struct board {
    signed char column[MAX];
};

static atomic_int n_solutions;
static atomic_int n_tasks;

static int is_safe(const struct board *board, int row, int column)
{
    for (int i = 0; i < row; i++) {
        int d = board->column[i] - column;
        if (d == 0 || d == row - i || d == i - row) {
            return 0;
        }
    }
    return 1;
}

static void place(int n, int row, struct board board)
{
    if (row == n) {
        atomic_fetch_add(&n_solutions, 1);
        return;
    }
    for (int column = 0; column < n; column++) {
        if (!is_safe(&board, row, column)) {
            continue;
        }
        atomic_fetch_add(&n_tasks, 1);
#pragma omp task firstprivate(board, column)
        {
            board.column[row] = (signed char)column;
            place(n, row + 1, board);
        }
    }
#pragma omp taskwait
}

int main(int argc, char **argv)
{
    static const int known[] = {1, 1, 0, 0, 2, 10, 4, 40, 92};
    int n = (int)argument(argc, argv, 1, 6);
    struct board empty;
    memset(&empty, 0, sizeof empty);
#pragma omp parallel
#pragma omp single
    place(n, 0, empty);

    CHECK(n_solutions == known[n]);
    printf("solutions %d\ntasks %d\n", n_solutions, n_tasks);
    return 0;
}
