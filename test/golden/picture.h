// A graph as text that depends on the graph alone: nodes are numbered in the order of time, not as they lie in memory.
#pragma once

#include <stdio.h>

#include "graph/build/build.h"
#include "scene.h"

void picture_print(FILE *file, const struct scene *scene, const struct otter_graph *graph,
                   const struct otter_build_findings *findings);
