// Sums up slices in buckets: each finished bucket adds its sums to a bucket four times as long.
#include "view/lane/pyramid.h"

#include <string.h>

#include "base/free.h"

enum {
    SIZE_OF_BUCKET =
        // characters of the page reserved for each bucket of the finest levels; about 10 are needed
    80,
    MIN_BUCKETS = 16, // buckets of the finest level of a row, at least
    SLICES_PER_BUCKET = 4,
};

struct sums {
    uint64_t ticks[OTTER_N_STATES];
    uint64_t longest;
    uint32_t label, count;
};

struct bucket {
    uint64_t number;
    struct sums sums;
};

// The buckets of one level: those that are finished, and one that is being filled.
struct level {
    struct {
        OTTER_VECTOR(struct bucket);
    } buckets;
    struct {
        OTTER_VECTOR(struct otter_segment);
    } segments;
    struct bucket open;
    bool is_open;
    uint64_t *of_labels; // executing ticks in the open bucket
    struct {
        OTTER_VECTOR(uint32_t);
    } labels; // labels that occur in the open bucket
};

struct summation {
    const struct otter_view *view;
    struct otter_pyramid *pyramid;
    struct level levels[OTTER_MAX_LEVELS];
    uint32_t *n_slices;  // of each row
    uint32_t *first_row; // of each lane: an index of `n_slices`
    uint32_t n_rows;
    uint32_t lane, row; // position of the current slices
    uint32_t finest;    // finest level of the current row
};

// ---- sizes

static void count_slice(void *user, const struct otter_slice *slice)
{
    struct summation *summation = user;
    summation->n_slices[summation->first_row[slice->lane] + slice->row]++;
    summation->pyramid->n_slices++;
    if (slice->row == 0) {
        summation->pyramid->totals[slice->lane * OTTER_N_STATES + slice->state] +=
            slice->end - slice->begin;
    }
}

static uint64_t n_buckets(const struct otter_view *view, uint32_t level)
{
    return ((view->end - view->begin) >> (2 * level)) + 1;
}

// Returns a level whose buckets have several slices each and are not too many.
static uint32_t finest_of(const struct summation *summation, uint32_t row)
{
    uint64_t most = summation->view->size / SIZE_OF_BUCKET / summation->n_rows;
    uint64_t wanted = summation->n_slices[row] / SLICES_PER_BUCKET;
    most = most < wanted ? most : wanted;
    most = most > MIN_BUCKETS ? most : MIN_BUCKETS;
    uint32_t level = 0;
    while (level < summation->pyramid->coarsest && n_buckets(summation->view, level) > most) {
        level++;
    }
    return level;
}

// ---- sums

static void add_label(struct level *level, uint32_t label, uint64_t ticks)
{
    if (ticks > 0 && level->of_labels[label] == 0) {
        OTTER_VECTOR_APPEND(&level->labels, label);
    }
    level->of_labels[label] += ticks;
}

static uint32_t dominant_label(const struct summation *summation, const struct level *level)
{
    uint32_t most = otter_view_n_labels(summation->view);
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < level->labels.n; i++) {
        uint32_t label = level->labels.items[i];
        uint64_t own = level->of_labels[label];
        if (own > ticks || (own == ticks && label < most)) {
            most = label;
            ticks = own;
        }
    }
    return most;
}

static void begin_bucket(struct level *level, uint64_t number)
{
    level->open = (struct bucket){.number = number};
    level->is_open = true;
}

static void add_sums(struct sums *to, const struct sums *sums)
{
    for (unsigned i = 0; i < OTTER_N_STATES; i++) {
        to->ticks[i] += sums->ticks[i];
    }
    to->count += sums->count;
    to->longest = sums->longest > to->longest ? sums->longest : to->longest;
}

// Stores the open bucket of a level.
static void store_bucket(struct summation *summation, struct level *level)
{
    level->open.sums.label = dominant_label(summation, level);
    OTTER_VECTOR_APPEND(&level->buckets, level->open);
}

// Ends the open bucket of level `k`. Also ends the open buckets of coarser levels that do not
// contain bucket `next` of level `k`.
static void end_buckets(struct summation *summation, uint32_t k, uint64_t next)
{
    for (; summation->levels[k].is_open; k++, next >>= 2) {
        struct level *level = &summation->levels[k];
        if (level->open.number == next) {
            return;
        }
        store_bucket(summation, level);
        struct level *coarser = k < summation->pyramid->coarsest ? level + 1 : NULL;
        if (coarser && !coarser->is_open) {
            begin_bucket(coarser, level->open.number >> 2);
        }
        for (uint32_t i = 0; i < level->labels.n; i++) {
            uint32_t label = level->labels.items[i];
            if (coarser) {
                add_label(coarser, label, level->of_labels[label]);
            }
            level->of_labels[label] = 0;
        }
        level->labels.n = 0;
        level->is_open = false;
        if (!coarser) {
            return;
        }
        add_sums(&coarser->open.sums, &level->open.sums);
    }
}

static void end_row(struct summation *summation)
{
    if (summation->lane != OTTER_NONE) {
        end_buckets(summation, summation->finest, UINT64_MAX);
    }
}

static void begin_row(struct summation *summation, const struct otter_slice *slice)
{
    summation->lane = slice->lane;
    summation->row = slice->row;
    summation->finest = finest_of(summation, summation->first_row[slice->lane] + slice->row);
    if (summation->finest < summation->pyramid->finest) {
        summation->pyramid->finest = summation->finest;
    }
    for (uint32_t k = summation->finest; k <= summation->pyramid->coarsest; k++) {
        struct level *level = &summation->levels[k];
        OTTER_VECTOR_APPEND(&level->segments,
                            (struct otter_segment){{slice->lane, slice->row, k, level->buckets.n}});
    }
}

