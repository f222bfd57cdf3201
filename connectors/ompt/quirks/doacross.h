// The waits of doacross loops, which the runtime reports only after they end.
#pragma once

// Redirects the runtime's function that waits for an iteration. Runs once, after runtime_find() and
// before any callback is registered. If this is refused, these waits are not recorded.
void doacross_redirect(void);
