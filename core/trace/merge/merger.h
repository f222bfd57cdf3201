// The state of a merge, and the functions that all its parts need.
#pragma once

#include "trace/merge/merge.h"
#include "trace/lists.h"
#include "trace/write/archive_writer.h"

// Kinds of definitions that are numbered by content: definitions with the same key are written
// once. In a key, references are numbers of the merged archive.
enum otter_merge_kind {
    OTTER_MERGE_REGIONS,
    OTTER_MERGE_PARAMETERS,
    OTTER_MERGE_METRIC_MEMBERS,
    OTTER_MERGE_METRICS,
    OTTER_MERGE_GROUPS,
    OTTER_MERGE_COMMS,
    OTTER_MERGE_WINDOWS,
    OTTER_MERGE_ATTRIBUTES,
    OTTER_MERGE_CONTEXTS,
    OTTER_MERGE_GENERATORS,
    OTTER_MERGE_PARADIGMS,
    OTTER_MERGE_MARKERS,
    OTTER_MERGE_TEXTS,
    OTTER_MERGE_PROCESSES, // not numbered by content; only `maps` is used
    OTTER_MERGE_KINDS
};

struct otter_merger {
    const struct otter_merge_plan *plan;
    struct otter_archive_writer archive;
    struct otter_strings *known[OTTER_MERGE_KINDS];
    // uint32_t for each region: 1 + the last rank that has the region
    struct otter_list region_ranks;
    uint32_t n_processes;                // location groups written so far
    const struct otter_merge_rank *rank; // the rank that is being read
    // uint64_t: the merged archive's number of each definition of the rank
    struct otter_list maps[OTTER_MERGE_KINDS];
    OTF2_MarkerWriter *markers;
};

// *Returns* the number of the definition with the content `key`, and frees `key`; UINT32_MAX if out
// of memory or if `key` is NULL. Sets *is_new to whether the caller must write the definition.
uint32_t otter_merge_number(struct otter_merger *merger, enum otter_merge_kind kind, char *key,
                            bool *is_new);

// Stores the number of the rank's next definition of this kind in the merged archive.
void otter_merge_add(struct otter_merger *merger, enum otter_merge_kind kind, uint64_t number);

// *Returns* the merged archive's number of the rank's definition `id`; `undefined` if the rank has
// none.
uint64_t otter_merge_find(const struct otter_merger *merger, enum otter_merge_kind kind,
                          uint64_t id, uint64_t undefined);

// *Returns* the merged archive's number of a text, or of the rank's string `id`.
uint32_t otter_merge_text(struct otter_merger *merger, const char *text);
uint32_t otter_merge_string(const struct otter_merger *merger, uint64_t id);

// Interns a string of the rank. The user data of all callbacks that read definitions is the merger.
OTF2_CallbackCode otter_merge_on_string(void *user, OTF2_StringRef self, const char *text);

// Opens the definitions of a rank. *Errors*: OTTER_BAD_ARCHIVE if the number of locations differs
// from the plan; otherwise as otter_archive_open_definitions. Then *source is NULL.
enum otter_status otter_merge_open(const struct otter_merge_rank *rank,
                                   struct otter_archive **source,
                                   struct otter_complaint *complaint);

// Reads the definitions of the current rank with `callbacks`, then deletes the callbacks.
enum otter_status otter_merge_read(struct otter_merger *merger,
                                   OTF2_GlobalDefReaderCallbacks *callbacks,
                                   struct otter_complaint *complaint);

// *Returns* the value that a callback returns to OTF2. After a failure, it ends the reading.
OTF2_CallbackCode otter_merge_result(const struct otter_merger *merger);
