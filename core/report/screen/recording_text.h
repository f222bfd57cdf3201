// Prints how much time recording took, and how much passed before.
#pragma once

#include "report/form/analysis.h"

// *Returns* the seconds from the start of the process to the start of the recording; 0: unknown.
double otter_recording_before(const struct otter_report *report);

// *Returns* the seconds in which threads waited for a processor, as the scheduler sums them up; 0:
// unknown.
double otter_recording_waited(const struct otter_report *report);

// Prints these lines:
// - the time in which threads waited for a processor, if this is more than 1 % and the archive has
//   no switches
// - the time before the recording, if this is more than 5 % of the recorded time
// - the cost of recording, for an archive with the cost of an event
// - a note, if pieces are too short to be measured
void otter_recording_print(FILE *out, const struct otter_report *report, int width);
