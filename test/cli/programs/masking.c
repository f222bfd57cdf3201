// Overwrites its options before OpenMP starts, as programs do that hide a password.
#include <string.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        memset(argv[i], '*', strlen(argv[i]));
    }
#pragma omp parallel num_threads(2)
    {
    }
    return 0;
}
