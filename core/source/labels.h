// The labels of an archive with source lines, for all commands that analyse the archive.
#pragma once

#include "graph/label.h"

// Makes the labels of all regions with their source lines. Copies of one construct in the code have
// one label: a compiler inlines functions, instantiates templates and unrolls loops. From then on
// the events of all regions with the same construct, description and place in the source have the
// first of these regions. A region without a line is unchanged. Other regions of one text have
// notes, their descriptions: "other" for the threads that skip a single construct, flags for tasks.
// Labels of Kokkos have no notes.
// - The caller finishes the labels before the archive.
//
// *Errors*: OTTER_NO_MEMORY; nothing is to be finished.
enum otter_status otter_labels_read(struct otter_labels *labels, struct otter_archive *archive);
