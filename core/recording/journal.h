// The journal: everything that is defined while a program is traced, line by line, in a mapped file, so that it survives
// the process. A line is a word and its fields, separated by blanks; texts are percent-encoded.
//
//     otter <schema>                               first line
//     clock tsc | monotonic
//     start <ticks> <monotonic ns> <realtime ns>   before the first event
//     files mapped | memory <chunk size>
//     describe <name> <text>                       becomes the property OTTER::<name>; the last one of a name holds
//     module <begin> <end> <bias> <build id> <path>   a loaded object; addresses in hexadecimal
//     location <id> <thread kind> <os thread id>
//     region <id> <construct> <detail> <address>   address in hexadecimal, of the module last defined there; 0: none
//     label <id> <construct> <text> <raw> <qualifier>   a region that is named by a text; `raw` is empty when it is the same
//     further <id> <construct>                     the region of what is beyond the limit of labels and code locations
//     space <id> <text>                            a memory space, from 0
//     device <id> <number> <type>                  a device, from 0; `number` as its runtime has it
//     stream <id> <device>                         a stream of its, from 0 over all devices
//     mark <location> <ticks> <text> <construct>   what a person marked in time; the first ones of a run
//     team <id> <parent> <size>
//     member <team> <thread number> <location>
//     count recorded | beyond | lost | repaired | unbegun | unfinished | unrecorded <n>
//     end <ticks> <monotonic ns> <realtime ns>     when recording ended in good order
//
// The file: a page that begins with struct otter_journal_header, then the text. A line is complete before `length` covers it.
#pragma once

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/status.h"

enum {
    OTTER_JOURNAL_TEXT_OFFSET = 4096,
    OTTER_JOURNAL_MAX_TEXT = 1 << 26, // bytes; who reads a journal reads no further
    OTTER_JOURNAL_RESERVE = 1 << 22,  // of these, for what an archive cannot do without
};

#define OTTER_JOURNAL_MAGIC UINT64_C(0x314c4e4a5254544f) // "OTTRJNL1"

struct otter_journal_header {
    uint64_t magic;
    _Atomic uint64_t length; // of the text
    // The clocks at some moment late in the run, for ticks per second when the end is missing.
    _Atomic uint64_t late_ticks, late_monotonic_ns;
    uint64_t is_hidden; // the process that writes it has no mapping that shows this
};

struct otter_journal;

// Makes the file, which must not exist. The caller closes the journal. `is_mapped`: it is mapped as shared memory, unless that is refused; else
// every line is written when it is added, as on file systems where what is mapped may find no room.
enum otter_status otter_journal_create(const char *path, bool is_mapped,
                                       struct otter_journal **journal);
bool otter_journal_is_mapped(const struct otter_journal *journal);
void otter_journal_close(struct otter_journal *journal);

// Adds one line; the format gives it without its end. Any thread. Where it is mapped, costs system calls only when the file must grow. OTTER_NO_SPACE: so
// much has been defined that only locations, counts and the end are still taken.
enum otter_status otter_journal_add(struct otter_journal *journal, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

enum otter_status otter_journal_vadd(struct otter_journal *journal, const char *format,
                                     va_list arguments);

// Notes the time. Any thread.
void otter_journal_note_clock(struct otter_journal *journal,
                              const struct otter_clock_reading *reading);

// Encodes `text` into `encoded` (cut to fit `size`, whole characters); "-" for "". Returns `encoded`.
char *otter_journal_encode(const char *text, char *encoded, size_t size);
// Decodes in place.
void otter_journal_decode(char *text);
