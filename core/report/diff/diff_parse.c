// Reads the conditions of --fail-if.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/diff/diff_condition.h"

struct reader {
    struct otter_condition *condition;
    const char *at;
    char *complaint;
};

static unsigned column_of(const struct reader *reader)
{
    return (unsigned)(reader->at - reader->condition->text) + 1;
}

static void skip_blanks(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t");
}

// Always returns false.
static bool complain(const struct reader *reader, const char *expected)
{
    snprintf(reader->complaint, OTTER_CONDITION_TEXT,
             "--fail-if: column %u of '%.100s' needs %s, not %s%.40s%s", column_of(reader),
             reader->condition->text, expected, *reader->at ? "'" : "",
             *reader->at ? reader->at : "its end", *reader->at ? "'" : "");
    return false;
}

static bool is_letter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}

// Reads a word of letters, digits, '_' and '-'. Blanks before it are skipped.
static bool read_word(struct reader *reader, char word[OTTER_CONDITION_WORD], const char *expected)
{
    size_t n = 0;
    skip_blanks(reader);
    while (is_letter(reader->at[n]) ||
           (n > 0 && (reader->at[n] == '-' || (reader->at[n] >= '0' && reader->at[n] <= '9')))) {
        n++;
    }
    if (n == 0 || n >= OTTER_CONDITION_WORD) {
        return complain(reader, expected);
    }
    memcpy(word, reader->at, n);
    word[n] = '\0';
    reader->at += n;
    return true;
}

// Reads the rest of a label in quotes; a backslash escapes a quote or a backslash.
static bool read_label(struct reader *reader)
{
    struct otter_condition *condition = reader->condition;
    char quote = *reader->at;
    size_t n = 0;
    const char *at = reader->at + 1;
    for (; *at && *at != quote; at++) {
        at += *at == '\\' && (at[1] == '\\' || at[1] == quote);
        if (n + 1 >= OTTER_CONDITION_LABEL) {
            return complain(reader, "a label of less than 240 bytes");
        }
        condition->label[n++] = *at;
    }
    if (!*at) {
        return complain(reader, "a closing quote at its end");
    }
    condition->label[n] = '\0';
    condition->has_label = true;
    reader->at = at + 1;
    return true;
}

// Reads "(total)", "(kernel "forces")", "("forces")".
static bool read_what(struct reader *reader)
{
    struct otter_condition *condition = reader->condition;
    skip_blanks(reader);
    if (*reader->at != '(') {
        return true;
    }
    reader->at++;
    skip_blanks(reader);
    condition->word_column = column_of(reader);
    bool is_quote = *reader->at == '"' || *reader->at == '\'';
    if (!is_quote && !read_word(reader, condition->word, "a word or a label in quotes")) {
        return false;
    }
    skip_blanks(reader);
    if ((*reader->at == '"' || *reader->at == '\'') && !read_label(reader)) {
        return false;
    }
    skip_blanks(reader);
    if (*reader->at != ')') {
        return complain(reader, condition->has_label ? "')'" : "a label in quotes, or ')'");
    }
    reader->at++;
    return true;
}

static bool read_relation(struct reader *reader)
{
    static const struct {
        const char *text;
        enum otter_relation relation;
    } relations[] = {
        {">=", OTTER_RELATION_AT_LEAST}, {"<=", OTTER_RELATION_AT_MOST},
        {"==", OTTER_RELATION_EQUAL},    {"!=", OTTER_RELATION_OTHER},
        {">", OTTER_RELATION_MORE},      {"<", OTTER_RELATION_LESS},
    };
    skip_blanks(reader);
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        size_t n = strlen(relations[i].text);
        if (strncmp(reader->at, relations[i].text, n) == 0) {
            reader->condition->relation = relations[i].relation;
            reader->at += n;
            return true;
        }
    }
    return complain(reader, "a relation (> >= < <= == !=)");
}

static bool read_unit(struct reader *reader)
{
    static const struct {
        const char *name;
        enum otter_condition_unit unit;
        double factor;
    } units[] = {
        {"%", OTTER_UNIT_PERCENT, 1},          {"points", OTTER_UNIT_PERCENT, 1},
        {"s", OTTER_UNIT_SECONDS, 1},          {"ms", OTTER_UNIT_SECONDS, 1e-3},
        {"us", OTTER_UNIT_SECONDS, 1e-6},      {"ns", OTTER_UNIT_SECONDS, 1e-9},
        {"min", OTTER_UNIT_SECONDS, 60},       {"B", OTTER_UNIT_BYTES, 1},
        {"KiB", OTTER_UNIT_BYTES, 1024},       {"MiB", OTTER_UNIT_BYTES, 1048576},
        {"GiB", OTTER_UNIT_BYTES, 1073741824},
    };
    skip_blanks(reader);
    size_t n = strcspn(reader->at, " \t");
    for (size_t i = 0; n > 0 && i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].name) == n && strncmp(reader->at, units[i].name, n) == 0) {
            reader->condition->unit = units[i].unit;
            reader->condition->limit *= units[i].factor;
            reader->at += n;
            return true;
        }
    }
    return n == 0 || complain(reader, "a unit (% points s ms us ns min B KiB MiB GiB)");
}

static bool read_limit(struct reader *reader)
{
    struct otter_condition *condition = reader->condition;
    skip_blanks(reader);
    condition->limit_column = column_of(reader);
    bool is_hash = strcmp(condition->metric, "hash") == 0;
    if (is_hash && strncmp(reader->at, "same", 4) == 0) {
        condition->is_same = true;
        reader->at += 4;
        return condition->relation >= OTTER_RELATION_EQUAL ||
               complain(reader, "== or != before 'same'");
    }
    if (is_hash) {
        return complain(reader, "'same'");
    }
    condition->is_change = *reader->at == '+' || *reader->at == '-';
    size_t digits = strspn(reader->at + condition->is_change, "0123456789.");
    if (digits == 0) {
        return complain(reader, "a limit such as +5%, -3 points or 2 s");
    }
    char *end;
    condition->limit = strtod(reader->at, &end);
    if (end != reader->at + condition->is_change + digits) {
        return complain(reader, "a decimal number");
    }
    reader->at = end;
    return read_unit(reader);
}

bool otter_condition_parse(struct otter_condition *condition, const char *text,
                           char complaint[OTTER_CONDITION_TEXT])
{
    *condition = (struct otter_condition){.text = text};
    struct reader reader = {condition, text, complaint};
    skip_blanks(&reader);
    condition->metric_column = column_of(&reader);
    if (!read_word(&reader, condition->metric, "a metric such as time, count or efficiency") ||
        !read_what(&reader) || !read_relation(&reader) || !read_limit(&reader)) {
        return false;
    }
    skip_blanks(&reader);
    return !*reader.at || complain(&reader, "its end");
}
