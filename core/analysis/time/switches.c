// Pairs the switches of each thread, and finds which threads ran on its processor while it was off.
#include "analysis/time/switches.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/order.h"
#include "graph/numbers.h"
#include "trace/schema.h"

// Shorter gaps between two of the program's threads on a processor are the kernel's own work for
// switching.
enum { SWITCHING_NS = 10000 };

struct processor {
    struct otter_stretches own;  // when threads of the program ran on it
    struct otter_stretches gaps; // when switches were lost
    uint32_t number;
    uint64_t last;   // time of the last switch read
    uint64_t thread; // the thread that runs, if is_taken
    uint64_t since;
    bool is_taken;
};

struct thread {
    uint64_t number; // the kernel's
    struct otter_thread_line *line;
    struct otter_switch last;
};

struct changes {
    OTTER_VECTOR(struct otter_switch);
};

struct pairing {
    const struct otter_switches *switches;
    struct otter_timeline *timeline;
    struct processor *processors; // of each location
    struct thread *threads;       // sorted by number, without numbers that occur twice
    size_t n_threads;
    struct otter_stretches gaps; // when switches of any processor were lost
    uint64_t gap;                // ticks
    uint64_t limit;              // ticks: switches may be missing from here on
    bool is_short_of_memory;
};

// ---- the events

static const char *property_of(const struct otter_location *location, const char *name)
{
    for (size_t i = 0; i < location->n_properties; i++) {
        if (strcmp(location->properties[i].name, name) == 0) {
            return location->properties[i].value;
        }
    }
    return NULL;
}

uint64_t otter_location_number(const struct otter_location *location, const char *name)
{
    const char *value = property_of(location, name);
    return value ? strtoull(value, NULL, 10) : 0;
}

bool otter_location_is_processor(const struct otter_location *location)
{
    return location->kind == OTTER_LOCATION_METRIC && property_of(location, "OTTER::PROCESSOR");
}

enum otter_status otter_switches_begin(struct otter_switches *switches,
                                       const struct otter_definitions *definitions)
{
    *switches = (struct otter_switches){.definitions = definitions};
    return OTTER_OK;
}

bool otter_event_is_switch(const struct otter_definitions *definitions,
                           const struct otter_event *event)
{
    return event->kind == OTTER_RECORD_METRIC && event->metric.n_values == 2 &&
           event->metric.definition < definitions->n_metrics &&
           strcmp(definitions->metrics[event->metric.definition].name, OTTER_SWITCH_METRIC) == 0 &&
           otter_location_is_processor(&definitions->locations[event->location]);
}

bool otter_switches_add(void *user, const struct otter_event *event)
{
    struct otter_switches *switches = user;
    if (!otter_event_is_switch(switches->definitions, event)) {
        return true;
    }
    uint64_t kind = event->metric.values[1], value = event->metric.values[0];
    switches->n += kind == OTTER_SWITCH_OUT || kind == OTTER_SWITCH_PREEMPTED;
    switches->n_preempted += kind == OTTER_SWITCH_PREEMPTED;
    switches->n_lost += kind == OTTER_SWITCH_LOST ? value : 0;
    return OTTER_VECTOR_ADD(
        &switches->all,
        (struct otter_switch){.time = event->time,
                              .thread = value,
                              .processor = event->location,
                              .kind = kind <= OTTER_SWITCH_WAITED ? (uint32_t)kind : 0});
}

void otter_switches_finish(struct otter_switches *switches)
{
    free(switches->all.items);
    *switches = (struct otter_switches){0};
}

// ---- threads by the kernel's number

static int compare_threads(const void *a, const void *b)
{
    const struct thread *one = a, *other = b;
    return one->number < other->number ? -1 : one->number > other->number;
}

// If two locations have the same number, the kernel reused it, and neither thread is known.
static void keep_unique(struct pairing *pairing)
{
    size_t n = 0;
    for (size_t i = 0; i < pairing->n_threads;) {
        size_t end = i + 1;
        while (end < pairing->n_threads &&
               pairing->threads[end].number == pairing->threads[i].number) {
            end++;
        }
        if (end == i + 1) {
            pairing->threads[n++] = pairing->threads[i];
        }
        i = end;
    }
    pairing->n_threads = n;
}

static bool list_lines(struct pairing *pairing)
{
    struct otter_timeline *timeline = pairing->timeline;
    pairing->threads = calloc(timeline->n_lines + 1, sizeof *pairing->threads);
    for (uint32_t i = 0; pairing->threads && i < timeline->n_lines; i++) {
        uint64_t number = otter_location_number(
            &timeline->definitions->locations[timeline->lines[i].location], "OTTER::TID");
        if (number > 0) {
            struct otter_switch first = {.time = timeline->begin, .processor = OTTER_NONE};
            pairing->threads[pairing->n_threads++] =
                (struct thread){.number = number, .line = &timeline->lines[i], .last = first};
        }
    }
    if (!pairing->threads) {
        return false;
    }
    qsort(pairing->threads, pairing->n_threads, sizeof *pairing->threads, compare_threads);
    return true;
}

