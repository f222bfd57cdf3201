// Blocked LU factorisation without pivoting, iterated: tasks with depend, taskwait after each.
//
// args: 4 1
// grow: 4 4
// expect: tasks == out('tasks')
// expect: param('depend in') == out('in')
// expect: param('depend inout') == out('inout')
// expect: enters('taskwait') == out('iterations')
// expect: regions('task') == 4
#include "check.h"
#include <math.h>

enum { B = 6, MAX = 8 };

static double a[MAX][MAX][B][B];

static void diagonal(double d[B][B])
{
    for (int k = 0; k < B; k++) {
        for (int i = k + 1; i < B; i++) {
            d[i][k] /= d[k][k];
            for (int j = k + 1; j < B; j++) {
                d[i][j] -= d[i][k] * d[k][j];
            }
        }
    }
}

static void row(double d[B][B], double x[B][B])
{
    for (int k = 0; k < B; k++) {
        for (int i = k + 1; i < B; i++) {
            for (int j = 0; j < B; j++) {
                x[i][j] -= d[i][k] * x[k][j];
            }
        }
    }
}

static void column(double d[B][B], double x[B][B])
{
    for (int i = 0; i < B; i++) {
        for (int k = 0; k < B; k++) {
            x[i][k] /= d[k][k];
            for (int j = k + 1; j < B; j++) {
                x[i][j] -= x[i][k] * d[k][j];
            }
        }
    }
}

static void inner(double x[B][B], double y[B][B], double z[B][B])
{
    for (int i = 0; i < B; i++) {
        for (int j = 0; j < B; j++) {
            for (int k = 0; k < B; k++) {
                z[i][j] -= x[i][k] * y[k][j];
            }
        }
    }
}

static void factorise(int n)
{
    for (int k = 0; k < n; k++) {
#pragma omp task depend(inout : a[k][k])
        diagonal(a[k][k]);
        for (int j = k + 1; j < n; j++) {
#pragma omp task depend(in : a[k][k]) depend(inout : a[k][j])
            row(a[k][k], a[k][j]);
        }
        for (int i = k + 1; i < n; i++) {
#pragma omp task depend(in : a[k][k]) depend(inout : a[i][k])
            column(a[k][k], a[i][k]);
            for (int j = k + 1; j < n; j++) {
#pragma omp task depend(in : a[i][k], a[k][j]) depend(inout : a[i][j])
                inner(a[i][k], a[k][j], a[i][j]);
            }
        }
    }
#pragma omp taskwait
}

// Returns an element of A = L U. L is unit lower and U upper triangular, and both are known.
static double entry(int i, int j, int n, int which)
{
    double l = i == j ? 1.0 : i > j ? 0.5 / (i - j) : 0.0;
    double u = i == j ? 3.0 : i < j ? 1.0 / (j - i + n) : 0.0;
    return which ? u : l;
}

static void fill(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                sum += entry(i, k, n, 0) * entry(k, j, n, 1);
            }
            a[i / B][j / B][i % B][j % B] = sum;
        }
    }
}

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 5);
    int n_iterations = (int)argument(argc, argv, 2, 3);
#pragma omp parallel
#pragma omp single
    for (int iteration = 0; iteration < n_iterations; iteration++) {
        fill(n * B);
        factorise(n);
        for (int i = 0; i < n * B; i++) {
            for (int j = 0; j < n * B; j++) {
                double expected = entry(i, j, n * B, i <= j);
                CHECK(fabs(a[i / B][j / B][i % B][j % B] - expected) < 1e-9);
            }
        }
    }
    int n_panel = n * (n - 1);
    int n_inner = n * (n - 1) * (2 * n - 1) / 6;
    printf("tasks %d\n", n_iterations * (n + n_panel + n_inner));
    printf("in %d\n", n_iterations * (n_panel + 2 * n_inner));
    printf("inout %d\n", n_iterations * (n + n_panel + n_inner));
    printf("iterations %d\n", n_iterations);
    return 0;
}
