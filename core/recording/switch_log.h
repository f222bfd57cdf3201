// The scheduler's switches of a recording, in the file `switches` of its folder.
//
// The recorder creates the file, and `otter record` appends to it while it waits for the program,
// so the program itself does nothing for a switch. Finishing converts the records
// (finish_switches.h). A record that is incomplete, because the disk was full or the launcher was
// killed, is ignored.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define OTTER_SWITCH_LOG_MAGIC UINT64_C(0x3230535754544f4f) // "OOTTWS02"

enum { OTTER_SWITCH_ROOM = 26 }; // bytes of the archive, more than a switch and its time need

struct otter_switch_log_header {
    uint64_t magic;
    uint32_t is_counter; // whether times are ticks of the processor's counter
    // Locations that an attempt to finish added, and that a later attempt removes.
    uint32_t first_location, n_locations;
    uint32_t unused;
    uint64_t max_size; // bytes: limit of the archive's event files and its switches; 0: no limit
    uint64_t size;     // bytes of the event files, which the recorder updates
};

struct otter_switch_record {
    uint64_t time; // ticks
    // the kernel's thread id; for lost switches, their number; for a wait, microseconds
    uint32_t thread;
    uint16_t processor;
    uint16_t kind; // enum otter_switch_kind; OTTER_SWITCH_UNKNOWN: the launcher has ended
};

// Creates the file, unless no launcher records switches.
enum otter_status otter_switch_log_create(const char *recording, bool is_counter,
                                          uint64_t max_size);
void otter_switch_log_remove(const char *recording);

// Stores the size of the event files. *Returns* how many bytes the switches need in the archive; 0:
// there are none.
uint64_t otter_switch_log_update(const char *recording, uint64_t size);

// Waits until the launcher has stored all switches before `time`, at most `max_wait_ns`.
// *Thread*: any.
void otter_switch_log_await(const char *recording, uint64_t time, uint64_t max_wait_ns);

// Opens the file of `recording` to append to it. *Returns* a descriptor, or -1.
int otter_switch_log_open(const char *recording, bool *is_counter);
// *Returns* whether the limit on the archive's size leaves room for `n` records in all.
bool otter_switch_log_has_room(int file, uint64_t n);
// Appends records. *Returns* false after a failure; the caller must then append no more.
bool otter_switch_log_append(int file, const struct otter_switch_record *records, size_t n);

// Opens the file to read it. *Returns* a descriptor, or -1: there is none, or it is damaged.
int otter_switch_log_read(const char *recording, struct otter_switch_log_header *header,
                          uint64_t *n_records);
enum otter_status otter_switch_log_note(const char *recording, uint32_t first_location,
                                        uint32_t n_locations);

// Calls `visit` for each of the first `n` records, in order, until it returns false.
// *Returns* false if a record could not be read, or `visit` returned false.
bool otter_switch_log_visit(int file, uint64_t n,
                            bool (*visit)(void *user, const struct otter_switch_record *record),
                            void *user);