static struct thread *find_thread(const struct pairing *pairing, uint64_t number)
{
    struct thread key = {.number = number};
    return bsearch(&key, pairing->threads, pairing->n_threads, sizeof key, compare_threads);
}

static bool is_of_thread(const struct otter_switch *change)
{
    return change->kind >= OTTER_SWITCH_IN && change->kind <= OTTER_SWITCH_PREEMPTED;
}

static int by_thread(const void *a, const void *b)
{
    const struct otter_switch *x = a, *y = b;
    return OTTER_BY_2(x, y, thread, time);
}

// Keeps only the first switch of each thread.
static void keep_firsts(struct changes *firsts)
{
    OTTER_SORT(firsts, by_thread);
    uint32_t n = 0;
    for (uint32_t i = 0; i < firsts->n; i++) {
        if (n == 0 || firsts->items[n - 1].thread != firsts->items[i].thread) {
            firsts->items[n++] = firsts->items[i];
        }
    }
    firsts->n = n;
}

// Lists the first switch of each thread without a line. Most threads have many switches, so the
// list is shortened whenever it has doubled.
static bool find_others(const struct pairing *pairing, struct changes *firsts)
{
    bool is_good = true;
    uint32_t most = 1 << 10;
    for (uint32_t i = 0; i < pairing->switches->all.n && is_good; i++) {
        const struct otter_switch *change = &pairing->switches->all.items[i];
        if (is_of_thread(change) && !find_thread(pairing, change->thread)) {
            is_good = OTTER_VECTOR_ADD(firsts, *change);
        }
        if (firsts->n > most) {
            keep_firsts(firsts);
            most = firsts->n > most / 2 ? 2 * most : most;
        }
    }
    keep_firsts(firsts);
    return is_good;
}

// Before its first switch, such a thread did not exist, or slept.
static bool add_others(struct pairing *pairing, const struct changes *firsts)
{
    struct otter_timeline *timeline = pairing->timeline;
    struct thread *threads =
        realloc(pairing->threads, (pairing->n_threads + firsts->n + 1) * sizeof *pairing->threads);
    pairing->threads = threads ? threads : pairing->threads;
    timeline->others = calloc(firsts->n + (size_t)1, sizeof *timeline->others);
    if (!threads || !timeline->others) {
        return false;
    }
    for (uint32_t i = 0; i < firsts->n; i++) {
        struct otter_switch before = firsts->items[i];
        before.kind = before.kind == OTTER_SWITCH_IN ? OTTER_SWITCH_OUT : OTTER_SWITCH_IN;
        before.time = timeline->begin;
        threads[pairing->n_threads++] =
            (struct thread){.number = before.thread, .line = &timeline->others[i], .last = before};
    }
    timeline->n_others = firsts->n;
    qsort(threads, pairing->n_threads, sizeof *threads, compare_threads);
    return true;
}

static bool list_threads(struct pairing *pairing)
{
    struct changes firsts = {0};
    bool is_good =
        list_lines(pairing) && find_others(pairing, &firsts) && add_others(pairing, &firsts);
    free(firsts.items);
    if (is_good) {
        keep_unique(pairing);
    }
    return is_good;
}

// ---- spans of time

// Appends a span. If it begins at most `gap` after the last span, extends that span instead.
static void append_span(struct pairing *pairing, struct otter_stretches *spans, uint64_t begin,
                        uint64_t end, uint64_t gap)
{
    struct otter_stretch *last = spans->n ? &spans->items[spans->n - 1] : NULL;
    if (end <= begin) {
        return;
    }
    if (last && begin <= last->end + gap) {
        last->end = end;
    } else {
        pairing->is_short_of_memory |= !OTTER_VECTOR_ADD(spans, (struct otter_stretch){begin, end});
    }
}

