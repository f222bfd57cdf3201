// Finds the directive of a call of GCC's runtime by the code that the call begins or ends.
#include "source/directive_of_call.h"

#include <string.h>

#include "source/source_line.h"

// ---- the call that begins the construct

enum work { NONE, SINGLE, LOOP, SECTIONS, BARRIER };

static enum work work_of(const char *callee)
{
    static const struct prefix {
        const char *name;
        enum work work;
    } prefixes[] = {
        {"GOMP_single_", SINGLE},
        {"GOMP_loop_", LOOP},
        {"GOMP_sections", SECTIONS},
        {"GOMP_barrier", BARRIER},
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(callee, prefixes[i].name, strlen(prefixes[i].name)) == 0) {
            return prefixes[i].work;
        }
    }
    return NONE;
}

static bool is_start(const char *callee)
{
    enum work work = work_of(callee);
    return work != NONE && work != BARRIER && strstr(callee, "start");
}

// Stores the addresses where the code continues after a call that begins a `single` or a loop:
// next[1] is the body. The result of GOMP_single_copy_start is NULL for the executing thread.
static bool find_body(const struct otter_code *code, const char *callee, uint64_t address,
                      uint64_t next[2])
{
    uint64_t of_result[2];
    bool is_copy = strcmp(callee, "GOMP_single_copy_start") == 0;
    if (work_of(callee) == SECTIONS || !otter_code_test_after(code, address, of_result)) {
        return false;
    }
    next[0] = of_result[is_copy];
    next[1] = of_result[!is_copy];
    return true;
}

static bool visit_first(void *user, const char *name, uint64_t address)
{
    uint64_t *first = user;
    (void)name;
    *first = address;
    return false;
}

// Returns the end of the first call of an imported function after `address`, or of the code.
static uint64_t end_of_call(const struct otter_code *code, uint64_t address, uint64_t end)
{
    uint64_t first = 0;
    otter_code_calls(code, address, end, visit_first, &first);
    return first ? first : end;
}

enum { MAX_TARGETS = 11 };

// Stores the places to which the code branches after a call that begins sections. Returns their
// number. Sets *start to the address of this code.
static unsigned find_targets(const struct otter_code *code, uint64_t *start, uint64_t end,
                             uint64_t targets[static MAX_TARGETS])
{
    uint64_t jump = otter_code_jump_at(code, *start);
    *start = jump ? jump : *start;
    return otter_code_branches(code, *start, end_of_call(code, *start, end), MAX_TARGETS, targets);
}

struct search {
    const struct otter_code *code;
    enum work ended;     // the kind of construct that the call ends
    uint64_t begin, end; // addresses of the call's instruction
    uint64_t end_of_function;
    const char *name; // name of the function that begins the construct; NULL: not found
    uint64_t start;   // address to which that function returns
    bool is_certain;  // code that skips the construct's body leads to the call
};

// Returns whether the code that skips the body of the construct that begins at `start` leads to the
// ending call.
static bool leads_to_end(const struct search *search, const char *name, uint64_t start)
{
    uint64_t next[2], targets[MAX_TARGETS];
    if (work_of(name) != SECTIONS) {
        return find_body(search->code, name, start, next) && next[0] == search->begin;
    }
    unsigned n = find_targets(search->code, &start, search->end_of_function, targets);
    for (unsigned i = 0; i < n; i++) {
        const char *called = otter_code_call_at(search->code, targets[i]).name;
        if (called && strstr(called, "_end")) {
            return targets[i] == search->begin;
        }
    }
    return end_of_call(search->code, start, search->end_of_function) == search->end;
}

static bool visit_call(void *user, const char *name, uint64_t address)
{
    struct search *search = user;
    if (!is_start(name)) {
        return true;
    }
    bool is_certain = leads_to_end(search, name, address);
    bool is_possible =
        work_of(name) == search->ended && (!search->name || address <= search->begin);
    if (is_certain || is_possible) {
        search->name = name;
        search->start = address;
        search->is_certain = is_certain;
    }
    return !is_certain;
}

// ---- lines inside the construct

enum { MAX_INSIDE = MAX_TARGETS + 1 };

// Stores addresses of code inside the construct that begins at `start`. Returns their number.
static unsigned find_inside(const struct otter_code *code, const struct otter_range *function,
                            uint64_t bias, const char *name, uint64_t start,
                            uint64_t inside[static MAX_INSIDE])
{
    uint64_t next[2];
    if (find_body(code, name, start, next)) {
        inside[0] = next[1];
        return 1;
    }
    uint64_t targets[MAX_TARGETS], end = function->end + bias;
    unsigned n = 0, n_targets = find_targets(code, &start, end, targets);
    inside[n++] = start;
    for (unsigned i = 0; i < n_targets; i++) {
        if (targets[i] >= function->begin + bias && targets[i] < end) {
            inside[n++] = targets[i];
        }
    }
    return n;
}

