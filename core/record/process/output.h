// The files of the recording: its folder, its journal and its event files.
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "recording/journal.h"
#include "recording/writer.h"

// Makes all files, once, under the session's lock. `write_head` adds the first lines of the
// journal; `calls` holds the functions that the writer calls. After a failure, no file remains.
// *Errors*: OTTER_UNKNOWN_OTF2: choosing another folder would not help.
enum otter_status otter_output_open(void (*write_head)(void),
                                    const struct otter_writer_options *calls);

// Adds a line to the journal that says how event files are made. For `write_head`.
void otter_output_define_files(void);

// Adds a line to the journal (recording/journal.h). *Thread*: any. *Errors*: OTTER_UNSUPPORTED
// before the output is open.
enum otter_status otter_output_define(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

// Notes once in the journal that events are lost from now on, since a killed program cannot write
// their number. *Thread*: any.
void otter_output_note_loss(void);

// The output owns the results; they are NULL or "" before it is open.
struct otter_journal *otter_output_journal(void);
struct otter_writer *otter_output_writer(void);
const char *otter_output_folder(void);    // folder of the future archive
const char *otter_output_recording(void); // folder of the unfinished recording
bool otter_output_is_mapped(void);        // whether events are stored in mapped files

// Forgets the files in a forked child, since they are the parent's.
void otter_output_forget(void);