static void add_slice(void *user, const struct otter_slice *slice)
{
    struct summation *summation = user;
    if (summation->lane != slice->lane || summation->row != slice->row) {
        end_row(summation);
        begin_row(summation, slice);
    }
    struct level *level = &summation->levels[summation->finest];
    uint32_t shift = 2 * summation->finest;
    for (uint64_t begin = slice->begin; begin < slice->end;) {
        uint64_t number = begin >> shift;
        uint64_t end = slice->end >> shift == number ? slice->end : (number + 1) << shift;
        end_buckets(summation, summation->finest, number);
        if (!level->is_open) {
            begin_bucket(level, number);
        }
        level->open.sums.ticks[slice->state] += end - begin;
        if (slice->state == OTTER_STATE_EXECUTING) {
            add_label(level, slice->label, end - begin);
        }
        if (begin == slice->begin) {
            uint64_t duration = slice->end - slice->begin;
            level->open.sums.count++;
            level->open.sums.longest =
                duration > level->open.sums.longest ? duration : level->open.sums.longest;
        }
        begin = end;
    }
}

// ---- the table

static const struct otter_chunk_column columns[] = {
    {"bucket", true},   {"outside", false}, {"executing", false}, {"waiting", false},
    {"lock", false},    {"forking", false}, {"mpi", false},       {"paused", false},
    {"lost", false},    {"unused", false},  {"label", false},     {"count", false},
    {"longest", false},
};
_Static_assert(sizeof columns / sizeof *columns == OTTER_N_STATES + 4, "a state lacks its column");
static const struct otter_chunk_table table = {
    .name = "pyramid", OTTER_COLUMNS(columns), .n_segment_numbers = 5};

static void write_bucket(struct otter_chunk_writer *writer, const struct bucket *bucket)
{
    const struct sums *sums = &bucket->sums;
    uint64_t values[OTTER_CHUNK_COLUMNS] = {bucket->number};
    memcpy(values + 1, sums->ticks, sizeof sums->ticks);
    values[OTTER_N_STATES + 1] = sums->label;
    values[OTTER_N_STATES + 2] = sums->count;
    values[OTTER_N_STATES + 3] = sums->longest;
    otter_chunk_add(writer, values);
}

// A segment that crosses the end of a chunk becomes two.
static void write_segment(struct otter_chunk_writer *writer, const struct level *level, uint32_t i)
{
    struct otter_segment segment = level->segments.items[i];
    uint32_t first = (uint32_t)segment.numbers[3];
    uint32_t end = i + 1 < level->segments.n ? (uint32_t)level->segments.items[i + 1].numbers[3]
                                             : level->buckets.n;
    while (first < end) {
        uint32_t room = OTTER_CHUNK_ROWS - writer->n_rows;
        uint32_t n = end - first < room ? end - first : room;
        segment.numbers[3] = writer->n_rows;
        segment.numbers[4] = n;
        otter_chunk_begin_segment(writer, segment);
        for (uint32_t k = 0; k < n; k++) {
            write_bucket(writer, &level->buckets.items[first + k]);
        }
        first += n;
    }
}

static void write_table(const struct summation *summation, struct otter_chunks *chunks)
{
    struct otter_chunk_writer writer = {.chunks = chunks, .table = &table};
    for (uint32_t k = summation->pyramid->coarsest + 1; k-- > summation->pyramid->finest;) {
        const struct level *level = &summation->levels[k];
        for (uint32_t i = 0; i < level->segments.n; i++) {
            write_segment(&writer, level, i);
        }
    }
    otter_chunk_end(&writer);
}

// ---- all

static void prepare(struct summation *summation)
{
    const struct otter_view *view = summation->view;
    struct otter_pyramid *pyramid = summation->pyramid;
    summation->first_row = calloc(view->lanes.n + 1, sizeof *summation->first_row);
    pyramid->totals = calloc((size_t)view->lanes.n * OTTER_N_STATES + 1, sizeof *pyramid->totals);
    for (uint32_t i = 0; i < view->lanes.n; i++) {
        summation->first_row[i] = summation->n_rows;
        summation->n_rows += view->lanes.items[i].n_rows;
    }
    summation->n_slices = calloc(summation->n_rows + 1, sizeof *summation->n_slices);
    while (pyramid->coarsest + 1 < OTTER_MAX_LEVELS && n_buckets(view, pyramid->coarsest) > 1) {
        pyramid->coarsest++;
    }
    pyramid->finest = pyramid->coarsest;
    for (uint32_t k = 0; k <= pyramid->coarsest; k++) {
        struct level *level = &summation->levels[k];
        level->of_labels = calloc(otter_view_n_labels(view) + 1, sizeof *level->of_labels);
    }
}

static void finish(struct summation *summation)
{
    for (uint32_t k = 0; k < OTTER_MAX_LEVELS; k++) {
        OTTER_FREE(summation->levels[k].buckets.items, summation->levels[k].segments.items,
                   summation->levels[k].of_labels, summation->levels[k].labels.items);
    }
    free(summation->n_slices);
    free(summation->first_row);
}

void otter_pyramid_init(struct otter_pyramid *pyramid, const struct otter_view *view,
                        struct otter_chunks *chunks)
{
    *pyramid = (struct otter_pyramid){0};
    struct summation summation = {.view = view, .pyramid = pyramid, .lane = OTTER_NONE};
    prepare(&summation);
    otter_slices_each(view, count_slice, &summation);
    otter_slices_each(view, add_slice, &summation);
    end_row(&summation);
    write_table(&summation, chunks);
    finish(&summation);
}

void otter_pyramid_finish(struct otter_pyramid *pyramid)
{
    free(pyramid->totals);
    *pyramid = (struct otter_pyramid){0};
}
