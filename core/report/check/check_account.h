// The check that needs the analysis.
#pragma once

#include "check/check.h"

// Makes the check OTTER_CHECK_ACCOUNT of an archive written by Otter, even a damaged one, and adds
// its result to the report of otter_check_archive. `fragments`: the graph made by that function,
// which this one frees; NULL: reads the archive to build one. The analysis needs about 60 bytes per
// event. Returns OTTER_OK, or OTTER_NO_MEMORY with *complaint.
enum otter_status otter_check_account(struct otter_archive *archive,
                                      struct otter_check_report *report,
                                      struct otter_graph *fragments,
                                      struct otter_complaint *complaint);
