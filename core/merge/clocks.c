// Relates the clocks of all processes to the first process's clock.
//
// Processes on the same host and boot read the same clock, so their ticks are related exactly. The
// first of them is related to the first process of the job, and the others share this relation.
#include "merge/clocks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/complaint.h"

enum { NS = 1000000000 };

// A host's time of day may be wrong by this much.
static const double assumed_error_ns = 1e6;

// The limit of a difference, in ticks or ns: several such differences can be added to ticks of a
// source without exceeding INT64_MAX.
static const double largest_difference = 1e18;

// Two times of a clock and the corresponding ticks of the first process, both relative to the
// offsets of their clocks.
struct relation {
    enum otter_clocks_kind kind;
    double first; // ticks of the first process at this clock's offset
    double slope; // ticks of the first process per tick of this clock
    double deviation_ns;
};

const char *otter_clocks_name(enum otter_clocks_kind kind)
{
    switch (kind) {
    case OTTER_CLOCKS_EXACT: return "exact";
    case OTTER_CLOCKS_FILE: return "offsets";
    case OTTER_CLOCKS_MPI: return "mpi";
    case OTTER_CLOCKS_REALTIME: return "realtime";
    case OTTER_CLOCKS_UNKNOWN: break;
    }
    return "unknown";
}

// Returns whether both sources read the same clock: the TSC, or the system's clock, which counts
// nanoseconds.
static bool have_one_clock(const struct otter_merge_source *a, const struct otter_merge_source *b)
{
    return a == b || (*a->boot_id && strcmp(a->boot_id, b->boot_id) == 0 &&
                      (a->clock.resolution == NS) == (b->clock.resolution == NS));
}

// Sets the relation of two clocks whose nanoseconds differ by `difference_ns` at their offsets.
static void relate_ns(const struct otter_merge_source *source,
                      const struct otter_merge_source *first, double difference_ns,
                      struct relation *relation)
{
    relation->first = difference_ns * ((double)first->clock.resolution / NS);
    relation->slope = (double)first->clock.resolution / (double)source->clock.resolution;
}

static bool has_ns(const struct otter_merge_source *source)
{
    return source->clock.resolution > 0;
}

static const struct otter_host_offset *offset_of(const struct otter_host_offsets *offsets,
                                                 const char *host)
{
    for (uint32_t i = 0; i < offsets->n; i++) {
        if (strcmp(offsets->items[i].host, host) == 0) {
            return &offsets->items[i];
        }
    }
    return NULL;
}

static bool relate_by_file(const struct otter_merge_source *source,
                           const struct otter_merge_source *first,
                           const struct otter_host_offsets *offsets, struct relation *relation)
{
    const struct otter_host_offset *ours = offset_of(offsets, source->host);
    const struct otter_host_offset *theirs = offset_of(offsets, first->host);
    if (!ours || !theirs || !source->monotonic_ns || !first->monotonic_ns || !has_ns(source) ||
        !has_ns(first)) {
        return false;
    }
    double monotonic = (double)(int64_t)(source->monotonic_ns - first->monotonic_ns);
    double deviation = hypot(ours->deviation_ns, theirs->deviation_ns);
    *relation = (struct relation){.kind = OTTER_CLOCKS_FILE, .deviation_ns = deviation};
    relate_ns(source, first, monotonic + (double)(ours->offset_ns - theirs->offset_ns), relation);
    return true;
}

// A measurement by the MPI connector: at tick `at` of the source, rank 0 was `offset` ticks ahead.
struct measured_offset {
    uint64_t at;
    int64_t offset;
    uint64_t uncertainty; // ticks of the source; the offset may be wrong by this much
};

static bool find_measured(const struct otter_merge_source *source, const char *name,
                          struct measured_offset *measured)
{
    for (size_t i = 0; i < source->n_properties; i++) {
        if (strcmp(source->properties[i].name, name) == 0) {
            return sscanf(source->properties[i].value, "%" SCNu64 " %" SCNd64 " %" SCNu64,
                          &measured->at, &measured->offset, &measured->uncertainty) == 3;
        }
    }
    return false;
}

