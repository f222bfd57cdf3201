// Counts the pairs of points in a cube by their distance.
//
// usage: pairs [points]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_BINS = 18 }; // of 0.1 each: the diagonal of the cube is shorter than 1.8

struct point {
    double x, y, z;
};

static double coordinate(unsigned *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state / 4294967296.0;
}

static int bin_of(const struct point *a, const struct point *b)
{
    double x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
    return (int)(10 * sqrt(x * x + y * y + z * z));
}

static void count_pairs(const struct point *points, int n, long *bins)
{
#pragma omp parallel for schedule(static) reduction(+ : bins[ : N_BINS])
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            bins[bin_of(&points[i], &points[j])]++;
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 15000;
    struct point *points = malloc((size_t)n * sizeof(*points));
    long bins[N_BINS] = {0};
    unsigned state = 1;
    if (!points) {
        return EXIT_FAILURE;
    }
    for (int i = 0; i < n; i++) {
        points[i].x = coordinate(&state);
        points[i].y = coordinate(&state);
        points[i].z = coordinate(&state);
    }
    count_pairs(points, n, bins);
    for (int i = 0; i < N_BINS; i++) {
        printf("%.1f %ld\n", 0.1 * i, bins[i]);
    }
    free(points);
    return EXIT_SUCCESS;
}
