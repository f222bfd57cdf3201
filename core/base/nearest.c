// Finds the name that is most similar to a misspelt word.
#include "base/nearest.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_LENGTH = 80 }; // of a compared name

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Fills rows[0] for letter `i` of `word`. `rows[k][j]`: the distance of the first i + 1 - k letters
// of `word` to the first j letters of `name`.
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

static size_t distance_of(const char *word, const char *name)
{
    size_t rows[3][MAX_LENGTH + 1] = {{0}}, n = strlen(name), length = strlen(word);
    if (n > MAX_LENGTH || length > MAX_LENGTH) {
        return MAX_LENGTH;
    }
    for (size_t j = 0; j <= n; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 0; i < length; i++) {
        memcpy(rows[2], rows[1], sizeof rows[1]);
        memcpy(rows[1], rows[0], sizeof rows[0]);
        fill_row(rows, word, i, name, n);
    }
    return rows[0][n];
}

void otter_nearest_offer(struct otter_nearest *nearest, const char *word, const char *name)
{
    size_t distance = distance_of(word, name);
    bool is_near = distance <= strlen(name) / 4 + 1;
    if (is_near && (!nearest->name || distance < nearest->distance)) {
        *nearest = (struct otter_nearest){name, distance};
    }
}
