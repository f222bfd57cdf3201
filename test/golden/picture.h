// Prints a graph as a text that depends only on the graph: time determines the numbers of nodes,
// not their order in memory.
#pragma once

#include <stdio.h>

#include "graph/build/build.h"
#include "scene.h"

void picture_print(FILE *file, const struct scene *scene, const struct otter_graph *graph,
                   const struct otter_build_findings *findings);