// ---- directives

// Where directives are searched for: in the function of the call, or in a function inlined there.
struct room {
    const struct otter_runtime_call *call;
    const struct otter_range *function;
    uint32_t first, end; // lines
    int depth;           // how deep the function is inlined; 0: it contains the code
    struct otter_scope inlined;
};

// Returns the directive nearest to `line` among the lines from `first` to before `end`.
static struct otter_directive_place nearest(const struct room *room, const char *callee,
                                            const struct otter_source_line *line, uint32_t first,
                                            uint32_t end)
{
    uint32_t found = otter_directives_nearest(room->call->directives, line->file, callee, first,
                                              end, line->line);
    return (struct otter_directive_place){
        .file = line->file, .line = found, .inlined = room->inlined};
}

static struct otter_directive_place last_before(const struct room *room, const char *callee,
                                                const struct otter_source_line *line)
{
    uint32_t end = line->line < room->end ? line->line + 1 : room->end;
    return nearest(room, callee, line, room->first, end);
}

// Counts how often each directive is found.
struct votes {
    const struct room *room;
    struct otter_directive_place best;
    struct {
        uint32_t line;
        unsigned n;
    } counts[MAX_INSIDE];
    unsigned n_counts, most;
};

// Counts a vote. Of directives with equally many votes, the first wins.
static void add_vote(struct votes *votes, struct otter_directive_place place)
{
    unsigned i = 0;
    while (i < votes->n_counts && votes->counts[i].line != place.line) {
        i++;
    }
    if (place.line == 0 || i == MAX_INSIDE) {
        return;
    }
    votes->n_counts += i == votes->n_counts;
    votes->counts[i].line = place.line;
    if (++votes->counts[i].n > votes->most) {
        votes->most = votes->counts[i].n;
        votes->best = place;
    }
}

// Returns the directive that most of the code in the construct follows.
static struct otter_directive_place by_body(const struct room *room, const char *name,
                                            uint64_t start)
{
    const struct otter_runtime_call *call = room->call;
    uint64_t inside[MAX_INSIDE];
    struct votes votes = {.room = room};
    unsigned n = find_inside(call->code, room->function, call->bias, name, start, inside);
    for (unsigned i = 0; i < n; i++) {
        uint64_t end = end_of_call(call->code, inside[i], room->function->end + call->bias);
        struct otter_source_line line = otter_source_line_from(call->unit, inside[i] - call->bias,
                                                               end - call->bias, room->depth);
        add_vote(&votes, last_before(room, name, &line));
    }
    return votes.best;
}

static void add_jump(void *user, uint64_t jump)
{
    struct votes *votes = user;
    const struct otter_runtime_call *call = votes->room->call;
    struct otter_source_line line =
        otter_source_line_near(call->unit, jump - call->bias, votes->room->depth);
    add_vote(votes, last_before(votes->room, call->callee, &line));
}

// Returns the directive of a call of GOMP_barrier that ends no `single`. An explicit barrier has a
// row, and of several consecutive calls only the first has one. Otherwise the call ends a static
// loop, whose rows cover the call or jumps to it.
static struct otter_directive_place by_rows(const struct room *room, uint64_t begin,
                                            const struct otter_source_line *near)
{
    const struct otter_runtime_call *call = room->call;
    const char *before = otter_code_call_before(call->code, begin).name;
    struct otter_directive_place place = {.file = ""};
    if (near->row + call->bias == begin || (before && work_of(before) == BARRIER)) {
        place = nearest(room, call->callee, near, near->line, near->line + 1);
        place.is_certain = near->row + call->bias == begin;
    }
    if (place.line > 0) {
        return place;
    }
    struct votes votes = {.room = room};
    uint64_t first = room->function->begin + call->bias, end = room->function->end + call->bias;
    otter_code_jumps_to(call->code, first, end, begin, false, add_jump, &votes);
    add_vote(&votes, last_before(room, call->callee, near));
    otter_code_jumps_to(call->code, first, end, begin, true, add_jump, &votes);
    return votes.best;
}

static struct otter_directive_place nearest_to_row(const struct room *room,
                                                   const struct otter_source_line *near)
{
    const char *callee = room->call->callee;
    struct otter_directive_place place = {.file = ""};
    if (strstr(callee, "_end")) {
        place = last_before(room, callee, near);
    }
    return place.line > 0 ? place : nearest(room, callee, near, room->first, room->end);
}

