// The labels of an archive with source lines, for all commands that analyse the archive.
#pragma once

#include "graph/label.h"

// Makes the labels of all regions with their source lines. Copies of one construct, which a
// compiler makes by inlining, templates and unrolling, share a label. From then on, events of all
// regions with the same construct, description and place in the source report the first of these
// regions. A region without a line is unchanged. Different regions with the same text get their
// descriptions as notes: "other" for threads that skip a single construct, flags for tasks. Kokkos
// labels have no notes.
// - The caller finishes the labels before the archive.
//
// *Errors*: OTTER_NO_MEMORY; there is then nothing to finish.
enum otter_status otter_labels_read(struct otter_labels *labels, struct otter_archive *archive);
