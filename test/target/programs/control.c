// Target constructs with commands to the tool between and inside them. Transfers differ in size,
// and control.py knows which sizes are recorded.
#include <stdbool.h>
#include <unistd.h>

#include "offload.h"
#include "otter/control.h"

static char data[4096];

static void say(const char *what, int result)
{
    printf("%s %d\n", what, result);
}

static void offload(int size)
{
#pragma omp target map(tofrom : data[0 : size])
    data[0]++;
}

static void between(void)
{
    offload(1001);
    say("pause", otter_pause());
    offload(1002);
    say("pause", otter_pause());
    offload(1003);
    say("start", otter_start());
    offload(1004);
    say("start", otter_start());
    say("flush", otter_flush());
    offload(1005);
    say("pause", otter_pause());
    say("flush", otter_flush());
    offload(1006);
    say("start", otter_start());
}

static void inside(void)
{
#pragma omp target data map(tofrom : data[0 : 2001])
    {
        say("pause", otter_pause());
#pragma omp target update to(data[0 : 201])
        say("start", otter_start());
#pragma omp target update to(data[0 : 202])
    }
#pragma omp target data map(tofrom : data[0 : 2002])
    say("pause", otter_pause());
#pragma omp target data map(tofrom : data[0 : 2003])
    {
        say("start", otter_start());
#pragma omp target update from(data[0 : 203])
        offload(2003);
    }
    say("pause", otter_pause());
#pragma omp target enter data map(to : data[0 : 2004])
    say("start", otter_start());
#pragma omp target exit data map(from : data[0 : 2004])
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
    }
    between();
    inside();
    say("end", otter_end());
    const char *folder = getenv("OTTER_FOLDER");
    printf("complete %d\n", folder && access(folder, F_OK) == 0);
    offload(3001);
    say("start", otter_start());
    offload(3002);
    say("pause", otter_pause());
    return 0;
}
