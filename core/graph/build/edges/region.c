// Classifies regions by their effect on the graph.
#include <stdlib.h>
#include <string.h>

#include "graph/build/edges/region.h"
#include "trace/schema.h"

static enum otter_region_class class_of_sync(enum otter_construct construct)
{
    switch (construct) {
    case OTTER_CONSTRUCT_TASKWAIT: return OTTER_CLASS_TASKWAIT;
    case OTTER_CONSTRUCT_TASKWAIT_DEPEND: return OTTER_CLASS_TASKWAIT_DEPEND;
    case OTTER_CONSTRUCT_TASKGROUP: return OTTER_CLASS_TASKGROUP;
    case OTTER_CONSTRUCT_TASKGROUP_WAIT: return OTTER_CLASS_TASKGROUP_WAIT;
    case OTTER_CONSTRUCT_SYNC_UNKNOWN:
    case OTTER_CONSTRUCT_REDUCTION: return OTTER_CLASS_SYNC;
    default: return OTTER_CLASS_BARRIER;
    }
}

static enum otter_region_class class_of_target(enum otter_construct construct)
{
    if (construct >= OTTER_CONSTRUCT_TARGET && construct <= OTTER_CONSTRUCT_TARGET_UNKNOWN) {
        return OTTER_CLASS_TARGET;
    }
    if (construct >= OTTER_CONSTRUCT_DEVICE_ALLOCATE &&
        construct <= OTTER_CONSTRUCT_DATA_OP_UNKNOWN) {
        return OTTER_CLASS_OPERATION;
    }
    return construct == OTTER_CONSTRUCT_TARGET_SUBMIT ? OTTER_CLASS_SCOPE : OTTER_CLASS_NONE;
}

static enum otter_region_class class_of(enum otter_construct construct)
{
    if (construct >= OTTER_CONSTRUCT_BARRIER && construct <= OTTER_CONSTRUCT_REDUCTION) {
        return class_of_sync(construct);
    }
    if (otter_construct_is_mpi(construct)) {
        return OTTER_CLASS_SYNC;
    }
    switch (construct) {
    case OTTER_CONSTRUCT_INITIAL_TASK: return OTTER_CLASS_INITIAL;
    case OTTER_CONSTRUCT_PARALLEL:
    case OTTER_CONSTRUCT_TEAMS: return OTTER_CLASS_TEAM;
    case OTTER_CONSTRUCT_TASK: return OTTER_CLASS_TASK;
    case OTTER_CONSTRUCT_LOOP:
    case OTTER_CONSTRUCT_SECTIONS:
    case OTTER_CONSTRUCT_SINGLE:
    case OTTER_CONSTRUCT_WORKSHARE:
    case OTTER_CONSTRUCT_DISTRIBUTE:
    case OTTER_CONSTRUCT_TASKLOOP:
    case OTTER_CONSTRUCT_SCOPE:
    case OTTER_CONSTRUCT_MASKED:
    case OTTER_CONSTRUCT_WORK_UNKNOWN:
    case OTTER_CONSTRUCT_KOKKOS_FOR:
    case OTTER_CONSTRUCT_KOKKOS_REDUCE:
    case OTTER_CONSTRUCT_KOKKOS_SCAN:
    case OTTER_CONSTRUCT_KOKKOS_REGION:
    case OTTER_CONSTRUCT_KOKKOS_COPY: return OTTER_CLASS_SCOPE;
    case OTTER_CONSTRUCT_KOKKOS_FENCE: return OTTER_CLASS_SYNC;
    case OTTER_CONSTRUCT_ORDERED: return OTTER_CLASS_ORDERED;
    case OTTER_CONSTRUCT_ORDERED_BLOCK: return OTTER_CLASS_ORDERED_BLOCK;
    default: return class_of_target(construct);
    }
}

static uint8_t flags_of(const char *words)
{
    return (uint8_t)((strstr(words, "undeferred") ? OTTER_TASK_UNDEFERRED : 0) |
                     (strstr(words, "untied") ? OTTER_TASK_UNTIED : 0) |
                     (strstr(words, "target") ? OTTER_TASK_TARGET : 0));
}

bool otter_regions_init(struct otter_regions *regions, const struct otter_definitions *definitions)
{
    regions->class = calloc(definitions->n_regions + 1, 1);
    regions->flags = calloc(definitions->n_regions + 1, 1);
    if (!regions->class || !regions->flags) {
        return false;
    }
    for (size_t i = 0; i < definitions->n_regions; i++) {
        const struct otter_region *region = &definitions->regions[i];
        regions->class[i] = (uint8_t)class_of(region->construct);
        if (region->construct == OTTER_CONSTRUCT_TASK) {
            regions->flags[i] = flags_of(region->description);
        }
    }
    return true;
}

void otter_regions_finish(struct otter_regions *regions)
{
    free(regions->class);
    free(regions->flags);
}
