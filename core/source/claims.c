// Decides between calls of GCC's runtime that seem to belong to the same directive.
#include "source/claims.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "source/source_line.h"

struct otter_claim {
    uint64_t address, function; // where the call returns to, and where its function begins
    const char *callee;
    struct otter_directive_place place;
};

// The kinds of calls, in the order in which they are decided, since a barrier may have the place of
// the call that began its construct.
static const char *const kinds[] = {"GOMP_single_", "GOMP_taskgroup_start", "GOMP_barrier"};

static bool begins_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

static bool is_claim(const char *callee)
{
    bool is_one = strstr(callee, "_start");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        is_one = is_one || begins_with(callee, kinds[i]);
    }
    return is_one;
}

// ---- the calls of a unit

struct reading {
    struct otter_claims_of_unit *unit;
    const struct otter_runtime_call *like; // a call in this unit
    uint64_t function;
};

static bool add_call(void *user, const char *name, uint64_t address)
{
    struct reading *reading = user;
    if (!is_claim(name) || !OTTER_VECTOR_RESERVE(&reading->unit->calls)) {
        return true;
    }
    struct otter_runtime_call call = *reading->like;
    call.callee = name;
    call.address = address;
    reading->unit->calls.items[reading->unit->calls.n++] =
        (struct otter_claim){address, reading->function, name, otter_directive_of_call(&call)};
    return true;
}

static int compare_claims(const void *a, const void *b)
{
    const struct otter_claim *x = a, *y = b;
    return OTTER_BY_1(x, y, address);
}

static struct otter_claim *find_claim(const struct otter_claims_of_unit *unit, uint64_t address)
{
    struct otter_claim key = {.address = address};
    uint32_t i = OTTER_SORTED_BEFORE(&unit->calls, &key, compare_claims);
    bool is_found = i < unit->calls.n && unit->calls.items[i].address == address;
    return is_found ? &unit->calls.items[i] : NULL;
}

static void read_calls(struct reading *reading)
{
    const struct otter_runtime_call *like = reading->like;
    const struct otter_ranges *codes = &like->unit->codes;
    for (uint32_t i = 0; i < codes->n; i++) {
        reading->function = codes->items[i].begin + like->bias;
        otter_code_calls(like->code, reading->function, codes->items[i].end + like->bias, add_call,
                         reading);
    }
    OTTER_SORT(&reading->unit->calls, compare_claims);
}

// ---- directives without a call

enum { MAX_RUN = 16 };

// Directives in a row that no call claims, between two that calls do claim.
struct run {
    struct otter_claims_of_unit *unit;
    const char *kind, *file;
    uint32_t before, after; // lines of the claimed directives; 0: none
    uint32_t lines[MAX_RUN];
    unsigned n;
};

static bool is_at(const struct otter_claim *claim, const char *file, uint32_t line)
{
    return claim->place.line == line && strcmp(claim->place.file, file) == 0;
}

static bool has_call(const struct run *run, const char *kind, uint32_t line)
{
    for (uint32_t i = 0; i < run->unit->calls.n; i++) {
        const struct otter_claim *claim = &run->unit->calls.items[i];
        if (begins_with(claim->callee, kind) && is_at(claim, run->file, line)) {
            return true;
        }
    }
    return false;
}

// Returns whether the directive ends with a call other than GOMP_barrier.
static bool has_other_call(const struct run *run, uint32_t line)
{
    return begins_with(run->kind, "GOMP_barrier") &&
           (has_call(run, "GOMP_loop_", line) || has_call(run, "GOMP_sections", line));
}

static bool is_claimed(const struct run *run, uint32_t line)
{
    return has_call(run, run->kind, line) || has_other_call(run, line);
}

// Returns the next call of a function of the program, from call `*position` on, that claims `line`.
static struct otter_claim *next_at(const struct run *run, uint64_t function, uint32_t line,
                                   uint32_t *position)
{
    while (*position < run->unit->calls.n) {
        struct otter_claim *claim = &run->unit->calls.items[(*position)++];
        if (claim->function == function && begins_with(claim->callee, run->kind) &&
            is_at(claim, run->file, line)) {
            return claim;
        }
    }
    return NULL;
}

static unsigned count_at(const struct run *run, uint64_t function, uint32_t line)
{
    unsigned n = 0;
    for (uint32_t i = 0; line > 0 && next_at(run, function, line, &i);) {
        n++;
    }
    return n;
}

static void move(struct otter_claim *claim, uint32_t line)
{
    if (!claim->place.is_certain && line >= claim->place.first && line < claim->place.end) {
        claim->place.line = line;
    }
}

// Returns how many of the calls in a function that claim `line` may belong to another directive:
// all but one, or all if the directive has another kind of call.
static unsigned count_spare(const struct run *run, uint64_t function, uint32_t line)
{
    unsigned n = count_at(run, function, line);
    return n > 0 && !has_other_call(run, line) ? n - 1 : n;
}

// Moves calls into the run. The last calls that claim the directive before the run, and the first
// that claim the directive after it, may belong to the run.
static void move_into(const struct run *run, uint64_t function)
{
    unsigned n_before = count_at(run, function, run->before);
    unsigned n_first = count_spare(run, function, run->before), n_last;
    uint32_t position = 0;
    n_first = n_first < run->n ? n_first : run->n;
    for (unsigned i = 0; i < n_before; i++) {
        struct otter_claim *claim = next_at(run, function, run->before, &position);
        if (i >= n_before - n_first) {
            move(claim, run->lines[i - (n_before - n_first)]);
        }
    }
    position = 0;
    n_last = count_spare(run, function, run->after);
    n_last = n_last < run->n - n_first ? n_last : run->n - n_first;
    for (unsigned i = 0; i < n_last; i++) {
        move(next_at(run, function, run->after, &position), run->lines[run->n - n_last + i]);
    }
}

