// Records how long a thread waits for an iteration of a doacross loop. Quirk 'sink wait'.
#include "doacross.h"

#include <stdint.h>

#include "ompt/base/runtime.h"
#include "otter/record.h"
#include "redirect.h"

typedef void doacross_wait(void *location, int32_t thread, const int64_t *iteration);

static doacross_wait *runtime_doacross_wait;

static void on_doacross_wait(void *location, int32_t thread, const int64_t *iteration)
{
    otter_enter(OTTER_CONSTRUCT_ORDERED, 0, runtime_user_code(__builtin_return_address(0)));
    runtime_doacross_wait(location, thread, iteration);
    otter_leave(OTTER_CONSTRUCT_ORDERED);
}

void doacross_redirect(void)
{
    redirect_function("__kmpc_doacross_wait", (void *)on_doacross_wait,
                      (void **)&runtime_doacross_wait);
}
