// The error directive.
#pragma once

#include <stdbool.h>

// Redirects the runtime's calls of strlen to a function that accepts NULL.
// *Returns* false if this fails; the callback `error` must then not be registered.
bool error_redirect(void);