// Returns the first span that ends after `time`.
static uint32_t first_after(const struct otter_stretches *spans, uint64_t time)
{
    uint32_t low = 0, high = spans->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (spans->items[middle].end > time) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// Returns the first time in [begin, end) inside a span; `end` if there is none.
static uint64_t first_in(const struct otter_stretches *spans, uint64_t begin, uint64_t end)
{
    uint32_t i = first_after(spans, begin);
    uint64_t first = i < spans->n ? spans->items[i].begin : end;
    first = first > begin ? first : begin;
    return first < end ? first : end;
}

// ---- processors

// Ends the time of a thread of the program on a processor. The switch to the program's next thread
// is part of the program's time as well.
static void release(struct pairing *pairing, struct processor *processor, uint64_t time)
{
    if (processor->is_taken) {
        append_span(pairing, &processor->own, processor->since, time, pairing->gap);
    }
    processor->is_taken = false;
}

static void occupy(struct pairing *pairing, struct processor *processor,
                   const struct otter_switch *change)
{
    release(pairing, processor, change->time);
    if (change->kind == OTTER_SWITCH_IN) {
        processor->is_taken = true;
        processor->thread = change->thread;
        processor->since = change->time;
    }
}

// ---- times off the processors

static void append(struct pairing *pairing, struct otter_thread_line *line, struct otter_off off)
{
    if (off.end <= off.begin) {
        return;
    }
    pairing->is_short_of_memory |= !OTTER_VECTOR_ADD(&line->off, off);
}

// Adds the thread's time from its last switch to `time`. The time after a loss of switches is
// unknown. Only losses on the thread's processor matter, or on any processor if the thread was on
// none.
static void pass(struct pairing *pairing, struct thread *thread, uint64_t time)
{
    const struct otter_switch *last = &thread->last;
    bool is_on = last->kind == OTTER_SWITCH_IN && last->processor != OTTER_NONE;
    const struct otter_stretches *gaps =
        is_on ? &pairing->processors[last->processor].gaps : &pairing->gaps;
    uint64_t begin = last->time > pairing->timeline->begin ? last->time : pairing->timeline->begin;
    uint64_t known = begin < time ? first_in(gaps, begin, time) : time;
    if (last->kind == OTTER_SWITCH_OUT || last->kind == OTTER_SWITCH_PREEMPTED) {
        append(pairing, thread->line,
               (struct otter_off){.begin = begin,
                                  .end = known,
                                  .processor = last->processor,
                                  .is_preempted = last->kind == OTTER_SWITCH_PREEMPTED});
    }
    append_span(pairing, &thread->line->unknown, known, time, 0);
}

// Marks the time before a switch-in during which the thread was ready. Like a preempted thread, it
// could have run.
static void apply_wait(struct pairing *pairing, const struct otter_switch *change)
{
    const struct processor *processor = &pairing->processors[change->processor];
    struct thread *thread = processor->is_taken ? find_thread(pairing, processor->thread) : NULL;
    uint64_t ticks = (uint64_t)((double)change->thread * 1e-6 *
                                    (double)pairing->switches->definitions->clock.resolution +
                                0.5);
    uint64_t begin = pairing->timeline->begin, end = change->time;
    if (!thread || end <= begin) {
        return;
    }
    begin = end - begin > ticks ? end - ticks : begin;
    struct otter_thread_line *line = thread->line;
    struct otter_off *last = line->off.n ? &line->off.items[line->off.n - 1] : NULL;
    struct otter_off wait = {
        .begin = begin, .end = end, .processor = change->processor, .is_preempted = true};
    if (last && last->end > begin) {
        wait.begin = begin > last->begin ? begin : last->begin;
        wait.end = last->end;
        last->end = wait.begin;
        line->off.n -= last->end <= last->begin;
    }
    append(pairing, line, wait);
}

static void apply(struct pairing *pairing, const struct otter_switch *change)
{
    struct thread *thread = find_thread(pairing, change->thread);
    occupy(pairing, &pairing->processors[change->processor], change);
    if (thread) { // otherwise several threads have its number
        pass(pairing, thread, change->time);
        thread->last = *change;
    }
}

// Divides preempted time into parts in which threads of the program ran on the processor, and the
// rest.
static void divide(struct pairing *pairing, struct otter_thread_line *line, struct otter_off off)
{
    const struct processor *processor = &pairing->processors[off.processor];
    uint64_t end = off.end;
    off.processor = processor->number;
    for (uint32_t i = first_after(&processor->own, off.begin);
         off.is_preempted && i < processor->own.n && processor->own.items[i].begin < end; i++) {
        const struct otter_stretch *own = &processor->own.items[i];
        // the switches from this thread to the next and back
        uint64_t from = own->begin > off.begin + pairing->gap ? own->begin : off.begin;
        uint64_t to = own->end + pairing->gap < end ? own->end : end;
        off.by_own = false;
        off.end = from;
        append(pairing, line, off);
        off = (struct otter_off){.begin = from,
                                 .end = to,
                                 .processor = off.processor,
                                 .is_preempted = true,
                                 .by_own = true};
        append(pairing, line, off);
        off.begin = to;
    }
    off.by_own = false;
    off.end = end;
    append(pairing, line, off);
}

static void divide_line(struct pairing *pairing, struct otter_thread_line *line)
{
    struct otter_off *items = line->off.items;
    uint32_t n = line->off.n;
    line->off.items = NULL;
    line->off.n = line->off.room = 0;
    for (uint32_t i = 0; i < n; i++) {
        divide(pairing, line, items[i]);
    }
    free(items);
}

// ---- all

// Gaps are sorted by end. The gap of a processor begins at its last switch before the loss.
static void add_gap(struct pairing *pairing, struct processor *processor, uint64_t end)
{
    uint64_t begin = processor->last < end ? processor->last : end;
    append_span(pairing, &processor->gaps, begin, end, 0);
    while (pairing->gaps.n > 0 && pairing->gaps.items[pairing->gaps.n - 1].begin >= begin) {
        pairing->gaps.n--;
    }
    append_span(pairing, &pairing->gaps, begin, end, 0);
}

// Switches may be missing after the last time at which all were stored.
static void find_gaps(struct pairing *pairing, const struct otter_switch *all,
                      const uint32_t *order, uint32_t n)
{
    uint64_t complete = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct otter_switch *change = &all[order[i]];
        struct processor *processor = &pairing->processors[change->processor];
        if (change->kind == OTTER_SWITCH_LOST) {
            add_gap(pairing, processor, change->time);
        }
        complete = change->kind == OTTER_SWITCH_COMPLETE ? change->time : complete;
        processor->last = change->time;
    }
    uint64_t end = pairing->timeline->end;
    pairing->limit = complete > 0 && complete < end ? complete : end;
}