// Searches for the call that begins the construct.
static struct search find_start(const struct room *room)
{
    const struct otter_runtime_call *call = room->call;
    struct search search = {call->code, .ended = work_of(call->callee)};
    if (is_start(call->callee)) {
        search.name = call->callee;
        search.start = call->address;
    } else if (search.ended != NONE) {
        search.end = call->address;
        search.begin = search.end - otter_code_length_of_call(call->code, search.end);
        search.end_of_function = room->function->end + call->bias;
        otter_code_calls(call->code, room->function->begin + call->bias, search.end_of_function,
                         visit_call, &search);
    }
    return search;
}

static struct otter_directive_place by_row(const struct room *room, const struct search *search)
{
    const struct otter_runtime_call *call = room->call;
    struct otter_directive_place place = {.file = ""};
    struct otter_source_line near =
        otter_source_line_near(call->unit, call->address - 1 - call->bias, room->depth);
    if (search->ended == BARRIER) {
        place = by_rows(room, search->begin, &near);
    }
    return place.line > 0 ? place : nearest_to_row(room, &near);
}

static struct otter_directive_place find_in(const struct room *room)
{
    struct search search = find_start(room);
    struct otter_directive_place place = {.file = ""};
    if (search.name) {
        place = by_body(room, search.name, search.start);
    }
    if (place.line > 0 &&
        !otter_directives_has(room->call->directives, place.file, room->call->callee, place.line)) {
        place.line = 0; // the construct has `nowait`, and a barrier follows
        search.is_certain = false;
    }
    bool is_by_body = place.line > 0;
    place = is_by_body ? place : by_row(room, &search);
    if (is_by_body || search.is_certain) {
        place.start = search.start;
        place.is_certain = search.is_certain;
    }
    place.first = room->first;
    place.end = room->end;
    return place;
}

// Returns the line on which the function of the call begins; for an outlined function, this is the
// line of its directive.
static uint32_t first_line(const struct otter_runtime_call *call,
                           const struct otter_range *function)
{
    const struct otter_unit_scope *scope = &call->unit->scopes.items[function->index];
    return scope->is_outlined ? otter_source_line_of_entry(call->unit, function->begin).line
                              : scope->line;
}

// Searches in the functions inlined at the call, starting with the innermost. Optimised code may
// seem to belong to a function inlined before the call.
static struct otter_directive_place find_in_inlined(const struct otter_runtime_call *call,
                                                    const struct otter_range *function)
{
    Dwarf_Die functions[OTTER_MAX_INLINED];
    struct otter_directive_place place = {.file = ""};
    int n = otter_source_line_inlined(call->unit, call->address - 1 - call->bias, functions);
    for (int i = 0; i < n && place.line == 0; i++) {
        struct otter_scope inlined = otter_units_scope_of(call->units, &functions[i]);
        if (inlined.index != OTTER_NO_SCOPE) {
            const struct otter_unit_scope *scope = otter_scope_data(inlined);
            uint32_t end = otter_unit_next_line(inlined.unit, scope->file, scope->line);
            struct room room = {call, function, scope->line, end, n - i, inlined};
            place = find_in(&room);
        }
    }
    return place;
}

struct otter_directive_place otter_directive_of_call(const struct otter_runtime_call *call)
{
    Dwarf_Addr address = call->address - 1 - call->bias;
    const struct otter_range *function = otter_unit_code_at(call->unit, address);
    struct room outer = {
        .call = call, .function = function, .end = UINT32_MAX, .inlined.index = OTTER_NO_SCOPE};
    if (!function) {
        struct otter_source_line near = otter_source_line_near(call->unit, address, 0);
        return nearest_to_row(&outer, &near);
    }
    struct otter_directive_place place = find_in_inlined(call, function);
    if (place.line > 0) {
        return place;
    }
    outer.first = first_line(call, function);
    const struct otter_unit_scope *scopes = call->unit->scopes.items;
    const struct otter_unit_scope *scope = &scopes[function->index];
    while (scope->is_outlined && scope->parent != OTTER_NO_SCOPE) {
        scope = &scopes[scope->parent];
    }
    uint32_t end = otter_unit_next_line(call->unit, scope->file, outer.first);
    outer.end = end;
    if (work_of(call->callee) ==
        NONE) { // others are found by their bodies, in any part of the code
        uint32_t last = otter_source_line_last(call->unit, function->begin, function->end);
        outer.end = last < end ? last + 1 : end;
    }
    place = find_in(&outer);
    if (place.line == 0) { // the function may end with a directive that has no row
        outer.end = UINT32_MAX;
        place = find_in(&outer);
    }
    place.end = end;
    return place;
}
