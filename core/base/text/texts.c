// Stores texts for the life of the process.
#include "base/text/texts.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct text {
    struct text *next;
    bool is_reported;
    char text[];
};

static struct text *texts;

static struct text *store(const char *text)
{
    for (struct text *at = texts; at; at = at->next) {
        if (strcmp(at->text, text) == 0) {
            return at;
        }
    }
    size_t size = strlen(text) + 1;
    struct text *stored = malloc(sizeof(*stored) + size);
    if (stored) {
        stored->next = texts;
        stored->is_reported = false;
        memcpy(stored->text, text, size);
        texts = stored;
    }
    return stored;
}

const char *otter_text_store(const char *text)
{
    const struct text *stored = store(text);
    return stored ? stored->text : NULL;
}

bool otter_text_is_new(const char *text)
{
    struct text *stored = store(text);
    if (!stored) {
        return true;
    }
    bool is_new = !stored->is_reported;
    stored->is_reported = true;
    return is_new;
}

void otter_texts_forget_reported(void)
{
    for (struct text *at = texts; at; at = at->next) {
        at->is_reported = false;
    }
}
