// The parts of the index that have files of their own.
#pragma once

#include <jansson.h>

#include "view/page.h"

// Adds memory, pauses, losses, markers, findings, and what is left out.
void otter_index_set_remarks(json_t *root, const struct otter_page *page);

// The grouped graph.
void otter_index_set_graph(json_t *root, const struct otter_drawn_graph *drawn);
