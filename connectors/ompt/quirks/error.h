// The error directive.
#pragma once

#include <stdbool.h>

// Redirects the runtime's calls of strlen to a function that accepts NULL.
// *Returns* false when this fails: then the callback `error` must not be registered.
bool error_redirect(void);
