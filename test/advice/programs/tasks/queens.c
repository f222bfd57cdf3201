// The n queens problem, with a task for each safe square; NUMBER is the depth down to which it
// creates tasks.
#include "../pair.h"

enum { N = 12 };

static int n;

static int is_safe(const char *board, int row, int column)
{
    for (int r = 0; r < row; r++) {
        int distance = board[r] - column;
        if (distance == 0 || distance == row - r || distance == r - row) {
            return 0;
        }
    }
    return 1;
}

static void place(const char *board, int row, int depth, long *n_found)
{
    if (row == n) {
        __atomic_fetch_add(n_found, 1, __ATOMIC_RELAXED);
        return;
    }
    for (int column = 0; column < n; column++) {
        char next[N];
        if (!is_safe(board, row, column)) {
            continue;
        }
        memcpy(next, board, sizeof(next));
        next[row] = (char)column;
#pragma omp task firstprivate(next) if (row < depth) // HERE
        place(next, row + 1, depth, n_found);
    }
#pragma omp taskwait
}

static void start(int depth)
{
    char board[N] = {0};
    n = sized(N, N - 2);
    long n_found = 0;
#pragma omp parallel
#pragma omp single
    place(board, 0, depth, &n_found);
    if (n_found != sized(14200, 724)) {
        abort();
    }
}

void before(void)
{
    start(number > 0 ? (int)number : N);
}

void after(void)
{
    start(number > 0 ? (int)number : 3);
}
