// Conditions of --fail-if: 'time(kernel "forces") > +5%'.
//
//     METRIC [ ( [WORD] ["LABEL"] ) ] RELATION LIMIT
//
//   METRIC    time, count, hash, or the name of any number of the summary or column of a table
//   WORD      a table (kernel, task, region, ...), a state or factor of the summary, or total
//   LABEL     the text of rows, its start or its end; several rows add up
//   RELATION  > >= < <= == !=
//   LIMIT     with a sign: limits the change; without a sign: limits the value after. Units: % s ms
//             us ns points KiB MiB GiB. `same` for hash.
#pragma once

#include "report/diff/diff.h"
#include "report/form/json.h"

enum otter_relation {
    OTTER_RELATION_MORE = 0,
    OTTER_RELATION_AT_LEAST,
    OTTER_RELATION_LESS,
    OTTER_RELATION_AT_MOST,
    OTTER_RELATION_EQUAL,
    OTTER_RELATION_OTHER,
};

enum otter_condition_unit { // of a limit
    OTTER_UNIT_NONE = 0,
    OTTER_UNIT_PERCENT, // or points
    OTTER_UNIT_SECONDS,
    OTTER_UNIT_BYTES,
};

enum otter_condition_result {
    OTTER_CONDITION_PASSED = 0, // the condition does not hold
    OTTER_CONDITION_NOISE,      // it would hold, but the change is noise
    OTTER_CONDITION_FAILED,     // the condition holds
    OTTER_CONDITION_NO_LABEL,   // no archive has such a row, or its number is unknown
};

enum { OTTER_CONDITION_WORD = 40, OTTER_CONDITION_LABEL = 240, OTTER_CONDITION_TEXT = 300 };

struct otter_condition {
    const char *text;                                              // from the command line
    char metric[OTTER_CONDITION_WORD], word[OTTER_CONDITION_WORD]; // "" when absent
    char label[OTTER_CONDITION_LABEL];
    bool has_label;
    unsigned metric_column, word_column, limit_column; // in `text`, from 1
    enum otter_relation relation;
    double limit; // percent, seconds, bytes or a number
    enum otter_condition_unit unit;
    bool is_change; // the limit has a sign
    bool is_same;   // the limit is `same`
    enum otter_condition_result result;
    char found[OTTER_CONDITION_TEXT]; // "+12.3 % (1.00 s before, 1.12 s after)"
};

// Parses `text`, which must outlive the condition. If it is malformed, returns false, and
// `complaint` says why and at which column.
bool otter_condition_parse(struct otter_condition *condition, const char *text,
                           char complaint[OTTER_CONDITION_TEXT]);

// Sets `result` and `found`. Returns false if there is no such number or table, or the unit does
// not fit; `complaint` then says why and at which column.
bool otter_condition_evaluate(struct otter_condition *condition, const struct otter_diff *diff,
                              char complaint[OTTER_CONDITION_TEXT]);

// Returns whether the command fails.
static inline bool otter_condition_fails(const struct otter_condition *condition)
{
    return condition->result >= OTTER_CONDITION_FAILED;
}

void otter_conditions_print(FILE *out, const struct otter_condition *conditions, size_t n);
json_t *otter_conditions_json(const struct otter_condition *conditions, size_t n);
// Prints JUnit's XML, with a test case for each condition.
void otter_conditions_print_junit(FILE *out, const struct otter_condition *conditions, size_t n);
