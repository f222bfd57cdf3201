// Finds perf's events by name, and says why the kernel refuses some.
#include "launcher/observe/counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text/nearest.h"

struct event {
    const char *name;
    uint32_t type;
    uint32_t config;
};

// perf's names; the first name of an event is the usual one.
static const struct event events[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
};

// Cache events: their names consist of the cache's name, a hyphen and the operation's name.
static const struct event caches[] = {
    {"L1-dcache", 0, PERF_COUNT_HW_CACHE_L1D}, {"L1-icache", 0, PERF_COUNT_HW_CACHE_L1I},
    {"LLC", 0, PERF_COUNT_HW_CACHE_LL},        {"dTLB", 0, PERF_COUNT_HW_CACHE_DTLB},
    {"iTLB", 0, PERF_COUNT_HW_CACHE_ITLB},     {"branch", 0, PERF_COUNT_HW_CACHE_BPU},
    {"node", 0, PERF_COUNT_HW_CACHE_NODE},
};

#define ACCESSES (PERF_COUNT_HW_CACHE_RESULT_ACCESS << 16)
#define MISSES (PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

static const struct event operations[] = {
    {"loads", 0, PERF_COUNT_HW_CACHE_OP_READ << 8 | ACCESSES},
    {"load-misses", 0, PERF_COUNT_HW_CACHE_OP_READ << 8 | MISSES},
    {"stores", 0, PERF_COUNT_HW_CACHE_OP_WRITE << 8 | ACCESSES},
    {"store-misses", 0, PERF_COUNT_HW_CACHE_OP_WRITE << 8 | MISSES},
    {"prefetches", 0, PERF_COUNT_HW_CACHE_OP_PREFETCH << 8 | ACCESSES},
    {"prefetch-misses", 0, PERF_COUNT_HW_CACHE_OP_PREFETCH << 8 | MISSES},
};

#define N_OF(array) (sizeof(array) / sizeof *(array))

// ---- names

static void use_first_name(struct otter_counter *counter)
{
    size_t i = 0;
    while (events[i].type != counter->type || events[i].config != counter->config) {
        i++;
    }
    snprintf(counter->name, sizeof(counter->name), "%s", events[i].name);
}

static bool find_event(const char *name, struct otter_counter *counter)
{
    for (size_t i = 0; i < N_OF(events); i++) {
        if (strcmp(events[i].name, name) == 0) {
            counter->type = events[i].type;
            counter->config = events[i].config;
            use_first_name(counter);
            return true;
        }
    }
    return false;
}

enum { N_CACHES = N_OF(caches) * N_OF(operations) };

// Writes the name of a cache event, by its number below N_CACHES. Returns `text`.
static const char *cache_name(size_t i, char text[OTTER_COUNTER_SIZE])
{
    snprintf(text, OTTER_COUNTER_SIZE, "%s-%s", caches[i / N_OF(operations)].name,
             operations[i % N_OF(operations)].name);
    return text;
}

static bool find_cache(const char *name, struct otter_counter *counter)
{
    char text[OTTER_COUNTER_SIZE];
    for (size_t i = 0; i < N_CACHES; i++) {
        if (strcmp(cache_name(i, text), name) == 0) {
            counter->type = PERF_TYPE_HW_CACHE;
            counter->config =
                caches[i / N_OF(operations)].config | operations[i % N_OF(operations)].config;
            return true;
        }
    }
    return false;
}

// A raw event is an r and a number from the processor's manual: r01c2.
static bool find_raw(const char *name, struct otter_counter *counter)
{
    size_t n_digits = strspn(name + 1, "0123456789abcdefABCDEF");
    if (name[0] != 'r' || n_digits == 0 || n_digits > 16 || name[1 + n_digits] != '\0') {
        return false;
    }
    counter->type = PERF_TYPE_RAW;
    counter->config = strtoull(name + 1, NULL, 16);
    return true;
}

static bool find(const char *name, struct otter_counter *counter)
{
    return find_event(name, counter) || find_cache(name, counter) || find_raw(name, counter);
}

