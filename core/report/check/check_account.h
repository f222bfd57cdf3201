// Checks that the account of the threads' time adds up.
#pragma once

#include "check/check.h"

// Adds the result of OTTER_CHECK_ACCOUNT to the report of otter_check_archive. The archive was
// written by Otter, but may be damaged. `fragments`: the graph that otter_check_archive built,
// which this function frees; NULL: builds one from the archive. The analysis needs about 60 bytes
// per event. Errors: those of otter_analysis_init except OTTER_BAD_ARCHIVE; *complaint has the
// reason.
enum otter_status otter_check_account(struct otter_archive *archive,
                                      struct otter_check_report *report,
                                      struct otter_graph *fragments,
                                      struct otter_complaint *complaint);
