// Looks up properties of an archive's content.
#include "trace/write/archive_content.h"

#include <string.h>

const char *otter_content_description(const struct otter_archive_content *content, const char *name)
{
    for (size_t i = 0; i < content->n_descriptions; i++) {
        if (strcmp(content->descriptions[i].name, name) == 0) {
            return content->descriptions[i].value;
        }
    }
    return "";
}

bool otter_content_is_complete(const struct otter_archive_content *content)
{
    return content->n_lost == 0 && content->n_unread == 0 &&
           !*otter_content_description(content, "STOPPED");
}
