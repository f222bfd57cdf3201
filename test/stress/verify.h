// Compares an archive with its play: the rules of all archives, and the counts of the players.
#pragma once

#include <stdbool.h>

#include "play.h"

// *Returns* false after complaints on stderr.
bool verify_archive(const char *path, const struct play *play, const struct shared *shared);