static void end_run(struct run *run)
{
    uint64_t function = 0;
    for (uint32_t i = 0; run->n > 0 && i < run->unit->calls.n; i++) {
        if (run->unit->calls.items[i].function != function) {
            function = run->unit->calls.items[i].function;
            move_into(run, function);
        }
    }
    run->n = 0;
}

static uint32_t next_directive(struct otter_directives *directives, const struct run *run,
                               uint32_t line)
{
    return otter_directives_nearest(directives, run->file, run->kind, line + 1, UINT32_MAX, 0);
}

static void decide_in(struct run *run, struct otter_directives *directives)
{
    for (uint32_t line = 0; (line = next_directive(directives, run, line)) > 0;) {
        if (!is_claimed(run, line)) {
            run->n < MAX_RUN ? run->lines[run->n++] = line : 0;
            continue;
        }
        run->after = line;
        end_run(run);
        run->before = line;
    }
    run->after = 0;
    end_run(run);
}

static bool is_first_of_file(const struct otter_claims_of_unit *unit, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(unit->calls.items[i].place.file, unit->calls.items[index].place.file) == 0) {
            return false;
        }
    }
    return unit->calls.items[index].place.line > 0;
}

static void decide(struct otter_claims_of_unit *unit, const char *kind,
                   struct otter_directives *directives)
{
    for (uint32_t i = 0; i < unit->calls.n; i++) {
        if (is_first_of_file(unit, i)) {
            struct run run = {.unit = unit, .kind = kind, .file = unit->calls.items[i].place.file};
            decide_in(&run, directives);
        }
    }
}

// A call that ends a construct has the place of the call that began it, unless that has `nowait`.
static void follow_starts(struct otter_claims_of_unit *unit, struct otter_directives *directives)
{
    for (uint32_t i = 0; i < unit->calls.n; i++) {
        struct otter_claim *claim = &unit->calls.items[i];
        const struct otter_claim *start =
            claim->place.start ? find_claim(unit, claim->place.start) : NULL;
        if (!start || start == claim || start->place.line == 0) {
            continue;
        }
        bool is_of_start =
            otter_directives_has(directives, start->place.file, claim->callee, start->place.line);
        bool is_certain = claim->place.is_certain && is_of_start;
        claim->place = is_of_start ? start->place : claim->place;
        claim->place.is_certain = is_certain;
    }
}

static struct otter_claims_of_unit *claims_of(struct otter_claims *claims,
                                              const struct otter_runtime_call *call)
{
    for (uint32_t i = 0; i < claims->n; i++) {
        if (claims->items[i].unit == call->unit) {
            return &claims->items[i];
        }
    }
    if (!OTTER_VECTOR_RESERVE(claims)) {
        return NULL;
    }
    struct otter_claims_of_unit *unit = &claims->items[claims->n++];
    *unit = (struct otter_claims_of_unit){.unit = call->unit};
    struct reading reading = {.unit = unit, .like = call};
    read_calls(&reading);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        decide(unit, kinds[i], call->directives);
        follow_starts(unit, call->directives);
    }
    return unit;
}

// ---- the ends of taskgroups

enum { MAX_OPEN = 16 };

struct nesting {
    uint64_t open[MAX_OPEN]; // return addresses of calls that begin taskgroups
    unsigned n;
    uint64_t end, start; // return addresses of its ending and beginning calls; start 0: unknown
};

static bool visit_taskgroup(void *user, const char *name, uint64_t address)
{
    struct nesting *nesting = user;
    if (strcmp(name, "GOMP_taskgroup_start") == 0) {
        nesting->open[nesting->n++ % MAX_OPEN] = address;
    } else if (strcmp(name, "GOMP_taskgroup_end") == 0 && nesting->n > 0) {
        nesting->start = nesting->open[--nesting->n % MAX_OPEN];
        return address != nesting->end;
    }
    nesting->start = 0;
    return address != nesting->end;
}

// Returns the call that begins the taskgroup that this call ends. Both calls are in the order of
// the source, unless the compiler moved one of them.
static struct otter_runtime_call start_of(const struct otter_runtime_call *call)
{
    struct otter_runtime_call start = *call;
    const struct otter_range *code = otter_unit_code_at(call->unit, call->address - 1 - call->bias);
    struct nesting nesting = {.end = call->address};
    if (code) {
        otter_code_calls(call->code, code->begin + call->bias, call->address, visit_taskgroup,
                         &nesting);
    }
    start.callee = "GOMP_taskgroup_start";
    start.address = nesting.start ? nesting.start : call->address;
    return start;
}

// ---- interface

struct otter_directive_place otter_claims_find(struct otter_claims *claims,
                                               const struct otter_runtime_call *call)
{
    if (strcmp(call->callee, "GOMP_taskgroup_end") == 0) {
        struct otter_runtime_call start = start_of(call);
        return otter_claims_find(claims, &start);
    }
    struct otter_claims_of_unit *unit = is_claim(call->callee) ? claims_of(claims, call) : NULL;
    const struct otter_claim *claim = unit ? find_claim(unit, call->address) : NULL;
    return claim ? claim->place : otter_directive_of_call(call);
}

void otter_claims_finish(struct otter_claims *claims)
{
    for (uint32_t i = 0; i < claims->n; i++) {
        free(claims->items[i].calls.items);
    }
    free(claims->items);
}
