// Parts of the index, each written by a file of its own.
#pragma once

#include <jansson.h>

#include "view/page.h"

// Adds memory, pauses, losses, markers, findings, and what is left out.
void otter_index_set_remarks(json_t *root, const struct otter_page *page);

// Adds the grouped graph.
void otter_index_set_graph(json_t *root, const struct otter_drawn_graph *drawn);
