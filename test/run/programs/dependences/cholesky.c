// Blocked Cholesky factorisation: four kinds of tasks, ordered only by depend.
//
// args: 4
// grow: 6
// expect: tasks == out('tasks')
// expect: param('depend in') == out('in')
// expect: param('depend inout') == out('inout')
// expect: regions('task') == 4
// expect: enters('taskwait') == 0
#include "check.h"
#include <math.h>

enum { B = 8, MAX = 8 };

static double a[MAX][MAX][B][B];

static void potrf(double d[B][B])
{
    for (int k = 0; k < B; k++) {
        d[k][k] = sqrt(d[k][k]);
        for (int i = k + 1; i < B; i++) {
            d[i][k] /= d[k][k];
        }
        for (int j = k + 1; j < B; j++) {
            for (int i = j; i < B; i++) {
                d[i][j] -= d[i][k] * d[j][k];
            }
        }
    }
}

static void trsm(double d[B][B], double x[B][B])
{
    for (int i = 0; i < B; i++) {
        for (int k = 0; k < B; k++) {
            for (int j = 0; j < k; j++) {
                x[i][k] -= x[i][j] * d[k][j];
            }
            x[i][k] /= d[k][k];
        }
    }
}

static void gemm(double x[B][B], double y[B][B], double z[B][B])
{
    for (int i = 0; i < B; i++) {
        for (int j = 0; j < B; j++) {
            for (int k = 0; k < B; k++) {
                z[i][j] -= x[i][k] * y[j][k];
            }
        }
    }
}

static void factorise(int n)
{
    for (int k = 0; k < n; k++) {
#pragma omp task depend(inout : a[k][k])
        potrf(a[k][k]);
        for (int i = k + 1; i < n; i++) {
#pragma omp task depend(in : a[k][k]) depend(inout : a[i][k])
            trsm(a[k][k], a[i][k]);
        }
        for (int i = k + 1; i < n; i++) {
            for (int j = k + 1; j < i; j++) {
#pragma omp task depend(in : a[i][k], a[j][k]) depend(inout : a[i][j])
                gemm(a[i][k], a[j][k], a[i][j]);
            }
#pragma omp task depend(in : a[i][k]) depend(inout : a[i][i])
            gemm(a[i][k], a[i][k], a[i][i]);
        }
    }
}

// Returns an element of the known factor L. The matrix is L L^T, so the result must be L.
static double entry_of_factor(int i, int j)
{
    return j > i ? 0.0 : i == j ? 2.0 : 1.0 / (1 + i - j);
}

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 6);
    for (int i = 0; i < n * B; i++) {
        for (int j = 0; j < n * B; j++) {
            double sum = 0;
            for (int k = 0; k <= (i < j ? i : j); k++) {
                sum += entry_of_factor(i, k) * entry_of_factor(j, k);
            }
            a[i / B][j / B][i % B][j % B] = sum;
        }
    }
#pragma omp parallel
#pragma omp single
    factorise(n);

    for (int i = 0; i < n * B; i++) {
        for (int j = 0; j <= i; j++) {
            CHECK(fabs(a[i / B][j / B][i % B][j % B] - entry_of_factor(i, j)) < 1e-9);
        }
    }
    int n_trsm = n * (n - 1) / 2;
    int n_gemm = n * (n - 1) * (n - 2) / 6;
    printf("tasks %d\n", n + 2 * n_trsm + n_gemm);
    printf("in %d\ninout %d\n", 2 * n_trsm + 2 * n_gemm, n + 2 * n_trsm + n_gemm);
    return 0;
}
