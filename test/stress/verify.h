// Is an archive what was played? Every rule that holds of all archives, and the numbers that the players told.
#pragma once

#include <stdbool.h>

#include "play.h"

// Complains on stderr and returns false when not.
bool verify_archive(const char *path, const struct play *play, const struct told *told);
