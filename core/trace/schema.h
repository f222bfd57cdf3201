// How the vocabulary of include/otter/event.h is spelt in an archive: one table, used to write and to read.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otter/event.h"

enum { OTTER_SCHEMA_VERSION = 1 };

// Regions that every archive defines. No event names region 0: OTF2 would write `Enter` without a payload, and whoever recovers a
// recording could not tell it from a record that was being written.
enum {
    OTTER_REGION_NONE = 0,
    OTTER_REGION_UNKNOWN = 1,
    OTTER_REGION_FIRST = 2,
    OTTER_MAX_REGIONS = 1 << 16
};

// The canonical name of a construct: "!$omp taskwait". Never NULL.
const char *otter_construct_name(enum otter_construct construct);

// The construct of a region with this canonical name and description; OTTER_CONSTRUCT_UNKNOWN for regions of others.
enum otter_construct otter_construct_from_name(const char *name, const char *description);

// The OTF2 region role (OTF2_RegionRole) of a construct.
uint8_t otter_construct_role(enum otter_construct construct, uint32_t detail);

// Details in words ("untied, final"; "static"; a number), "" for none. Returns `text`.
char *otter_construct_detail_text(enum otter_construct construct, uint32_t detail, char *text,
                                  size_t size);

static inline bool otter_construct_is_kokkos(enum otter_construct construct)
{
    return construct >= OTTER_CONSTRUCT_KOKKOS_FOR && construct <= OTTER_CONSTRUCT_KOKKOS_SECTION;
}

// Whether regions of this construct are named by a label.
static inline bool otter_construct_is_labelled(enum otter_construct construct)
{
    return otter_construct_is_kokkos(construct) || construct == OTTER_CONSTRUCT_PHASE ||
           construct == OTTER_CONSTRUCT_MARK;
}

// The name of a parameter: "depend in". Never NULL.
const char *otter_parameter_name(enum otter_parameter parameter);

const char *otter_thread_kind_name(enum otter_thread_kind kind);