static bool has(const struct otter_counters *counters, const char *name)
{
    for (unsigned i = 0; i < counters->n; i++) {
        if (strcmp(counters->items[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void add(struct otter_counters *counters, const char *name)
{
    struct otter_counter counter = {.type = 0};
    snprintf(counter.name, sizeof(counter.name), "%s", name);
    if (!find(name, &counter)) {
        otter_warning("counter '%s' is left out: no such event (man otter-record lists them; "
                      "rNNNN is a raw event)",
                      name);
    } else if (counters->n == OTTER_MAX_COUNTERS) {
        otter_warning("counter '%s' is left out: at most %d can be recorded", name,
                      OTTER_MAX_COUNTERS);
    } else if (!has(counters, counter.name)) {
        counter.is_of_kernel = counter.type == PERF_TYPE_SOFTWARE &&
                               (counter.config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
                                counter.config == PERF_COUNT_SW_CPU_MIGRATIONS);
        counters->items[counters->n++] = counter;
    }
}

// Copies the next name of a list. Returns the rest of the list; NULL: there are no more names.
static const char *next_name(const char *list, char name[OTTER_COUNTER_SIZE])
{
    list += strspn(list, ",");
    size_t length = strcspn(list, ",");
    snprintf(name, OTTER_COUNTER_SIZE, "%.*s", (int)length, list);
    return length > 0 ? list + length : NULL;
}

void otter_counters_parse(struct otter_counters *counters, const char *list)
{
    char name[OTTER_COUNTER_SIZE];
    *counters = (struct otter_counters){0};
    while ((list = next_name(list, name))) {
        add(counters, name);
    }
}

bool otter_counters_check(const char *list)
{
    char name[OTTER_COUNTER_SIZE], names[N_CACHES][OTTER_COUNTER_SIZE];
    struct otter_counter counter;
    while ((list = next_name(list, name))) {
        struct otter_nearest nearest = {.name = NULL};
        if (find(name, &counter)) {
            continue;
        }
        for (size_t i = 0; i < N_OF(events); i++) {
            otter_nearest_offer(&nearest, name, events[i].name);
        }
        for (size_t i = 0; i < N_CACHES; i++) {
            otter_nearest_offer(&nearest, name, cache_name(i, names[i]));
        }
        otter_error("--counters has no event '%s'%s%s%s (man otter-record lists them; rNNNN is a "
                    "raw event)",
                    name, nearest.name ? "; did you mean '" : "", nearest.name ? nearest.name : "",
                    nearest.name ? "'?" : "");
        return false;
    }
    return true;
}

void otter_counters_list(const struct otter_counters *counters, char list[OTTER_COUNTERS_SIZE])
{
    size_t used = 0;
    *list = '\0';
    for (unsigned i = 0; i < counters->n; i++) {
        used += (size_t)snprintf(list + used, OTTER_COUNTERS_SIZE - used, "%s%s", i > 0 ? "," : "",
                                 counters->items[i].name);
    }
}

// ---- the kernel

// Software events have fixed periods. If the kernel adapted the periods to a rate, a record could
// state several times as many events as there were. Page faults are so frequent that the kernel
// would leave some out if it stored each.
static uint64_t period_of(const struct otter_counter *counter)
{
    enum { OF_FAULTS = 16 };
    bool is_frequent = counter->config == PERF_COUNT_SW_PAGE_FAULTS ||
                       counter->config == PERF_COUNT_SW_PAGE_FAULTS_MIN;
    return is_frequent ? OF_FAULTS : 1;
}

void otter_counter_set(const struct otter_counter *counter, uint32_t rate,
                       struct perf_event_attr *attr)
{
    attr->type = counter->type;
    attr->config = counter->config;
    attr->exclude_kernel = !counter->is_of_kernel;
    attr->exclude_hv = 1;
    if (counter->type == PERF_TYPE_SOFTWARE) {
        attr->sample_period = period_of(counter); // with PERF_SAMPLE_PERIOD, each would be stored
    } else {
        attr->sample_type |= PERF_SAMPLE_PERIOD;
        attr->freq = 1;
        attr->sample_freq = rate;
    }
}

static const char *refusal(const struct otter_counter *counter, int error)
{
    switch (error) {
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        return "this machine, or one of its processors, has no such counter; a virtual machine may "
               "lack them all";
    case EMFILE:
    case ENFILE: return "it needs an open file for each processor: raise ulimit -n";
    case EACCES:
    case EPERM:
        return counter->is_of_kernel
                   ? "it happens in the kernel, which needs kernel.perf_event_paranoid of at most "
                     "1, or CAP_PERFMON"
                   : "the system or its container forbids it";
    case EINVAL:
        return "the processor does not count it, or --sample exceeds "
               "kernel.perf_event_max_sample_rate";
    default: return strerror(error);
    }
}

void otter_counters_remove(struct otter_counters *counters, unsigned i, int error)
{
    const struct otter_counter *counter = &counters->items[i];
    otter_warning("counter '%s' is left out: %s", counter->name, refusal(counter, error));
    counters->n--;
    memmove(&counters->items[i], counter + 1, (counters->n - i) * sizeof(*counter));
}
