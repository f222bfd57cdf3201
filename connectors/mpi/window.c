// Stores the communicator of each window.
#include "window.h"

#include <pthread.h>
#include <stdbool.h>

enum { N_WINDOWS = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // protects the table
static struct {
    bool is_used;
    MPI_Win window;
    struct communicator about;
} windows[N_WINDOWS];

// Caller holds `lock`. *Returns* N_WINDOWS for an unknown window.
static int find(MPI_Win window)
{
    int i = 0;
    while (i < N_WINDOWS && !(windows[i].is_used && windows[i].window == window)) {
        i++;
    }
    return i;
}

// A window for which there is no room is not stored, and its calls are not recorded as collective
// operations.
void window_add(MPI_Win window, MPI_Comm comm)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < N_WINDOWS; i++) {
        if (!windows[i].is_used) {
            windows[i].is_used = true;
            windows[i].window = window;
            windows[i].about = communicator_of(comm);
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

struct communicator window_communicator(MPI_Win window)
{
    struct communicator about = {.id = 0};
    pthread_mutex_lock(&lock);
    int i = find(window);
    if (i < N_WINDOWS) {
        about = windows[i].about;
    }
    pthread_mutex_unlock(&lock);
    return about;
}

void window_remove(MPI_Win window)
{
    pthread_mutex_lock(&lock);
    int i = find(window);
    if (i < N_WINDOWS) {
        windows[i].is_used = false;
    }
    pthread_mutex_unlock(&lock);
}
