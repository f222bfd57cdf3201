// Stores texts as long as the process runs.
#include "base/texts.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct text {
    struct text *next;
    bool was_told;
    char text[];
};

static struct text *texts;

static struct text *keep(const char *text)
{
    for (struct text *at = texts; at; at = at->next) {
        if (strcmp(at->text, text) == 0) {
            return at;
        }
    }
    size_t size = strlen(text) + 1;
    struct text *kept = malloc(sizeof(*kept) + size);
    if (kept) {
        kept->next = texts;
        kept->was_told = false;
        memcpy(kept->text, text, size);
        texts = kept;
    }
    return kept;
}

const char *otter_text_keep(const char *text)
{
    const struct text *kept = keep(text);
    return kept ? kept->text : NULL;
}

bool otter_text_is_news(const char *text)
{
    struct text *kept = keep(text);
    if (!kept) {
        return true;
    }
    bool is_news = !kept->was_told;
    kept->was_told = true;
    return is_news;
}

void otter_texts_forget_told(void)
{
    for (struct text *at = texts; at; at = at->next) {
        at->was_told = false;
    }
}
