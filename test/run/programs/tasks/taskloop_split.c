// A taskloop with so many chunks that libomp creates them recursively, by its own tasks
// ("splitters"). The chunks' creator is then the splitter, but the runtime names another task.
// There are 160 chunks, plus the splitters.
//
// args: 160
// grow: 640
//
// expect[gcc]: tasks == 160
// expect[clang]: tasks >= 160
// expect[clang and T > 1]: tasks == 160 + splitters(160, T)
// expect[clang and T > 1]: param('encountering task') > 0
// expect: enters('taskgroup') == 1
#include "check.h"

static int hits[4096];

int main(int argc, char **argv)
{
    int n_chunks = (int)argument(argc, argv, 1, 160);
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop num_tasks(n_chunks)
        for (int i = 0; i < 2 * n_chunks; i++) {
            hits[i]++;
        }
        for (int i = 0; i < 2 * n_chunks; i++) {
            CHECK(hits[i] == 1);
        }
    }
    printf("iterations %d\n", 2 * n_chunks);
    return 0;
}
