// The journal: the definitions of a recording, in a mapped file that survives the process.
//
// A line is a word and its fields, separated by blanks; texts are percent-encoded.
//
//     otter <schema>                               first line
//     clock tsc | monotonic
//     start <ticks> <monotonic ns> <realtime ns>   before the first event
//     files mapped | memory <chunk size>
//     describe <name> <text>                       property OTTER::<name>; the last line applies
//     module <begin> <end> <bias> <build id> <path>   loaded object; hexadecimal addresses
//     location <id> <thread kind> <os thread id>
//     chunk <location> <n>                         a chunk begins, after n events of the location
//     region <id> <construct> <detail> <address>   hexadecimal address in the module last defined
//                                                  there; 0: none
//     label <id> <construct> <text> <raw> <qualifier>   labelled region; empty `raw`: equal to text
//     further <id> <construct>                     region of all labels and code locations
//                                                  beyond the limit
//     space <id> <text>                            memory space, from 0
//     device <id> <number> <type>                  device, from 0; `number` of its runtime
//     stream <id> <device>                         stream of a device, from 0 over all devices
//     mark <location> <ticks> <text> <construct>   mark of the program
//     team <id> <parent> <size>
//     member <team> <thread number> <location>
//     communicator <id> <size> <identity> <name>   of processes; identity in hexadecimal
//     ranks <id> <member> <runs>                   ranks in the world, from this member on; runs
//                                                  <rank>+<length>*<step>, joined by commas
//     count recorded | beyond | lost | repaired | unbegun | unfinished | unrecorded <n>
//     end <ticks> <monotonic ns> <realtime ns>     recording ended properly
//
// The file begins with struct otter_journal_header; the text begins at OTTER_JOURNAL_TEXT_OFFSET.
// `length` includes only complete lines.
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
    OTTER_JOURNAL_MAX_TEXT = 1 << 26, // bytes; readers ignore the rest
    OTTER_JOURNAL_RESERVE = 1 << 22,  // the part for lines that every archive needs
};

#define OTTER_JOURNAL_MAGIC UINT64_C(0x314c4e4a5254544f) // "OTTRJNL1"

struct otter_journal_header {
    uint64_t magic;
    _Atomic uint64_t length; // bytes of text
    // The clocks at some time late in the run, to derive ticks per second if the line `end` is
    // missing.
    _Atomic uint64_t late_ticks, late_monotonic_ns;
    uint64_t is_hidden; // the writing process has not mapped the file
};

struct otter_journal;

// Creates the file, which must not exist. The caller closes the journal. `is_mapped`: the file is
// mapped as shared memory, unless the system refuses. Otherwise every line is written when it is
// added, for file systems where a store into a mapping may run out of space.
enum otter_status otter_journal_create(const char *path, bool is_mapped,
                                       struct otter_journal **journal);
bool otter_journal_is_mapped(const struct otter_journal *journal);
void otter_journal_close(struct otter_journal *journal);

// Adds a line, and notes the time; the format has no newline. A mapped journal needs system calls
// only to grow. *Thread*: any. *Errors*: OTTER_NO_SPACE: only locations, counts and the end are
// still accepted.
enum otter_status otter_journal_add(struct otter_journal *journal, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

enum otter_status otter_journal_vadd(struct otter_journal *journal, const char *format,
                                     va_list arguments);

// Notes the time, for the rate of the clock if the program is killed. *Thread*: any.
void otter_journal_note_clock(struct otter_journal *journal,
                              const struct otter_clock_reading *reading);

// Encodes `text` into `encoded`, cut to whole characters in `size` bytes; "-" for "".
// *Returns* `encoded`.
char *otter_journal_encode(const char *text, char *encoded, size_t size);
// Decodes in place.
void otter_journal_decode(char *text);
