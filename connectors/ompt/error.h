// The error directive.
#pragma once

#include <stdbool.h>

// LLVM's runtime (16 to 19) takes the length of the directive's message before it calls a tool, and
// crashes where the directive has none. From now on the runtime calls a function that knows no
// message. Returns false when that cannot be had: the callback must not be registered then.
bool error_redirect(void);
