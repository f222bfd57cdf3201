// The processes that record, as their recorders report them, and the files for their switches.
//
// *Thread*: one at a time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/sample_log.h"

struct otter_recordings;

// `report`: the path of the report file (record/process/launcher.h).
// *Returns* NULL if the file cannot be read, or if memory has run out.
struct otter_recordings *otter_recordings_create(const char *report);
// Ends each file with a record that states that no switches follow, and frees the struct.
void otter_recordings_destroy(struct otter_recordings *recordings);

// Returns a descriptor that is readable when the report file has changed; -1: it cannot be watched,
// so it must be polled.
int otter_recordings_watch(const struct otter_recordings *recordings);
// Reads new lines of the report file.
void otter_recordings_update(struct otter_recordings *recordings);

// Returns the number of a process's recording, from 1; 0: it does not record. A process that
// executes another program has a new recording.
uint64_t otter_recordings_number(const struct otter_recordings *recordings, uint32_t process);

// Adds a record to the file of a process, if the process records. `record` has the time in ticks of
// the processor's counter, `time_ns` in nanoseconds of CLOCK_MONOTONIC.
void otter_recordings_add(struct otter_recordings *recordings, uint32_t process,
                          const struct otter_switch_record *record, uint64_t time_ns);
// Adds a sample in the same way.
void otter_recordings_add_sample(struct otter_recordings *recordings, uint32_t process,
                                 const struct otter_logged_sample *sample, uint64_t time_ns);
// Counts a sample of a process that does not record.
void otter_recordings_leave_out(struct otter_recordings *recordings, uint32_t process);
// Returns the number of these samples, without those of processes that recorded at another time.
uint64_t otter_recordings_left_out(const struct otter_recordings *recordings,
                                   uint32_t *n_processes);
// Adds a record to the files of all processes.
void otter_recordings_add_to_all(struct otter_recordings *recordings,
                                 const struct otter_switch_record *record, uint64_t time_ns);
// Stores all records, and forgets the processes that close their recording.
void otter_recordings_flush(struct otter_recordings *recordings);