// Two measurements also yield the ratio of the clocks. The recording was truncated if there is only
// one.
static bool relate_by_mpi(const struct otter_merge_source *source,
                          const struct otter_merge_source *first,
                          const struct otter_host_offsets *offsets, struct relation *relation)
{
    struct measured_offset begin, end;
    if (first->rank != 0 || !has_ns(source) || !has_ns(first) ||
        !find_measured(source, "OTTER::MPI_OFFSET_BEGIN", &begin)) {
        return false;
    }
    bool has_end = find_measured(source, "OTTER::MPI_OFFSET_END", &end) && end.at > begin.at;
    double slope = (double)first->clock.resolution / (double)source->clock.resolution;
    if (has_end) {
        slope = 1 + ((double)end.offset - (double)begin.offset) / (double)(end.at - begin.at);
    }
    uint64_t uncertainty =
        has_end && end.uncertainty > begin.uncertainty ? end.uncertainty : begin.uncertainty;
    double until_begin = (double)(int64_t)(begin.at - source->clock.offset);
    double of_first = (double)(int64_t)(begin.at + (uint64_t)begin.offset - first->clock.offset);
    *relation = (struct relation){
        .kind = OTTER_CLOCKS_MPI,
        .first = of_first - slope * until_begin,
        .slope = slope,
        .deviation_ns = (double)uncertainty / (double)source->clock.resolution * NS,
    };
    return true;
}

static bool relate_by_realtime(const struct otter_merge_source *source,
                               const struct otter_merge_source *first,
                               const struct otter_host_offsets *offsets, struct relation *relation)
{
    if (!source->clock.realtime || !first->clock.realtime || !has_ns(source) || !has_ns(first)) {
        return false;
    }
    double deviation = hypot(assumed_error_ns, assumed_error_ns);
    *relation = (struct relation){.kind = OTTER_CLOCKS_REALTIME, .deviation_ns = deviation};
    relate_ns(source, first, (double)(int64_t)(source->clock.realtime - first->clock.realtime),
              relation);
    return true;
}

// The ways to relate two clocks, from best to worst. Each returns false if the archives lack the
// data that it needs.
static bool (*const relations[])(const struct otter_merge_source *source,
                                 const struct otter_merge_source *first,
                                 const struct otter_host_offsets *offsets,
                                 struct relation *relation) = {
    relate_by_file,
    relate_by_mpi,
    relate_by_realtime,
};

static bool is_possible(const struct relation *relation)
{
    return fabs(relation->first) < largest_difference && relation->slope > 0 &&
           relation->slope < largest_difference && relation->deviation_ns >= 0 &&
           relation->deviation_ns < largest_difference;
}

static struct relation relate(const struct otter_merge_source *source,
                              const struct otter_merge_source *first,
                              const struct otter_host_offsets *offsets)
{
    struct relation relation;
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        if (relations[i](source, first, offsets, &relation) && is_possible(&relation)) {
            return relation;
        }
    }
    relation = (struct relation){.kind = OTTER_CLOCKS_UNKNOWN, .slope = 1};
    if (has_ns(source) && has_ns(first)) {
        relate_ns(source, first, 0, &relation);
    }
    return relation;
}

// Returns the ticks to add to `ticks` of a clock that `leader` reads too.
static int64_t offset_at(uint64_t ticks, const struct otter_merge_source *leader,
                         const struct otter_merge_source *first, const struct relation *relation)
{
    double passed = (double)(int64_t)(ticks - leader->clock.offset);
    double stretched = relation->first + passed * (relation->slope - 1);
    return (int64_t)(first->clock.offset - leader->clock.offset) +
           (fabs(stretched) < largest_difference ? llrint(stretched) : 0);
}

