// The files of the recording: its folder, its journal, its writer.
#pragma once

#include "base/status.h"
#include "recording/journal.h"
#include "recording/writer.h"

// Makes all of them, once, under the session's lock. `write_head` adds what the journal begins with. On failure nothing stays behind.
// OTTER_UNKNOWN_OTF2: in no folder would it be different.
enum otter_status otter_output_open(void (*write_head)(void));

// Tells the journal how event files are made. For `write_head`.
void otter_output_define_files(void);

// Adds a line to the journal (see core/recording/journal.h). OTTER_UNSUPPORTED before the output is open. Any thread.
enum otter_status otter_output_define(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

// Notes, once, that events are lost from now on: their number is lost with a program that is
// killed. Any thread.
void otter_output_note_loss(void);

// Owned by the output; NULL, or "", before it is open.
struct otter_journal *otter_output_journal(void);
struct otter_writer *otter_output_writer(void);
const char *otter_output_folder(void);    // of the archive to be
const char *otter_output_recording(void); // of what is recorded until then

// Whether max-size was reached: then threads have stopped between two calls, without a loss.
bool otter_output_is_full(void);

// The longest time, in ticks, for which writing a chunk has kept a thread.
uint64_t otter_output_longest_stall(void);

// In a forked child: the files are the parent's.
void otter_output_forget(void);
