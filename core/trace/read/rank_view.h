// The definitions of one rank of a merged archive, as in the rank's own archive.
#pragma once

#include "trace/read/state.h"

// Makes the definitions of the whole archive accessible again, and frees the rank's definitions.
void otter_rank_view_close(struct otter_archive *archive);