static void relate_source(const struct otter_merge_source *source,
                          const struct otter_merge_source *leader,
                          const struct otter_merge_source *first, const struct relation *relation,
                          struct otter_related_clock *related)
{
    uint64_t length = source->clock.length > 0 ? source->clock.length : 1;
    struct otter_clock_map *map = &related->map;
    *map = (struct otter_clock_map){.begin = source->clock.offset,
                                    .end = source->clock.offset + length};
    related->kind = relation->kind;
    related->clock = source->clock;
    related->deviation_ns = (uint64_t)relation->deviation_ns;
    if (relation->kind == OTTER_CLOCKS_EXACT) {
        return;
    }
    map->begin_offset = offset_at(map->begin, leader, first, relation);
    map->end_offset = offset_at(map->end, leader, first, relation);
    map->deviation = relation->deviation_ns * ((double)first->clock.resolution / NS);
    related->clock.resolution = first->clock.resolution;
}

// No time in the archive may be before tick 1.
static void shift(struct otter_related_clock *related, size_t n)
{
    int64_t least = 1;
    for (size_t i = 0; i < n; i++) {
        int64_t begin = (int64_t)related[i].map.begin + related[i].map.begin_offset;
        least = begin < least ? begin : least;
    }
    for (size_t i = 0; i < n; i++) {
        related[i].map.begin_offset += 1 - least;
        related[i].map.end_offset += 1 - least;
    }
}

static struct otter_clock clock_of_job(const struct otter_merge_sources *sources,
                                       struct otter_related_clock *related)
{
    struct otter_clock clock = sources->items[0].clock;
    uint64_t end = 0, longest = 0;
    clock.offset = UINT64_MAX;
    for (uint32_t i = 0; i < sources->n; i++) {
        struct otter_clock *own = &related[i].clock;
        own->offset = otter_clock_map_apply(&related[i].map, related[i].map.begin);
        uint64_t stop = otter_clock_map_apply(&related[i].map, related[i].map.end);
        own->length = sources->items[i].clock.length > 0 && stop > own->offset
                          ? stop - own->offset
                          : sources->items[i].clock.length;
        end = own->offset + own->length > end ? own->offset + own->length : end;
        if (own->offset < clock.offset) {
            clock.offset = own->offset;
            clock.realtime = own->realtime;
        }
        if (related[i].kind == OTTER_CLOCKS_EXACT && own->length > longest) {
            longest = own->length; // the longest run has the best measurement of the resolution
            clock.resolution = own->resolution;
        }
    }
    clock.length = end > clock.offset ? end - clock.offset : 0;
    return clock;
}

static enum otter_status check_offsets(const struct otter_merge_source *source,
                                       const struct otter_host_offsets *offsets,
                                       struct otter_complaint *complaint)
{
    if (!offset_of(offsets, source->host)) {
        return otter_complain(complaint, OTTER_BAD_VALUE,
                              "the offsets have no line for host '%s' (rank %u)", source->host,
                              source->rank);
    }
    if (!source->monotonic_ns) {
        return otter_complain(complaint, OTTER_BAD_VALUE,
                              "'%s' was recorded by a version of Otter that did not store "
                              "CLOCK_MONOTONIC, to which the offsets refer: leave --offsets out",
                              source->path);
    }
    return OTTER_OK;
}

enum otter_status otter_clocks_relate(const struct otter_merge_sources *sources,
                                      const struct otter_host_offsets *offsets,
                                      struct otter_related_clock *related,
                                      struct otter_clock *clock, struct otter_complaint *complaint)
{
    const struct otter_merge_source *first = &sources->items[0];
    const struct relation same = {.kind = OTTER_CLOCKS_EXACT, .slope = 1};
    for (uint32_t i = 0; i < sources->n; i++) {
        const struct otter_merge_source *source = &sources->items[i];
        uint32_t leader = 0;
        while (!have_one_clock(&sources->items[leader], source)) {
            leader++;
        }
        enum otter_status status =
            offsets->n > 0 ? check_offsets(source, offsets, complaint) : OTTER_OK;
        if (status) {
            return status;
        }
        struct relation relation =
            leader == 0 ? same : relate(&sources->items[leader], first, offsets);
        relate_source(source, &sources->items[leader], first, &relation, &related[i]);
    }
    shift(related, sources->n);
    *clock = clock_of_job(sources, related);
    return OTTER_OK;
}
