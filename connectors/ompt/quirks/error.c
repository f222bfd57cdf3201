// Replaces strlen in the runtime, so that it can report an error directive without a message (quirk
// 'error message').
#include "error.h"

#include <stddef.h>
#include <string.h>

#include "ompt/base/runtime.h"
#include "redirect.h"

static size_t length_of(const char *text)
{
    return text ? strlen(text) : 0;
}

bool error_redirect(void)
{
    return runtime_path && redirect_calls_of_runtime("strlen", length_of);
}