static void end_threads(struct pairing *pairing)
{
    for (size_t i = 0; i < pairing->n_threads; i++) {
        struct otter_thread_line *line = pairing->threads[i].line;
        pass(pairing, &pairing->threads[i], pairing->limit);
        append_span(pairing, &line->unknown, pairing->limit, pairing->timeline->end, 0);
        divide_line(pairing, line);
    }
}

static void pair(struct pairing *pairing, const uint32_t *order)
{
    const struct otter_switch *all = pairing->switches->all.items;
    uint32_t n = pairing->switches->all.n;
    find_gaps(pairing, all, order, n);
    for (uint32_t i = 0; i < n && all[order[i]].time < pairing->limit; i++) {
        const struct otter_switch *change = &all[order[i]];
        struct processor *processor = &pairing->processors[change->processor];
        if (is_of_thread(change)) {
            apply(pairing, change);
        } else if (change->kind == OTTER_SWITCH_WAITED) {
            apply_wait(pairing, change);
        } else if (change->kind == OTTER_SWITCH_LOST) {
            release(pairing, processor, first_in(&processor->gaps, processor->since, change->time));
        }
    }
    for (size_t i = 0; i < pairing->switches->definitions->n_locations; i++) {
        release(pairing, &pairing->processors[i], pairing->limit);
    }
    end_threads(pairing);
}

static bool pair_in_order(struct pairing *pairing)
{
    uint32_t n = pairing->switches->all.n, *order = otter_numbers_create(n);
    for (uint32_t i = 0; order && i < n; i++) {
        order[i] = i;
    }
    bool is_sorted = order && otter_indexes_sort(order, n, &pairing->switches->all.items[0].time,
                                                 sizeof *pairing->switches->all.items);
    if (is_sorted) {
        pair(pairing, order);
    }
    free(order);
    return is_sorted && !pairing->is_short_of_memory;
}

static bool list_processors(struct pairing *pairing)
{
    const struct otter_definitions *definitions = pairing->switches->definitions;
    pairing->processors = calloc(definitions->n_locations + 1, sizeof *pairing->processors);
    for (size_t i = 0; pairing->processors && i < definitions->n_locations; i++) {
        pairing->processors[i].number =
            (uint32_t)otter_location_number(&definitions->locations[i], "OTTER::PROCESSOR");
    }
    return pairing->processors;
}

static void finish_pairing(struct pairing *pairing)
{
    for (size_t i = 0; pairing->processors && i < pairing->switches->definitions->n_locations;
         i++) {
        free(pairing->processors[i].own.items);
        free(pairing->processors[i].gaps.items);
    }
    OTTER_FREE(pairing->gaps.items, pairing->processors, pairing->threads);
}

enum otter_status otter_switches_end(struct otter_switches *switches,
                                     struct otter_timeline *timeline)
{
    timeline->has_switches = switches->all.n > 0;
    if (!timeline->has_switches) {
        return OTTER_OK;
    }
    uint64_t resolution = switches->definitions->clock.resolution;
    struct pairing pairing = {.switches = switches,
                              .timeline = timeline,
                              .gap = (uint64_t)((double)resolution * SWITCHING_NS / 1e9)};
    bool is_good = list_processors(&pairing) && list_threads(&pairing) && pair_in_order(&pairing);
    finish_pairing(&pairing);
    free(switches->all.items);
    switches->all.items = NULL;
    switches->all.n = switches->all.room = 0;
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
