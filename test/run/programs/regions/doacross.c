// A doacross loop: dependences between iterations, which are not task dependences.
//
// args: 16
// threads[gcc]: 2 4
// expect[T > 1]: param('depend source') == out('iterations')
// expect[T > 1]: param('depend sink') == out('iterations') - 1
// expect[T > 1]: enters('ordered') >= out('iterations') - 1
// expect: tasks == 0
// expect: enters('for') == T
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 16);
    long a[256] = {1};
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 1; i <= n; i++) {
#pragma omp ordered depend(sink : i - 1)
        a[i] = a[i - 1] * 3 % 1009;
#pragma omp ordered depend(source)
    }
    long expected = 1;
    for (int i = 0; i < n; i++) {
        expected = expected * 3 % 1009;
    }
    CHECK(a[n] == expected);
    printf("value %ld\niterations %d\n", a[n], n);
    return 0;
}
