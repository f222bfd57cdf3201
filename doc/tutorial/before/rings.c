// Counts the points of a square grid by their distance from its corner, in rings of equal width.
//
// usage: rings [points of an edge]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 64, N_RINGS = 64 };

static int ring_of(long square)
{
    long ring = 0;
    while ((ring + 1) * WIDTH * (ring + 1) * WIDTH <= square) {
        ring++;
    }
    return (int)ring;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2800;
    long rings[N_RINGS] = {0};
#pragma omp parallel for schedule(dynamic, 10) reduction(+ : rings)
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
            rings[ring_of((long)x * x + (long)y * y)]++;
        }
    }
    for (int i = 0; i < N_RINGS; i += 16) {
        printf("%d to %d: %ld points\n", i * WIDTH, (i + 1) * WIDTH, rings[i]);
    }
}
