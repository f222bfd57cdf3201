// The definitions of one rank of a merged archive, as its own archive has them.
#pragma once

#include "trace/read/state.h"

// Publishes the definitions of the whole archive again, and frees those of the rank.
void otter_rank_view_close(struct otter_archive *archive);
