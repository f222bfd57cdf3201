// Lists of dependences as GCC 13 and later produce them: depend objects for inoutset (kind 5), and
// the address NULL for omp_all_memory. The compiler may be older, so the program itself calls the
// runtime.
#include <stdbool.h>
#include <stdio.h>

void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned,
               void **, int, void *);
void GOMP_taskwait_depend(void **);

enum { DEPEND = 8 };

static int order[4], n_run;

static void run(void *data)
{
    order[n_run++] = *(int *)data;
}

static void create(int number, bool is_deferred, void **depend)
{
    GOMP_task(run, &number, NULL, sizeof number, sizeof number, is_deferred, DEPEND, depend, 0,
              NULL);
}

static void *object_of(void **object, void *address, long kind)
{
    object[0] = address;
    object[1] = (void *)kind;
    return object;
}

int main(void)
{
    int x, y, z;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        void *object[2], *second[2];
        create(1, true, (void *[]){(void *)1, (void *)1, &x});
        // out y, mutexinoutset z, in y, inoutset x, mutexinoutset x
        create(2, true,
               (void *[]){NULL, (void *)5, (void *)1, (void *)1, (void *)1, &y, &z, &y,
                          object_of(object, &x, 5), object_of(second, &x, 4)});
        create(3, false, (void *[]){(void *)1, (void *)1, NULL});
        create(4, true, (void *[]){(void *)1, (void *)0, &x});
        GOMP_taskwait_depend(
            (void *[]){NULL, (void *)2, NULL, NULL, (void *)1, &x, object_of(object, &x, 4)});
        printf("%d %d %d %d\n", order[0], order[1], order[2], order[3]);
    }
    return 0;
}
