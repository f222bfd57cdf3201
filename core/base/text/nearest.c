// Finds the name most similar to a misspelt word.
#include "base/text/nearest.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_LENGTH = 80 }; // the longest name that is compared

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Fills rows[0] for letter `i` of `word`. `rows[k][j]` is the distance from the first i + 1 - k
// letters of `word` to the first j letters of `name`.
static void fill_row(size_t rows[3][MAX_LENGTH + 1], const char *word, size_t i, const char *name,
                     size_t n)
{
    rows[0][0] = i + 1;
    for (size_t j = 0; j < n; j++) {
        size_t edits = least(rows[0][j], rows[1][j + 1]) + 1;
        edits = least(edits, rows[1][j] + (word[i] != name[j]));
        if (i > 0 && j > 0 && word[i] == name[j - 1] && word[i - 1] == name[j]) {
            edits = least(edits, rows[2][j - 1] + 1);
        }
        rows[0][j + 1] = edits;
    }
}

// Fills the rows for all of `word`. `is_part`: `word` is compared with a part of `name`, so the
// letters before that part cost nothing.
static void fill_rows(size_t rows[3][MAX_LENGTH + 1], const char *word, const char *name,
                      bool is_part)
{
    size_t n = strlen(name), length = strlen(word);
    for (size_t j = 0; j <= n; j++) {
        rows[0][j] = is_part ? 0 : j;
    }
    for (size_t i = 0; i < length; i++) {
        memcpy(rows[2], rows[1], sizeof rows[1]);
        memcpy(rows[1], rows[0], sizeof rows[0]);
        fill_row(rows, word, i, name, n);
    }
}

static bool is_long(const char *word, const char *name)
{
    return strlen(word) > MAX_LENGTH || strlen(name) > MAX_LENGTH;
}

size_t otter_nearest_distance(const char *word, const char *name)
{
    size_t rows[3][MAX_LENGTH + 1] = {{0}};
    if (is_long(word, name)) {
        return MAX_LENGTH;
    }
    fill_rows(rows, word, name, false);
    return rows[0][strlen(name)];
}

size_t otter_nearest_distance_of_part(const char *word, const char *name)
{
    size_t rows[3][MAX_LENGTH + 1] = {{0}}, distance = MAX_LENGTH;
    if (is_long(word, name)) {
        return MAX_LENGTH;
    }
    fill_rows(rows, word, name, true);
    for (size_t j = 0; j <= strlen(name); j++) {
        distance = least(distance, rows[0][j]);
    }
    return distance;
}

void otter_nearest_offer(struct otter_nearest *nearest, const char *word, const char *name)
{
    bool is_short = word[0] && strncmp(name, word, strlen(word)) == 0;
    size_t distance = is_short ? 1 : otter_nearest_distance(word, name);
    bool is_near = distance <= strlen(name) / 4 + 1;
    if (is_near && (!nearest->name || distance < nearest->distance)) {
        *nearest = (struct otter_nearest){name, distance};
    }
}
